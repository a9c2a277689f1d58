/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/summary/thread_groups.h"

static bool is_same_thread(const struct track *a, const struct track *b)
{
    return a->pid == b->pid && a->tid == b->tid;
}

/* Lanes of a thread follow each other among the visits. */
void summary_threads_make(const struct host_tree *tree, bool is_by_thread, struct arena *arena,
                          struct summary_threads *threads)
{
    const struct timeline *t = &tree->graph->timeline;
    const struct track *last = NULL;

    *threads = (struct summary_threads){
        .of_track = arena_array(arena, t->track_count, sizeof(*threads->of_track)),
        .numbers = arena_array(arena, (size_t)t->track_count + 1, sizeof(*threads->numbers)),
        .count = is_by_thread ? 0 : 1,
    };
    for (uint32_t i = 0; is_by_thread && i < tree->visit_count; i++) {
        const struct track *track = &t->tracks[tree->visits[i]];

        if (!last || !is_same_thread(last, track))
            threads->numbers[threads->count++] = track->tid;
        threads->of_track[tree->visits[i]] = threads->count - 1;
        last = track;
    }
}
