/* SPDX-License-Identifier: Apache-2.0 */
/* entry_points.h — functions that are entered from outside the profile: its roots
 *
 * Over a function's callers, calls and self times add up to its own, except for what came from
 * code that the profiler did not see. That residue finds the roots even when they are also
 * called from inside, as Python's exec is. */
#ifndef PTK_ANALYSIS_FUNCTIONS_ENTRY_POINTS_H
#define PTK_ANALYSIS_FUNCTIONS_ENTRY_POINTS_H

#include "graph/model/graph.h"

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

/* The graph must have LEVEL_FLAT, and the totals of its calls (graph/derive/need.h). A function
 * without callers is an entry, too. */
void entries_find(const struct graph *graph, const struct edge_totals *edge_totals,
                  struct arena *arena, struct entries *entries);

#endif
