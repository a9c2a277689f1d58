/* SPDX-License-Identifier: Apache-2.0 */
/* call_flow.h — a call graph without its cycles: the one construction of a call tree from it
 *
 * A call graph has no paths, so a call tree made of it is an analysis, not a level. The rule, which
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
#ifndef PTK_ANALYSIS_FUNCTIONS_CALL_FLOW_H
#define PTK_ANALYSIS_FUNCTIONS_CALL_FLOW_H

#include "analysis/functions/call_edges.h"

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
