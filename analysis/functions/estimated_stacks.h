/* SPDX-License-Identifier: Apache-2.0 */
/* estimated_stacks.h — a call tree in place of a call graph, for formats that hold stacks alone */
#ifndef PTK_ANALYSIS_FUNCTIONS_ESTIMATED_STACKS_H
#define PTK_ANALYSIS_FUNCTIONS_ESTIMATED_STACKS_H

#include "graph/model/graph.h"

/* By the rule of call_flow.h: each function's self times, over its stacks, are its own. The graph,
 * which is a call graph's with LEVEL_CALLGRAPH, is a call tree's then, and a warning says that its
 * stacks are estimates. */
void estimate_stacks(struct graph *graph);

#endif
