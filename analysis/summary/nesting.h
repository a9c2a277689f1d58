/* nesting.h — which host event is around which, and what that makes of it */
#ifndef PTK_ANALYSIS_SUMMARY_NESTING_H
#define PTK_ANALYSIS_SUMMARY_NESTING_H

#include "analysis/summary/host_tree.h"

/* Gives a tree whose events have their roles its parents, its other marks, the threads' turns and
 * the transfers. */
void host_tree_nest(struct host_tree *tree);

#endif
