/* SPDX-License-Identifier: Apache-2.0 */
/* prune.h — the part of a call graph that is worth drawing
 *
 * The rules are gprof2dot's: a function weighs its cum, a call its own, both as a share of the
 * whole. First the functions below their threshold go, then the calls that are below theirs or
 * lost an end; what weighs exactly the threshold stays. Then roots, leaves and depth. */
#ifndef PTK_ANALYSIS_SELECTION_PRUNE_H
#define PTK_ANALYSIS_SELECTION_PRUNE_H

#include "base/text/pattern.h"
#include "graph/model/graph.h"

struct prune_options {
    double node_percent, edge_percent;
    const struct pattern *root; /* keep what these functions reach; NULL: all */
    const struct pattern *leaf; /* keep what reaches these functions; NULL: all */
    uint32_t depth;             /* calls from the roots at most; 0 is all */
};

struct pruned {
    uint32_t *functions; /* indices into graph->functions, in the file's order; in the arena */
    uint32_t function_count;
    uint32_t *edges; /* indices into graph->calls, by caller, then callee */
    uint32_t edge_count;
    const int64_t *edge_cum;   /* of every call, estimated where the file has none */
    const bool *edge_estimate; /* of every call */
    int64_t total, whole;      /* what 100 % of self and of cum mean */
    uint32_t dropped_functions, dropped_edges;
};

/* False with ERROR_NO when a root or leaf pattern matches nothing that is left. */
MUST_CHECK bool prune(const struct graph *graph, const struct prune_options *options,
                      struct arena *arena, struct pruned *pruned, struct error *err);

/* part / whole within 0 … 1, as drawings need it; 1 when both are 0. */
double prune_weight(int64_t part, int64_t whole);

#endif
