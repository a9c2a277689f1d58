/* SPDX-License-Identifier: Apache-2.0 */
/* extremes.h — how far apart one figure is where several have it: ranks, steps, runs */
#ifndef PTK_ANALYSIS_TIMELINE_EXTREMES_H
#define PTK_ANALYSIS_TIMELINE_EXTREMES_H

#include <stddef.h>
#include <stdint.h>

struct extremes {
    int64_t least, median, most; /* the median of an even number is the lower of the two */
    size_t least_at, most_at;    /* the first that has it */
};

/* `values`, at least one, are put in order. */
struct extremes extremes_of(int64_t *values, size_t count);

#endif
