/* SPDX-License-Identifier: Apache-2.0 */
/* relatives.h — who calls a function, or whom it calls: how often and for how long */
#ifndef PTK_ANALYSIS_FUNCTIONS_RELATIVES_H
#define PTK_ANALYSIS_FUNCTIONS_RELATIVES_H

#include "analysis/functions/function_order.h"

enum direction { CALLERS, CALLEES };

struct relatives_options {
    enum direction direction;
    const bool *is_wanted; /* by frame */
    struct order order;    /* of the functions, and of the edges of each */
    uint32_t limit;        /* functions, and edges of each; 0 is all */
    double min_percent;    /* edges whose cum is less of the whole are left out */
};

/* One function that matches; its edges are edges[first] … edges[first + count - 1]. */
struct relatives_row {
    uint32_t function;
    uint32_t first, count;
    uint32_t left_out;
};

struct relatives {
    enum direction direction;
    struct relatives_row *rows; /* in the arena */
    uint32_t count;
    uint32_t left_out; /* functions past the limit */
    uint32_t *edges;   /* indices into graph->calls */
    int64_t whole;     /* what 100 % means: see graph_whole() */
};

/* The function at the other end of an edge. */
static inline uint32_t relative_of(const struct relatives *relatives, const struct graph *graph,
                                   uint32_t edge)
{
    return relatives->direction == CALLERS ? graph->calls.caller[edge] : graph->calls.callee[edge];
}

/* The graph must have LEVEL_CALLGRAPH. No match gives no rows. */
void relatives_find(const struct graph *graph, const struct relatives_options *options,
                    struct arena *arena, struct relatives *relatives);

#endif
