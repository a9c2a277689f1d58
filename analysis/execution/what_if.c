#include "analysis/execution/what_if.h"

#include "base/memory/sort.h"

static bool lasts_longer(const void *context, uint32_t a, uint32_t b)
{
    const struct what_if *out = context;
    int64_t first = out->path[0].time_of[a], second = out->path[0].time_of[b];

    first = out->path[1].time_of[a] > first ? out->path[1].time_of[a] : first;
    second = out->path[1].time_of[b] > second ? out->path[1].time_of[b] : second;
    return first > second;
}

static void list_rows(const struct graph *graph, struct arena *arena, struct what_if *out)
{
    uint32_t *order = arena_array(arena, graph->frames.count, sizeof(*order));

    for (frame_id id = 0; id < graph->frames.count; id++)
        if (out->path[0].time_of[id] || out->path[1].time_of[id])
            order[out->row_count++] = id;
    sort_stable(order, out->row_count, lasts_longer, out);
    out->rows = arena_array(arena, out->row_count, sizeof(*out->rows));
    for (uint32_t i = 0; i < out->row_count; i++)
        out->rows[i] = (struct what_if_row){order[i], out->path[0].time_of[order[i]],
                                            out->path[1].time_of[order[i]]};
}

static bool go_one_way(const double *factors)
{
    bool is_faster = false, is_slower = false;

    for (int i = 0; i <= REPLAY_CHANGES_MAX; i++) {
        is_faster |= factors[i] > 1;
        is_slower |= factors[i] < 1;
    }
    return !is_faster || !is_slower;
}

void what_if_compute(const struct graph *graph, const uint8_t *change_of,
                     const double factors[REPLAY_CHANGES_MAX + 1], struct arena *arena,
                     struct what_if *out)
{
    double unchanged[REPLAY_CHANGES_MAX + 1];
    struct replay replay;
    int64_t *times;

    *out = (struct what_if){.has_bounds = go_one_way(factors)};
    for (int i = 0; i <= REPLAY_CHANGES_MAX; i++)
        unchanged[i] = 1;
    replay_make(graph, change_of, arena, &replay);
    out->guesses = replay.guesses;
    times = arena_array(arena, 2 * (size_t)replay.piece_count, sizeof(*times));
    replay_run(&replay, unchanged, times);
    out->before = replay.span;
    replay_path(&replay, unchanged, times, arena, &out->path[0]);
    out->after = replay_run(&replay, factors, times);
    replay_path(&replay, factors, times, arena, &out->path[1]);
    replay_bound(&replay, factors, &out->bounds);
    list_rows(graph, arena, out);
}
