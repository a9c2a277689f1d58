/* SPDX-License-Identifier: Apache-2.0 */
/* replay_bounds.c — the bounds that a replay must lie in */
#include <math.h>
#include <stdlib.h>

#include "analysis/execution/replay.h"
#include "analysis/timeline/device_work.h"
#include "analysis/timeline/speedup_bounds.h"
#include "base/memory/memory.h"

/* What is not changed is one part, of which only the union counts. */
struct measure {
    const struct execution *execution;
    const struct replay_change *change;
    struct activities changed;
    struct intervals unchanged;
    size_t united;       /* how many of those there were when they were last united */
    double above, below; /* what rounding adds to pieces, and takes from them; ns */
    double busiest;      /* ns that a thread or stream takes by itself after the change */
    struct replay_bounds *bounds;
};

/* Only the union counts: it is made now and then, so that no more is kept than twice of that. */
static void cover(struct measure *measure, int64_t start, int64_t end)
{
    enum { FEW = 1 << 16 };

    intervals_cover(&measure->unchanged, start, end);
    if (measure->unchanged.count < 2 * measure->united + FEW)
        return;
    intervals_unite(&measure->unchanged);
    measure->united = measure->unchanged.count;
}

/* The replay rounds each piece to whole nanoseconds: the bracket has room for all of them. */
static double round_off(struct measure *measure, double exact, int64_t rounded)
{
    double excess = (double)rounded - exact;

    *(excess > 0 ? &measure->above : &measure->below) +=
        fmin(fabs(excess), 1); /* else it is past what time can be */
    return exact;
}

/* Returns what it takes after the change. */
static double add_piece(struct measure *measure, uint8_t part, task_id task, int64_t start,
                        int64_t end)
{
    double besides = measure->change->of_task ? measure->change->of_task[task] : 1;
    struct replay_bounds *bounds = measure->bounds;

    if (start == end)
        return 0;
    bounds->pieces[part]++;
    bounds->time[part] = checked_add(bounds->time[part], end - start);
    if (part == 0) {
        cover(measure, start, end);
        return round_off(measure, (double)(end - start) / besides,
                         replay_piece(measure->change, part, task, end - start));
    }
    activities_add(&measure->changed, &(struct activity){start, end, part, NO_RESOURCE});
    return round_off(measure, (double)(end - start) / measure->change->factors[part] / besides,
                     replay_piece(measure->change, part, task, end - start));
}

/* Returns what it takes of the thread's time after the change: a wait ends by a clock of its own. */
static double add_host_piece(struct measure *measure, uint8_t part, task_id task, int64_t start,
                             int64_t end)
{
    const struct execution *execution = measure->execution;
    double own = add_piece(measure, part, task, start, end);

    if (execution->kind[task] != TASK_WAIT || start == end)
        return own;
    cover(measure, execution->run_start, execution->end[task]);
    return 0;
}

static void add_track(struct measure *measure, uint32_t track)
{
    const struct execution *execution = measure->execution;
    const struct replay_change *change = measure->change;
    enum track_kind kind = execution->graph->timeline.tracks[track].kind;
    task_id first = execution->first_task[track], past = execution->first_task[track + 1];
    double time = 0;

    if (kind == TRACK_STREAM) {
        for (task_id t = first; t < past; t++)
            time += add_piece(measure, replay_change_of_work(execution, change, t), t,
                              execution->start[t], execution->end[t]);
    } else if (kind == TRACK_THREAD && !replay_changes_thread(execution, change, track)) {
        for (task_id t = first; t < past; t++)
            time += add_host_piece(measure, 0, t, execution->start[t], execution->end[t]);
    } else if (kind == TRACK_THREAD) {
        struct task_pieces pieces = {0};
        struct task_piece piece;

        task_pieces_begin(&pieces, execution, track, change->of_frame);
        while (task_pieces_next(&pieces, &piece))
            time += add_host_piece(measure, replay_change_of_piece(execution, change, &piece),
                                   piece.task, piece.segment.start, piece.segment.end);
        task_pieces_free(&pieces);
    }
    measure->busiest = time > measure->busiest ? time : measure->busiest;
}

static void add_lags(struct measure *measure)
{
    const struct execution *execution = measure->execution;

    for (uint32_t d = 0; d < execution->first[execution->count]; d++) {
        const struct dependency *dependency = &execution->dependencies[d];
        int64_t from = dependency->kind == DEPENDS_ON_SLOT ? execution->start[dependency->from]
                                                           : execution->end[dependency->from];

        if (!dependency->lag)
            continue;
        if (dependency->kind == DEPENDS_ON_LAUNCH && measure->change->of_launching)
            activities_add(&measure->changed,
                           &(struct activity){from, from + dependency->lag,
                                              measure->change->of_launching, NO_RESOURCE});
        else
            cover(measure, from, from + dependency->lag);
    }
}

/* Batches that were always there in time may not be when they are wanted sooner, nor is a lock free: the replay
 * has them. */
static int64_t replayed_span(const struct measure *measure, enum batch_cost cost)
{
    const struct execution *execution = measure->execution;
    int64_t *length = grow_to(NULL, execution->count, sizeof(*length));
    int64_t *end = grow_to(NULL, execution->count, sizeof(*end));
    struct replay_change change = *measure->change;
    int64_t span;

    change.batch_cost = (uint8_t)cost;
    replay_lengths(execution, &change, length);
    span = replay_run(execution, &change, length, end) - execution->run_start;
    free(length);
    free(end);
    return span;
}

/* Who comes sooner or later may wait once more or once less. */
static void meet_locks(const struct measure *measure, int64_t longest_wait)
{
    int64_t span = replayed_span(measure, (enum batch_cost)measure->change->batch_cost);
    int64_t sooner = not_negative(span - longest_wait), later = checked_add(span, longest_wait);
    struct replay_bounds *bounds = measure->bounds;

    bounds->least = sooner < bounds->least ? sooner : bounds->least;
    bounds->most = later > bounds->most ? later : bounds->most;
}

/* How long a thread waited for the interpreter's lock before a task. */
static int64_t lock_wait(const struct execution *execution, task_id task)
{
    for (uint32_t d = execution->first[task]; d < execution->first[task + 1]; d++)
        if (execution->dependencies[d].kind == DEPENDS_ON_LOCK)
            return execution->start[task] - (task > execution->first_task[execution->track[task]]
                                                 ? execution->end[task - 1]
                                                 : execution->run_start);
    return 0;
}

/* How long threads that the change is of waited for the interpreter's lock: quicker, they may come when it is
 * free. `longest`: of any thread. */
static int64_t lock_waits(const struct measure *measure, int64_t *longest)
{
    const struct execution *execution = measure->execution;
    int64_t time = 0;

    *longest = 0;
    for (uint32_t t = 0; t < execution->graph->timeline.track_count; t++) {
        bool is_changed = replay_changes_thread(execution, measure->change, t);

        if (execution->graph->timeline.tracks[t].kind != TRACK_THREAD)
            continue;
        for (task_id task = execution->first_task[t]; task < execution->first_task[t + 1]; task++) {
            int64_t wait = lock_wait(execution, task);

            *longest = wait > *longest ? wait : *longest;
            time = is_changed ? checked_add(time, wait) : time;
        }
    }
    return time;
}

/* ---- calls that may hold the interpreter's lock ---- */

/* Python gives the lock to another thread after 5 ms; a function in C, which calls nothing, need not. */
enum { GIVES_LOCK = 5000000 /* ns */ };

struct long_calls {
    VECTOR(event_id);
};

static void list_long_calls(const struct execution *execution, struct long_calls *calls)
{
    const struct graph *graph = execution->graph;
    const struct timeline *timeline = &graph->timeline;

    for (uint32_t t = 0; t < timeline->track_count; t++) {
        event_id past = timeline->tracks[t].first + timeline->tracks[t].count;

        for (event_id e = timeline->tracks[t].first;
             timeline->tracks[t].kind == TRACK_THREAD && e < past; e++) {
            const struct frame *frame = graph_frame(graph, timeline->frame[e]);

            if (timeline->duration[e] >= GIVES_LOCK && frame->kind == KIND_PYTHON && !frame->file &&
                !role_waits(execution->role[timeline->frame[e]]) &&
                (e + 1 == past || timeline->start[e + 1] >= event_end(timeline, e)))
                vector_add(calls, e);
        }
    }
}

/* Those of other threads of its process. */
static void cover_calls(const struct timeline *timeline, uint32_t track,
                        const struct long_calls *calls, struct intervals *covered)
{
    const struct track *at = &timeline->tracks[track];

    for (size_t i = 0; i < calls->count; i++) {
        event_id call = calls->list[i];
        const struct track *other = &timeline->tracks[track_of_event(timeline, call)];

        if (other != at && other->pid == at->pid && other->process == at->process)
            intervals_cover(covered, timeline->start[call], event_end(timeline, call));
    }
    intervals_unite(covered);
}

static int64_t time_in(const struct intervals *set, int64_t start, int64_t end)
{
    int64_t time = 0;

    SEARCH(size_t, at, set->count, set->list[at].end <= start);
    for (; at < set->count && set->list[at].start < end; at++)
        time += (set->list[at].end < end ? set->list[at].end : end) -
                (set->list[at].start > start ? set->list[at].start : start);
    return time;
}

/* What a change's threads ran beside such calls, ns. */
struct beside_calls {
    int64_t changed; /* of what changes */
    int64_t waited;  /* Python may have waited for the end of one, so much at most */
};

/* The last Python that ran beside a call, so far. */
struct last_beside {
    size_t call;
    int64_t time; /* beside it, ns */
};

/* Whoever waits for the lock of a call goes on when that ends: it is the last that began beside the call. */
static void follow_calls(const struct intervals *calls, const struct segment *piece,
                         struct last_beside *last, struct beside_calls *beside)
{
    SEARCH(size_t, at, calls->count, calls->list[at].end <= piece->start);
    for (; at < calls->count && calls->list[at].start < piece->end; at++) {
        const struct interval *call = &calls->list[at];

        if (at != last->call)
            beside->waited = checked_add(beside->waited, last->time);
        *last = (struct last_beside){
            at, (call->end < piece->end ? call->end : piece->end) -
                    (call->start > piece->start ? call->start : piece->start)};
    }
}

static void add_beside(const struct measure *measure, uint32_t track,
                       const struct intervals *calls, struct beside_calls *beside)
{
    const struct execution *execution = measure->execution;
    const struct graph *graph = execution->graph;
    struct last_beside last = {0};
    struct task_pieces pieces = {0};
    struct task_piece piece;

    task_pieces_begin(&pieces, execution, track, measure->change->of_frame);
    while (task_pieces_next(&pieces, &piece)) {
        const struct segment *at = &piece.segment;

        if (at->event == NO_EVENT || execution->kind[piece.task] == TASK_WAIT)
            continue;
        if (replay_change_of_piece(execution, measure->change, &piece))
            beside->changed =
                checked_add(beside->changed, time_in(calls, at->start, at->end));
        if (graph_frame(graph, graph->timeline.frame[at->event])->kind == KIND_PYTHON)
            follow_calls(calls, at, &last, beside);
    }
    beside->waited = checked_add(beside->waited, last.time);
    task_pieces_free(&pieces);
}

/* Python that comes sooner, because what its thread did before got faster, may wait for the lock of a call on another
 * thread; or it waited for that, and no longer does. */
static struct beside_calls beside_long_calls(const struct measure *measure)
{
    const struct execution *execution = measure->execution;
    const struct timeline *timeline = &execution->graph->timeline;
    struct beside_calls beside = {0};
    struct long_calls calls = {0};

    list_long_calls(execution, &calls);
    for (uint32_t t = 0; t < timeline->track_count && calls.count; t++) {
        struct intervals covered = {0};

        if (timeline->tracks[t].kind != TRACK_THREAD ||
            !replay_changes_thread(execution, measure->change, t) ||
            !track_runs_python(execution->graph, &timeline->tracks[t]))
            continue;
        cover_calls(timeline, t, &calls, &covered);
        if (covered.count)
            add_beside(measure, t, &covered, &beside);
        intervals_free(&covered);
    }
    free(calls.list);
    return beside;
}

/* ---- what it takes to wake another thread, where a range hides that ---- */

/* By task: whether another thread goes on at its end, or it at another's, as if waking took no time. */
static void mark_hand_overs(const struct execution *execution, bool *wakes, bool *is_woken)
{
    for (task_id task = 1; task < execution->count; task++)
        for (uint32_t d = execution->first[task]; d < execution->first[task + 1]; d++) {
            const struct dependency *dependency = &execution->dependencies[d];

            if (dependency->kind == DEPENDS_ON_HAND_OVER && dependency->lag == 0)
                wakes[dependency->from] = is_woken[task] = true;
        }
}

/* A thread that is in a range and in nothing else may have woken another one, or was not awake yet: that takes as long
 * whatever becomes of the range. */
static void add_hand_overs(struct measure *measure, uint32_t track, const bool *wakes,
                           const bool *is_woken)
{
    const struct execution *execution = measure->execution;
    const frame_id *frame = execution->graph->timeline.frame;
    struct task_pieces pieces = {0};
    struct task_piece piece;

    task_pieces_begin(&pieces, execution, track, measure->change->of_frame);
    while (task_pieces_next(&pieces, &piece)) {
        uint8_t part = replay_change_of_piece(execution, measure->change, &piece);
        const struct segment *at = &piece.segment;
        int64_t most = at->end - at->start < HAND_OVER_MOST ? at->end - at->start : HAND_OVER_MOST;
        double less = (double)(most - replay_piece(measure->change, part, piece.task, most));

        if (!part || at->event == NO_EVENT || execution->role[frame[at->event]] != HOST_RANGE ||
            !((wakes[piece.task] && at->end == execution->end[piece.task]) ||
              (is_woken[piece.task] && at->start == execution->start[piece.task])))
            continue;
        *(less > 0 ? &measure->above : &measure->below) += fabs(less);
    }
    task_pieces_free(&pieces);
}

static void keep_hand_overs(struct measure *measure)
{
    const struct execution *execution = measure->execution;
    bool *wakes = grow_zeroed(execution->count, sizeof(*wakes));
    bool *is_woken = grow_zeroed(execution->count, sizeof(*is_woken));

    mark_hand_overs(execution, wakes, is_woken);
    for (uint32_t t = 0; t < execution->graph->timeline.track_count; t++)
        if (execution->graph->timeline.tracks[t].kind == TRACK_THREAD &&
            replay_changes_thread(execution, measure->change, t))
            add_hand_overs(measure, t, wakes, is_woken);
    free(wakes);
    free(is_woken);
}

static void sum_up(const struct measure *measure, const struct speedup_bounds *union_bounds)
{
    const double *factors = measure->change->factors;
    int64_t span = execution_span(measure->execution);
    struct replay_bounds *bounds = measure->bounds;
    double less = 0, more = 0;
    struct beside_calls beside = beside_long_calls(measure);
    int64_t longest_wait, relief = checked_add(lock_waits(measure, &longest_wait), beside.waited);

    for (size_t i = 0; i < measure->change->hidden_count; i++)
        relief = checked_add(relief, measure->change->hidden[i].time);
    for (size_t i = 0; i < measure->execution->slowdowns.count; i++)
        relief = checked_add(relief, replay_relief(measure->execution, measure->change,
                                                   &measure->execution->slowdowns.list[i]));

    for (uint32_t i = 0; i <= REPLAY_CHANGES_MAX; i++) {
        double gain = 1 - 1 / factors[i];
        double by_exposed = gain * (double)union_bounds->exposed[i];
        double by_united = gain * (double)union_bounds->united[i];

        bounds->exposed[i] = union_bounds->exposed[i];
        bounds->united[i] = union_bounds->united[i];
        less += fmin(by_exposed, by_united);
        more += fmax(by_exposed, by_united);
    }
    if (measure->change->is_ignored || measure->change->of_task)
        more = (double)span;
    bounds->most = checked_whole(ceil((double)span - less + measure->above));
    if (less >= 0 && bounds->most > span)
        bounds->most = span;
    bounds->least =
        checked_whole(floor(fmax(0, fmax((double)span - more, measure->busiest) - measure->below)));
    bounds->least = bounds->least > relief ? bounds->least - relief : 0;
    if (measure->change->least > bounds->least)
        bounds->least = measure->change->least;
    if (measure->change->least > bounds->most)
        bounds->most = measure->change->least;
    if (longest_wait)
        meet_locks(measure, longest_wait);
    bounds->by_lock = beside.changed;
    bounds->most = checked_add(bounds->most, bounds->by_lock);
}

/* Batches that were there in time may come later, up to the last moment. Those that are made faster also were made
 * before anybody waited for them, which is time of no piece. */
static void await_batches(const struct measure *measure)
{
    const struct execution *execution = measure->execution;
    const uint8_t *of_frame = measure->change->of_frame;
    struct replay_bounds *bounds = measure->bounds;
    int64_t span;
    bool is_unknown = false, is_changed = false;

    for (size_t i = 0; i < execution->batches.count; i++) {
        const struct loader_batch *batch = &execution->batches.list[i];

        is_unknown |= batch->is_unknown;
        is_changed |= of_frame && of_frame[execution->graph->timeline.frame[batch->event]];
    }
    if (execution->batches.count == 0)
        return;
    if (is_changed) {
        span = replayed_span(measure, (enum batch_cost)measure->change->batch_cost);
        bounds->least = span < bounds->least ? span : bounds->least;
    }
    span = replayed_span(measure, BATCH_COST_MOST);
    bounds->most = span > bounds->most ? span : bounds->most;
    if (is_unknown)
        bounds->by_batches = not_negative(
            span - replayed_span(measure, (enum batch_cost)measure->change->batch_cost));
}

void replay_bound(const struct execution *execution, const struct replay_change *change,
                  struct replay_bounds *bounds)
{
    struct measure measure = {.execution = execution, .change = change, .bounds = bounds};
    struct speedup_bounds union_bounds;

    *bounds = (struct replay_bounds){0};
    for (uint32_t i = 0; i < execution->graph->timeline.track_count; i++)
        add_track(&measure, i);
    add_lags(&measure);
    keep_hand_overs(&measure);
    intervals_unite(&measure.unchanged);
    for (size_t i = 0; i < measure.unchanged.count; i++)
        activities_add(&measure.changed,
                       &(struct activity){measure.unchanged.list[i].start,
                                          measure.unchanged.list[i].end, 0, NO_RESOURCE});
    speedup_bounds_compute(&measure.changed, execution_span(execution), REPLAY_CHANGES_MAX + 1, 0,
                           &union_bounds);
    sum_up(&measure, &union_bounds);
    await_batches(&measure);
    if (change->above) {
        int64_t span = execution_span(execution), later = checked_add(bounds->most, change->above);

        bounds->most = later < span || bounds->most > span ? later : span;
    }
    speedup_bounds_free(&union_bounds);
    activities_free(&measure.changed);
    intervals_free(&measure.unchanged);
}

const char *replay_doubt(const struct replay_bounds *bounds, int64_t gain)
{
    bool is_by_lock = bounds->by_lock >= bounds->by_batches;
    int64_t less = is_by_lock ? bounds->by_lock : bounds->by_batches;

    if (gain <= 0 || less == 0 || less < gain / 10)
        return NULL;
    return is_by_lock ? "a call on another thread may hold the interpreter's lock"
                      : "nothing shows what the data loader takes for a batch";
}
