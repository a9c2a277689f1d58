/* spread.h — how far apart one figure is where several have it: ranks, steps, runs */
#ifndef PTK_ANALYSIS_SPREAD_H
#define PTK_ANALYSIS_SPREAD_H

#include <stddef.h>
#include <stdint.h>

struct spread {
    int64_t least, median, most; /* the median of an even number is the lower of the two */
    size_t least_at, most_at;    /* the first that has it */
};

/* `values`, at least one, are put in order. */
struct spread spread_of(int64_t *values, size_t count);

#endif
