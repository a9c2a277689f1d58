/* SPDX-License-Identifier: Apache-2.0 */
/* call_edges.h — the calls of a graph, reachable from either end */
#ifndef PTK_ANALYSIS_FUNCTIONS_CALL_EDGES_H
#define PTK_ANALYSIS_FUNCTIONS_CALL_EDGES_H

#include "graph/model/graph.h"

/* The calls that a function makes: out[out_first[f]] … out[out_first[f + 1] - 1], as indices into
 * graph->calls, in the file's order; likewise those made to it. */
struct edges {
    uint32_t *out_first, *out;
    uint32_t *in_first, *in;
};

void edges_index(const struct graph *graph, struct arena *arena, struct edges *edges);

/* What passes over each call. Where the file has no time for a call it is the callee's, in
 * proportion to the calls; that is an estimate, and it is said so. */
struct edge_times {
    int64_t *self, *cum;
    bool *self_is_estimate, *cum_is_estimate;
};

void edges_times(const struct graph *graph, struct arena *arena, struct edge_times *times);

#endif
