/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/amdahl/amdahl.h"

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

/* ---- threads: the innermost event, where it is known to run ---- */

static void collect_thread(const struct execution *execution, const uint32_t *part_of, uint32_t at,
                           struct activities *out)
{
    const struct timeline *t = &execution->graph->timeline;
    struct task_pieces pieces = {0};
    struct task_piece piece;

    task_pieces_begin(&pieces, execution, at, NULL);
    while (task_pieces_next(&pieces, &piece)) {
        const struct segment *segment = &piece.segment;

        if (execution->kind[piece.task] != TASK_WAIT && segment->event != NO_EVENT &&
            !role_waits(execution->role[t->frame[segment->event]]))
            activities_add(out, &(struct activity){segment->start, segment->end,
                                                   part_of[t->frame[segment->event]], NO_RESOURCE});
    }
    task_pieces_free(&pieces);
}

/* ---- streams ---- */

static void collect_stream(const struct graph *graph, const uint32_t *part_of, uint32_t at,
                           struct activities *out)
{
    const struct timeline *t = &graph->timeline;
    const struct track *track = &t->tracks[at];

    for (event_id e = track->first; e < track->first + track->count; e++) {
        enum frame_kind kind = kind_of(graph, e);

        if (kind != KIND_SYNC && kind != KIND_ANNOTATION)
            activities_add(out,
                           &(struct activity){t->start[e], end_of(t, e), part_of[t->frame[e]], at});
    }
}

/* ---- is the device held up by its launches? ---- */

static bool starts_at_launch(const struct timeline *t, event_id event)
{
    event_id launch = t->launch ? t->launch[event] : NO_EVENT;

    return launch != NO_EVENT && t->start[event] - end_of(t, launch) < QUEUE_WAS_EMPTY;
}

static bool is_launch_bound(const struct graph *graph, bool is_device_only)
{
    const struct timeline *t = &graph->timeline;
    struct intervals busy = {0};
    uint64_t kernels = 0, prompt = 0;
    bool is_idle = false;

    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        for (event_id e = track->first; e < track->first + track->count; e++) {
            if (track->kind != TRACK_STREAM || !frame_kind_is_device(kind_of(graph, e)))
                continue;
            intervals_cover(&busy, t->start[e], end_of(t, e));
            kernels += kind_of(graph, e) == KIND_KERNEL;
            prompt += kind_of(graph, e) == KIND_KERNEL && starts_at_launch(t, e);
        }
    }
    intervals_unite(&busy);
    if (busy.count) {
        int64_t span = checked_sub(busy.list[busy.count - 1].end, busy.list[0].start);

        is_idle = share_of(span - intervals_length(&busy), span) > IDLE_LIMIT;
    }
    intervals_free(&busy);
    return (is_device_only && is_idle) || (kernels && 2 * prompt >= kernels);
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

void workload_collect(const struct graph *graph, const struct execution *known,
                      const uint32_t *part_of, struct workload *workload)
{
    const struct timeline *t = &graph->timeline;
    struct execution own = {0};

    *workload = (struct workload){.span = span_of_run(t), .is_device_only = true};
    if (!known) {
        execution_build(graph, &own);
        execution_drop_dependencies(&own);
    }
    for (uint32_t i = 0; i < t->track_count; i++) {
        if (t->tracks[i].kind == TRACK_THREAD) {
            collect_thread(known ? known : &own, part_of, i, &workload->activities);
            workload->is_device_only &= t->tracks[i].count == 0;
        } else if (t->tracks[i].kind == TRACK_STREAM) {
            collect_stream(graph, part_of, i, &workload->activities);
        }
    }
    execution_free(&own);
    workload->is_launch_bound = is_launch_bound(graph, workload->is_device_only);
}
