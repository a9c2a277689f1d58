/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/task_graph.h"

#include <stdlib.h>

#include "base/memory/memory.h"

task_id task_of_work(const struct execution *execution, event_id work)
{
    uint32_t track = track_of_event(&execution->graph->timeline, work);
    task_id first = execution->first_task[track], past = execution->first_task[track + 1];

    SEARCH(task_id, at, past - first, execution->event[first + at] < work);
    return first + at < past && execution->event[first + at] == work ? first + at : NO_TASK;
}

task_id task_ending_by(const struct execution *execution, uint32_t track, int64_t time)
{
    task_id first = execution->first_task[track], past = execution->first_task[track + 1];

    SEARCH(task_id, at, past - first, execution->end[first + at] <= time);
    return at ? first + at - 1 : NO_TASK;
}

const struct dependency *task_decisive(const struct execution *execution, task_id task)
{
    for (uint32_t d = execution->first[task]; d < execution->first[task + 1]; d++) {
        const struct dependency *by = &execution->dependencies[d];
        int64_t from =
            by->kind == DEPENDS_ON_SLOT ? execution->start[by->from] : execution->end[by->from];

        if (from + by->lag == execution->start[task])
            return by;
    }
    return NULL;
}

void execution_drop_dependencies(struct execution *execution)
{
    free(execution->first);
    free(execution->dependencies);
    free(execution->order);
    execution->first = execution->order = NULL;
    execution->dependencies = NULL;
}

void execution_free(struct execution *execution)
{
    execution_drop_dependencies(execution);
    free(execution->start);
    free(execution->end);
    free(execution->track);
    free(execution->event);
    free(execution->kind);
    free(execution->first_task);
    free(execution->takes_part);
    free(execution->role);
    free(execution->setup_calls.list);
    free(execution->batches.list);
    free(execution->releases.list);
    free(execution->producers.list);
    free(execution->slowdowns.list);
    free(execution->slowed.list);
    *execution = (struct execution){0};
}

/* ---- pieces ---- */

void task_pieces_begin(struct task_pieces *pieces, const struct execution *execution,
                       uint32_t track, const uint8_t *mark_of)
{
    innermost_begin(&pieces->innermost, &execution->graph->timeline, track, mark_of);
    pieces->execution = execution;
    pieces->task = execution->first_task[track];
    pieces->past = execution->first_task[track + 1];
    pieces->has_segment = false;
}

bool task_pieces_next(struct task_pieces *pieces, struct task_piece *piece)
{
    const struct execution *execution = pieces->execution;

    while (pieces->task < pieces->past) {
        int64_t start = execution->start[pieces->task], end = execution->end[pieces->task];

        if (!pieces->has_segment &&
            !(pieces->has_segment = innermost_next(&pieces->innermost, &pieces->segment)))
            return false;
        if (pieces->segment.end <= start) {
            pieces->has_segment = false;
            continue;
        }
        if (pieces->segment.start >= end || start == end) {
            pieces->task++;
            continue;
        }
        *piece = (struct task_piece){pieces->task, pieces->segment};
        if (piece->segment.start < start)
            piece->segment.start = start;
        if (piece->segment.end > end) {
            piece->segment.end = end;
            pieces->segment.start = end;
            pieces->task++;
        } else {
            pieces->has_segment = false;
        }
        return true;
    }
    return false;
}

void task_pieces_free(struct task_pieces *pieces)
{
    innermost_free(&pieces->innermost);
}
