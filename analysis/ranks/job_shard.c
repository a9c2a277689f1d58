/* SPDX-License-Identifier: Apache-2.0 */
/* What is kept of the traces of some ranks of a job: room in it, its order, and the hashes of its summaries. */
#include "analysis/ranks/job_shard.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/ranks/shard_file.h"
#include "base/memory/memory.h"

void job_shard_free(struct job_shard *shard)
{
    free(shard->summaries);
    free(shard->groups);
    free(shard->absences);
    free(shard->hot);
    free(shard->traffic);
    strings_free(&shard->strings);
    arena_free(&shard->arena);
    *shard = (struct job_shard){0};
}

/* ---- room ---- */

struct rank_summary *shard_add_summary(struct job_shard *shard, const struct rank_summary *as)
{
    shard->summaries =
        grow_one(shard->summaries, shard->summary_count, &shard->summary_cap, sizeof(*as));
    shard->summaries[shard->summary_count] = *as;
    return &shard->summaries[shard->summary_count++];
}

struct shard_group *shard_add_group(struct job_shard *shard)
{
    shard->groups =
        grow_one(shard->groups, shard->group_count, &shard->group_cap, sizeof(*shard->groups));
    shard->groups[shard->group_count] = (struct shard_group){0};
    return &shard->groups[shard->group_count++];
}

struct shard_absence *shard_add_absence(struct job_shard *shard, const struct shard_absence *as)
{
    shard->absences =
        grow_one(shard->absences, shard->absence_count, &shard->absence_cap, sizeof(*as));
    shard->absences[shard->absence_count] = *as;
    return &shard->absences[shard->absence_count++];
}

struct shard_hot *shard_add_hot(struct job_shard *shard, const struct shard_hot *as)
{
    shard->hot = grow_one(shard->hot, shard->hot_count, &shard->hot_cap, sizeof(*as));
    shard->hot[shard->hot_count] = *as;
    return &shard->hot[shard->hot_count++];
}

struct shard_traffic *shard_add_traffic(struct job_shard *shard, const struct shard_traffic *as)
{
    shard->traffic =
        grow_one(shard->traffic, shard->traffic_count, &shard->traffic_cap, sizeof(*as));
    shard->traffic[shard->traffic_count] = *as;
    return &shard->traffic[shard->traffic_count++];
}

void shard_trim(struct job_shard *shard)
{
#define TRIM(list, count, cap)                                                                     \
    if (shard->cap > shard->count)                                                                 \
    shard->list = grow_to(shard->list, (shard->cap = shard->count) + 1, sizeof(*shard->list))
    TRIM(summaries, summary_count, summary_cap);
    TRIM(groups, group_count, group_cap);
    TRIM(absences, absence_count, absence_cap);
    TRIM(hot, hot_count, hot_cap);
    TRIM(traffic, traffic_count, traffic_cap);
#undef TRIM
}

/* Among the last, as those of a group are added in a row. */
struct shard_traffic *shard_find_traffic(const struct job_shard *shard,
                                         const struct shard_traffic *like)
{
    for (uint32_t i = shard->traffic_count; i-- > 0;) {
        struct shard_traffic *traffic = &shard->traffic[i];

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

void shard_group_ranks(struct shard_group *group, struct span text, struct arena *arena)
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

void rank_summary_make_columns(struct rank_summary *summary, struct arena *arena)
{
    for (uint32_t c = 0; c < rank_summary_columns.count; c++) {
        const struct shard_column *column = &rank_summary_columns.list[c];
        void *items;

        if (column->length == EACH_DEP)
            continue;
        items = arena_array(arena, shard_column_length(summary, column), column->size);
        memcpy((char *)summary + column->at, &items, sizeof(items));
    }
}

/* ---- order ---- */

static bool group_before(const void *context, uint32_t a, uint32_t b)
{
    const struct job_shard *shard = context;
    const struct shard_group *first = &shard->groups[a], *second = &shard->groups[b];
    int order = span_cmp(shard_text(shard, first->name), shard_text(shard, second->name));

    return order ? order < 0
                 : span_cmp(shard_text(shard, first->members), shard_text(shard, second->members)) <
                       0;
}

static bool hot_before(const void *context, uint32_t a, uint32_t b)
{
    const struct job_shard *shard = context;
    const struct shard_hot *first = &shard->hot[a], *second = &shard->hot[b];
    int order = span_cmp(shard_text(shard, first->name), shard_text(shard, second->name));

    if (order)
        return order < 0;
    return first->kind != second->kind ? first->kind < second->kind : first->stage < second->stage;
}

static bool traffic_before(const void *context, uint32_t a, uint32_t b)
{
    const struct job_shard *shard = context;
    const struct shard_traffic *first = &shard->traffic[a], *second = &shard->traffic[b];
    int order;

    if (first->group != second->group)
        return first->group < second->group;
    order = span_cmp(shard_text(shard, first->operation), shard_text(shard, second->operation));
    return order ? order < 0 : first->size < second->size;
}

static bool summary_before(const void *context, uint32_t a, uint32_t b)
{
    const struct job_shard *shard = context;
    return shard->summaries[a].rank < shard->summaries[b].rank;
}

static bool absence_before(const void *context, uint32_t a, uint32_t b)
{
    const struct job_shard *shard = context;
    const struct shard_absence *first = &shard->absences[a], *second = &shard->absences[b];

    if (first->group != second->group)
        return first->group < second->group;
    if (first->sequence != second->sequence)
        return first->sequence < second->sequence;
    return first->rank < second->rank;
}

/* Returns the order, which the caller frees. */
static uint32_t *put_in_order(const struct job_shard *shard, void *list, uint32_t count,
                              size_t size,
                              bool (*is_before)(const void *shard, uint32_t a, uint32_t b))
{
    uint32_t *order = sorted_order(count, is_before, shard);
    void *scratch = grow_to(NULL, (size_t)count + 1, size);

    permute(list, size, order, count, scratch);
    free(scratch);
    return order;
}

static void renumber_groups(struct job_shard *shard, const uint32_t *order)
{
    uint32_t *place = permute_places(order, shard->group_count);

    for (uint32_t l = 0; l < shard->summary_count; l++)
        for (uint32_t i = 0; i < shard->summaries[l].participation_count; i++)
            shard->summaries[l].group[i] = place[shard->summaries[l].group[i]];
    for (uint32_t i = 0; i < shard->absence_count; i++)
        shard->absences[i].group = place[shard->absences[i].group];
    for (uint32_t i = 0; i < shard->traffic_count; i++)
        shard->traffic[i].group = place[shard->traffic[i].group];
    free(place);
}

void shard_sort(struct job_shard *shard)
{
#define PUT_IN_ORDER(list, count, is_before)                                                       \
    put_in_order(shard, shard->list, shard->count, sizeof(*shard->list), is_before)
    uint32_t *order = PUT_IN_ORDER(groups, group_count, group_before);

    renumber_groups(shard, order);
    free(order);
    free(PUT_IN_ORDER(summaries, summary_count, summary_before));
    free(PUT_IN_ORDER(absences, absence_count, absence_before));
    free(PUT_IN_ORDER(hot, hot_count, hot_before));
    free(PUT_IN_ORDER(traffic, traffic_count, traffic_before));
#undef PUT_IN_ORDER
}

struct rank_summary *rank_summary_of(const struct job_shard *shard, uint32_t rank)
{
    SEARCH(uint32_t, at, shard->summary_count, shard->summaries[at].rank < rank);
    return at < shard->summary_count && shard->summaries[at].rank == rank ? &shard->summaries[at]
                                                                          : NULL;
}

/* ---- hashes ---- */

static void add_text(XXH3_state_t *state, const struct job_shard *shard, str_id id)
{
    struct span text = shard_text(shard, id);
    uint64_t length = text.len;

    XXH3_64bits_update(state, &length, sizeof(length));
    if (text.len)
        XXH3_64bits_update(state, text.at, text.len);
}

static void add_column(XXH3_state_t *state, const struct job_shard *shard,
                       const struct rank_summary *summary, const struct shard_column *column)
{
    const char *items = shard_column_items(summary, column);
    uint64_t count = shard_column_length(summary, column);

    XXH3_64bits_update(state, &count, sizeof(count));
    for (uint64_t i = 0; i < count && column->coding == CODE_TEXT; i++)
        add_text(state, shard, (str_id)shard_item(items + i * column->size, column));
    for (uint64_t i = 0; i < count && column->coding == CODE_GROUP; i++) {
        const struct shard_group *group =
            &shard->groups[shard_item(items + i * column->size, column)];

        add_text(state, shard, group->name);
        add_text(state, shard, group->members);
    }
    if (count && column->coding != CODE_TEXT && column->coding != CODE_GROUP)
        XXH3_64bits_update(state, items, count * column->size);
}

void rank_summary_hash(const struct job_shard *shard, struct rank_summary *summary)
{
    XXH3_state_t *state = XXH3_createState();
    int64_t head[] = {summary->rank, summary->world, summary->stage,
                      summary->dp,   summary->tp,    summary->flags};

    if (!state)
        oom();
    XXH3_64bits_reset(state);
    XXH3_64bits_update(state, head, sizeof(head));
    add_text(state, shard, summary->host);
    add_text(state, shard, summary->device);
    for (uint32_t c = 0; c < rank_summary_columns.count; c++)
        add_column(state, shard, summary, &rank_summary_columns.list[c]);
    summary->hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
}
