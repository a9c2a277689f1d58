/* SPDX-License-Identifier: Apache-2.0 */
/* wait_only_threads.h — threads that only wait for others: progress bars, watchdogs, pools
 *
 * Where a device works, a thread that holds nothing but Python functions, which do not say that
 * they wait, or training steps, is taken for one. */
#ifndef PTK_ANALYSIS_EXECUTION_WAIT_ONLY_THREADS_H
#define PTK_ANALYSIS_EXECUTION_WAIT_ONLY_THREADS_H

#include "graph/model/graph.h"

/* Whether its events say nothing else. Its lanes may. */
bool track_may_only_wait(const struct graph *graph, const struct track *track);

struct wait_only {
    uint32_t count;
    uint32_t track; /* of the last of them */
    int64_t time;   /* ns of all, each as a union */
};

/* Needs LEVEL_TIMELINE, and PROP_STEP, without which one that holds steps is none. */
struct wait_only wait_only_sum(const struct graph *graph);

/* Leaves them out of what the host's time is derived from. */
void wait_only_set_apart(struct graph *graph);

#endif
