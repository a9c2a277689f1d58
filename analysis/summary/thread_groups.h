/* SPDX-License-Identifier: Apache-2.0 */
/* thread_groups.h — the threads by which tables are separated, or all of them as one */
#ifndef PTK_ANALYSIS_SUMMARY_THREAD_GROUPS_H
#define PTK_ANALYSIS_SUMMARY_THREAD_GROUPS_H

#include "analysis/summary/host_tree.h"

struct summary_threads {
    uint32_t *of_track; /* by track, the index of its thread; lanes share their thread's */
    int64_t *numbers;   /* by thread, its number in the file; ascending */
    uint32_t count;
};

/* Lives in the arena. When threads are not told apart there is one, number 0. */
void summary_threads_make(const struct host_tree *tree, bool is_by_thread, struct arena *arena,
                          struct summary_threads *threads);

#endif
