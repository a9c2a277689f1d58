/* SPDX-License-Identifier: Apache-2.0 */
/* hotspots.h — where does the time go: functions, the costliest first */
#ifndef PTK_ANALYSIS_FUNCTIONS_HOTSPOTS_H
#define PTK_ANALYSIS_FUNCTIONS_HOTSPOTS_H

#include "analysis/execution/wait_only_threads.h"
#include "analysis/functions/function_order.h"

struct hotspots_options {
    struct order order;
    uint32_t limit;     /* rows; 0 is all */
    double min_percent; /* rows whose self and cum are both below are left out */
};

struct hotspots_row {
    uint32_t function;    /* index into graph->functions, which has the figures */
    double self_share;    /* of `total`; NaN, as the others, of idle time */
    double cum_share;     /* of `whole` */
    double running_share; /* self of this row and those above it, of `total` */
};

struct hotspots {
    struct hotspots_row *rows; /* in the arena given to hotspots_compute */
    uint32_t count;
    uint32_t left_out;              /* rows past the limit or below the percentage */
    int64_t left_out_self;          /* what they add up to */
    int64_t nameless;               /* self of all code that has no name */
    struct wait_only wait_only;     /* their part of the total; none where only a part is asked */
    int64_t total;                  /* of self over all functions, but for idle time */
    int64_t idle;                   /* see graph_idle(); its rows are the last */
    int64_t whole;                  /* what 100 % of cum means: see graph_whole() */
    int64_t calls, primitive_calls; /* over all functions, or UNKNOWN */
};

/* The graph must have LEVEL_FLAT. */
void hotspots_compute(const struct graph *graph, const struct hotspots_options *options,
                      struct arena *arena, struct hotspots *hotspots);

#endif
