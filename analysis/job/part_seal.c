/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "analysis/job/part_join.h"
#include "base/memory/grow.h"
#include "base/memory/idmap.h"
#include "base/memory/search.h"
#include "graph/model/part_order.h"

/* Ranks of one host share a clock: what ends there at other times than by this, ns, does not. */
enum { SAME_CLOCK = 20000 };

/* One rank's part in one collective of the group. */
struct entry {
    int64_t sequence, start, end; /* own clock; end NOT_KNOWN: it never ended */
    uint32_t rank, leaf, join;    /* indices into the part and the leaf */
};

struct group_work {
    struct job_part *part;
    struct part_group *group;
    uint32_t at;
    struct entry *entries; /* by sequence, rank */
    uint32_t count;
    uint32_t *present; /* leaves of members, by rank */
    uint32_t present_count;
    int64_t *offset; /* by present */
    int64_t *differences;
};

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_number(const void *a, const void *b)
{
    const int64_t *first = a, *second = b;

    return compare(*first, *second);
}

static int by_sequence(const void *a, const void *b)
{
    const struct entry *first = a, *second = b;
    int order = compare(first->sequence, second->sequence);

    return order ? order : compare(first->rank, second->rank);
}

static int by_place(const void *a, const void *b)
{
    const uint32_t *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

static int64_t lower_median(int64_t *list, uint32_t count)
{
    qsort(list, count, sizeof(*list), by_number);
    return list[(count - 1) / 2];
}

/* ---- clocks ---- */

/* Which of the present ranks it is. */
static uint32_t place_of(const struct group_work *work, const struct entry *entry)
{
    SEARCH(uint32_t, at, work->present_count,
           work->part->leaves[work->present[at]].rank < entry->rank);
    return at < work->present_count ? at : 0;
}

static int64_t offset_of(const struct group_work *work, const struct entry *entry)
{
    int64_t offset = work->offset[place_of(work, entry)];

    return offset == NOT_KNOWN ? 0 : offset;
}

/* How much later than on the first present rank a collective ended on another, or on another
 * host. */
struct difference {
    uint32_t of;
    int64_t time;
};

static int by_of(const void *a, const void *b)
{
    const struct difference *first = a, *second = b;

    return first->of != second->of ? (first->of < second->of ? -1 : 1)
                                   : compare(first->time, second->time);
}

static uint32_t collect_differences(const struct group_work *work, struct difference *list)
{
    uint32_t first = work->part->leaves[work->present[0]].rank, found = 0;

    for (uint32_t i = 0, end; i < work->count; i = end) {
        const struct entry *base = &work->entries[i];

        for (end = i + 1; end < work->count && work->entries[end].sequence == base->sequence;)
            end++;
        if (base->rank != first || base->end == NOT_KNOWN)
            continue;
        for (uint32_t k = i + 1; k < end; k++)
            if (work->entries[k].end != NOT_KNOWN)
                list[found++] = (struct difference){place_of(work, &work->entries[k]),
                                                    work->entries[k].end - base->end};
    }
    return found;
}

/* Sets by `of` the lower median of each. */
static void take_medians(struct difference *list, uint32_t count, int64_t *median)
{
    qsort(list, count, sizeof(*list), by_of);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && list[end].of == list[i].of;)
            end++;
        median[list[i].of] = list[i + (end - i - 1) / 2].time;
    }
}

/* Clocks of one host are one; a host's is off by the median over its ranks. */
static void align(struct group_work *work, struct arena *scratch)
{
    const struct job_part *part = work->part;
    const struct part_leaf *first = &part->leaves[work->present[0]];
    struct difference *list = arena_array(scratch, (size_t)work->count + 1, sizeof(*list));
    int64_t *of_host = arena_array(scratch, (size_t)work->present_count + 1, sizeof(*of_host));
    struct idmap hosts = {0}; /* → its first present rank */
    uint32_t count = collect_differences(work, list);

    for (uint32_t i = 1; i < work->present_count; i++)
        work->offset[i] = NOT_KNOWN;
    take_medians(list, count, work->offset);
    for (uint32_t i = 0; i < work->present_count; i++) {
        uint32_t *host = idmap_at(&hosts, part->leaves[work->present[i]].host);

        *host = *host == IDMAP_NONE ? i : *host;
    }
    for (uint32_t i = 0; i < count; i++)
        list[i].of = idmap_find(&hosts, part->leaves[work->present[list[i].of]].host);
    take_medians(list, count, of_host);
    for (uint32_t i = 1; i < work->present_count; i++) {
        const struct part_leaf *leaf = &part->leaves[work->present[i]];
        int64_t shared = leaf->host == first->host ? 0 : of_host[idmap_find(&hosts, leaf->host)];

        if (leaf->flags & first->flags & LEAF_ONE_CLOCK)
            work->offset[i] = 0;
        else if (leaf->host && work->offset[i] != NOT_KNOWN &&
                 llabs(work->offset[i] - shared) <= SAME_CLOCK)
            work->offset[i] = shared;
    }
    idmap_free(&hosts);
}

static void measure_residual(struct group_work *work)
{
    uint32_t found = 0;

    for (uint32_t i = 0, end; i < work->count; i = end) {
        for (end = i + 1;
             end < work->count && work->entries[end].sequence == work->entries[i].sequence;)
            end++;
        if (work->entries[i].end == NOT_KNOWN)
            continue;
        for (uint32_t k = i + 1; k < end; k++)
            if (work->entries[k].end != NOT_KNOWN)
                work->differences[found++] =
                    llabs(work->entries[k].end - offset_of(work, &work->entries[k]) -
                          work->entries[i].end + offset_of(work, &work->entries[i]));
    }
    work->group->residual = found ? lower_median(work->differences, found) : NOT_KNOWN;
}

/* ---- joins ---- */

static void blame(struct part_leaf *leaf, const struct entry *entry, enum row_figure figure,
                  int64_t amount)
{
    uint32_t step = leaf->in_step[entry->join];

    if (step < leaf->step_count)
        leaf->figure[figure][step] += amount;
}

static void count_traffic(const struct group_work *work, const struct entry *entry, int64_t skew,
                          int64_t transfer)
{
    struct job_part *part = work->part;
    const struct part_leaf *leaf = &part->leaves[entry->leaf];
    const struct part_group *group = work->group;
    struct part_traffic like = {.use = group->use ? group->use : group->name,
                                .operation = leaf->operation[entry->join],
                                .size = leaf->size[entry->join],
                                .ranks = group->size};
    struct part_traffic *traffic = part_find_traffic(part, &like);

    traffic = traffic ? traffic : part_add_traffic(part, &like);
    distribution_add(&traffic->skew, skew, &part->arena);
    distribution_add(&traffic->transfer, transfer, &part->arena);
}

/* The entries of one collective. What is left of each: how long it took once the last had come. */
static void measure_join(struct group_work *work, struct entry *list, uint32_t count)
{
    struct job_part *part = work->part;
    struct part_group *group = work->group;
    int64_t last = INT64_MIN, second = INT64_MIN, first = INT64_MAX, end = INT64_MAX;
    uint32_t last_at = 0, ended = 0;

    for (uint32_t i = 0; i < count; i++) {
        int64_t start = list[i].start - offset_of(work, &list[i]);

        if (list[i].end == NOT_KNOWN)
            continue;
        ended++;
        first = start < first ? start : first;
        end = list[i].end - offset_of(work, &list[i]) < end
                  ? list[i].end - offset_of(work, &list[i])
                  : end;
        if (start > last) {
            second = last;
            last = start;
            last_at = i;
        } else {
            second = start > second ? start : second;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        struct part_leaf *leaf = &part->leaves[list[i].leaf];
        int64_t start = list[i].start - offset_of(work, &list[i]), transfer;

        leaf->start[list[i].join] = NOT_KNOWN;
        if (list[i].end == NOT_KNOWN)
            continue;
        transfer = list[i].end - offset_of(work, &list[i]) - last;
        group->clipped += transfer < 0;
        leaf->lasted[list[i].join] = transfer > 0 ? transfer : 0;
        if (ended < 2)
            continue;
        blame(leaf, &list[i], ROW_JOINS, 1);
        blame(leaf, &list[i], ROW_WAITED, last - start);
        blame(leaf, &list[i], ROW_LAST, i == last_at);
        blame(leaf, &list[i], ROW_MADE_WAIT, i == last_at ? last - second : 0);
    }
    if (ended < 2)
        return;
    group->joins++;
    count_traffic(work, list, last - first, end - last);
}

/* ---- who did not come ---- */

static bool is_whole_trace(const struct part_leaf *leaf)
{
    return !(leaf->flags & LEAF_TRUNCATED);
}

static void add_absence(struct group_work *work, int64_t sequence, const struct part_leaf *leaf,
                        const struct entry *entry)
{
    part_add_absence(work->part, &(struct part_absence){
                                     .group = work->at,
                                     .sequence = sequence,
                                     .rank = leaf->rank,
                                     .entered = entry ? entry->join + 1 : 0,
                                     .operation = entry ? leaf->operation[entry->join] : 0,
                                     .size = entry ? leaf->size[entry->join] : NOT_KNOWN,
                                 });
}

/* Nobody ended it, and a member whose trace is whole has not called it: it is missed. Or members
 * called it for different operations. */
static void find_absences(struct group_work *work, const struct entry *list, uint32_t count)
{
    struct job_part *part = work->part;
    bool is_mixed = false, is_missed = count < work->present_count, is_open = true;
    bool is_uneven = false;

    for (uint32_t i = 0; i < count; i++) {
        const struct part_leaf *leaf = &part->leaves[list[i].leaf],
                               *first = &part->leaves[list->leaf];

        is_open &= list[i].end == NOT_KNOWN;
        is_uneven |= leaf->size[list[i].join] != first->size[list->join];
        is_mixed |= leaf->operation[list[i].join] != first->operation[list->join];
    }
    /* Sizes differ in those that are made for it: only where nobody ended it is that why. */
    is_missed &= is_open;
    if (work->group->is_pair || (!is_missed && !is_mixed && !(is_open && is_uneven)))
        return;
    for (uint32_t i = 0, k = 0; i < work->present_count; i++) {
        const struct part_leaf *leaf = &part->leaves[work->present[i]];

        while (k < count && list[k].rank < leaf->rank)
            k++;
        if (k < count && list[k].rank == leaf->rank)
            add_absence(work, list->sequence, leaf, &list[k]);
        else if (is_whole_trace(leaf))
            add_absence(work, list->sequence, leaf, NULL);
    }
}

/* ---- groups ---- */

/* By group, the entries of all leaves. */
struct entry_lists {
    uint32_t *first;
    struct entry *list;
};

static void list_entries(const struct job_part *part, const bool *is_wanted,
                         struct entry_lists *lists)
{
    lists->first = grow_zeroed((size_t)part->group_count + 2, sizeof(*lists->first));
    for (uint32_t l = 0; l < part->leaf_count; l++)
        for (uint32_t i = 0; i < part->leaves[l].join_count; i++)
            if (is_wanted[part->leaves[l].group[i]])
                lists->first[part->leaves[l].group[i] + 2]++;
    for (uint32_t g = 0; g < part->group_count; g++)
        lists->first[g + 2] += lists->first[g + 1];
    lists->list =
        grow_zeroed((size_t)lists->first[part->group_count + 1] + 1, sizeof(*lists->list));
    for (uint32_t l = 0; l < part->leaf_count; l++) {
        const struct part_leaf *leaf = &part->leaves[l];

        for (uint32_t i = 0; i < leaf->join_count; i++)
            if (is_wanted[leaf->group[i]])
                lists->list[lists->first[leaf->group[i] + 1]++] = (struct entry){
                    .sequence = leaf->sequence[i],
                    .start = leaf->start[i],
                    .end =
                        leaf->lasted[i] == NOT_KNOWN ? NOT_KNOWN : leaf->start[i] + leaf->lasted[i],
                    .rank = leaf->rank,
                    .leaf = l,
                    .join = i};
    }
}

/* The members that are there: as listed, or else whoever has an entry. */
static void find_present(struct group_work *work, struct arena *scratch)
{
    const struct job_part *part = work->part;
    const struct part_group *group = work->group;
    struct idmap seen = {0};

    work->present =
        arena_array(scratch, (size_t)group->rank_count + work->count + 1, sizeof(*work->present));
    for (uint32_t i = 0; i < group->rank_count; i++) {
        const struct part_leaf *leaf = part_leaf_of(part, group->ranks[i]);

        if (leaf)
            work->present[work->present_count++] = (uint32_t)(leaf - part->leaves);
    }
    for (uint32_t i = 0; i < work->count && !group->rank_count; i++) {
        uint32_t *leaf = idmap_at(&seen, work->entries[i].leaf);

        if (*leaf == IDMAP_NONE)
            work->present[work->present_count++] = *leaf = work->entries[i].leaf;
    }
    qsort(work->present, work->present_count, sizeof(*work->present), by_place);
    idmap_free(&seen);
}

static void keep_offsets(struct group_work *work)
{
    struct part_group *group = work->group;

    group->offset = arena_array(&work->part->arena, group->rank_count, sizeof(*group->offset));
    for (uint32_t i = 0, k = 0; i < group->rank_count; i++) {
        group->offset[i] = NOT_KNOWN;
        if (k < work->present_count && work->part->leaves[work->present[k]].rank == group->ranks[i])
            group->offset[i] = work->offset[k++];
    }
}

static void seal(struct group_work *work)
{
    struct arena scratch = {0};
    struct part_group *group = work->group;

    qsort(work->entries, work->count, sizeof(*work->entries), by_sequence);
    find_present(work, &scratch);
    work->offset = arena_array(&scratch, (size_t)work->present_count + 1, sizeof(*work->offset));
    work->differences = arena_array(&scratch, (size_t)work->count + 1, sizeof(*work->differences));
    group->is_partial = work->present_count < group->size;
    group->is_sealed = true;
    if (work->present_count) {
        align(work, &scratch);
        measure_residual(work);
    }
    for (uint32_t i = 0, end; i < work->count; i = end) {
        for (end = i + 1;
             end < work->count && work->entries[end].sequence == work->entries[i].sequence;)
            end++;
        find_absences(work, &work->entries[i], end - i);
        measure_join(work, &work->entries[i], end - i);
    }
    keep_offsets(work);
    arena_free(&scratch);
}

static bool is_whole(const struct job_part *part, const struct part_group *group)
{
    for (uint32_t i = 0; i < group->rank_count; i++)
        if (!part_leaf_of(part, group->ranks[i]))
            return false;
    return group->rank_count > 0;
}

/* What joins took is what their operations take. */
static void settle_lengths(struct part_leaf *leaf, const bool *is_wanted)
{
    for (uint32_t i = 0; i < leaf->op_count; i++) {
        uint32_t join = leaf->join[i];

        if (join && is_wanted[leaf->group[join - 1]] && leaf->lasted[join - 1] != NOT_KNOWN)
            leaf->length[i] = leaf->lasted[join - 1];
    }
}

void part_seal(struct job_part *part, enum sealing sealing)
{
    bool *is_wanted = grow_zeroed((size_t)part->group_count + 1, sizeof(*is_wanted));
    struct entry_lists lists;

    for (uint32_t g = 0; g < part->group_count; g++)
        is_wanted[g] =
            !part->groups[g].is_sealed && (sealing == SEAL_ALL || is_whole(part, &part->groups[g]));
    list_entries(part, is_wanted, &lists);
    for (uint32_t g = 0; g < part->group_count; g++)
        if (is_wanted[g])
            seal(&(struct group_work){.part = part,
                                      .group = &part->groups[g],
                                      .at = g,
                                      .entries = lists.list + lists.first[g],
                                      .count = lists.first[g + 1] - lists.first[g]});
    for (uint32_t l = 0; l < part->leaf_count; l++)
        settle_lengths(&part->leaves[l], is_wanted);
    part_sort(part);
    free(lists.first);
    free(lists.list);
    free(is_wanted);
}
