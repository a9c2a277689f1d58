/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/ranks/rank_overlap.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"

/* ---- parts ---- */

/* Ranks intern texts in their own order, so keys are made of the texts. */
static str_id key_of(const struct graph *graph, const struct collective *collective,
                     struct strings *keys, struct arena *scratch)
{
    struct span operation = graph_text(graph, collective->operation);
    struct span group =
        collective->group == UNKNOWN ? SPAN("") : graph_text(graph, (str_id)collective->group);
    const char *text = arena_printf(scratch, "%" PRId64 " %.*s %.*s", collective->group_size,
                                    (int)(group.len & 0xffff), group.at,
                                    (int)(operation.len & 0xffff), operation.at);

    return strings_intern(keys, span_of(text));
}

/* Its ranks as one text however it is spaced. */
static str_id ranks_of(const struct graph *graph, const struct collective *collective,
                       struct strings *keys, struct arena *scratch)
{
    struct span from;
    char *text;
    size_t len = 0;

    if (collective->group_ranks == UNKNOWN)
        return 0;
    from = graph_text(graph, (str_id)collective->group_ranks);
    text = arena_alloc(scratch, from.len + 1);
    for (size_t i = 0; i < from.len; i++)
        if (from.at[i] != ' ')
            text[len++] = from.at[i];
    return strings_intern(keys, (struct span){text, len});
}

static void add_parts(const struct rank *rank, uint32_t at, int64_t offset, struct strings *keys,
                      struct rank_parts *parts)
{
    struct arena scratch = {0};

    for (uint32_t i = 0; i < rank->collectives->count; i++) {
        const struct collective *collective = &rank->collectives->list[i];

        if (collective->is_named && /* between two, and not of a group */
            (collective->traffic == TRAFFIC_SEND || collective->traffic == TRAFFIC_RECEIVE))
            continue;
        parts->list[parts->count++] = (struct rank_part){
            .rank = at,
            .at = i,
            .key = key_of(rank->graph, collective, keys, &scratch),
            .group_ranks = ranks_of(rank->graph, collective, keys, &scratch),
            .ordinal = collective->sequence,
            .start = checked_add(collective->start, offset),
            .end = checked_add(collective->end, offset),
        };
        arena_clear(&scratch);
    }
    arena_free(&scratch);
}

/* Makes the ranks a part of the keys, but for those that not all parts have them of. */
static void refine_keys(struct rank_parts *parts, struct strings *keys)
{
    struct idmap vague = {0}, refined = {0}; /* by key; by key and ranks: the new one */

    for (uint32_t i = 0; i < parts->count; i++)
        if (!parts->list[i].group_ranks)
            *idmap_at(&vague, parts->list[i].key) = 1;
    for (uint32_t i = 0; i < parts->count; i++) {
        struct rank_part *part = &parts->list[i];
        uint32_t *key;

        if (idmap_find(&vague, part->key) != IDMAP_NONE)
            continue;
        key = idmap_at(&refined, idmap_pair(part->key, part->group_ranks));
        if (*key == IDMAP_NONE)
            *key = (uint32_t)(keys->count + refined.count);
        part->key = *key;
    }
    idmap_free(&vague);
    idmap_free(&refined);
}

/* ---- orders ---- */

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* By key and time: how ordinals are given. */
static int by_time(const void *a, const void *b)
{
    const struct rank_part *first = a, *second = b;
    int order = compare(first->key, second->key);

    order = order ? order : compare(first->start, second->start);
    return order ? order : compare(first->rank, second->rank);
}

static int by_rank(const void *a, const void *b)
{
    const struct rank_part *first = a, *second = b;
    int order = compare(first->key, second->key);

    order = order ? order : compare(first->ordinal, second->ordinal);
    order = order ? order : compare(first->rank, second->rank);
    return order ? order : compare(first->start, second->start);
}

static int by_ordinal(const void *a, const void *b)
{
    const struct rank_part *first = a, *second = b;
    int order = compare(first->key, second->key);

    order = order ? order : compare(first->ordinal, second->ordinal);
    order = order ? order : compare(first->start, second->start);
    return order ? order : compare(first->rank, second->rank);
}

/* ---- which is which, where the files have no numbers ---- */

/* What is known of each rank while the parts of one key are gone through. */
struct rank_counting {
    int64_t *seen; /* by rank: how many parts; then the ordinal of its last one, plus 1 */
    uint32_t ranks;
};

static void forget(struct rank_counting *counting)
{
    for (uint32_t i = 0; i < counting->ranks; i++)
        counting->seen[i] = 0;
}

/* Whether all ranks that have any have equally many. */
static bool is_even(const struct rank_part *parts, uint32_t count, struct rank_counting *counting)
{
    int64_t each = 0;

    forget(counting);
    for (uint32_t i = 0; i < count; i++)
        counting->seen[parts[i].rank]++;
    for (uint32_t i = 0; i < counting->ranks; i++) {
        if (counting->seen[i] && each && counting->seen[i] != each)
            return false;
        each = counting->seen[i] ? counting->seen[i] : each;
    }
    return true;
}

/* A collective ends nowhere before its last rank has begun, so those of one run overlap. */
static void number_by_overlap(struct rank_part *parts, uint32_t count,
                              struct rank_counting *counting)
{
    int64_t ordinal = 0, end = INT64_MAX;

    forget(counting);
    for (uint32_t i = 0; i < count; i++) {
        if (parts[i].start >= end || counting->seen[parts[i].rank] > ordinal) {
            ordinal++;
            end = INT64_MAX;
        }
        end = parts[i].end < end ? parts[i].end : end;
        parts[i].ordinal = ordinal;
        counting->seen[parts[i].rank] = ordinal + 1;
    }
}

static void number(struct rank_part *parts, uint32_t count, struct rank_counting *counting)
{
    bool has_numbers = true;

    for (uint32_t i = 0; i < count; i++)
        has_numbers &= parts[i].ordinal != UNKNOWN;
    if (has_numbers)
        return;
    if (!is_even(parts, count, counting)) {
        number_by_overlap(parts, count, counting);
        return;
    }
    forget(counting);
    for (uint32_t i = 0; i < count; i++)
        parts[i].ordinal = counting->seen[parts[i].rank]++;
}

static void number_all(struct rank_parts *parts, uint32_t ranks)
{
    struct arena scratch = {0};
    struct rank_counting counting = {arena_array(&scratch, ranks, sizeof(int64_t)), ranks};

    for (uint32_t first = 0, end; first < parts->count; first = end) {
        for (end = first; end < parts->count && parts->list[end].key == parts->list[first].key;)
            end++;
        number(parts->list + first, end - first, &counting);
    }
    arena_free(&scratch);
}

/* One collective can be several kernels of a rank: its part lasts from the first to the last. */
static void merge_kernels(struct rank_parts *parts)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < parts->count; i++) {
        struct rank_part *part = &parts->list[i];
        struct rank_part *last = kept ? &parts->list[kept - 1] : NULL;

        if (last && is_one_collective(last, part) && last->rank == part->rank)
            last->end = part->end > last->end ? part->end : last->end;
        else
            parts->list[kept++] = *part;
    }
    parts->count = kept;
}

static void sort_parts(struct rank_parts *parts, int (*order)(const void *, const void *))
{
    if (parts->count > 1)
        qsort(parts->list, parts->count, sizeof(*parts->list), order);
}

void rank_match(const struct rank *list, uint32_t count, const int64_t *offset, struct arena *arena,
                struct rank_parts *parts)
{
    struct strings keys = {0};
    size_t most = 0;

    for (uint32_t i = 0; i < count; i++)
        most += list[i].collectives->count;
    *parts = (struct rank_parts){.list = arena_array(arena, most, sizeof(*parts->list))};
    for (uint32_t i = 0; i < count; i++)
        add_parts(&list[i], i, offset[i], &keys, parts);
    refine_keys(parts, &keys);
    strings_free(&keys);
    sort_parts(parts, by_time);
    number_all(parts, count);
    sort_parts(parts, by_rank);
    merge_kernels(parts);
    sort_parts(parts, by_ordinal);
}
