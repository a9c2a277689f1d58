/* SPDX-License-Identifier: Apache-2.0 */
/* call_edges.h — the calls of a graph, reachable from either end; its cycles, and where it is entered */
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

/* Functions that call one another in a cycle, found together (Tarjan 1972). Those of one component
 * reach each other over calls; most components are one function.
 * Numbered so that calls from one to another always go from the higher number to the lower. */
struct components {
    uint32_t count;
    uint32_t *of;             /* by function */
    uint32_t *first, *member; /* functions of c: member[first[c]] … member[first[c + 1] - 1] */
};

void components_find(const struct graph *graph, const struct edges *edges, struct arena *arena,
                     struct components *components);

/* A function that is entered from outside the profile: a root. Over a function's callers, calls and
 * self times add up to its own, except for what came from code that the profiler did not see. That
 * residue finds the roots even when they are also called from inside, as Python's exec is. */
struct entry {
    uint32_t function;
    int64_t calls; /* from outside; UNKNOWN when the profile counts none */
    int64_t self;  /* the function's own time in them; UNKNOWN when callers have no times */
    int64_t cum;   /* with callees: the function's cum less what its callers account for */
};

struct entries {
    struct entry *list; /* in the file's order, in the arena */
    uint32_t count;
    int64_t cum; /* their sum: what passed under the profiler's eyes */
};

/* The graph must have LEVEL_FLAT, and the totals of its calls (graph/derive/derive.h). A function
 * without callers is an entry, too. */
void entries_find(const struct graph *graph, const struct edge_totals *edge_totals,
                  struct arena *arena, struct entries *entries);

#endif
