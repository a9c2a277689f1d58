/* SPDX-License-Identifier: Apache-2.0 */
/* build_flows.c — binds the ends of flows to events, and says what made those events run */
#include <stdlib.h>
#include <string.h>

#include "base/memory/grow.h"
#include "base/memory/sort.h"
#include "graph/build/builder_state.h"
#include "graph/model/flow_places.h"

void builder_flow(struct timeline_builder *builder, const struct flow_point *point)
{
    if (!builder->shared->options.launches)
        return;
    builder->flows =
        grow_one(builder->flows, builder->flow_count, &builder->flow_cap, sizeof(*builder->flows));
    builder->flows[builder->flow_count++] = *point;
    builder->has_event_flows |= point->is_of_event;
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct flow_point *points = context;

    if (points[a].flow != points[b].flow)
        return points[a].flow < points[b].flow;
    return points[a].time < points[b].time;
}

static bool is_wanted(const struct timeline_builder *builder, event_id event)
{
    const struct graph *graph = &builder->shared->graph;

    return builder->shared->options.flows ||
           frame_kind_is_device(graph->frames.list[graph->timeline.frame[event]].kind);
}

static void link(struct timeline_builder *builder, event_id from, event_id to)
{
    struct timeline *t = &builder->shared->graph.timeline;

    if (from == NO_EVENT || to == NO_EVENT || from == to || !is_wanted(builder, to) ||
        t->start[from] > t->start[to])
        return;
    if (!t->launch) {
        t->launch = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->launch));
        memset(t->launch, 0xff, (size_t)t->count * sizeof(*t->launch));
    }
    if (t->launch[to] == NO_EVENT)
        t->launch[to] = from;
}

/* The event that a point means, or NO_EVENT. `near`: by track, where the point before was. */
static event_id event_at(const struct timeline *t, const struct flow_point *point,
                         const uint32_t *first_lane, const uint32_t *place, uint32_t *near)
{
    uint32_t lane;

    if (point->is_of_event)
        return place[point->event];
    lane = first_lane[point->track];
    return flow_place_event(t, &t->tracks[lane], first_lane[point->track + 1] - lane,
                            (struct flow_place){point->time, point->is_next}, &near[lane]);
}

void build_flows_finish(struct timeline_builder *builder, const uint32_t *first_lane,
                        const uint32_t *place)
{
    const struct timeline *t = &builder->shared->graph.timeline;
    const struct flow_point *points = builder->flows, *last = NULL;
    uint32_t *order = grow_to(NULL, builder->flow_count + 1, sizeof(*order));
    uint32_t *near = grow_zeroed((size_t)t->track_count + 1, sizeof(*near));
    event_id from = NO_EVENT;

    for (size_t i = 0; i < builder->flow_count; i++)
        order[i] = (uint32_t)i;
    sort_stable(order, builder->flow_count, is_before, points);
    for (size_t i = 0; i < builder->flow_count; i++) {
        const struct flow_point *point = &points[order[i]];
        event_id event = event_at(t, point, first_lane, place, near);

        if (last && last->flow != point->flow)
            from = NO_EVENT;
        if (!point->is_start)
            link(builder, from, event);
        if (!point->is_branch)
            from = event;
        last = point;
    }
    free(near);
    free(order);
}
