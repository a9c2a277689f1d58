/* SPDX-License-Identifier: Apache-2.0 */
/* build_links.c — joins device work to the calls that launched it */
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "graph/build/builder_state.h"
#include "graph/model/walks.h"

/* ---- binds the ends of flows to events, and says what made those events run ---- */

void builder_flow(struct timeline_builder *builder, const struct flow_point *point)
{
    if (!builder->shared->options.launches)
        return;
    vector_add(&builder->flows, *point);
    builder->has_event_flows |= point->is_of_event;
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct flow_point *points = context;

    if (points[a].flow != points[b].flow)
        return points[a].flow < points[b].flow;
    return points[a].time < points[b].time;
}

static void link(struct timeline_builder *builder, event_id from, event_id to)
{
    struct graph *graph = &builder->shared->graph;
    struct timeline *t = &graph->timeline;

    if (from == NO_EVENT || to == NO_EVENT || from == to || t->start[from] > t->start[to])
        return;
    if (!builder->shared->options.flows &&
        !frame_kind_is_device(graph->frames.list[t->frame[to]].kind))
        return;
    if (!t->launch) {
        t->launch = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->launch));
        memset(t->launch, 0xff, (size_t)t->count * sizeof(*t->launch));
    }
    if (t->launch[to] == NO_EVENT)
        t->launch[to] = from;
}

void build_flows_finish(struct timeline_builder *builder, const uint32_t *first_lane,
                        const uint32_t *place)
{
    const struct timeline *t = &builder->shared->graph.timeline;
    const struct flow_point *points = builder->flows.list, *last = NULL;
    uint32_t *order = sorted_order(builder->flows.count, is_before, points);
    uint32_t *near =
        grow_zeroed((size_t)t->track_count + 1, sizeof(*near)); /* by track: the last */
    event_id from = NO_EVENT;

    for (size_t i = 0; i < builder->flows.count; i++) {
        const struct flow_point *point = &points[order[i]];
        event_id event;

        if (point->is_of_event) {
            event = place[point->event];
        } else {
            uint32_t lane = first_lane[point->track];

            event = flow_place_event(t, &t->tracks[lane], first_lane[point->track + 1] - lane,
                                     (struct flow_place){point->time, point->is_next}, &near[lane]);
        }
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

/* ---- joins device work to the calls that launched it ---- */

static bool is_lower(const void *context, uint32_t a, uint32_t b)
{
    const int64_t *value = context;

    return value[a] < value[b];
}

/* The launches by correlation; those with the same one stay in file order. */
struct ordered {
    const struct property_column *launches;
    uint32_t *order; /* NULL: the file's */
};

static uint32_t launch_at(const struct ordered *ordered, uint32_t index)
{
    return ordered->order ? ordered->order[index] : index;
}

static int64_t correlation_at(const struct ordered *ordered, uint32_t index)
{
    return ordered->launches->value[launch_at(ordered, index)];
}

/* Devices work in about the order in which they are asked to: `last` is how many launches have a lower
 * correlation, or the same. Of several of one call the first is looked up alone. Returns how many have none. */
static uint64_t link_piece(const struct pair_piece *work, const struct ordered *ordered,
                           const uint32_t *place, event_id *launch, uint32_t *last)
{
    const struct property_column *pairs = &work->pairs;
    event_id call = NO_EVENT;
    uint64_t lost = 0;

    for (uint32_t i = 0; i < pairs->count; i++) {
        if (i == 0 || pairs->value[i] != pairs->value[i - 1]) {
            SEARCH_NEAR(uint32_t, upto, *last, ordered->launches->count,
                        correlation_at(ordered, upto) <= pairs->value[i]);
            *last = upto;
            call = upto && correlation_at(ordered, upto - 1) == pairs->value[i]
                       ? ordered->launches->event[launch_at(ordered, upto - 1)]
                       : NO_EVENT;
        }
        if (call == NO_EVENT)
            lost++;
        else
            launch[place[work->first + pairs->event[i]]] = call;
    }
    return lost;
}

event_id *build_links_finish(struct timeline_builder *builder, const uint32_t *place,
                             event_id *room)
{
    struct timeline *t = &builder->shared->graph.timeline;
    struct property_column launches;
    struct ordered ordered = {&launches, NULL};
    uint32_t last = 0, sorted = 1;
    uint64_t lost = 0;

    if (!builder->shared->options.launches || builder->launched.count == 0)
        return room;
    launches = pairs_take(&builder->launches, place, false);
    while (sorted < launches.count && launches.value[sorted - 1] <= launches.value[sorted])
        sorted++;
    if (sorted < launches.count)
        ordered.order = sorted_order(launches.count, is_lower, launches.value);
    t->launch = room;
    memset(t->launch, 0xff, (size_t)t->count * sizeof(*t->launch));
    for (size_t i = 0; i < builder->launched.count; i++)
        lost += link_piece(&builder->launched.list[i], &ordered, place, t->launch, &last);
    pairs_free(&builder->launched);
    warning_count_many(&builder->shared->graph.source.warnings, WARNING_NOTE,
                       "device events whose launch was not recorded", lost);
    free(ordered.order);
    property_column_free(&launches);
    return NULL;
}
