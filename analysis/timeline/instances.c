/* SPDX-License-Identifier: Apache-2.0 */
/* Every event of some functions: on which track, in which step, launched by what, and how durations vary. */
#include "analysis/timeline/instances.h"

#include <stdlib.h>

#include "analysis/timeline/inventory.h"

static bool begins_before(const void *context, uint32_t a, uint32_t b)
{
    const struct timeline *timeline = context;

    return timeline->start[a] < timeline->start[b];
}

static bool is_longer(const void *context, uint32_t a, uint32_t b)
{
    const struct timeline *timeline = context;

    return timeline->duration[a] > timeline->duration[b];
}

/* The step whose span holds the time. */
static int64_t step_at(const struct steps *steps, int64_t time)
{
    SEARCH(uint32_t, after, steps->span_count, steps->spans[after].start <= time);

    return after && time < steps->spans[after - 1].end
               ? steps->list[steps->spans[after - 1].step].number
               : UNKNOWN;
}

static struct instance instance_of(const struct graph *graph, const struct steps *steps,
                                   event_id event)
{
    const struct timeline *timeline = &graph->timeline;
    event_id launch = timeline->launch ? timeline->launch[event] : NO_EVENT;
    bool is_launched = launch != NO_EVENT;

    return (struct instance){.event = event,
                             .launch = launch,
                             .launcher = is_launched ? timeline->frame[launch] : 0,
                             .track = track_of_event(timeline, event),
                             .step = step_at(steps, timeline->start[is_launched ? launch : event])};
}

void instances_find(const struct graph *graph, const bool *is_wanted, enum instance_order order,
                    uint32_t limit, struct arena *arena, struct instances *instances)
{
    const struct timeline *timeline = &graph->timeline;
    struct inventory inventory;
    struct steps steps;
    uint32_t *events, total = 0;
    int64_t *durations;

    for (event_id e = 0; e < timeline->count; e++)
        total += is_wanted[timeline->frame[e]];
    events = arena_array(arena, total, sizeof(*events));
    durations = grow_to(NULL, (size_t)total + 1, sizeof(*durations));
    *instances = (struct instances){.total = total};
    total = 0;
    for (event_id e = 0; e < timeline->count; e++)
        if (is_wanted[timeline->frame[e]]) {
            durations[total] = timeline->duration[e];
            events[total++] = e;
        }
    instances->percentiles = percentiles_of(durations, total);
    free(durations);
    sort_stable(events, total, begins_before, timeline);
    if (order == INSTANCES_BY_DURATION)
        sort_stable(events, total, is_longer, timeline);
    steps_find(graph, arena, &steps);
    inventory_take(graph, arena, &inventory);
    instances->origin = inventory.first;
    instances->count = limit && limit < total ? limit : total;
    instances->list = arena_array(arena, instances->count, sizeof(*instances->list));
    for (uint32_t i = 0; i < instances->count; i++)
        instances->list[i] = instance_of(graph, &steps, events[i]);
}
