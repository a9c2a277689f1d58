/* SPDX-License-Identifier: Apache-2.0 */
/* prune.h — what a picture leaves out */
#ifndef PTK_ANALYSIS_SELECTION_PRUNE_H
#define PTK_ANALYSIS_SELECTION_PRUNE_H

#include "base/text/pattern.h"
#include "graph/model/graph.h"

/* ---- the part of a call graph that is worth drawing ---- */

/* The rules are gprof2dot's: a function weighs its cum, a call its own, both as a share of the
 * whole. First the functions below their threshold go, then the calls that are below theirs or
 * lost an end; what weighs exactly the threshold stays. Then roots, leaves and depth. */

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
};

/* False with ERROR_NO when a root or leaf pattern matches nothing that is left. */
MUST_CHECK bool prune(const struct graph *graph, const struct prune_options *options,
                      struct arena *arena, struct pruned *pruned, struct error *err);

/* part / whole within 0 … 1, as drawings need it; 1 when both are 0. */
double prune_weight(int64_t part, int64_t whole);

/* ---- the functions that tell most about a profile, and what passes between them ---- */

/* The rules are pprof's (design notes, semantics/pprof.md §5): functions below a share of the total
 * go, then those stay that rank highest: cum times how evenly it comes and goes (the entropy of
 * what passes over the calls), plus self. Where functions between two that are kept went, a call
 * tree still knows what passed through them: such a call is residual, and goes again where other
 * calls say the same. A call graph cannot know that, and has no residual calls. */

struct trim_options {
    double node_percent, edge_percent; /* of the total of self values */
    uint32_t nodes;                    /* at most so many; 0: all */
};

struct trimmed_call {
    uint32_t caller, callee; /* functions, never the same */
    int64_t cum;             /* a call inside itself counts once */
    bool is_residual, is_estimate;
};

/* All in the arena. */
struct trimmed {
    uint32_t *functions; /* by rank */
    uint32_t function_count;
    struct trimmed_call *calls; /* the heaviest first */
    uint32_t call_count;
    int64_t total;                         /* of self values */
    int64_t shown;                         /* of it in the functions */
    int64_t least_cum, least_edge;         /* what both shares come to */
    uint32_t light_functions, light_calls; /* dropped for being below */
    uint32_t known_functions;              /* those that were not */
};

/* Needs LEVEL_FLAT and, where the format has no call tree, LEVEL_CALLGRAPH. */
void trim(const struct graph *graph, const struct trim_options *options, struct arena *arena,
          struct trimmed *trimmed);

#endif
