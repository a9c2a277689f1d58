/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/task_graph.h"

#include <stdlib.h>

#include "base/memory/sort.h"
#include "base/memory/vector.h"

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

struct worker_stretch worker_between(const struct worker_threads *workers, uint32_t track,
                                     event_id event, int64_t start, int64_t end)
{
    bool is_whole = kind_of(workers->graph, event) == KIND_PYTHON;
    struct worker_stretch last = {start, start, UINT32_MAX};

    for (uint32_t i = 0; i < workers->count; i++) {
        const struct worker_thread *worker = &workers->list[i];
        const struct work_time *times = worker->times;
        int64_t until;

        if (worker->track == track)
            continue;
        SEARCH(size_t, past, worker->count, times[past].start < end);
        if (!past)
            continue;
        until = times[past - 1].end;
        if (until <= last.end)
            continue;
        SEARCH(size_t, first, past, times[first].end <= start);
        if (times[past - 1].end > end || (is_whole && times[first].start < start))
            continue;
        last = (struct worker_stretch){times[first].start > start ? times[first].start : start,
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
