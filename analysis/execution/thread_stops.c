/* SPDX-License-Identifier: Apache-2.0 */
/* thread_stops.c — where threads stopped, and which other thread let them go on
 *
 * A thread stops where it is in nothing or in a call that waits for other threads, for longer than
 * switching takes, or in a range while another thread works for it. It goes on because of the other
 * thread that, since then and last, stopped itself or, where it says that it waits, ended a
 * function; promptly, or it is not known why it goes on. Two threads that run operators in turn need not
 * be prompt. An arrow in the file that leads to what it goes on with says more.
 *
 * Where a device works, threads that hold nothing but Python or steps take part only if they let
 * one go on that does: others may be progress bars and watchdogs. */
#include <stdlib.h>
#include <string.h>

#include "analysis/execution/loader_batches.h"
#include "analysis/execution/task_graph.h"
#include "analysis/execution/thread_turns.h"
#include "base/memory/memory.h"

enum {
    STOP_LEAST = 5000,       /* ns: in shorter pauses no thread is woken, */
    LOAD_LEAST = 1000000,    /* and in so much a batch that is there is taken */
    CREATION_MOST = 1000000, /* a thread that is made first begins sooner than that */
    THREADS_ASKED = 64       /* threads with more than these are not asked */
};

/* ---- where they stopped ---- */

static void add_stop(struct task_builder *builder, const struct thread_stop *stop)
{
    builder->stops =
        grow_one(builder->stops, builder->stop_count, &builder->stop_cap, sizeof(*builder->stops));
    builder->stops[builder->stop_count] = *stop;
    builder->stops[builder->stop_count].batch = NO_EVENT;
    builder->stops[builder->stop_count++].waker = UINT32_MAX;
}

/* The data loader's event that a thread is in, and whether it has waited there. */
struct loading {
    event_id event;
    size_t first_stop;            /* in it, if any */
    int64_t short_from, short_to; /* the longest time in it that is too short to say so */
};

/* In each the thread takes one batch: after its longest wait, or at its end, without one. */
static void take_batch(struct task_builder *builder, uint32_t track, struct loading *loading)
{
    struct thread_stop *longest = NULL;
    int64_t end = event_end(builder->timeline, loading->event);

    for (size_t i = loading->first_stop; i < builder->stop_count; i++) {
        struct thread_stop *stop = &builder->stops[i];

        stop->is_beside = true;
        if (stop->is_wait && (!longest || stop->to - stop->from > longest->to - longest->from))
            longest = stop;
    }
    if (!longest) {
        end = loading->short_to ? loading->short_to : end;
        add_stop(builder, &(struct thread_stop){
                              .from = end, .to = end, .track = track, .is_wait = true});
        longest = &builder->stops[builder->stop_count - 1];
        longest->event = loading->event;
        longest->short_from = loading->short_to ? loading->short_from : end;
    }
    longest->batch = loading->event;
    longest->is_beside = false;
    loading->event = NO_EVENT;
}

static void stop_in_range(struct task_builder *builder, uint32_t track,
                          const struct segment *segment)
{
    struct worker_window help =
        worker_between(&builder->workers, track, segment->event, segment->start, segment->end);

    if (help.track == UINT32_MAX || help.end == help.start)
        return;
    add_stop(builder,
             &(struct thread_stop){
                 .from = help.start, .to = help.end, .track = track, .event = segment->event});
    builder->stops[builder->stop_count - 1].waker = help.track;
    builder->stops[builder->stop_count - 1].waker_time = help.end;
}

/* From which length on the data loader waits: some times what the quickest batch takes that is there. */
static int64_t least_wait_for_batch(const struct task_builder *builder, uint32_t track)
{
    enum { TIMES = 4 };
    const struct timeline *timeline = builder->timeline;
    const struct track *at = &timeline->tracks[track];
    int64_t quickest = LOAD_LEAST / TIMES;

    for (event_id e = at->first; e < at->first + at->count; e++)
        if (builder->execution->role[timeline->frame[e]] == HOST_LOADS &&
            timeline->duration[e] < quickest)
            quickest = timeline->duration[e];
    return quickest * TIMES > WAIT_LEAST ? quickest * TIMES : WAIT_LEAST;
}

static void find_on_thread(struct task_builder *builder, uint32_t track, bool loads)
{
    const struct timeline *timeline = builder->timeline;
    const uint8_t *roles = builder->execution->role;
    struct loading loading = {.event = NO_EVENT};
    int64_t load_least = loads ? least_wait_for_batch(builder, track) : 0;
    event_id next = timeline->tracks[track].first, past = next + timeline->tracks[track].count;
    struct innermost place = {0};
    struct segment segment;

    innermost_begin(&place, timeline, track, NULL);
    while (innermost_next(&place, &segment)) {
        uint8_t role =
            segment.event == NO_EVENT ? HOST_RUNS : roles[timeline->frame[segment.event]];

        if (loading.event != NO_EVENT && segment.start >= event_end(timeline, loading.event))
            take_batch(builder, track, &loading);
        for (; loads && next < past && timeline->start[next] <= segment.start; next++)
            if (roles[timeline->frame[next]] == HOST_LOADS && loading.event == NO_EVENT)
                loading = (struct loading){.event = next, .first_stop = builder->stop_count};
        if (role == HOST_LOADS && segment.end - segment.start >= WAIT_LEAST &&
            segment.end - segment.start > loading.short_to - loading.short_from) {
            loading.short_from = segment.start;
            loading.short_to = segment.end;
        }

        int64_t least = role == HOST_LOADS ? load_least : STOP_LEAST;

        if (role == HOST_RANGE) {
            stop_in_range(builder, track, &segment);
        } else if (segment.end - segment.start >= least &&
                   (segment.event == NO_EVENT || role == HOST_LOADS || role == HOST_LOCKS)) {
            add_stop(builder, &(struct thread_stop){
                                  .from = segment.start,
                                  .to = segment.end,
                                  .track = track,
                                  .event = segment.event,
                                  .is_wait = segment.event != NO_EVENT,
                              });
        }
    }
    if (loading.event != NO_EVENT)
        take_batch(builder, track, &loading);
    innermost_free(&place);
}

static bool helped_before(const void *context, uint32_t a, uint32_t b)
{
    const struct thread_stop *stops = context;

    return stops[a].waker != stops[b].waker ? stops[a].waker < stops[b].waker
                                            : stops[a].from < stops[b].from;
}

/* How many calls of a function there are, and in how many a worker thread worked. */
struct helped_calls {
    uint32_t calls, helped;
};

/* By frame; the caller frees it. */
static struct helped_calls *count_helped(const struct task_builder *builder)
{
    const struct timeline *timeline = builder->timeline;
    struct helped_calls *counts = grow_zeroed(builder->graph->frames.count, sizeof(*counts));
    event_id last = NO_EVENT;

    for (event_id e = 0; e < timeline->count; e++)
        counts[timeline->frame[e]].calls++;
    for (size_t i = 0; i < builder->stop_count; i++) {
        const struct thread_stop *stop = &builder->stops[i];

        if (stop->waker == UINT32_MAX || stop->event == last)
            continue;
        last = stop->event;
        counts[timeline->frame[last]].helped++;
    }
    return counts;
}

/* Whether the shorter of two calls is around a worker's work by chance. It is if it is a Python function, and a smaller
 * share of its calls contains such work than of the longer one's. Not asked of ranges: long ranges always contain some. */
static bool is_by_chance(const struct task_builder *builder, const struct helped_calls *counts,
                         event_id call, event_id longer)
{
    const frame_id *frame = builder->timeline->frame;
    const struct helped_calls *of_call = &counts[frame[call]], *of_longer = &counts[frame[longer]];

    return graph_frame(builder->graph, frame[call])->kind == KIND_PYTHON &&
           (uint64_t)of_call->helped * of_longer->calls <
               (uint64_t)of_longer->helped * of_call->calls;
}

/* A worker thread works for one thread at a time: of several that were in something around its work, for
 * that in the shortest, unless that is chance. */
static void keep_closest_helped(struct task_builder *builder)
{
    const int64_t *duration = builder->timeline->duration;
    struct thread_stop *stops = builder->stops, *last = NULL;
    uint32_t *order = grow_to(NULL, builder->stop_count + 1, sizeof(*order));
    struct helped_calls *counts = NULL;
    size_t count = 0;

    for (size_t i = 0; i < builder->stop_count; i++)
        if (stops[i].waker != UINT32_MAX)
            order[count++] = (uint32_t)i;
    if (count)
        counts = count_helped(builder);
    sort_stable(order, count, helped_before, stops);
    for (size_t i = 0; i < count; i++) {
        struct thread_stop *stop = &stops[order[i]], *other = stop;

        if (last && last->waker == stop->waker && stop->from < last->to &&
            last->track != stop->track) {
            struct thread_stop *longer = duration[last->event] > duration[stop->event] ? last : stop;
            struct thread_stop *shorter = longer == last ? stop : last;

            other = is_by_chance(builder, counts, shorter->event, longer->event) ? shorter : longer;
            other->event = NO_EVENT; /* it is none */
        }
        if (other != stop || stop->event != NO_EVENT)
            last = stop;
    }
    free(counts);
    free(order);
    count = 0;
    for (size_t i = 0; i < builder->stop_count; i++)
        if (stops[i].waker == UINT32_MAX || stops[i].event != NO_EVENT)
            stops[count++] = stops[i];
    builder->stop_count = count;
}

/* A thread's beginning is where it goes on after not being there. */
static void add_beginning(struct task_builder *builder, uint32_t track)
{
    struct innermost place = {0};
    struct segment segment;

    innermost_begin(&place, builder->timeline, track, NULL);
    if (innermost_next(&place, &segment))
        add_stop(builder,
                 &(struct thread_stop){
                     .from = INT64_MIN, .to = segment.start, .track = track, .event = NO_EVENT});
    innermost_free(&place);
}

/* What a thread runs in a lane of its own, because it overlaps other events, goes on from what the thread did then. */
static void follow_first_lanes(struct task_builder *builder)
{
    const struct track *tracks = builder->timeline->tracks;

    for (size_t i = 0; i < builder->stop_count; i++) {
        struct thread_stop *stop = &builder->stops[i];

        if (tracks[stop->track].lane == 0 || stop->event != NO_EVENT)
            continue;
        stop->waker = stop->track - tracks[stop->track].lane;
        stop->waker_time = stop->to;
        stop->is_read = true;
    }
}

/* ---- who let them go on ---- */

/* Stops by when they end, and another thread's place among the moments at which it may have let
 * others go on. */
struct asking {
    struct task_builder *builder;
    uint32_t *order; /* of stops */
    size_t count, at;
    int64_t last_stop, last_end; /* of the thread that is asked; INT64_MIN: none yet */
    uint32_t track;
};

static bool ends_sooner(const void *context, uint32_t a, uint32_t b)
{
    const struct thread_stop *stops = context;

    return stops[a].to < stops[b].to;
}

static void propose(struct thread_stop *stop, uint32_t waker, int64_t time, bool is_read)
{
    int64_t most = stop->from == INT64_MIN ? CREATION_MOST : HAND_OVER_MOST;

    if (time == INT64_MIN || time < stop->from || time > stop->to ||
        (!is_read && stop->to - time > most) ||
        (stop->waker != UINT32_MAX && time <= stop->waker_time && !is_read) ||
        (stop->is_read && !is_read))
        return;
    stop->waker = waker;
    stop->waker_time = time;
    stop->is_read = is_read;
}

/* Answers for all stops that end before `time`. */
static void answer_until(struct asking *asking, int64_t time)
{
    for (; asking->at < asking->count; asking->at++) {
        struct thread_stop *stop = &asking->builder->stops[asking->order[asking->at]];

        if (stop->to >= time)
            return;
        if (stop->track == asking->track || (stop->event != NO_EVENT && !stop->is_wait))
            continue;
        propose(stop, asking->track, asking->last_stop, false);
        if (stop->is_wait)
            propose(stop, asking->track, asking->last_end, false);
    }
}

/* `stop`, `past`: the thread's own stops. */
static void ask_thread(struct asking *asking, uint32_t track, size_t stop, size_t past)
{
    const struct task_builder *builder = asking->builder;
    const uint8_t *roles = builder->execution->role;
    const struct timeline *timeline = builder->timeline;
    struct innermost place = {0};
    struct segment segment;
    bool was_waiting = false;

    asking->track = track;
    asking->at = 0;
    asking->last_stop = asking->last_end = INT64_MIN;
    innermost_begin(&place, timeline, track, NULL);
    while (asking->at < asking->count && innermost_next(&place, &segment)) {
        answer_until(asking, segment.start);
        if (segment.is_after_end && !was_waiting)
            asking->last_end = segment.start;
        for (; stop < past && builder->stops[stop].from < segment.end; stop++) {
            answer_until(asking, builder->stops[stop].from);
            if (builder->stops[stop].from != INT64_MIN && !was_waiting)
                asking->last_stop = builder->stops[stop].from;
        }
        was_waiting = segment.event != NO_EVENT &&
                      role_waits_for_threads(roles[timeline->frame[segment.event]]);
    }
    answer_until(asking, place.time);
    if (!was_waiting && place.time != INT64_MIN) /* it has ended */
        asking->last_stop = place.time;
    answer_until(asking, INT64_MAX);
    innermost_free(&place);
}

/* From an arrow of the file to what a thread goes on with. */
static void follow_arrow(struct task_builder *builder, struct thread_stop *stop)
{
    const struct timeline *timeline = builder->timeline;
    const struct track *track = &timeline->tracks[stop->track];

    if (!timeline->launch)
        return;
    SEARCH(uint32_t, at, track->count, timeline->start[track->first + at] < stop->to);
    for (; at < track->count && timeline->start[track->first + at] == stop->to; at++) {
        event_id source = timeline->launch[track->first + at];
        uint32_t from;

        if (source == NO_EVENT)
            continue;
        from = track_of_event(timeline, source);
        if (timeline->tracks[from].kind == TRACK_THREAD && from != stop->track)
            propose(stop, from,
                    event_end(timeline, source) <= stop->to ? event_end(timeline, source)
                                                            : timeline->start[source],
                    true);
    }
}

static void find_wakers(struct task_builder *builder)
{
    const struct timeline *timeline = builder->timeline;
    struct asking asking = {.builder = builder, .count = builder->stop_count};
    uint32_t asked = 0;
    size_t stop = 0;

    asking.order = grow_to(NULL, builder->stop_count + 1, sizeof(*asking.order));
    for (size_t i = 0; i < builder->stop_count; i++)
        asking.order[i] = (uint32_t)i;
    sort_stable(asking.order, asking.count, ends_sooner, builder->stops);
    for (uint32_t t = 0; t < timeline->track_count && asked < THREADS_ASKED; t++) {
        size_t first = stop;

        if (timeline->tracks[t].kind != TRACK_THREAD || timeline->tracks[t].count == 0)
            continue;
        while (stop < builder->stop_count && builder->stops[stop].track == t)
            stop++;
        ask_thread(&asking, t, first, stop);
        asked++;
    }
    free(asking.order);
    find_operator_turns(builder);
    for (size_t i = 0; i < builder->stop_count; i++)
        if (builder->stops[i].event == NO_EVENT)
            follow_arrow(builder, &builder->stops[i]);
    forget_makers(builder);
}

/* ---- who takes part ---- */

/* A thread takes part with all its lanes or not at all. */
static void join_lanes(const struct timeline *timeline, bool *takes_part)
{
    for (uint32_t i = 1; i < timeline->track_count; i++)
        if (timeline->tracks[i].lane)
            takes_part[i] |= takes_part[i - 1];
    for (uint32_t i = timeline->track_count; i-- > 1;)
        if (timeline->tracks[i].lane)
            takes_part[i - 1] |= takes_part[i];
}

/* Rows about the recording (a profiler's own overhead) are no part of the program, and would hold a replay
 * back to when they were. */
static bool is_of_the_program(const struct graph *graph, const struct track *track)
{
    const struct timeline *timeline = &graph->timeline;
    event_id e = track->first;

    while (e < track->first + track->count &&
           graph_frame(graph, timeline->frame[e])->kind == KIND_OTHER)
        e++;
    return track->count == 0 || e < track->first + track->count;
}

static void decide_who_takes_part(struct task_builder *builder)
{
    const struct timeline *timeline = builder->timeline;
    bool *takes_part = builder->execution->takes_part, has_changed;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        takes_part[i] =
            track->kind == TRACK_STREAM ||
            (track->kind == TRACK_THREAD &&
             (builder->work_count == 0 || (!track_may_only_wait(builder->graph, track) &&
                                           is_of_the_program(builder->graph, track))));
    }
    do {
        has_changed = false;
        join_lanes(timeline, takes_part);
        for (size_t i = 0; i < builder->stop_count; i++) {
            const struct thread_stop *stop = &builder->stops[i];

            if (stop->waker == UINT32_MAX || !takes_part[stop->track] || takes_part[stop->waker] ||
                !(stop->is_wait || stop->is_read))
                continue;
            has_changed = takes_part[stop->waker] = true;
        }
    } while (has_changed);
}

void find_thread_stops(struct task_builder *builder)
{
    bool loads = memchr(builder->execution->role, HOST_LOADS, builder->graph->frames.count);

    for (uint32_t i = 0; i < builder->timeline->track_count; i++) {
        if (builder->timeline->tracks[i].kind != TRACK_THREAD)
            continue;
        add_beginning(builder, i);
        find_on_thread(builder, i, loads);
    }
    keep_closest_helped(builder);
    follow_first_lanes(builder);
    find_wakers(builder);
    find_lock_stops(builder);
}

void settle_thread_stops(struct task_builder *builder)
{
    size_t kept = 0;

    find_producers(builder);
    decide_who_takes_part(builder);
    for (size_t i = 0; i < builder->stop_count; i++) {
        struct thread_stop *stop = &builder->stops[i];

        if (stop->waker != UINT32_MAX && !builder->execution->takes_part[stop->waker])
            stop->waker = UINT32_MAX;
        if (stop->waker != UINT32_MAX)
            builder_cut(builder, stop->waker, stop->waker_time);
        else if (stop->is_wait && stop->batch == NO_EVENT &&
                 (stop->is_beside || stop->to - stop->from < WAIT_LEAST))
            continue; /* it waited once for its batch; else it was free */
        else if (stop->is_wait && stop->from == stop->to && stop->short_from < stop->to)
            stop->from = stop->short_from; /* it may have waited: loader_batches.c knows */
        else if (stop->is_wait && stop->to - stop->from < WAIT_LEAST)
            stop->from = stop->to; /* the batch was there */
        builder->stops[kept++] = *stop;
    }
    builder->stop_count = kept;
}
