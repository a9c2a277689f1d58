/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/kernel_groups.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/causes/unfused_attention.h"
#include "analysis/work/event_work.h"
#include "analysis/work/kernel_owners.h"
#include "base/checked.h"
#include "base/memory/grow.h"
#include "base/memory/idmap.h"
#include "graph/classify/frame_class.h"

/* Time of a kernel in a group, and its longest launch. */
struct group_part {
    uint32_t group;
    frame_id kernel;
    event_id longest;
    int64_t time;
};

/* What is alike in calls that are: (operator, shapes), (types, strides), (values, device), and
 * pairs of these. */
enum { ALIKE_NAMES, ALIKE_LAYOUTS, ALIKE_VALUES, ALIKE_INPUTS, ALIKE_ALL, ALIKE_COUNT };

struct kernel_grouping {
    const struct graph *graph;
    struct kernel_owners owners;
    bool *is_unfused; /* by operator's event */
    bool *is_counted; /* likewise */
    struct idmap alike[ALIKE_COUNT];
    struct idmap part_of; /* (group, kernel) → part */
    struct kernel_group *list;
    struct group_part *parts;
    size_t count, cap, part_count, part_cap;
    event_id last; /* the operator's event looked up before, and its group */
    uint32_t last_group;
};

static uint32_t numbered(struct idmap *map, uint32_t high, uint32_t low)
{
    uint32_t next = (uint32_t)map->count;
    uint32_t *at = idmap_at(map, idmap_pair(high, low));

    if (*at == IDMAP_NONE)
        *at = next;
    return *at;
}

static uint32_t add_group(struct kernel_grouping *grouping, int32_t device,
                          const struct captured_call *call, event_id owner)
{
    struct kernel_group *group;

    grouping->list =
        grow_one(grouping->list, grouping->count, &grouping->cap, sizeof(*grouping->list));
    group = &grouping->list[grouping->count++];
    *group = (struct kernel_group){.device = device,
                                   .frame = call->frame,
                                   .owner = owner,
                                   .longest = NO_EVENT,
                                   .precision = PRECISION_UNKNOWN};
    if (owner == NO_EVENT)
        return (uint32_t)grouping->count - 1;
    group->shapes = call->shapes;
    group->has_work = event_work(grouping->graph, owner, &group->work);
    group->precision =
        work_precision(&group->work, (enum precision)grouping->owners.precision[owner]);
    return (uint32_t)grouping->count - 1;
}

/* The group of kernels that an operator's call, or nobody, launched. */
static uint32_t group_of(struct kernel_grouping *grouping, int32_t device, frame_id kernel,
                         event_id owner)
{
    struct idmap *alike = grouping->alike;
    struct captured_call call = {.frame = kernel};
    uint32_t names, layouts, values, inputs, group;

    if (owner != NO_EVENT && owner == grouping->last)
        return grouping->last_group;
    if (owner != NO_EVENT)
        call = event_call(grouping->graph, owner);
    names = numbered(&alike[ALIKE_NAMES], call.frame, call.shapes);
    layouts = numbered(&alike[ALIKE_LAYOUTS], call.types, call.strides);
    values = numbered(&alike[ALIKE_VALUES], call.values, (uint32_t)device);
    inputs = numbered(&alike[ALIKE_INPUTS], names, layouts);
    group = numbered(&alike[ALIKE_ALL], inputs, values);
    if (group == grouping->count)
        add_group(grouping, device, &call, owner);
    grouping->last = owner;
    grouping->last_group = group;
    return group;
}

static void add_part(struct kernel_grouping *grouping, uint32_t group, event_id event)
{
    const struct timeline *t = &grouping->graph->timeline;
    uint32_t *at = idmap_at(&grouping->part_of, idmap_pair(group, t->frame[event]));
    struct group_part *part;

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)grouping->part_count;
        grouping->parts = grow_one(grouping->parts, grouping->part_count, &grouping->part_cap,
                                   sizeof(*grouping->parts));
        grouping->parts[grouping->part_count++] =
            (struct group_part){.group = group, .kernel = t->frame[event], .longest = event};
    }
    part = &grouping->parts[*at];
    part->time = checked_add(part->time, t->duration[event]);
    if (t->duration[event] > t->duration[part->longest])
        part->longest = event;
}

static void add_kernel(struct kernel_grouping *grouping, int32_t device, event_id event)
{
    const struct timeline *t = &grouping->graph->timeline;
    event_id owner = kernel_owner(&grouping->owners, event);
    uint32_t index = group_of(grouping, device, t->frame[event], owner);
    struct kernel_group *group = &grouping->list[index];
    bool is_new = owner == NO_EVENT || !grouping->is_counted[owner];

    if (owner != NO_EVENT) {
        grouping->is_counted[owner] = true;
        group->is_unfused |= grouping->is_unfused[owner];
    }
    group->calls += is_new;
    group->time = checked_add(group->time, t->duration[event]);
    if (graph_class(grouping->graph, t->frame[event]).is_layout_change)
        group->layout_time = checked_add(group->layout_time, t->duration[event]);
    add_part(grouping, index, event);
}

static void add_track(struct kernel_grouping *grouping, const struct track *track, int64_t start,
                      int64_t end)
{
    const struct timeline *t = &grouping->graph->timeline;

    for (event_id e = track->first; e < track->first + track->count; e++)
        if (graph_frame(grouping->graph, t->frame[e])->kind == KIND_KERNEL &&
            t->start[e] >= start && t->start[e] < end)
            add_kernel(grouping, track->device, e);
}

/* The kernel that takes most of each group's time, the first of equals. */
static void choose_kernels(struct kernel_grouping *grouping)
{
    int64_t *most = grow_zeroed(grouping->count + 1, sizeof(*most));

    for (size_t i = 0; i < grouping->part_count; i++) {
        const struct group_part *part = &grouping->parts[i];
        struct kernel_group *group = &grouping->list[part->group];

        if (group->longest != NO_EVENT && part->time <= most[part->group])
            continue;
        most[part->group] = part->time;
        group->kernel = part->kernel;
        group->longest = part->longest;
    }
    free(most);
}

void kernel_groups_find(const struct graph *graph, int64_t start, int64_t end, struct arena *arena,
                        struct kernel_groups *groups)
{
    const struct timeline *t = &graph->timeline;
    uint32_t operators =
        t->properties[PROP_SHAPES].count || t->properties[PROP_CAPTURED].count ? t->count : 0;
    struct kernel_grouping grouping = {.graph = graph,
                                       .last = NO_EVENT,
                                       .is_unfused = grow_zeroed(operators + 1u, sizeof(bool)),
                                       .is_counted = grow_zeroed(operators + 1u, sizeof(bool))};

    kernel_owners_find(&grouping.owners, graph);
    unfused_attention_mark(&grouping.owners, grouping.is_unfused);
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_STREAM)
            add_track(&grouping, &t->tracks[i], start, end);
    choose_kernels(&grouping);
    groups->count = (uint32_t)grouping.count;
    groups->list = arena_array(arena, groups->count, sizeof(*groups->list));
    if (groups->count)
        memcpy(groups->list, grouping.list, groups->count * sizeof(*groups->list));
    kernel_owners_free(&grouping.owners);
    for (int i = 0; i < ALIKE_COUNT; i++)
        idmap_free(&grouping.alike[i]);
    idmap_free(&grouping.part_of);
    free(grouping.is_unfused);
    free(grouping.is_counted);
    free(grouping.list);
    free(grouping.parts);
}
