/* SPDX-License-Identifier: Apache-2.0 */
/* call_edges.h — what flows along the calls of a call graph */
#ifndef PTK_ANALYSIS_FUNCTIONS_CALL_EDGES_H
#define PTK_ANALYSIS_FUNCTIONS_CALL_EDGES_H

#include "graph/model/graph.h"

/* the calls of a graph, reachable from either end; its cycles, and where it is entered */

/* The calls that a function makes: out[out_first[f]] … out[out_first[f + 1] - 1], as indices into
 * graph->calls, in the file's order; likewise those made to it. */
struct edges {
    uint32_t *out_first, *out;
    uint32_t *in_first, *in;
};

void edges_index(const struct graph *graph, struct arena *arena, struct edges *edges);

/* By function: the caller on whose behalf it took most time, the first of equals, never itself; NO_CALLER where
 * nobody else calls it. In the arena; one pass over the calls of LEVEL_CALLGRAPH. */
enum { NO_CALLER = -1 };

int64_t *main_callers_find(const struct graph *graph, struct arena *arena);

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

/* ---- a call graph without its cycles: the one construction of a call tree from it ---- */

/* A call graph has no paths, so a call tree made of it is an analysis, not a level. The rule, which
 * tree, flame, --focus, --hide and --show share:
 *
 * - A call from one function to another that cannot call it back keeps its recorded time. Where a
 *   function has one such caller that is its cumulative time. These figures are exact.
 * - Functions that call one another in a cycle are solved once, together: a search from where most
 *   time enters the cycle, the costliest calls first, finds the calls that lead back to a function
 *   on the way; they are folded: what such an inner call does is in the row of the outer one. What
 *   each member then holds, its own time and what leaves the cycle from it, goes to those who
 *   entered it from outside, as recorded, and the rest to its callers in the cycle in proportion to
 *   their calls' times. Those parts are estimates.
 * - What is left has no cycles. A function at several places has its time split over them in
 *   proportion to the calls on the way: estimates, too.
 *
 * So a function stands on no path twice, the sum over its places is never more than its cum, and
 * its self time, over its places, is the file's. */

/* What comes into a function over one call, or from outside the profile. */
struct inflow {
    int64_t time;     /* recorded, or solved; what a tree shows */
    int64_t amount;   /* of all self times, what flows up here: a flame graph's widths */
    bool is_there;    /* false: a folded call, or not entered from outside */
    bool is_estimate; /* `time` is no figure of the file */
};

/* All in the arena. */
struct call_flow {
    struct edges edges;
    struct inflow *call;    /* by call */
    struct inflow *outside; /* by function */
    int64_t *self;          /* by function; negative times count as 0 */
    int64_t *time;          /* by function: the sum over what comes in */
    int64_t *amount;        /* by function: self, and the amounts of the calls that it makes */
    bool *is_sole;          /* by function: it stands at one place */
    bool *is_recursive;     /* by function: it calls itself, alone or over others */
    uint32_t *order;        /* functions, callees before their callers */
    int64_t whole;          /* the sum of self */
};

/* The graph must have LEVEL_CALLGRAPH. */
void call_flow_solve(const struct graph *graph, struct arena *arena, struct call_flow *flow);

#endif
