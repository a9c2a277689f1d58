/* build_flows.c — binds the ends of flows to events, and says what made those events run */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/search.h"
#include "base/sort.h"
#include "graph/build.h"

enum { LOOK_BACK = 64 }; /* events that may have ended between the one looked for and a point */

void builder_flow(struct builder *builder, const struct flow_point *point)
{
    if (!builder->options.launches)
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

/* The first event of a track that starts at `time` or after; past its last when there is none. */
static event_id first_from(const struct timeline *t, const struct track *track, int64_t time)
{
    SEARCH(uint32_t, at, track->count, t->start[track->first + at] < time);
    return track->first + at;
}

/* The innermost event around `time`, or NO_EVENT. */
static event_id around(const struct timeline *t, const struct track *track, int64_t time)
{
    event_id at = first_from(t, track, time), past = track->first + track->count;

    while (at < past && t->start[at] == time)
        at++; /* what begins there is around it, the last one innermost */
    for (uint32_t i = 0; i < LOOK_BACK && at > track->first; i++) {
        at--;
        if (t->duration[at] >= time - t->start[at])
            return at;
    }
    return NO_EVENT;
}

/* `lanes` are the tracks that the point's track has become. */
static event_id bind(const struct timeline *t, const struct track *lanes, uint32_t count,
                     const struct flow_point *point)
{
    event_id best = NO_EVENT;

    for (uint32_t i = 0; i < count; i++) {
        event_id found = point->is_next ? first_from(t, &lanes[i], point->time)
                                        : around(t, &lanes[i], point->time);

        if (found == NO_EVENT || found == lanes[i].first + lanes[i].count)
            continue;
        if (best == NO_EVENT ||
            (point->is_next ? t->start[found] < t->start[best] : t->start[found] > t->start[best]))
            best = found;
    }
    return best;
}

static bool is_wanted(const struct builder *builder, event_id event)
{
    const struct graph *graph = &builder->graph;

    return builder->options.flows ||
           frame_kind_is_device(graph->frames.list[graph->timeline.frame[event]].kind);
}

static void link(struct builder *builder, event_id from, event_id to)
{
    struct timeline *t = &builder->graph.timeline;

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

/* The event that a point means, or NO_EVENT. */
static event_id event_at(const struct timeline *t, const struct flow_point *point,
                         const uint32_t *first_lane, const uint32_t *place)
{
    uint32_t lane;

    if (point->is_of_event)
        return place[point->event];
    lane = first_lane[point->track];
    return bind(t, &t->tracks[lane], first_lane[point->track + 1] - lane, point);
}

void build_flows_finish(struct builder *builder, const uint32_t *first_lane, const uint32_t *place)
{
    const struct timeline *t = &builder->graph.timeline;
    const struct flow_point *points = builder->flows, *last = NULL;
    uint32_t *order = grow_to(NULL, builder->flow_count + 1, sizeof(*order));
    event_id from = NO_EVENT;

    for (size_t i = 0; i < builder->flow_count; i++)
        order[i] = (uint32_t)i;
    sort_stable(order, builder->flow_count, is_before, points);
    for (size_t i = 0; i < builder->flow_count; i++) {
        const struct flow_point *point = &points[order[i]];
        event_id event = event_at(t, point, first_lane, place);

        if (last && last->flow != point->flow)
            from = NO_EVENT;
        if (!point->is_start)
            link(builder, from, event);
        if (!point->is_branch)
            from = event;
        last = point;
    }
    free(order);
}
