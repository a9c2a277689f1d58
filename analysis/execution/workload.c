/* SPDX-License-Identifier: Apache-2.0 */
/* workload.c — a timeline as activities on resources: who was at work when */
#include "analysis/execution/amdahl.h"

#include <stdlib.h>

#include "analysis/execution/task_graph.h"
#include "analysis/timeline/device_work.h"
#include "base/checked.h"

/* amdahl.md §3: a device that idles for more than this share of its span, */
static const double IDLE_LIMIT = 0.15;
/* or half of whose kernels begin so soon after their launch, waits for its launches. */
enum { QUEUE_WAS_EMPTY = 10 * 1000 };

static int64_t end_of(const struct timeline *t, event_id event)
{
    return checked_add(t->start[event], t->duration[event]);
}

static enum frame_kind kind_of(const struct graph *graph, event_id event)
{
    return graph_frame(graph, graph->timeline.frame[event])->kind;
}

/* ---- the activities of a track ---- */

struct workload_track {
    struct activity activity;  /* the next */
    struct task_pieces pieces; /* of a thread: the innermost event, where it is known to run */
    event_id event, past;      /* of a stream */
    uint32_t track;
    bool is_thread;
};

static bool thread_next(const struct workload *workload, struct workload_track *at)
{
    const struct execution *execution = workload->execution;
    const struct timeline *t = &workload->graph->timeline;
    struct task_piece piece;

    while (task_pieces_next(&at->pieces, &piece)) {
        const struct segment *segment = &piece.segment;

        if (execution->kind[piece.task] == TASK_WAIT || segment->event == NO_EVENT ||
            role_waits(execution->role[t->frame[segment->event]]))
            continue;
        at->activity = (struct activity){segment->start, segment->end,
                                         workload->part_of[t->frame[segment->event]], NO_RESOURCE};
        return true;
    }
    task_pieces_free(&at->pieces);
    return false;
}

static bool stream_next(const struct workload *workload, struct workload_track *at)
{
    const struct timeline *t = &workload->graph->timeline;

    while (at->event < at->past) {
        event_id event = at->event++;
        enum frame_kind kind = kind_of(workload->graph, event);

        if (kind == KIND_SYNC || kind == KIND_ANNOTATION)
            continue;
        at->activity = (struct activity){t->start[event], end_of(t, event),
                                         workload->part_of[t->frame[event]], at->track};
        return true;
    }
    return false;
}

static bool track_next(const struct workload *workload, struct workload_track *at)
{
    return at->is_thread ? thread_next(workload, at) : stream_next(workload, at);
}

/* ---- is the device held up by its launches? ---- */

static bool starts_at_launch(const struct timeline *t, event_id event)
{
    event_id launch = t->launch ? t->launch[event] : NO_EVENT;

    return launch != NO_EVENT && t->start[event] - end_of(t, launch) < QUEUE_WAS_EMPTY;
}

/* Whether most kernels begin as soon as they can. */
static bool are_kernels_prompt(const struct graph *graph)
{
    const struct timeline *t = &graph->timeline;
    uint64_t kernels = 0, prompt = 0;

    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        for (event_id e = track->first; e < track->first + track->count; e++) {
            if (track->kind != TRACK_STREAM || kind_of(graph, e) != KIND_KERNEL)
                continue;
            kernels++;
            prompt += starts_at_launch(t, e);
        }
    }
    return kernels && 2 * prompt >= kernels;
}

static bool is_device_idle(const struct graph *graph)
{
    const struct timeline *t = &graph->timeline;
    struct intervals busy = {0};
    bool is_idle = false;

    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        for (event_id e = track->first; e < track->first + track->count; e++)
            if (track->kind == TRACK_STREAM && frame_kind_is_device(kind_of(graph, e)))
                intervals_cover(&busy, t->start[e], end_of(t, e));
    }
    intervals_unite(&busy);
    if (busy.count) {
        int64_t span = checked_sub(busy.list[busy.count - 1].end, busy.list[0].start);

        is_idle = share_of(span - intervals_length(&busy), span) > IDLE_LIMIT;
    }
    intervals_free(&busy);
    return is_idle;
}

/* ---- all ---- */

static int64_t span_of_run(const struct timeline *t)
{
    int64_t from = INT64_MAX, to = INT64_MIN;

    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        if (track->kind != TRACK_THREAD && track->kind != TRACK_STREAM)
            continue;
        for (event_id e = track->first; e < track->first + track->count; e++) {
            from = t->start[e] < from ? t->start[e] : from;
            to = end_of(t, e) > to ? end_of(t, e) : to;
        }
    }
    return from < to ? checked_sub(to, from) : 0;
}

void workload_open(const struct graph *graph, const struct execution *known,
                   const uint32_t *part_of, struct workload *workload)
{
    const struct timeline *t = &graph->timeline;

    *workload =
        (struct workload){.graph = graph,
                          .execution = known ? known : &workload->own,
                          .part_of = part_of,
                          .span = span_of_run(t),
                          .tracks = grow_zeroed(t->track_count + 1u, sizeof(*workload->tracks))};
    if (!known) {
        execution_build(graph, &workload->own);
        execution_drop_dependencies(&workload->own);
    }
    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];
        struct workload_track *at = &workload->tracks[i];

        if (track->kind != TRACK_THREAD && track->kind != TRACK_STREAM)
            continue;
        *at = (struct workload_track){.event = track->first,
                                      .past = track->first + track->count,
                                      .track = i,
                                      .is_thread = track->kind == TRACK_THREAD};
        if (at->is_thread)
            task_pieces_begin(&at->pieces, workload->execution, i, NULL);
        if (track_next(workload, at))
            heap_push(&workload->next, at->activity.start, i);
    }
    workload->waits_for_launches =
        are_kernels_prompt(graph) ||
        (!timeline_has_host(&graph->timeline) && is_device_idle(graph));
}

bool workload_next(struct workload *workload, struct activity *activity)
{
    struct workload_track *at;

    if (!workload->next.count)
        return false;
    at = &workload->tracks[workload->next.list[0].item];
    *activity = at->activity;
    if (track_next(workload, at))
        heap_replace(&workload->next, at->activity.start, at->track);
    else
        heap_pop(&workload->next);
    return true;
}

void workload_close(struct workload *workload)
{
    for (size_t i = 0; i < workload->next.count; i++)
        task_pieces_free(&workload->tracks[workload->next.list[i].item].pieces);
    free(workload->next.list);
    free(workload->tracks);
    execution_free(&workload->own);
}
