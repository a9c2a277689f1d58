/* SPDX-License-Identifier: Apache-2.0 */
/* The collectives that one rank ran on its devices, with what the file says of each. */
#include "analysis/ranks/rank_overlap.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/timeline/device_work.h"
#include "base/memory/memory.h"

/* ---- what they move ---- */

int64_t collective_bytes(const struct collective *collective)
{
    int64_t elements =
        collective->traffic == TRAFFIC_GATHER ? collective->out_elements : collective->in_elements;
    int64_t bytes;

    if (elements < 0 || collective->element_size < 0 ||
        __builtin_mul_overflow(elements, collective->element_size, &bytes))
        return UNKNOWN;
    return bytes;
}

double collective_bus_factor(const struct collective *collective)
{
    double ranks = (double)collective->group_size;

    if (collective->group_size < 2)
        return NAN;
    switch (collective->traffic) {
    case TRAFFIC_REDUCE_ALL:
        return 2 * (ranks - 1) / ranks;
    case TRAFFIC_GATHER:
    case TRAFFIC_SCATTER:
    case TRAFFIC_ALL:
        return (ranks - 1) / ranks;
    case TRAFFIC_PLAIN:
    case TRAFFIC_SEND:
    case TRAFFIC_RECEIVE:
        break;
    }
    return 1;
}

/* ---- finding them ---- */

uint64_t collectives_properties(void)
{
    return property_bit(PROP_COLLECTIVE) | property_bit(PROP_DTYPE) |
           property_bit(PROP_IN_ELEMENTS) | property_bit(PROP_OUT_ELEMENTS) |
           property_bit(PROP_GROUP_SIZE) | property_bit(PROP_GROUP) |
           property_bit(PROP_GROUP_RANKS) | property_bit(PROP_COLLECTIVE_SEQ) |
           property_bit(PROP_GROUP_USE) | property_bit(PROP_SRC_RANK) | property_bit(PROP_DST_RANK);
}

/* How many operators before a launch are asked whether it is in them: they hardly ever nest. */
enum { OPERATORS_ASKED = 4 };

/* The event that says what the collective is: itself, or the operator that it was launched in,
 * where only that says it (PyTorch before 2.3). */
static event_id described_event(const struct graph *graph, event_id event)
{
    const struct timeline *timeline = &graph->timeline;
    const struct property_column *column = &timeline->properties[PROP_COLLECTIVE];
    event_id launch = timeline->launch ? timeline->launch[event] : NO_EVENT;

    if (launch == NO_EVENT || event_property(graph, PROP_COLLECTIVE, event, UNKNOWN) != UNKNOWN)
        return event;
    SEARCH(uint32_t, after, column->count, column->event[after] < launch);
    for (uint32_t i = after; i > 0 && after - i < OPERATORS_ASKED; i--) {
        event_id operator= column->event[i - 1];

        if (track_of_event(timeline, operator) != track_of_event(timeline, launch))
            break;
        if (event_end(timeline, operator) >= event_end(timeline, launch))
            return operator;
    }
    return event;
}

/* As the event lists them, or else the file for the group of that name; "[]" says nothing. */
static int64_t group_ranks(const struct graph *graph, const struct idmap *groups, event_id event)
{
    int64_t ranks = event_property(graph, PROP_GROUP_RANKS, event, UNKNOWN);
    int64_t group = event_property(graph, PROP_GROUP, event, UNKNOWN);
    struct span text = ranks == UNKNOWN ? (struct span){0} : graph_text(graph, (str_id)ranks);
    uint32_t listed;

    for (size_t i = 0; i < text.len; i++)
        if (is_digit(text.at[i]))
            return ranks;
    listed = group == UNKNOWN ? IDMAP_NONE : idmap_find(groups, (uint64_t)group);
    return listed == IDMAP_NONE ? UNKNOWN : graph->source.groups.list[listed].ranks;
}

static int64_t group_use(const struct graph *graph, const struct idmap *groups, event_id event)
{
    int64_t use = event_property(graph, PROP_GROUP_USE, event, UNKNOWN);
    int64_t group = event_property(graph, PROP_GROUP, event, UNKNOWN);
    uint32_t listed;

    if (use != UNKNOWN)
        return use;
    listed = group == UNKNOWN ? IDMAP_NONE : idmap_find(groups, (uint64_t)group);
    return listed == IDMAP_NONE || !graph->source.groups.list[listed].use
               ? UNKNOWN
               : graph->source.groups.list[listed].use;
}

struct collective collective_describe(const struct graph *graph, const struct idmap *groups,
                                      event_id event)
{
    const struct timeline *timeline = &graph->timeline;
    frame_id frame = timeline->frame[event];
    event_id teller = described_event(graph, event);
    int64_t named = event_property(graph, PROP_COLLECTIVE, teller, UNKNOWN), type;
    str_id operation = named != UNKNOWN ? (str_id)named : graph_frame(graph, frame)->name;

    type = event_property(graph, PROP_DTYPE, teller, UNKNOWN);
    return (struct collective){
        .event = event,
        .start = timeline->start[event],
        .end = event_end(timeline, event),
        .frame = frame,
        .device = timeline->tracks[track_of_event(timeline, event)].device,
        .is_named = named != UNKNOWN,
        .operation = operation,
        .traffic = traffic_of_operation(graph_text(graph, operation)),
        .group = event_property(graph, PROP_GROUP, teller, UNKNOWN),
        .group_ranks = group_ranks(graph, groups, teller),
        .group_use = group_use(graph, groups, teller),
        .sequence = event_property(graph, PROP_COLLECTIVE_SEQ, teller, UNKNOWN),
        .source = event_property(graph, PROP_SRC_RANK, teller, UNKNOWN),
        .target = event_property(graph, PROP_DST_RANK, teller, UNKNOWN),
        .group_size = event_property(graph, PROP_GROUP_SIZE, teller, UNKNOWN),
        .in_elements = event_property(graph, PROP_IN_ELEMENTS, teller, UNKNOWN),
        .out_elements = event_property(graph, PROP_OUT_ELEMENTS, teller, UNKNOWN),
        .element_size =
            type == UNKNOWN ? UNKNOWN : scalar_type_size(graph_text(graph, (str_id)type)),
    };
}

static bool is_collective(const struct graph *graph, event_id event)
{
    return graph_frame(graph, graph->timeline.frame[event])->kind == KIND_COMMUNICATION &&
           is_device_work(graph, event);
}

static uint32_t count_all(const struct graph *graph, const struct devices_work *devices)
{
    uint32_t count = 0;

    for (uint32_t d = 0; d < devices->count; d++)
        for (uint32_t i = 0; i < devices->list[d].count; i++)
            count += is_collective(graph, devices->list[d].events[i]);
    return count;
}

static int compare_starts(const void *a, const void *b)
{
    const struct collective *first = a, *second = b;

    return (first->start > second->start) - (first->start < second->start);
}

void collectives_find(const struct graph *graph, struct arena *arena,
                      struct collectives *collectives)
{
    struct devices_work devices;
    struct arena scratch = {0};
    struct idmap groups = {0};

    for (uint32_t i = (uint32_t)graph->source.groups.count; i-- > 0;)
        *idmap_at(&groups, graph->source.groups.list[i].name) = i;
    device_work_collect(graph, &scratch, &devices);
    *collectives = (struct collectives){0};
    collectives->list = arena_array(arena, count_all(graph, &devices), sizeof(*collectives->list));
    for (uint32_t d = 0; d < devices.count; d++)
        for (uint32_t i = 0; i < devices.list[d].count; i++)
            if (is_collective(graph, devices.list[d].events[i]))
                collectives->list[collectives->count++] =
                    collective_describe(graph, &groups, devices.list[d].events[i]);
    if (devices.count > 1)
        qsort(collectives->list, collectives->count, sizeof(*collectives->list), compare_starts);
    idmap_free(&groups);
    arena_free(&scratch);
}
