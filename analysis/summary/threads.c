#include "analysis/summary/threads.h"

#include "base/sort.h"

static bool is_before(const void *timeline, uint32_t a, uint32_t b)
{
    const struct track *x = &((const struct timeline *)timeline)->tracks[a];
    const struct track *y = &((const struct timeline *)timeline)->tracks[b];

    return x->pid != y->pid ? x->pid < y->pid : x->tid < y->tid;
}

void summary_threads_make(const struct host_tree *tree, bool is_by_thread, struct arena *arena,
                          struct summary_threads *threads)
{
    const struct timeline *t = &tree->graph->timeline;
    uint32_t *order = arena_array(arena, t->track_count, sizeof(*order)), last = UINT32_MAX;

    *threads = (struct summary_threads){
        .of_track = arena_array(arena, t->track_count, sizeof(*threads->of_track)),
        .numbers = arena_array(arena, (size_t)t->track_count + 1, sizeof(*threads->numbers)),
        .count = is_by_thread ? 0 : 1,
    };
    for (uint32_t i = 0; i < t->track_count; i++)
        order[i] = i;
    sort_stable(order, t->track_count, is_before, t);
    for (uint32_t i = 0; is_by_thread && i < t->track_count; i++) {
        if (t->tracks[order[i]].kind != TRACK_THREAD)
            continue;
        if (last == UINT32_MAX || is_before(t, last, order[i]))
            threads->numbers[threads->count++] = t->tracks[order[i]].tid;
        threads->of_track[order[i]] = threads->count - 1;
        last = order[i];
    }
}
