/* flow.h — where the self time of a call graph flows to when it is followed up to the roots
 *
 * A call graph has no paths. What can be drawn without inventing any: functions that call one
 * another in a circle are taken as one node; every node holds its own time and what its callees
 * give it; and gives all that it holds to its callers, in proportion to the time of their calls.
 * Nothing is lost or counted twice on the way: the roots hold the sum of all self times, and a
 * function's self time, summed over the places where it is drawn, is the file's. */
#ifndef PTK_ANALYSIS_LAYOUT_FLOW_H
#define PTK_ANALYSIS_LAYOUT_FLOW_H

#include "graph/model/graph.h"

/* What a node gets from one below it. */
struct flow_link {
    uint32_t node; /* the one below */
    int64_t amount;
};

/* Nodes are the functions, by index, then the circles of functions, then the root. A circle's
 * links are its members. */
struct flow {
    uint32_t count, root;
    int64_t *self;  /* by node: its own; 0 of circles and the root. Negative times count as 0. */
    int64_t *total; /* self and the amounts of its links */
    uint32_t *first;
    struct flow_link *links; /* those of node n: links[first[n]] … links[first[n + 1] - 1] */
    uint32_t *members;       /* by node: functions in it */
};

/* The graph must have LEVEL_CALLGRAPH. */
void flow_compute(const struct graph *graph, struct arena *arena, struct flow *flow);

#endif
