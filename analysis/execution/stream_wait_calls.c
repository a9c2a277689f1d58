/* SPDX-License-Identifier: Apache-2.0 */
/* stream_wait_calls.c — which streams waited for which, by the order of a program's calls
 *
 * Most traces hold the calls that record an event and that make a stream wait for one, and not
 * which event or stream. Programs do both next to the work that it is about: an event is recorded
 * on the stream that the thread gave work last, and a stream waits that the thread gives work next.
 * A wait right after a record is for that; another for the oldest record that nothing waited for
 * yet: both only if all that nothing waited for yet is of one other stream. What the recorded times
 * contradict is left out later. */
#include <stdlib.h>
#include <string.h>

#include "analysis/execution/task_graph.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

/* A record, or a wait. */
struct event_call {
    event_id call;
    event_id last, next; /* what its thread had submitted last, and submitted next; NO_EVENT */
    bool is_wait;
};

struct event_calls {
    VECTOR(struct event_call); /* by track and time */
};

static void find_event_calls(const struct task_builder *builder, struct event_calls *calls)
{
    const struct timeline *timeline = builder->timeline;
    const struct graph *graph = builder->graph;
    uint8_t *call_of = grow_zeroed(graph->frames.count, 1);
    uint32_t near = 0, waits = 0;

    for (frame_id id = 1; id < graph->frames.count; id++) {
        call_of[id] = (uint8_t)graph_class(graph, id).call;
        waits += call_of[id] == CALL_STREAM_WAIT;
    }
    for (uint32_t t = 0; t < timeline->track_count && waits; t++) {
        const struct track *track = &timeline->tracks[t];
        event_id past = track->first + track->count;

        for (event_id e = track->first; track->kind == TRACK_THREAD && e < past; e++) {
            uint8_t is = call_of[timeline->frame[e]];
            struct event_call call = {e, NO_EVENT, NO_EVENT, is == CALL_STREAM_WAIT};

            if (is != CALL_EVENT_RECORD && is != CALL_STREAM_WAIT)
                continue;
            near = first_launched_by(builder, e, near);
            if (near > 0 && timeline->launch[builder->by_launch[near - 1]] >= track->first)
                call.last = builder->by_launch[near - 1];
            if (near < builder->launched_count && timeline->launch[builder->by_launch[near]] < past)
                call.next = builder->by_launch[near];
            vector_add(calls, call);
        }
    }
    free(call_of);
}

/* Whichever lane the work is in. */
static uint32_t stream_of_work(const struct timeline *timeline, event_id work)
{
    uint32_t track = track_of_event(timeline, work);

    while (timeline->tracks[track].lane)
        track--;
    return track;
}

/* What the record right before a wait, or before others of its kind, is of; NO_EVENT where there is
 * none, or work was submitted in between. */
static event_id recorded_before(const struct event_calls *calls, size_t wait)
{
    for (; wait > 0 && calls->list[wait - 1].last == calls->list[wait].last; wait--)
        if (!calls->list[wait - 1].is_wait)
            return calls->list[wait].last;
    return NO_EVENT;
}

/* Work after which an event was recorded that nothing waited for yet, the oldest first. */
struct recorded {
    struct recorded_work {
        event_id work;
        uint32_t stream;
    } list[64];
    size_t count;
};

static void forget(struct recorded *recorded, size_t at)
{
    recorded->count--;
    memmove(&recorded->list[at], &recorded->list[at + 1],
            (recorded->count - at) * sizeof(*recorded->list));
}

static void remember(struct recorded *recorded, const struct timeline *timeline, event_id work)
{
    if (work == NO_EVENT || (recorded->count && recorded->list[recorded->count - 1].work == work))
        return;
    if (recorded->count == COUNT_OF(recorded->list))
        forget(recorded, 0);
    recorded->list[recorded->count++] =
        (struct recorded_work){work, stream_of_work(timeline, work)};
}

/* The one stream besides `stream` itself of which there is any; UINT32_MAX where there is none, or
 * several may be meant. */
static uint32_t only_other_stream(const struct recorded *recorded, uint32_t stream)
{
    uint32_t only = UINT32_MAX;

    for (size_t i = 0; i < recorded->count; i++) {
        uint32_t other = recorded->list[i].stream;

        if (other == stream || other == only)
            continue;
        if (only != UINT32_MAX)
            return UINT32_MAX;
        only = other;
    }
    return only;
}

struct call_order {
    const struct timeline *timeline;
    const struct event_call *calls;
};

static bool is_called_before(const void *context, uint32_t a, uint32_t b)
{
    const struct call_order *order = context;

    return order->timeline->start[order->calls[a].call] <
           order->timeline->start[order->calls[b].call];
}

static bool waits_before(const void *context, uint32_t a, uint32_t b)
{
    const struct wait_calls *waits = context;

    return waits->list[a].stream < waits->list[b].stream;
}

void find_wait_calls(struct task_builder *builder)
{
    const struct timeline *timeline = builder->timeline;
    struct wait_calls *waits = &builder->wait_calls;
    struct event_calls calls = {0};
    struct recorded recorded = {0};
    uint32_t *order;

    if (timeline->properties[PROP_WAIT_STREAM].count == 0) /* else the file says it */
        find_event_calls(builder, &calls);
    order = sorted_order(calls.count, is_called_before, &(struct call_order){timeline, calls.list});
    for (size_t i = 0; i < calls.count; i++) {
        const struct event_call *call = &calls.list[order[i]];
        event_id work = recorded_before(&calls, order[i]);
        uint32_t stream, source;
        size_t at = 0;

        if (!call->is_wait) {
            remember(&recorded, timeline, call->last);
            continue;
        }
        if (call->next == NO_EVENT)
            continue;
        stream = stream_of_work(timeline, call->next);
        source = only_other_stream(&recorded, stream);
        while (at < recorded.count && (work == NO_EVENT ? recorded.list[at].stream != source
                                                        : recorded.list[at].work != work))
            at++;
        if (at == recorded.count)
            continue;
        if (recorded.list[at].stream == source)
            vector_add(waits, (struct wait_call){timeline->start[call->call], stream,
                                                 recorded.list[at].work});
        forget(&recorded, at);
    }
    free(calls.list);
    free(order);
    waits->by_stream = sorted_order(waits->count, waits_before, waits);
}

void wait_calls_between(const struct wait_calls *waits, uint32_t stream, int64_t after,
                        int64_t until, struct wait_call_range *range)
{
    const struct wait_call *list = waits->list;
    const uint32_t *order = waits->by_stream;

    SEARCH(size_t, past, waits->count,
           list[order[past]].stream < stream ||
               (list[order[past]].stream == stream && list[order[past]].time <= until));
    *range = (struct wait_call_range){.past = past, .first = past};
    while (range->first > 0 && past - range->first < COUNT_OF(((struct recorded *)0)->list) &&
           list[order[range->first - 1]].stream == stream &&
           list[order[range->first - 1]].time > after)
        range->first--;
}
