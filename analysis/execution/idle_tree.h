/* SPDX-License-Identifier: Apache-2.0 */
/* idle_tree.h — a device's idle time as a value of the functions that it waited for
 *
 * What a thread held up (idle_gaps.h) is the self time of the function that it was in then, below
 * all that was around that: Python's stack, modules, ranges. What no thread held up stands beside
 * that, by cause: below "(launch queue)" the calls that launched, below "(dependency)" other
 * streams' work, below "(unknown)" nothing. */
#ifndef PTK_ANALYSIS_EXECUTION_IDLE_TREE_H
#define PTK_ANALYSIS_EXECUTION_IDLE_TREE_H

#include "graph/model/graph.h"

/* Makes LEVEL_CALLTREE, whose time is all devices' idle time, between the first and the last work of
 * each; a call is one that held a device up. For TIMELINE_IDLE; wants of a parser what
 * execution_build() does. Needs LEVEL_TIMELINE. */
void idle_tree_make(struct graph *graph);

#endif
