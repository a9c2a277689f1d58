/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_groups.c — groups a device's kernels by the calls that are alike, and finds chains of elementwise ones */
#include "analysis/advice/causes.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/kernels/work.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

enum { CHAIN_MAX = 32 };

/* Time of a kernel in a group, and its longest launch. */
struct group_part {
    uint32_t group;
    frame_id kernel;
    event_id longest;
    int64_t time;
};

/* Kernels without an owner, calls that are the same, and products by experts' weights, which are alike
 * whatever their rows: (device, kernel or call or products) → group; and what products are distinguished
 * by: weights' sizes, these with the operator, types with values, and all of it. */
enum {
    ALIKE_KERNELS,
    ALIKE_CALLS,
    ALIKE_PRODUCTS,
    ALIKE_COUNT,
    OF_WEIGHTS = ALIKE_COUNT,
    OF_OPERATOR,
    OF_INPUTS,
    OF_PRODUCT,
    MAP_COUNT
};

/* Elementwise kernels of different operators over equally many elements, as they follow one another
 * on a stream: one kernel could do what they do, and would read and write once. */
struct elementwise_chain {
    uint32_t group[CHAIN_MAX];
    int64_t time[CHAIN_MAX];
    uint32_t count;
    double elements;
};

struct kernel_grouping {
    const struct graph *graph;
    const struct kernel_owners *owners;
    uint8_t *unfused; /* by owner: enum unfused */
    bool *is_counted; /* likewise */
    struct idmap maps[MAP_COUNT];
    struct idmap part_of; /* (group, kernel) → part */
    struct kernel_group *list;
    struct group_part *parts;
    size_t count, cap, part_count, part_cap;
    uint32_t last; /* the owner looked up before, and its group */
    uint32_t last_group;
    struct elementwise_chain chain;
    double chain_least; /* kernels */
};

static uint32_t numbered(struct idmap *map, uint32_t high, uint32_t low)
{
    uint32_t next = (uint32_t)map->count;
    uint32_t *at = idmap_at(map, idmap_pair(high, low));

    if (*at == IDMAP_NONE)
        *at = next;
    return *at;
}

/* Of products by experts' weights: the same number whatever their rows. */
static uint32_t product_number(struct kernel_grouping *grouping, const struct distinct_call *call)
{
    const struct problem *p = &call->work.problem;
    struct idmap *maps = grouping->maps;
    uint32_t weights = numbered(&maps[OF_WEIGHTS], (uint32_t)p->k, (uint32_t)p->n);
    uint32_t operator= numbered(&maps[OF_OPERATOR], call->key.frame, weights);
    uint32_t inputs = numbered(&maps[OF_INPUTS], call->key.types, call->key.values);

    return numbered(&maps[OF_PRODUCT], operator, inputs);
}

static void add_group(struct kernel_grouping *grouping, int32_t device, frame_id kernel,
                      uint32_t owner)
{
    const struct kernel_owners *owners = grouping->owners;
    struct kernel_group group = {.device = device,
                                 .frame = kernel,
                                 .owner = NO_EVENT,
                                 .longest = NO_EVENT,
                                 .precision = PRECISION_UNKNOWN};

    if (owner != NO_OWNER) {
        const struct distinct_call *call = owner_call(owners, owner);

        group.owner = owners->list[owner].event;
        group.frame = call->key.frame;
        group.shapes = call->key.shapes;
        group.has_work = true;
        group.work = call->work;
        group.precision = work_precision(&call->work, owners->list[owner].precision);
    }
    vector_add(grouping, group);
}

/* The group of kernels that an operator's call, or nobody, launched. */
static uint32_t group_of(struct kernel_grouping *grouping, int32_t device, frame_id kernel,
                         uint32_t owner)
{
    const struct kernel_owners *owners = grouping->owners;
    int by = owner == NO_OWNER                             ? ALIKE_KERNELS
             : grouping->unfused[owner] == UNFUSED_EXPERTS ? ALIKE_PRODUCTS
                                                           : ALIKE_CALLS;
    uint32_t number = kernel, *at;

    if (owner != NO_OWNER && owner == grouping->last)
        return grouping->last_group;
    if (by == ALIKE_CALLS)
        number = owner_call(owners, owner)->alike;
    else if (by == ALIKE_PRODUCTS)
        number = product_number(grouping, owner_call(owners, owner));
    at = idmap_at(&grouping->maps[by], idmap_pair((uint32_t)device, number));
    if (*at == IDMAP_NONE) {
        *at = (uint32_t)grouping->count;
        add_group(grouping, device, kernel, owner);
    }
    grouping->last = owner;
    grouping->last_group = *at;
    return *at;
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

/* One kernel takes as long as the longest of the chain at least. */
static void end_chain(struct kernel_grouping *grouping)
{
    struct elementwise_chain *chain = &grouping->chain;
    int64_t longest = 0, all = 0;

    for (uint32_t i = 0; i < chain->count; i++) {
        longest = chain->time[i] > longest ? chain->time[i] : longest;
        all = checked_add(all, chain->time[i]);
    }
    for (uint32_t i = 0; i < chain->count && chain->count >= grouping->chain_least && all; i++) {
        struct kernel_group *group = &grouping->list[chain->group[i]];

        group->chain_time = checked_add(group->chain_time, chain->time[i]);
        group->chain_saving += (double)chain->time[i] * (1 - (double)longest / (double)all);
    }
    chain->count = 0;
}

static bool is_elementwise(const struct kernel_grouping *grouping, uint32_t group, event_id event)
{
    const struct graph *graph = grouping->graph;
    const struct kernel_group *of = &grouping->list[group];
    enum problem_kind kind = of->work.problem.kind;
    enum kernel_family family = graph_class(graph, graph->timeline.frame[event]).family;

    return of->has_work && (kind == PROBLEM_ELEMENTS || kind == PROBLEM_COPY) &&
           (family == FAMILY_ELEMENTWISE || family == FAMILY_COPY);
}

/* The same operator on the same shapes again is about other tensors: a loop over layers. */
static void follow_chain(struct kernel_grouping *grouping, uint32_t group, event_id event)
{
    struct elementwise_chain *chain = &grouping->chain;
    bool is_link = is_elementwise(grouping, group, event);
    bool goes_on = is_link && chain->count && chain->count < CHAIN_MAX &&
                   chain->elements == grouping->list[group].work.problem.m;

    for (uint32_t i = 0; goes_on && i < chain->count; i++)
        goes_on = chain->group[i] != group;
    if (!goes_on)
        end_chain(grouping);
    if (!is_link)
        return;
    chain->elements = grouping->list[group].work.problem.m;
    chain->group[chain->count] = group;
    chain->time[chain->count++] = grouping->graph->timeline.duration[event];
}

static void add_call(struct kernel_grouping *grouping, struct kernel_group *group, uint32_t owner)
{
    const struct work *work = &owner_call(grouping->owners, owner)->work;

    grouping->is_counted[owner] = true;
    if (grouping->unfused[owner] > group->unfused)
        group->unfused = (enum unfused)grouping->unfused[owner];
    group->flops += (double)work->flops;
    group->bytes += (double)work->bytes;
}

static void add_kernel(struct kernel_grouping *grouping, int32_t device, event_id event)
{
    const struct timeline *t = &grouping->graph->timeline;
    uint32_t owner = kernel_owner(grouping->owners, event);
    uint32_t index = group_of(grouping, device, t->frame[event], owner);
    struct kernel_group *group = &grouping->list[index];
    bool is_new = owner == NO_OWNER || !grouping->is_counted[owner];

    if (owner != NO_OWNER && is_new)
        add_call(grouping, group, owner);
    group->calls += is_new;
    group->time = checked_add(group->time, t->duration[event]);
    if (graph_class(grouping->graph, t->frame[event]).is_layout_change)
        group->layout_time = checked_add(group->layout_time, t->duration[event]);
    add_part(grouping, index, event);
    follow_chain(grouping, index, event);
}

static void add_track(struct kernel_grouping *grouping, const struct track *track, int64_t start,
                      int64_t end)
{
    const struct timeline *t = &grouping->graph->timeline;

    for (event_id e = track->first; e < track->first + track->count; e++)
        if (graph_frame(grouping->graph, t->frame[e])->kind == KIND_KERNEL &&
            t->start[e] >= start && t->start[e] < end)
            add_kernel(grouping, track->device, e);
    end_chain(grouping);
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
        group->kernel_time = part->time;
        group->longest = part->longest;
    }
    free(most);
}

void kernel_groups_find(const struct kernel_owners *owners, const struct thresholds *thresholds,
                        int64_t start, int64_t end, struct arena *arena,
                        struct kernel_groups *groups)
{
    const struct timeline *t = &owners->graph->timeline;
    struct kernel_grouping grouping = {
        .graph = owners->graph,
        .owners = owners,
        .unfused = grow_zeroed(owners->count + 1, sizeof(*grouping.unfused)),
        .is_counted = grow_zeroed(owners->count + 1, sizeof(*grouping.is_counted)),
        .last = NO_OWNER,
        .chain_least = thresholds->of[LIMIT_CHAIN],
    };

    unfused_attention_mark(owners, grouping.unfused);
    unfused_experts_mark(owners, thresholds, grouping.unfused);
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_STREAM)
            add_track(&grouping, &t->tracks[i], start, end);
    choose_kernels(&grouping);
    groups->count = (uint32_t)grouping.count;
    groups->list = arena_array(arena, groups->count, sizeof(*groups->list));
    if (groups->count)
        memcpy(groups->list, grouping.list, groups->count * sizeof(*groups->list));
    for (int i = 0; i < MAP_COUNT; i++)
        idmap_free(&grouping.maps[i]);
    idmap_free(&grouping.part_of);
    free(grouping.unfused);
    free(grouping.is_counted);
    free(grouping.list);
    free(grouping.parts);
}
