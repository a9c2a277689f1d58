/* SPDX-License-Identifier: Apache-2.0 */
/* counters_join.h — gives the kernels of a timeline what counters saw of them in another run
 *
 * Counting slows a program down, so times and counters come from different runs of it. Launches are
 * one when their kernel, their grid and block (where both files have them) and their place among
 * such launches are; sums over all launches of a kernel are shared out evenly. */
#ifndef PTK_ANALYSIS_ROOFLINE_COUNTERS_JOIN_H
#define PTK_ANALYSIS_ROOFLINE_COUNTERS_JOIN_H

#include "graph/model/graph.h"

struct counters_join {
    uint32_t launches, matched; /* kernels on the timeline, and those that were counted */
    uint32_t kernels, absent;   /* counted kernels, and those that the timeline has none of */
    bool by_short_names;        /* without template arguments and parameters */
    uint32_t uneven;            /* kernels that the two runs launched differently often */
};

/* Adds to `timeline` (LEVEL_TIMELINE) properties of events; `counted` may be the same graph. */
void counters_join(struct graph *timeline, const struct graph *counted, struct counters_join *join);

/* The same for a table of times (LEVEL_FLAT): takes over what was counted, each kernel with the
 * mean time that the table has for it, and as often as it was counted. */
void counters_take(struct graph *table, const struct graph *counted, struct counters_join *join);

#endif
