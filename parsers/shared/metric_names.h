/* SPDX-License-Identifier: Apache-2.0 */
/* metric_names.h — which metrics of nvprof and Nsight Compute count work, and in which unit */
#ifndef PTK_PARSERS_SHARED_METRIC_NAMES_H
#define PTK_PARSERS_SHARED_METRIC_NAMES_H

#include "graph/model/graph.h"

struct metric_meaning {
    const char *name;
    enum counter counter;
    int64_t factor; /* FLOP or bytes that one of it is */
    int rank;       /* of several that say the same the highest counts */
};

/* NULL for metrics that count no work. A fused multiply-add is two FLOP, as nvprof's
 * flop_count_* have it already. */
const struct metric_meaning *metric_meaning(struct span name);

#endif
