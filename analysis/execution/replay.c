/* SPDX-License-Identifier: Apache-2.0 */
/* The run once more with some tasks faster: when each would end, and what decided it. */
#include "analysis/execution/replay.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/execution/idle_gaps.h"

static int64_t shorter(int64_t time, double factor)
{
    return factor == 1 ? time : checked_whole(round((double)time / factor));
}

int64_t replay_piece(const struct replay_change *change, uint8_t part, task_id task, int64_t length)
{
    if (part)
        length = shorter(length, change->factors[part]);
    return change->of_task ? shorter(length, change->of_task[task]) : length;
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
            checked_add(length[piece.task],
                        replay_piece(change, replay_change_of_piece(execution, change, &piece),
                                     piece.task, piece.segment.end - piece.segment.start));
    task_pieces_free(&pieces);
}

uint8_t replay_change_of_work(const struct execution *execution, const struct replay_change *change,
                              task_id task)
{
    event_id work = execution->event[task];
    uint8_t part = change->of_frame ? change->of_frame[execution->graph->timeline.frame[work]] : 0;

    return part || !change->of_event ? part : change->of_event[work];
}

uint8_t replay_change_of_piece(const struct execution *execution,
                               const struct replay_change *change, const struct task_piece *piece)
{
    uint8_t part = 0, mark = piece->segment.mark;

    if (change->of_class && change->factors[mark] == 1 && execution->kind[piece->task] != TASK_WAIT)
        part = change->of_class[host_piece_class(execution, &piece->segment)];
    return part ? part : mark;
}

bool replay_changes_thread(const struct execution *execution, const struct replay_change *change,
                           uint32_t track)
{
    const struct timeline *timeline = &execution->graph->timeline;
    const struct track *at = &timeline->tracks[track];

    for (event_id e = at->first; change->of_frame && e < at->first + at->count; e++)
        if (change->of_frame[timeline->frame[e]])
            return true;
    return change->of_class || change->of_task;
}

int64_t replay_lag(const struct replay_change *change, task_id task,
                   const struct dependency *dependency)
{
    uint8_t part = dependency->kind == DEPENDS_ON_LAUNCH ? change->of_launching : 0;

    return replay_piece(change, part, task, dependency->lag);
}

int64_t replay_relief(const struct execution *execution, const struct replay_change *change,
                      const struct slowdown *slowdown)
{
    double factor = change->factors[replay_change_of_work(execution, change, slowdown->by)];

    return factor > 1 && !change->least ? slowdown->time - shorter(slowdown->time, factor) : 0;
}

void replay_lengths(const struct execution *execution, const struct replay_change *change,
                    int64_t *length)
{
    const struct timeline *timeline = &execution->graph->timeline;

    for (task_id task = 0; task < execution->count; task++)
        length[task] = task_length(execution, task);
    for (size_t i = 0; i < execution->slowdowns.count && change->factors; i++) {
        const struct slowdown *slowdown = &execution->slowdowns.list[i];
        int64_t left = length[slowdown->task] - replay_relief(execution, change, slowdown);

        length[slowdown->task] = left > 0 ? left : 0;
    }
    for (task_id task = 0; task < execution->count; task++) {
        if (execution->kind[task] == TASK_DEVICE)
            length[task] = replay_piece(change, replay_change_of_work(execution, change, task),
                                        task, length[task]);
    }
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_THREAD && replay_changes_thread(execution, change, i))
            scale_thread(execution, i, change, length);
    for (size_t i = 0; i < change->hidden_count; i++) {
        int64_t *left = &length[change->hidden[i].task];

        *left = *left > change->hidden[i].time ? *left - change->hidden[i].time : 0;
    }
}

int64_t replay_hidden(const struct replay_change *change, const struct task_piece *piece)
{
    const struct hidden_piece *list = change->hidden;

    SEARCH(size_t, at, change->hidden_count,
           list[at].task < piece->task ||
               (list[at].task == piece->task && list[at].start < piece->segment.start));
    return at < change->hidden_count && list[at].task == piece->task &&
                   list[at].start == piece->segment.start
               ? list[at].time
               : 0;
}

/* When a dependency lets its task begin. */
static int64_t after(const struct replay_change *change, task_id task,
                     const struct dependency *dependency, const int64_t *length, const int64_t *end)
{
    int64_t time = end[dependency->from];

    if (dependency->kind == DEPENDS_ON_SLOT)
        time = checked_sub(time, length[dependency->from]);
    return checked_add(time, replay_lag(change, task, dependency));
}

/* The dependency that lets a task begin, the first of equals, and when that is. Who needs a lock waits for it from
 * when all else would let it begin, also where what it then does takes no time any more. */
static int64_t begins(const struct execution *execution, const struct replay_change *change,
                      task_id task, const int64_t *length, const int64_t *end,
                      struct dependency *decisive)
{
    int64_t latest = INT64_MIN, time;

    for (uint32_t d = execution->first[task]; d < execution->first[task + 1]; d++) {
        const struct dependency *by = &execution->dependencies[d];

        if ((change->is_ignored && change->is_ignored[d]) || by->kind == DEPENDS_ON_LOCK)
            continue;
        time = after(change, task, by, length, end);
        if (time <= latest)
            continue;
        latest = time;
        *decisive = *by;
    }
    for (uint32_t d = execution->first[task]; d < execution->first[task + 1]; d++) {
        struct dependency by = execution->dependencies[d];

        if (by.kind != DEPENDS_ON_LOCK)
            continue;
        by.from = lock_release(execution, task, by.from, latest, length, end, &time);
        time = checked_add(time, replay_lag(change, task, &by));
        if (by.from == NO_TASK || time <= latest)
            continue;
        latest = time;
        *decisive = by;
    }
    return latest;
}

/* A replay's place among the batches. */
struct batches_made {
    const struct execution *execution;
    const struct replay_change *change;
    int64_t *ready; /* by batch: when it was there; owned */
};

/* When the batch that a task takes is there; INT64_MIN: it takes none. Those before it have been taken. */
static int64_t batch_ready(struct batches_made *made, task_id task, const int64_t *end)
{
    const struct execution *execution = made->execution;
    const struct replay_change *change = made->change;
    const struct loader_batch *list = execution->batches.list, *batch;
    uint32_t track = execution->track[task];
    int64_t begun = execution->run_start;

    SEARCH(size_t, at, execution->batches.count, list[at].task < task);
    if (at == execution->batches.count || list[at].task != task)
        return INT64_MIN;
    batch = &list[at];
    if (at > 0 && execution->track[list[at - 1].task] == track)
        begun = made->ready[at - 1];
    if (at >= batch->ahead && execution->track[list[at - batch->ahead].task] == track &&
        end[list[at - batch->ahead].task] > begun)
        begun = end[list[at - batch->ahead].task];
    made->ready[at] = checked_add(
        begun, replay_piece(change,
                            change->of_frame
                                ? change->of_frame[execution->graph->timeline.frame[batch->event]]
                                : 0,
                            task, batch->cost[change->batch_cost]));
    return made->ready[at];
}

/* Others end a wait when they did, however early it begins; unless it is changed itself. `ended`: when they did. */
static int64_t end_of_wait(const struct execution *execution, task_id task, int64_t start,
                           int64_t length, int64_t ended)
{
    if (length != task_length(execution, task) && checked_add(start, length) < ended)
        ended = checked_add(start, length);
    return ended > start ? ended : start;
}

int64_t replay_run(const struct execution *execution, const struct replay_change *change,
                   int64_t *length, int64_t *end)
{
    int64_t last = checked_add(execution->run_start, change->least);
    struct batches_made made = {execution, change,
                                grow_zeroed(execution->batches.count + 1, sizeof(*made.ready))};

    end[0] = execution->run_start;
    for (uint32_t i = 1; i < execution->count; i++) {
        task_id task = execution->order[i];
        struct dependency by;
        int64_t start = begins(execution, change, task, length, end, &by), ready;

        if (start < execution->run_start)
            start = execution->run_start;
        ready = execution->kind[task] == TASK_DEVICE ? INT64_MIN : batch_ready(&made, task, end);
        end[task] = checked_add(ready > start ? ready : start, length[task]);
        if (execution->kind[task] == TASK_WAIT)
            end[task] = end_of_wait(execution, task, start, length[task],
                                    ready == INT64_MIN ? execution->end[task] : ready);
        if (ready > start || execution->kind[task] == TASK_WAIT)
            length[task] = checked_sub(end[task], start);
        last = end[task] > last ? end[task] : last;
    }
    free(made.ready);
    return last;
}

bool replay_decisive(const struct execution *execution, const struct replay_change *change,
                     const int64_t *length, const int64_t *end, task_id task,
                     struct dependency *decisive)
{
    return begins(execution, change, task, length, end, decisive) != INT64_MIN;
}

task_id replay_last(const struct execution *execution, const int64_t *end)
{
    task_id last = 0;

    for (task_id task = 1; task < execution->count; task++)
        if (last == 0 || end[task] > end[last])
            last = task;
    return last;
}
