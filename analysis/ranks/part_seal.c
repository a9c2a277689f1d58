/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/group_clock.h"
#include "analysis/ranks/job_part.h"
#include "analysis/ranks/part_join.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

static int by_sequence(const void *a, const void *b)
{
    const struct group_entry *first = a, *second = b;

    if (first->sequence != second->sequence)
        return first->sequence < second->sequence ? -1 : 1;
    return (first->rank > second->rank) - (first->rank < second->rank);
}

static int by_place(const void *a, const void *b)
{
    const uint32_t *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

/* ---- joins ---- */

static void blame(struct part_leaf *leaf, const struct group_entry *entry, enum row_figure figure,
                  int64_t amount)
{
    uint32_t step = leaf->in_step[entry->join];

    if (step < leaf->step_count)
        leaf->figure[figure][step] += amount;
}

static void count_last(struct part_traffic *traffic, uint32_t rank, int64_t made_wait,
                       struct arena *arena)
{
    SEARCH(uint32_t, at, traffic->last_count, traffic->last[at].rank < rank);
    uint32_t count = traffic->last_count;

    if (at == count || traffic->last[at].rank != rank) {
        struct part_last *last = traffic->last;

        if ((count & (count - 1)) == 0) {
            last = arena_array(arena, count ? (size_t)count * 2 : 1, sizeof(*last));
            if (count)
                memcpy(last, traffic->last, count * sizeof(*last));
        }
        memmove(last + at + 1, last + at, (count - at) * sizeof(*last));
        last[at] = (struct part_last){.rank = rank};
        traffic->last = last;
        traffic->last_count++;
    }
    traffic->last[at].times++;
    traffic->last[at].made_wait = checked_add(traffic->last[at].made_wait, made_wait);
}

/* What the entries of a collective moved: of one that has another size on each rank there is no
 * size of one. */
static struct part_traffic *traffic_of(const struct group_work *work,
                                       const struct group_entry *list, uint32_t count)
{
    struct job_part *part = work->part;
    struct part_traffic like = {.group = work->at}, *traffic;
    __extension__ __int128 sum = 0;
    int64_t most = 0;
    bool is_known = true;

    for (uint32_t i = 0; i < count; i++) {
        const struct part_leaf *leaf = &part->leaves[list[i].leaf];
        int64_t size = leaf->size[list[i].join];

        like.size = i == 0 || size == like.size ? size : NOT_KNOWN;
        like.operation = i ? like.operation : leaf->operation[list[i].join];
        is_known &= size != NOT_KNOWN;
        sum += is_known ? size : 0;
        most = size > most ? size : most;
    }
    traffic = part_find_traffic(part, &like);
    traffic = traffic ? traffic : part_add_traffic(part, &like);
    if (is_known) {
        traffic->bytes = checked_add(traffic->bytes, (int64_t)(sum / count));
        traffic->most_bytes = checked_add(traffic->most_bytes, most);
    }
    return traffic;
}

/* By how much a rank's clock is after the group's: where its times are not known, as if all had ended at
 * 0. */
static int64_t offset_of(const struct group_work *work, const struct group_entry *entry,
                         int64_t when)
{
    if (work->part->leaves[entry->leaf].flags & LEAF_END_TOGETHER)
        return entry->end;
    return group_clock_offset(work, entry, when);
}

/* The entries of one collective. What is left of each: how long it took once the last had come. */
static void measure_join(struct group_work *work, struct group_entry *list, uint32_t count)
{
    struct job_part *part = work->part;
    struct part_group *group = work->group;
    int64_t last = INT64_MIN, second = INT64_MIN, first = INT64_MAX, end = INT64_MAX;
    int64_t when = group_clock_time(work, list, count);
    struct part_traffic *traffic;
    uint32_t last_at = 0, ended = 0;

    for (uint32_t i = 0; i < count; i++) {
        int64_t offset, start;

        if (list[i].end == NOT_KNOWN)
            continue;
        offset = offset_of(work, &list[i], when);
        start = list[i].start - offset;
        ended++;
        first = start < first ? start : first;
        end = list[i].end - offset < end ? list[i].end - offset : end;
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
        int64_t offset, start, transfer;

        leaf->start[list[i].join] = NOT_KNOWN;
        if (list[i].end == NOT_KNOWN)
            continue;
        offset = offset_of(work, &list[i], when);
        start = list[i].start - offset;
        transfer = list[i].end - offset - last;
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
    traffic = traffic_of(work, list, count);
    distribution_add(&traffic->skew, last - first, &part->arena);
    distribution_add(&traffic->transfer, end - last, &part->arena);
    count_last(traffic, part->leaves[list[last_at].leaf].rank, last - second, &part->arena);
}

/* ---- who did not come ---- */

static void add_absence(struct group_work *work, int64_t sequence, const struct part_leaf *leaf,
                        const struct group_entry *entry)
{
    part_add_absence(work->part, &(struct part_absence){
                                     .group = work->at,
                                     .sequence = sequence,
                                     .rank = leaf->rank,
                                     .entered = entry ? entry->join + 1 : 0,
                                     .operation = entry ? leaf->operation[entry->join] : 0,
                                     .size = entry ? leaf->size[entry->join] : NOT_KNOWN,
                                     .is_begun = entry && leaf->is_begun[entry->join],
                                 });
}

/* What the entries of a collective disagree about. */
struct disagreement {
    bool is_open;              /* nobody ended it */
    bool is_mixed, is_uneven;  /* operations differ, sizes do */
    bool is_begun, is_waiting; /* on some device, but not on another */
    bool is_logged;            /* all files are logs, */
    bool is_ended_only;        /* and have only what ended */
};

static struct disagreement compare_entries(const struct job_part *part,
                                           const struct group_entry *list, uint32_t count)
{
    struct disagreement found = {.is_open = true, .is_logged = true, .is_ended_only = true};

    for (uint32_t i = 0; i < count; i++) {
        const struct part_leaf *leaf = &part->leaves[list[i].leaf],
                               *first = &part->leaves[list->leaf];

        found.is_open &= list[i].end == NOT_KNOWN;
        found.is_uneven |= leaf->size[list[i].join] != first->size[list->join];
        found.is_mixed |= leaf->operation[list[i].join] != first->operation[list->join];
        found.is_begun |= leaf->is_begun[list[i].join];
        found.is_waiting |= !leaf->is_begun[list[i].join];
        found.is_logged &= (leaf->flags & LEAF_LOG) != 0;
        found.is_ended_only &= (leaf->flags & LEAF_END_TOGETHER) != 0;
    }
    return found;
}

/* Whether the log of some member ends before this: what it lacks in between was lost. */
static bool has_ended_before(const struct group_work *work, const struct group_entry *entry)
{
    for (uint32_t i = 0; i < work->present_count; i++)
        if (work->last_sequence[i] < entry->sequence)
            return true;
    return false;
}

/* Nobody ended it, and a member whose trace is whole has not called it: it is missed. Or members
 * called it for different operations, or the devices of some have begun it and those of others not.
 * Sizes differ in those that are made for it: only where nobody ended it is that why. Traces tell of
 * transfers between two what the device did, logs what was asked for. */
static void find_absences(struct group_work *work, const struct group_entry *list, uint32_t count)
{
    struct job_part *part = work->part;
    struct disagreement found = compare_entries(part, list, count);
    bool is_missed = count < work->present_count &&
                     (found.is_open || (found.is_ended_only && has_ended_before(work, list)));
    bool is_wrong;

    if (work->group->is_pair)
        is_wrong = found.is_logged && (is_missed || found.is_uneven);
    else
        is_wrong = is_missed || found.is_mixed ||
                   (found.is_open && (found.is_uneven || (found.is_begun && found.is_waiting)));
    if (!is_wrong)
        return;
    for (uint32_t i = 0, k = 0; i < work->present_count; i++) {
        const struct part_leaf *leaf = &part->leaves[work->present[i]];

        while (k < count && list[k].rank < leaf->rank)
            k++;
        if (k < count && list[k].rank == leaf->rank)
            add_absence(work, list->sequence, leaf, &list[k]);
        else if (!(leaf->flags & LEAF_TRUNCATED) &&
                 (!found.is_ended_only || work->last_sequence[i] < list->sequence))
            add_absence(work, list->sequence, leaf, NULL);
    }
}

/* ---- groups ---- */

/* By group, the entries of all leaves. */
struct entry_lists {
    uint32_t *first;
    struct group_entry *list;
};

static bool ends_together(const struct job_part *part, str_id operation, struct idmap *known)
{
    uint32_t *is = idmap_at(known, operation);

    if (*is == IDMAP_NONE)
        *is = traffic_ends_together(traffic_of_operation(part_text(part, operation)));
    return *is;
}

static void list_entries(const struct job_part *part, const bool *is_wanted,
                         struct entry_lists *lists)
{
    struct idmap known = {0};

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
                lists->list[lists->first[leaf->group[i] + 1]++] = (struct group_entry){
                    .sequence = leaf->sequence[i],
                    .start = leaf->start[i],
                    .end =
                        leaf->lasted[i] == NOT_KNOWN ? NOT_KNOWN : leaf->start[i] + leaf->lasted[i],
                    .rank = leaf->rank,
                    .leaf = l,
                    .join = i,
                    .ends_together = ends_together(part, leaf->operation[i], &known)};
    }
    idmap_free(&known);
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

/* The last collective that each member's file has. */
static void find_last_collectives(struct group_work *work, struct arena *scratch)
{
    work->last_sequence =
        arena_array(scratch, (size_t)work->present_count + 1, sizeof(*work->last_sequence));
    for (uint32_t i = 0; i < work->present_count; i++)
        work->last_sequence[i] = INT64_MIN;
    for (uint32_t i = 0; i < work->count; i++) {
        SEARCH(uint32_t, at, work->present_count, work->present[at] < work->entries[i].leaf);
        if (at < work->present_count && work->present[at] == work->entries[i].leaf)
            work->last_sequence[at] = work->entries[i].sequence;
    }
}

static void keep_clocks(struct group_work *work)
{
    struct part_group *group = work->group;

    group->clock = arena_array(&work->part->arena, group->rank_count, sizeof(*group->clock));
    for (uint32_t i = 0, k = 0; i < group->rank_count; i++) {
        group->clock[i].offset = group->clock[i].residual = NOT_KNOWN;
        if (k < work->present_count && work->part->leaves[work->present[k]].rank == group->ranks[i])
            group->clock[i] = work->clock[k++];
    }
}

static void seal(struct group_work *work)
{
    struct arena scratch = {0};
    struct part_group *group = work->group;

    qsort(work->entries, work->count, sizeof(*work->entries), by_sequence);
    find_present(work, &scratch);
    find_last_collectives(work, &scratch);
    work->clock = arena_array(&scratch, (size_t)work->present_count + 1, sizeof(*work->clock));
    group->is_partial = work->present_count < group->size;
    group->is_sealed = true;
    if (work->present_count)
        group_clock_align(work, &scratch);
    for (uint32_t i = 0, end; i < work->count; i = end) {
        for (end = i + 1;
             end < work->count && work->entries[end].sequence == work->entries[i].sequence;)
            end++;
        find_absences(work, &work->entries[i], end - i);
        measure_join(work, &work->entries[i], end - i);
    }
    keep_clocks(work);
    arena_free(&scratch);
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

    for (uint32_t g = 0; g < part->group_count; g++) {
        const struct part_group *group = &part->groups[g];

        is_wanted[g] = !group->is_sealed && (sealing == SEAL_ALL || group->rank_count > 0);
        for (uint32_t i = 0; sealing != SEAL_ALL && is_wanted[g] && i < group->rank_count; i++)
            is_wanted[g] = part_leaf_of(part, group->ranks[i]) != NULL;
    }
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
