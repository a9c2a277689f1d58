/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of the traces of some ranks of a job: room in it, its order, and the hashes of its leaves. */
#include "analysis/ranks/job_part.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/ranks/part_file.h"
#include "base/memory/memory.h"

void job_part_free(struct job_part *part)
{
    free(part->leaves);
    free(part->groups);
    free(part->absences);
    free(part->hot);
    free(part->traffic);
    strings_free(&part->strings);
    arena_free(&part->arena);
    *part = (struct job_part){0};
}

/* ---- room ---- */

struct part_leaf *part_add_leaf(struct job_part *part, const struct part_leaf *as)
{
    part->leaves = grow_one(part->leaves, part->leaf_count, &part->leaf_cap, sizeof(*as));
    part->leaves[part->leaf_count] = *as;
    return &part->leaves[part->leaf_count++];
}

struct part_group *part_add_group(struct job_part *part)
{
    part->groups =
        grow_one(part->groups, part->group_count, &part->group_cap, sizeof(*part->groups));
    part->groups[part->group_count] = (struct part_group){0};
    return &part->groups[part->group_count++];
}

struct part_absence *part_add_absence(struct job_part *part, const struct part_absence *as)
{
    part->absences = grow_one(part->absences, part->absence_count, &part->absence_cap, sizeof(*as));
    part->absences[part->absence_count] = *as;
    return &part->absences[part->absence_count++];
}

struct part_hot *part_add_hot(struct job_part *part, const struct part_hot *as)
{
    part->hot = grow_one(part->hot, part->hot_count, &part->hot_cap, sizeof(*as));
    part->hot[part->hot_count] = *as;
    return &part->hot[part->hot_count++];
}

struct part_traffic *part_add_traffic(struct job_part *part, const struct part_traffic *as)
{
    part->traffic = grow_one(part->traffic, part->traffic_count, &part->traffic_cap, sizeof(*as));
    part->traffic[part->traffic_count] = *as;
    return &part->traffic[part->traffic_count++];
}

void part_trim(struct job_part *part)
{
#define TRIM(list, count, cap)                                                                     \
    if (part->cap > part->count)                                                                   \
    part->list = grow_to(part->list, (part->cap = part->count) + 1, sizeof(*part->list))
    TRIM(leaves, leaf_count, leaf_cap);
    TRIM(groups, group_count, group_cap);
    TRIM(absences, absence_count, absence_cap);
    TRIM(hot, hot_count, hot_cap);
    TRIM(traffic, traffic_count, traffic_cap);
#undef TRIM
}

/* Among the last, as those of a group are added in a row. */
struct part_traffic *part_find_traffic(const struct job_part *part, const struct part_traffic *like)
{
    for (uint32_t i = part->traffic_count; i-- > 0;) {
        struct part_traffic *traffic = &part->traffic[i];

        if (traffic->group != like->group)
            return NULL;
        if (traffic->operation == like->operation && traffic->size == like->size)
            return traffic;
    }
    return NULL;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

void part_group_ranks(struct part_group *group, struct span text, struct arena *arena)
{
    uint32_t kept = 0;

    group->ranks = arena_array(arena, text.len / 2 + 1, sizeof(*group->ranks));
    for (size_t i = 0; i < text.len;) {
        size_t digits = span_digits(span_after(text, i));
        uint64_t number;

        if (digits && span_to_u64((struct span){text.at + i, digits}, &number) &&
            number < UINT32_MAX)
            group->ranks[group->rank_count++] = (uint32_t)number;
        i += digits + 1;
    }
    qsort(group->ranks, group->rank_count, sizeof(*group->ranks), by_number);
    for (uint32_t i = 0; i < group->rank_count; i++)
        if (!i || group->ranks[i] != group->ranks[i - 1])
            group->ranks[kept++] = group->ranks[i];
    group->rank_count = kept;
    group->size = kept ? kept : group->size;
}

void part_leaf_make_columns(struct part_leaf *leaf, struct arena *arena)
{
    for (uint32_t c = 0; c < part_leaf_columns.count; c++) {
        const struct part_column *column = &part_leaf_columns.list[c];
        void *items;

        if (column->length == EACH_DEP)
            continue;
        items = arena_array(arena, part_column_length(leaf, column), column->size);
        memcpy((char *)leaf + column->at, &items, sizeof(items));
    }
}

/* ---- order ---- */

static bool group_before(const void *context, uint32_t a, uint32_t b)
{
    const struct job_part *part = context;
    const struct part_group *first = &part->groups[a], *second = &part->groups[b];
    int order = span_cmp(part_text(part, first->name), part_text(part, second->name));

    return order ? order < 0
                 : span_cmp(part_text(part, first->members), part_text(part, second->members)) < 0;
}

static bool hot_before(const void *context, uint32_t a, uint32_t b)
{
    const struct job_part *part = context;
    const struct part_hot *first = &part->hot[a], *second = &part->hot[b];
    int order = span_cmp(part_text(part, first->name), part_text(part, second->name));

    if (order)
        return order < 0;
    return first->kind != second->kind ? first->kind < second->kind : first->stage < second->stage;
}

static bool traffic_before(const void *context, uint32_t a, uint32_t b)
{
    const struct job_part *part = context;
    const struct part_traffic *first = &part->traffic[a], *second = &part->traffic[b];
    int order;

    if (first->group != second->group)
        return first->group < second->group;
    order = span_cmp(part_text(part, first->operation), part_text(part, second->operation));
    return order ? order < 0 : first->size < second->size;
}

static bool leaf_before(const void *context, uint32_t a, uint32_t b)
{
    const struct job_part *part = context;
    return part->leaves[a].rank < part->leaves[b].rank;
}

static bool absence_before(const void *context, uint32_t a, uint32_t b)
{
    const struct job_part *part = context;
    const struct part_absence *first = &part->absences[a], *second = &part->absences[b];

    if (first->group != second->group)
        return first->group < second->group;
    if (first->sequence != second->sequence)
        return first->sequence < second->sequence;
    return first->rank < second->rank;
}

/* Returns the order, which the caller frees. */
static uint32_t *put_in_order(const struct job_part *part, void *list, uint32_t count, size_t size,
                              bool (*is_before)(const void *part, uint32_t a, uint32_t b))
{
    uint32_t *order = sorted_order(count, is_before, part);
    void *scratch = grow_to(NULL, (size_t)count + 1, size);

    permute(list, size, order, count, scratch);
    free(scratch);
    return order;
}

static void renumber_groups(struct job_part *part, const uint32_t *order)
{
    uint32_t *place = permute_places(order, part->group_count);

    for (uint32_t l = 0; l < part->leaf_count; l++)
        for (uint32_t i = 0; i < part->leaves[l].join_count; i++)
            part->leaves[l].group[i] = place[part->leaves[l].group[i]];
    for (uint32_t i = 0; i < part->absence_count; i++)
        part->absences[i].group = place[part->absences[i].group];
    for (uint32_t i = 0; i < part->traffic_count; i++)
        part->traffic[i].group = place[part->traffic[i].group];
    free(place);
}

void part_sort(struct job_part *part)
{
#define PUT_IN_ORDER(list, count, is_before)                                                       \
    put_in_order(part, part->list, part->count, sizeof(*part->list), is_before)
    uint32_t *order = PUT_IN_ORDER(groups, group_count, group_before);

    renumber_groups(part, order);
    free(order);
    free(PUT_IN_ORDER(leaves, leaf_count, leaf_before));
    free(PUT_IN_ORDER(absences, absence_count, absence_before));
    free(PUT_IN_ORDER(hot, hot_count, hot_before));
    free(PUT_IN_ORDER(traffic, traffic_count, traffic_before));
#undef PUT_IN_ORDER
}

struct part_leaf *part_leaf_of(const struct job_part *part, uint32_t rank)
{
    SEARCH(uint32_t, at, part->leaf_count, part->leaves[at].rank < rank);
    return at < part->leaf_count && part->leaves[at].rank == rank ? &part->leaves[at] : NULL;
}

/* ---- hashes ---- */

static void add_text(XXH3_state_t *state, const struct job_part *part, str_id id)
{
    struct span text = part_text(part, id);
    uint64_t length = text.len;

    XXH3_64bits_update(state, &length, sizeof(length));
    if (text.len)
        XXH3_64bits_update(state, text.at, text.len);
}

static void add_column(XXH3_state_t *state, const struct job_part *part,
                       const struct part_leaf *leaf, const struct part_column *column)
{
    const char *items = part_column_items(leaf, column);
    uint64_t count = part_column_length(leaf, column);

    XXH3_64bits_update(state, &count, sizeof(count));
    for (uint64_t i = 0; i < count && column->coding == CODE_TEXT; i++)
        add_text(state, part, (str_id)part_item(items + i * column->size, column));
    for (uint64_t i = 0; i < count && column->coding == CODE_GROUP; i++) {
        const struct part_group *group = &part->groups[part_item(items + i * column->size, column)];

        add_text(state, part, group->name);
        add_text(state, part, group->members);
    }
    if (count && column->coding != CODE_TEXT && column->coding != CODE_GROUP)
        XXH3_64bits_update(state, items, count * column->size);
}

void part_hash_leaf(const struct job_part *part, struct part_leaf *leaf)
{
    XXH3_state_t *state = XXH3_createState();
    int64_t head[] = {leaf->rank, leaf->world, leaf->stage, leaf->dp, leaf->tp, leaf->flags};

    if (!state)
        oom();
    XXH3_64bits_reset(state);
    XXH3_64bits_update(state, head, sizeof(head));
    add_text(state, part, leaf->host);
    for (uint32_t c = 0; c < part_leaf_columns.count; c++)
        add_column(state, part, leaf, &part_leaf_columns.list[c]);
    leaf->hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
}
