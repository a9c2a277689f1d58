/* metric_names.h — which of nvprof's metrics count work, and in which unit */
#ifndef PTK_PARSERS_NVPROF_METRIC_NAMES_H
#define PTK_PARSERS_NVPROF_METRIC_NAMES_H

#include "graph/graph.h"

struct metric_meaning {
    const char *name;
    enum counter counter;
    int64_t factor; /* FLOP or bytes that one of it is */
    bool is_exact;  /* says in bytes what others say in transactions, which it replaces */
};

/* NULL for metrics that count no work. A fused multiply-add is two of nvprof's flop_count_*
 * already. */
const struct metric_meaning *metric_meaning(struct span name);

#endif
