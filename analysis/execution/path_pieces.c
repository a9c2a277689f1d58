/* SPDX-License-Identifier: Apache-2.0 */
/* path_pieces.c — the critical path as pieces of time, one after the other, each with the event that it was in */
#include <stdlib.h>

#include "analysis/execution/path_parts.h"
#include "analysis/execution/replay.h"
#include "base/memory/memory.h"

static void add_piece(struct path_pieces *pieces, struct path_piece piece)
{
    if (piece.end > piece.start)
        vector_add(pieces, piece);
}

/* What a thread ran in its tasks that are on the path. */
static void add_thread(struct path_pieces *pieces, const struct execution *execution,
                       uint32_t track, const bool *is_on_path)
{
    struct task_pieces of_track = {0};
    struct task_piece piece;

    task_pieces_begin(&of_track, execution, track, NULL);
    while (task_pieces_next(&of_track, &piece))
        if (is_on_path[piece.task] && execution->kind[piece.task] != TASK_WAIT)
            add_piece(pieces, (struct path_piece){piece.segment.start, piece.segment.end,
                                                  piece.segment.event,
                                                  path_part_of_segment(execution, &piece)});
    task_pieces_free(&of_track);
}

/* Tasks of devices, waits, and what lies between tasks; from the last task back. */
static void add_tasks(struct path_pieces *pieces, const struct execution *execution, task_id task,
                      bool *is_on_path)
{
    bool is_whole = true; /* the path comes to the task from its end, not from its start */

    while (task) {
        const struct dependency *by = task_decisive(execution, task);
        event_id event;
        enum path_part part;

        if (is_whole) {
            is_on_path[task] = true;
            if (execution->kind[task] != TASK_HOST)
                add_piece(pieces, (struct path_piece){execution->start[task], execution->end[task],
                                                      execution->event[task],
                                                      path_part_of_task(execution, task)});
        }
        if (!by)
            return;
        part = path_part_of_lag(execution, task, by, &event);
        add_piece(pieces, (struct path_piece){execution->start[task] - by->lag,
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

void path_pieces_find(const struct execution *execution, const struct critical_path *path,
                      struct path_pieces *pieces)
{
    const struct timeline *timeline = &execution->graph->timeline;
    bool *is_on_path = grow_zeroed((size_t)execution->count + 1, sizeof(*is_on_path));
    struct path_pieces found = {0};
    uint32_t *order;

    if (path->task_count)
        add_tasks(&found, execution, path->tasks[0], is_on_path);
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_THREAD)
            add_thread(&found, execution, i, is_on_path);
    order = sorted_order((uint32_t)found.count, begins_before, found.list);
    *pieces = (struct path_pieces){.list = grow_to(NULL, found.count + 1, sizeof(*pieces->list)),
                                   .count = found.count};
    for (size_t i = 0; i < found.count; i++)
        pieces->list[i] = found.list[order[i]];
    free(order);
    free(found.list);
    free(is_on_path);
}
