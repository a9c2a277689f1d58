/* SPDX-License-Identifier: Apache-2.0 */
/* path_pieces.c — the critical path as pieces of time, one after the other, each with the event that it was in */
#include <stdlib.h>

#include "analysis/execution/path_parts.h"
#include "analysis/execution/replay.h"
#include "base/checked.h"
#include "base/memory/memory.h"

/* The length from which on at most so many pieces are as long. */
static int64_t least_of_path(const struct path_collector *all)
{
    uint64_t count = 0;
    int bits = 63;

    while (bits > 0 && count + all->longer[bits] <= all->most)
        count += all->longer[bits--];
    return bits ? (int64_t)1 << (bits + 1) : 1;
}

/* Which lengths are kept only grows with the pieces that come. */
static void leave_out_short(struct path_collector *all)
{
    struct path_pieces *pieces = all->pieces;
    size_t kept = 0;

    all->least = least_of_path(all);
    for (size_t i = 0; i < pieces->count; i++) {
        int64_t length = pieces->list[i].end - pieces->list[i].start;

        if (length < all->least)
            pieces->rest = checked_add(pieces->rest, length);
        else
            pieces->list[kept++] = pieces->list[i];
    }
    pieces->count = kept;
}

void path_collect(struct path_collector *all, struct path_piece piece)
{
    struct path_pieces *pieces = all->pieces;
    int64_t length = piece.end - piece.start;

    if (length <= 0)
        return;
    all->longer[63 - __builtin_clzll((uint64_t)length)]++;
    if (length < all->least) {
        pieces->rest = checked_add(pieces->rest, length);
        return;
    }
    vector_add(pieces, piece);
    if (pieces->count / 2 > all->most)
        leave_out_short(all);
}

/* Tasks of devices, waits, and what lies between tasks; from the last task back. */
static void collect_tasks(const struct execution *execution, task_id task,
                          struct path_collector *all)
{
    bool is_whole = true; /* the path comes to the task from its end, not from its start */

    while (task) {
        const struct dependency *by = task_decisive(execution, task);
        event_id event;
        enum path_part part;

        if (is_whole && execution->kind[task] != TASK_HOST)
            path_collect(all, (struct path_piece){execution->start[task], execution->end[task],
                                                  execution->event[task],
                                                  path_part_of_task(execution, task)});
        if (!by)
            return;
        part = path_part_of_lag(execution, task, by, &event);
        path_collect(all, (struct path_piece){execution->start[task] - by->lag,
                                              execution->start[task], event, part});
        is_whole = by->kind != DEPENDS_ON_SLOT;
        task = by->from;
    }
}

static bool begins_before(const void *context, uint32_t a, uint32_t b)
{
    const struct path_piece *list = context;

    return list[a].start < list[b].start;
}

void path_pieces_find(const struct execution *execution, uint64_t most, struct arena *arena,
                      struct critical_path *path, struct path_pieces *pieces)
{
    struct path_collector all = {.pieces = pieces, .most = most, .least = 1};
    struct path_piece *list;
    uint32_t *order;

    *pieces = (struct path_pieces){.count = 0};
    critical_path_collect(execution, arena, path, &all);
    if (path->task_count)
        collect_tasks(execution, path->tasks[0], &all);
    leave_out_short(&all);
    order = sorted_order((uint32_t)pieces->count, begins_before, pieces->list);
    list = grow_to(NULL, pieces->count + 1, sizeof(*list));
    for (size_t i = 0; i < pieces->count; i++)
        list[i] = pieces->list[order[i]];
    free(order);
    free(pieces->list);
    pieces->list = list;
    pieces->cap = pieces->count + 1;
}
