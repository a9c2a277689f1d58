/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/replay.h"

#include <math.h>

int64_t replay_scaled(const struct replay_change *change, uint8_t part, int64_t length)
{
    double factor = part ? change->factors[part] : 1;

    return factor == 1 ? length : checked_whole(round((double)length / factor));
}

static void scale_thread(const struct execution *execution, uint32_t track,
                         const struct replay_change *change, int64_t *length)
{
    struct task_pieces pieces = {0};
    struct task_piece piece;

    for (task_id t = execution->first_task[track]; t < execution->first_task[track + 1]; t++)
        length[t] = 0;
    task_pieces_begin(&pieces, execution, track, change->of_frame);
    while (task_pieces_next(&pieces, &piece))
        length[piece.task] =
            checked_add(length[piece.task], replay_scaled(change, piece.segment.mark,
                                                          piece.segment.end - piece.segment.start));
    task_pieces_free(&pieces);
}

void replay_lengths(const struct execution *execution, const struct replay_change *change,
                    int64_t *length)
{
    const struct timeline *timeline = &execution->graph->timeline;

    for (task_id task = 0; task < execution->count; task++) {
        length[task] = task_length(execution, task);
        if (execution->kind[task] == TASK_DEVICE && change->of_frame)
            length[task] = replay_scaled(
                change, change->of_frame[timeline->frame[execution->event[task]]], length[task]);
    }
    for (uint32_t i = 0; i < timeline->track_count && change->of_frame; i++)
        if (timeline->tracks[i].kind == TRACK_THREAD)
            scale_thread(execution, i, change, length);
}

static int64_t after(const struct dependency *dependency, const int64_t *length, const int64_t *end)
{
    int64_t time = end[dependency->from];

    if (dependency->kind == DEPENDS_ON_SLOT)
        time = checked_sub(time, length[dependency->from]);
    return checked_add(time, dependency->lag);
}

/* Others end a wait when they did, however early it begins; unless it is changed itself. */
static int64_t end_of_wait(const struct execution *execution, task_id task, int64_t start,
                           int64_t length)
{
    int64_t ended = execution->end[task];

    if (length != task_length(execution, task) && checked_add(start, length) < ended)
        ended = checked_add(start, length);
    return ended > start ? ended : start;
}

int64_t replay_run(const struct execution *execution, int64_t *length, int64_t *end)
{
    return replay_run_without(execution, NULL, length, end);
}

int64_t replay_run_without(const struct execution *execution, const bool *is_ignored,
                           int64_t *length, int64_t *end)
{
    int64_t last = end[0] = execution->run_start;

    for (uint32_t i = 1; i < execution->count; i++) {
        task_id task = execution->order[i];
        int64_t start = execution->run_start;

        for (uint32_t d = execution->first[task]; d < execution->first[task + 1]; d++) {
            int64_t time = after(&execution->dependencies[d], length, end);

            if (time > start && !(is_ignored && is_ignored[d]))
                start = time;
        }
        end[task] = checked_add(start, length[task]);
        if (execution->kind[task] == TASK_WAIT) {
            end[task] = end_of_wait(execution, task, start, length[task]);
            length[task] = checked_sub(end[task], start);
        }
        last = end[task] > last ? end[task] : last;
    }
    return last;
}

const struct dependency *replay_decisive(const struct execution *execution, const int64_t *length,
                                         const int64_t *end, task_id task)
{
    const struct dependency *decisive = NULL;
    int64_t latest = INT64_MIN;

    for (uint32_t d = execution->first[task]; d < execution->first[task + 1]; d++) {
        int64_t time = after(&execution->dependencies[d], length, end);

        if (time <= latest)
            continue;
        latest = time;
        decisive = &execution->dependencies[d];
    }
    return decisive;
}

task_id replay_last(const struct execution *execution, const int64_t *end)
{
    task_id last = 0;

    for (task_id task = 1; task < execution->count; task++)
        if (last == 0 || end[task] > end[last])
            last = task;
    return last;
}
