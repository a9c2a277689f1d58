/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path: from the last task back to what let each begin, and what its time was spent
 * on. */
#include <stdlib.h>

#include "analysis/execution/path_parts.h"
#include "analysis/execution/replay.h"
#include "analysis/execution/task_graph.h"
#include "analysis/timeline/device_work.h"
#include "base/memory/memory.h"

const char *path_part_name(enum path_part part)
{
    static const char *const names[PATH_PART_COUNT] = {
        [PATH_HOST] = "host",
        [PATH_COMPUTE] = "compute",
        [PATH_COMMUNICATION] = "communication",
        [PATH_COPY] = "copy",
        [PATH_LAUNCH] = "launch delay",
        [PATH_QUEUE] = "queue delay",
        [PATH_DEPENDENCY] = "dependency",
        [PATH_SYNC] = "sync return",
        [PATH_HAND_OVER] = "thread handoff",
        [PATH_WAIT] = "host wait",
        [PATH_IDLE] = "nothing recorded",
    };

    return names[part];
}

static enum frame_kind kind_of(const struct graph *graph, event_id event)
{
    return graph_frame(graph, graph->timeline.frame[event])->kind;
}

enum path_part path_part_of_task(const struct execution *execution, task_id task)
{
    static const enum path_part parts[WORK_COUNT] = {PATH_COMPUTE, PATH_COMMUNICATION, PATH_COPY};

    switch (execution->kind[task]) {
    case TASK_DEVICE:
        return parts[work_of(kind_of(execution->graph, execution->event[task]))];
    case TASK_WAIT:
        return PATH_WAIT;
    default:
        return PATH_HOST;
    }
}

/* What a piece of a thread's task is: waits among that are waits. */
static enum path_part part_of_segment(const struct execution *execution,
                                      const struct task_piece *piece)
{
    const struct timeline *timeline = &execution->graph->timeline;

    if (piece->segment.event == NO_EVENT)
        return PATH_IDLE;
    if (role_waits(execution->role[timeline->frame[piece->segment.event]]))
        return PATH_WAIT;
    return path_part_of_task(execution, piece->task);
}

enum path_part path_part_of_lag(const struct execution *execution, task_id task,
                                const struct dependency *dependency, event_id *event)
{
    const struct timeline *timeline = &execution->graph->timeline;
    event_id call;

    *event = NO_EVENT;
    switch (dependency->kind) {
    case DEPENDS_ON_LAUNCH:
        call = timeline->launch[execution->event[task]];
        if (timeline->start[execution->event[task]] >= event_end(timeline, call))
            return PATH_LAUNCH;
        *event = call;
        return PATH_HOST;
    case DEPENDS_ON_STREAM:
        return PATH_QUEUE;
    case DEPENDS_ON_EVENT:
        return PATH_DEPENDENCY;
    case DEPENDS_ON_WORK:
    case DEPENDS_ON_SLOT:
        *event = execution->event[task];
        return PATH_SYNC;
    case DEPENDS_ON_HAND_OVER:
    case DEPENDS_ON_LOCK:
        return PATH_HAND_OVER;
    default:
        return PATH_IDLE;
    }
}

/* ---- the walk ---- */

struct path_walk {
    const struct execution *execution;
    const struct replay_change *change;
    const int64_t *length, *end; /* by task, of its replay; NULL: as recorded */
    struct critical_path *path;
    int64_t *time_of; /* by frame */
    uint32_t *pieces_of;
    uint8_t *is_on_path; /* by task */
    struct path_collector *pieces; /* of the run as recorded; NULL: nobody asks for them */
};

static void add_time(struct path_walk *walk, enum path_part part, int64_t time, event_id event)
{
    struct critical_path *path = walk->path;
    frame_id frame;

    if (time <= 0)
        return;
    path->time[part] = checked_add(path->time[part], time);
    path->pieces[part]++;
    if (event == NO_EVENT)
        return;
    frame = walk->execution->graph->timeline.frame[event];
    if (walk->execution->row_of)
        frame = walk->execution->row_of[frame];
    walk->time_of[frame] = checked_add(walk->time_of[frame], time);
    walk->pieces_of[frame]++;
}

/* What threads ran in the tasks that are on the path; waits among that are waits. */
static void add_thread(struct path_walk *walk, uint32_t track)
{
    const struct execution *execution = walk->execution;
    struct task_pieces pieces = {0};
    struct task_piece piece;

    task_pieces_begin(&pieces, execution, track, walk->change->of_frame);
    while (task_pieces_next(&pieces, &piece)) {
        if (!walk->is_on_path[piece.task] || execution->kind[piece.task] == TASK_WAIT)
            continue;

        enum path_part part = part_of_segment(execution, &piece);

        if (walk->pieces)
            path_collect(walk->pieces, (struct path_piece){piece.segment.start, piece.segment.end,
                                                           piece.segment.event, part});
        add_time(walk, part,
                 replay_piece(walk->change, replay_change_of_piece(execution, walk->change, &piece),
                              piece.task, piece.segment.end - piece.segment.start) -
                     replay_hidden(walk->change, &piece),
                 piece.segment.event);
    }
    task_pieces_free(&pieces);
}

static bool has_launch(const struct execution *execution, task_id task)
{
    const struct timeline *timeline = &execution->graph->timeline;

    return timeline->launch && timeline->launch[execution->event[task]] != NO_EVENT;
}

/* From a task to the one that let it begin. */
static task_id step_back(struct path_walk *walk, task_id task, const struct dependency *by)
{
    const struct execution *execution = walk->execution;
    struct critical_path *path = walk->path;
    event_id event;
    enum path_part part;
    int64_t lag;

    path->dependencies++;
    path->inferred += by->is_inferred;
    path->guesses += by->is_inferred && by->kind == DEPENDS_ON_EVENT;
    part = path_part_of_lag(execution, task, by, &event);
    lag = replay_lag(walk->change, task, by);
    add_time(walk, part, lag, event);
    if (by->kind == DEPENDS_ON_START)
        path->missing = lag;
    return by->from;
}

static const int64_t *ends_of(const struct path_walk *walk)
{
    return walk->end ? walk->end : walk->execution->end;
}

/* What let a task begin; false: nothing did. */
static bool find_decisive(const struct path_walk *walk, task_id task, struct dependency *by)
{
    const struct dependency *recorded;

    if (walk->end)
        return replay_decisive(walk->execution, walk->change, walk->length, walk->end, task, by);
    recorded = task_decisive(walk->execution, task);
    if (recorded)
        *by = *recorded;
    return recorded;
}

static void walk_back(struct path_walk *walk)
{
    const struct execution *execution = walk->execution;
    struct critical_path *path = walk->path;
    task_id task = replay_last(execution, ends_of(walk));
    bool is_whole = true; /* the path comes to the task from its end, not from its start */
    size_t cap = 0, count = 0;
    task_id *tasks = NULL;

    while (task) {
        struct dependency by;
        bool has_any = find_decisive(walk, task, &by);

        if (is_whole) {
            tasks = grow_one(tasks, count, &cap, sizeof(*tasks));
            tasks[count++] = task;
            walk->is_on_path[task] = true;
            if (execution->kind[task] != TASK_HOST)
                add_time(walk, path_part_of_task(execution, task),
                         walk->length ? walk->length[task] : task_length(execution, task),
                         execution->event[task]);
            path->unlaunched +=
                execution->kind[task] == TASK_DEVICE && !has_launch(execution, task);
        }
        is_whole = !has_any || by.kind != DEPENDS_ON_SLOT;
        task = has_any ? step_back(walk, task, &by) : 0;
    }
    path->tasks = tasks;
    path->task_count = (uint32_t)count;
}

static bool took_longer(const void *context, uint32_t a, uint32_t b)
{
    const int64_t *time_of = context;

    return time_of[a] > time_of[b];
}

static void rank_frames(const struct path_walk *walk, struct arena *arena)
{
    uint32_t frames = (uint32_t)walk->execution->graph->frames.count, count = 0;
    uint32_t *order = arena_array(arena, frames, sizeof(*order));
    struct critical_path *path = walk->path;

    for (frame_id i = 0; i < frames; i++)
        if (walk->pieces_of[i])
            order[count++] = i;
    sort_stable(order, count, took_longer, walk->time_of);
    path->rows = arena_array(arena, count, sizeof(*path->rows));
    path->row_count = count;
    for (uint32_t i = 0; i < count; i++)
        path->rows[i] =
            (struct path_row){order[i], walk->time_of[order[i]], walk->pieces_of[order[i]]};
}

static bool has_device_tasks(const struct execution *execution)
{
    for (task_id task = 1; task < execution->count; task++)
        if (execution->kind[task] == TASK_DEVICE)
            return true;
    return false;
}

static void find_path(struct path_walk *walk, struct arena *arena)
{
    const struct execution *execution = walk->execution;
    const struct timeline *timeline = &execution->graph->timeline;
    struct critical_path *path = walk->path;
    task_id *tasks;

    *path = (struct critical_path){.start = execution->run_start,
                                   .end = ends_of(walk)[replay_last(execution, ends_of(walk))],
                                   .has_devices = has_device_tasks(execution)};
    walk->time_of = grow_zeroed(execution->graph->frames.count, sizeof(*walk->time_of));
    walk->pieces_of = grow_zeroed(execution->graph->frames.count, sizeof(*walk->pieces_of));
    walk->is_on_path = grow_zeroed(execution->count, sizeof(*walk->is_on_path));
    walk_back(walk);
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_THREAD)
            add_thread(walk, i);
    rank_frames(walk, arena);
    tasks = arena_array(arena, path->task_count, sizeof(*tasks));
    for (uint32_t i = 0; i < path->task_count; i++)
        tasks[i] = path->tasks[i];
    free(path->tasks);
    path->tasks = tasks;
    free(walk->time_of);
    free(walk->pieces_of);
    free(walk->is_on_path);
}

void critical_path_find(const struct execution *execution, const struct replay_change *change,
                        const int64_t *length, const int64_t *end, struct arena *arena,
                        struct critical_path *path)
{
    struct path_walk walk = {.execution = execution,
                             .change = change,
                             .length = length,
                             .end = end,
                             .path = path};

    find_path(&walk, arena);
}

/* A replay without a change gives the run as recorded, so none is made. */
void critical_path_collect(const struct execution *execution, struct arena *arena,
                           struct critical_path *path, struct path_collector *all)
{
    const struct replay_change none = {0};
    struct path_walk walk = {
        .execution = execution, .change = &none, .path = path, .pieces = all};

    find_path(&walk, arena);
}

void critical_path_compute(const struct execution *execution, struct arena *arena,
                           struct critical_path *path)
{
    critical_path_collect(execution, arena, path, NULL);
}

/* ---- the path to be drawn ---- */

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
