/* bystanders.h — threads that only wait for others: progress bars, watchdogs, pools
 *
 * Where a device works, a thread that holds nothing but Python functions, which do not say that they
 * wait, or training steps, is taken for one. */
#ifndef PTK_ANALYSIS_BYSTANDERS_H
#define PTK_ANALYSIS_BYSTANDERS_H

#include "graph/graph.h"

/* By track; the arena's. Needs LEVEL_TIMELINE, and PROP_STEP. */
bool *bystanders_find(const struct graph *graph, struct arena *arena);

#endif
