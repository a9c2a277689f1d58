/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/helper_threads.h"

#include <stdlib.h>

#include "analysis/execution/host_roles.h"
#include "base/memory/grow.h"
#include "base/memory/sort.h"

enum { HELPERS_MAX = 64 };

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
static void add_times(const struct graph *graph, const uint8_t *roles, struct helper *helper)
{
    struct innermost place = {0};
    struct segment segment;

    innermost_begin(&place, &graph->timeline, helper->track, NULL);
    while (innermost_next(&place, &segment)) {
        uint8_t role =
            segment.event == NO_EVENT ? HOST_RUNS : roles[graph->timeline.frame[segment.event]];

        if (segment.event == NO_EVENT || kind_of(graph, segment.event) == KIND_ANNOTATION ||
            role_waits(role))
            continue;
        if (helper->count && helper->times[helper->count - 1].end == segment.start) {
            helper->times[helper->count - 1].end = segment.end;
            continue;
        }
        helper->times =
            grow_one(helper->times, helper->count, &helper->cap, sizeof(*helper->times));
        helper->times[helper->count++] = (struct work_time){segment.start, segment.end};
    }
    innermost_free(&place);
}

void helpers_find(const struct graph *graph, const uint8_t *roles, struct helpers *helpers)
{
    const struct timeline *timeline = &graph->timeline;

    *helpers =
        (struct helpers){.graph = graph, .list = grow_zeroed(HELPERS_MAX, sizeof(*helpers->list))};
    for (uint32_t i = 0; i < timeline->track_count && helpers->count < HELPERS_MAX; i++)
        if (is_helper(graph, &timeline->tracks[i])) {
            helpers->list[helpers->count].track = i;
            add_times(graph, roles, &helpers->list[helpers->count++]);
        }
}

struct help helpers_between(const struct helpers *helpers, uint32_t track, event_id event,
                            int64_t start, int64_t end)
{
    bool is_whole = kind_of(helpers->graph, event) == KIND_PYTHON;
    struct help last = {start, start, UINT32_MAX};

    for (uint32_t i = 0; i < helpers->count; i++) {
        const struct helper *helper = &helpers->list[i];
        const struct work_time *times = helper->times;
        int64_t until;

        if (helper->track == track)
            continue;
        SEARCH(size_t, past, helper->count, times[past].start < end);
        if (!past)
            continue;
        until = times[past - 1].end;
        if (until <= last.end)
            continue;
        SEARCH(size_t, first, past, times[first].end <= start);
        if (times[past - 1].end > end || (is_whole && times[first].start < start))
            continue;
        last = (struct help){times[first].start > start ? times[first].start : start, until,
                             helper->track};
    }
    return last;
}

void helpers_free(struct helpers *helpers)
{
    for (uint32_t i = 0; i < helpers->count; i++)
        free(helpers->list[i].times);
    free(helpers->list);
    *helpers = (struct helpers){0};
}
