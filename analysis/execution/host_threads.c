/* SPDX-License-Identifier: Apache-2.0 */
/* What functions mean for who waits for whom, what a thread was innermost in, and which threads
 * only wait. */
#include <stdlib.h>

#include "analysis/execution/task_graph.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

/* ---- what functions mean for who waits for whom ---- */

static enum host_role role_of_call(struct frame_class class)
{
    switch (class.call) {
    case CALL_SYNC_EVENT:
        return HOST_WAITS_EVENT;
    case CALL_SYNC_STREAM:
        return HOST_WAITS_STREAM;
    case CALL_SYNC_DEVICE:
        return HOST_WAITS_DEVICE;
    case CALL_COPY:
        return class.blocks ? HOST_COPIES_WAITS : HOST_COPIES;
    case CALL_FREE:
        return class.may_block ? HOST_FREES : HOST_SUBMITS;
    case CALL_ALLOCATE:
        return class.may_block ? HOST_ALLOCATES : HOST_SUBMITS;
    default:
        return class.is_wait ? HOST_WAITS_STREAM : HOST_SUBMITS;
    }
}

static enum host_role role_of(enum frame_kind kind, struct frame_class class)
{
    static const enum host_role waits[BLOCKING_COUNT] = {
        [BLOCKING_LOCK] = HOST_LOCKS, [BLOCKING_SLEEP] = HOST_SLEEPS};
    enum host_role role = waits[class.blocking];

    if (class.loads_by_processes)
        return HOST_LOADS;
    switch (kind) {
    case KIND_RUNTIME:
    case KIND_SYNC:
        return role_of_call(class);
    case KIND_ANNOTATION:
        return HOST_RANGE;
    case KIND_PYTHON:
        return role == HOST_RUNS ? HOST_RANGE : role;
    case KIND_HOST:
        return role;
    default:
        return HOST_RUNS;
    }
}

uint8_t *host_roles(const struct graph *graph)
{
    uint8_t *roles = grow_zeroed(graph->frames.count, sizeof(*roles));

    for (frame_id id = 1; id < graph->frames.count; id++)
        roles[id] = (uint8_t)role_of(graph_frame(graph, id)->kind, graph_class(graph, id));
    return roles;
}

bool is_wait_of_profiler(const struct execution *execution, event_id call)
{
    const struct graph *graph = execution->graph;
    const struct timeline *timeline = &graph->timeline;
    const struct track *track = &timeline->tracks[track_of_event(timeline, call)];
    int64_t waited = event_end(timeline, call), end = waited, last = waited, profiling = 0;

    if (execution->role[timeline->frame[call]] != HOST_WAITS_DEVICE)
        return false;
    for (event_id e = call + 1; e < track->first + track->count; e++) {
        struct frame_class class = graph_class(graph, timeline->frame[e]);

        if (class.call == CALL_LAUNCH || class.call == CALL_GRAPH_LAUNCH ||
            class.call == CALL_COPY || class.call == CALL_SYNC_DEVICE)
            return false;
        end = event_end(timeline, e) > end ? event_end(timeline, e) : end;
        if (!class.is_profiling || timeline->start[e] < last)
            continue;
        last = event_end(timeline, e);
        profiling = checked_add(profiling, timeline->duration[e]);
    }
    return profiling > 0 && profiling >= checked_sub(end, waited) / 2;
}

/* ---- what a thread was in, innermost ---- */

void innermost_begin(struct innermost *place, const struct timeline *timeline, uint32_t track,
                     const uint8_t *mark_of)
{
    const struct track *at = &timeline->tracks[track];

    place->timeline = timeline;
    place->mark_of = mark_of;
    place->next = at->first;
    place->past = at->first + at->count;
    place->open.depth = 0;
    place->time = INT64_MIN;
    place->is_after_end = false;
}

static void enter(struct innermost *place, event_id event)
{
    uint8_t mark = place->mark_of ? place->mark_of[place->timeline->frame[event]] : 0;

    if (!mark && place->open.depth)
        mark = (uint8_t)open_events_innermost(&place->open)->tag;
    open_events_add(&place->open,
                    (struct open_event){event_end(place->timeline, event), event, mark});
}

/* Leaves and enters what ends and begins now. */
static void settle(struct innermost *place)
{
    const struct timeline *timeline = place->timeline;

    for (;;) {
        while (open_events_close(&place->open, place->time))
            place->is_after_end = true;
        while (place->next < place->past && timeline->duration[place->next] == 0)
            place->next++;
        if (place->next == place->past || timeline->start[place->next] > place->time)
            return;
        enter(place, place->next++);
    }
}

bool innermost_next(struct innermost *place, struct segment *segment)
{
    const struct timeline *timeline = place->timeline;
    const struct open_event *top;
    int64_t until = INT64_MAX;

    if (place->time == INT64_MIN) {
        while (place->next < place->past && timeline->duration[place->next] == 0)
            place->next++;
        if (place->next == place->past)
            return false;
        place->time = timeline->start[place->next];
    }
    place->is_after_end = false;
    settle(place);
    if (place->open.depth == 0 && place->next == place->past)
        return false;
    top = open_events_innermost(&place->open);
    if (place->next < place->past)
        until = timeline->start[place->next];
    if (top && top->end < until)
        until = top->end;
    *segment = (struct segment){
        .start = place->time,
        .end = until,
        .event = top ? top->event : NO_EVENT,
        .mark = top ? (uint8_t)top->tag : 0,
        .is_after_end = place->is_after_end,
    };
    place->time = until;
    return true;
}

void innermost_free(struct innermost *place)
{
    open_events_free(&place->open);
    *place = (struct innermost){0};
}

/* ---- threads that work for others ---- */

enum { WORKERS_MAX = 64 };

static enum frame_kind kind_of(const struct graph *graph, event_id event)
{
    return graph_frame(graph, graph->timeline.frame[event])->kind;
}

/* Checkpoints and hooks run Python inside the operators of the backward pass. */
static bool is_helper(const struct graph *graph, const struct track *track)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t outermost_end = INT64_MIN;
    bool has_operators = false;

    if (track->kind != TRACK_THREAD)
        return false;
    for (event_id e = track->first; e < track->first + track->count; e++) {
        bool is_outermost = timeline->start[e] >= outermost_end;

        if (is_outermost && kind_of(graph, e) == KIND_PYTHON)
            return false;
        if (is_outermost)
            outermost_end = event_end(timeline, e);
        has_operators |= kind_of(graph, e) == KIND_OPERATOR;
    }
    return has_operators;
}

/* Pieces that follow each other are one. */
static void add_times(const struct graph *graph, const uint8_t *roles, struct worker_thread *worker)
{
    struct innermost place = {0};
    struct segment segment;

    innermost_begin(&place, &graph->timeline, worker->track, NULL);
    while (innermost_next(&place, &segment)) {
        uint8_t role =
            segment.event == NO_EVENT ? HOST_RUNS : roles[graph->timeline.frame[segment.event]];

        if (segment.event == NO_EVENT || kind_of(graph, segment.event) == KIND_ANNOTATION ||
            role_waits(role))
            continue;
        if (worker->count && worker->times[worker->count - 1].end == segment.start) {
            worker->times[worker->count - 1].end = segment.end;
            continue;
        }
        worker->times =
            grow_one(worker->times, worker->count, &worker->cap, sizeof(*worker->times));
        worker->times[worker->count++] = (struct work_time){segment.start, segment.end};
    }
    innermost_free(&place);
}

void worker_threads_find(const struct graph *graph, const uint8_t *roles,
                         struct worker_threads *workers)
{
    const struct timeline *timeline = &graph->timeline;

    *workers = (struct worker_threads){.graph = graph,
                                       .list = grow_zeroed(WORKERS_MAX, sizeof(*workers->list))};
    for (uint32_t i = 0; i < timeline->track_count && workers->count < WORKERS_MAX; i++)
        if (is_helper(graph, &timeline->tracks[i])) {
            workers->list[workers->count].track = i;
            add_times(graph, roles, &workers->list[workers->count++]);
        }
}

struct worker_window worker_between(struct worker_threads *workers, uint32_t track, event_id event,
                                    int64_t start, int64_t end)
{
    bool is_whole = kind_of(workers->graph, event) == KIND_PYTHON;
    struct worker_window last = {start, start, UINT32_MAX};

    for (uint32_t i = 0; i < workers->count; i++) {
        struct worker_thread *worker = &workers->list[i];
        const struct work_time *times = worker->times;
        int64_t until;

        if (worker->track == track)
            continue;
        SEARCH_NEAR(size_t, past, worker->near, worker->count, times[past].start < end);
        worker->near = past;
        if (!past)
            continue;
        until = times[past - 1].end;
        if (until <= last.end)
            continue;
        SEARCH_NEAR(size_t, first, past, past, times[first].end <= start);
        if (times[past - 1].end > end || (is_whole && times[first].start < start))
            continue;
        last = (struct worker_window){times[first].start > start ? times[first].start : start,
                                      until, worker->track};
    }
    return last;
}

void worker_threads_free(struct worker_threads *workers)
{
    for (uint32_t i = 0; i < workers->count; i++)
        free(workers->list[i].times);
    free(workers->list);
    *workers = (struct worker_threads){0};
}

/* ---- threads that only wait for others ---- */

static bool has_device(const struct timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_STREAM && timeline->tracks[i].count)
            return true;
    return false;
}

static bool may_be_waiting(const struct graph *graph, event_id event)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t step;

    return graph_frame(graph, timeline->frame[event])->kind == KIND_PYTHON ||
           graph_class(graph, timeline->frame[event]).call == CALL_QUERY ||
           property_of(&timeline->properties[PROP_STEP], event, &step);
}

bool track_runs_python(const struct graph *graph, const struct track *track)
{
    for (event_id e = track->first; e < track->first + track->count; e++)
        if (graph_frame(graph, graph->timeline.frame[e])->kind == KIND_PYTHON)
            return true;
    return false;
}

bool track_may_only_wait(const struct graph *graph, const struct track *track)
{
    enum { HARDLY = 100 }; /* in so many parts of its time one */
    const struct timeline *timeline = &graph->timeline;
    int64_t asking = 0, end = INT64_MIN;

    for (event_id e = track->first; e < track->first + track->count; e++) {
        if (!may_be_waiting(graph, e)) {
            if (graph_class(graph, timeline->frame[e]).call != CALL_OTHER)
                return false;
            asking = checked_add(asking, timeline->duration[e]);
        }
        if (event_end(timeline, e) > end)
            end = event_end(timeline, e);
    }
    return asking == 0 || asking <= checked_sub(end, timeline->start[track->first]) / HARDLY;
}

/* A thread is one with all its lanes, or not at all. */
static void join_lanes(const struct timeline *timeline, bool *is_one)
{
    for (uint32_t i = 1; i < timeline->track_count; i++)
        if (timeline->tracks[i].lane)
            is_one[i] &= is_one[i - 1];
    for (uint32_t i = timeline->track_count; i-- > 1;)
        if (timeline->tracks[i].lane)
            is_one[i - 1] &= is_one[i];
}

/* By track; the arena's. */
static bool *wait_only_find(const struct graph *graph, struct arena *arena)
{
    const struct timeline *timeline = &graph->timeline;
    bool *is_one = arena_array(arena, timeline->track_count, sizeof(*is_one));
    bool has_work = has_device(timeline);

    for (uint32_t i = 0; i < timeline->track_count; i++)
        is_one[i] = has_work && timeline->tracks[i].kind == TRACK_THREAD &&
                    timeline->tracks[i].count && track_may_only_wait(graph, &timeline->tracks[i]);
    join_lanes(timeline, is_one);
    return is_one;
}

/* What its events cover, which nest. */
static int64_t busy_time(const struct timeline *timeline, const struct track *track)
{
    int64_t time = 0, end = INT64_MIN;

    for (event_id e = track->first; e < track->first + track->count; e++)
        if (timeline->start[e] >= end) {
            time = checked_add(time, timeline->duration[e]);
            end = event_end(timeline, e);
        }
    return time;
}

struct wait_only wait_only_sum(const struct graph *graph)
{
    const struct timeline *timeline = &graph->timeline;
    struct wait_only sum = {0};
    struct arena arena = {0};
    const bool *is_one = wait_only_find(graph, &arena);

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        if (!is_one[i])
            continue;
        if (timeline->tracks[i].lane == 0) {
            sum.count++;
            sum.track = i;
        }
        sum.time = checked_add(sum.time, busy_time(timeline, &timeline->tracks[i]));
    }
    arena_free(&arena);
    return sum;
}

void wait_only_set_apart(struct graph *graph)
{
    struct arena arena = {0};
    const bool *is_one = wait_only_find(graph, &arena);

    for (uint32_t i = 0; i < graph->timeline.track_count; i++)
        graph->timeline.tracks[i].only_waits = is_one[i];
    arena_free(&arena);
}
