/* SPDX-License-Identifier: Apache-2.0 */
/* canonical.h — one order for equal profiles, however they came about
 *
 * Functions by name, file, line, module, address and kind; calls by caller and callee; the nodes of
 * a call tree depth first, children in the order of their functions. */
#ifndef PTK_ANALYSIS_MERGE_CANONICAL_H
#define PTK_ANALYSIS_MERGE_CANONICAL_H

#include "graph/model/graph.h"

void canonical_tree(struct graph *graph);

/* Listed functions come first: is_listed[f] of each. */
void canonical_calls(struct graph *graph, const bool *is_listed);

#endif
