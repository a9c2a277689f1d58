/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/replay.h"

#include <stdlib.h>

#include "base/memory/vector.h"

/* What a thread was innermost in while its tasks were on the path. */
static void mark_thread(const struct execution *execution, uint32_t track, const bool *is_task,
                        struct path_marks *marks)
{
    struct task_pieces pieces = {0};
    struct task_piece piece;

    task_pieces_begin(&pieces, execution, track, NULL);
    while (task_pieces_next(&pieces, &piece))
        if (is_task[piece.task] && piece.segment.event != NO_EVENT)
            marks->is_on_path[piece.segment.event] = true;
    task_pieces_free(&pieces);
}

static void add_arrow(const struct execution *execution, task_id from, task_id to,
                      struct path_marks *marks)
{
    const struct dependency *by = task_decisive(execution, to);
    event_id event;

    if (!by || execution->track[from] == execution->track[to])
        return;
    marks->arrows[marks->arrow_count++] = (struct path_arrow){
        .from_track = execution->track[from],
        .to_track = execution->track[to],
        .from = by->kind == DEPENDS_ON_SLOT ? execution->start[from] : execution->end[from],
        .to = execution->start[to],
        .part = path_part_of_lag(execution, to, by, &event)};
}

void path_marks_find(const struct execution *execution, const struct critical_path *path,
                     struct arena *arena, struct path_marks *marks)
{
    const struct timeline *timeline = &execution->graph->timeline;
    bool *is_task = grow_zeroed((size_t)execution->count + 1, sizeof(*is_task));

    *marks = (struct path_marks){
        .is_on_path = arena_array(arena, timeline->count, sizeof(*marks->is_on_path)),
        .arrows = arena_array(arena, path->task_count, sizeof(*marks->arrows))};
    for (uint32_t i = path->task_count; i-- > 0;) {
        task_id task = path->tasks[i];

        is_task[task] = true;
        if (execution->kind[task] == TASK_DEVICE)
            marks->is_on_path[execution->event[task]] = true;
        if (i + 1 < path->task_count)
            add_arrow(execution, path->tasks[i + 1], task, marks);
    }
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_THREAD)
            mark_thread(execution, i, is_task, marks);
    free(is_task);
}
