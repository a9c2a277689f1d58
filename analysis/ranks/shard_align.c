/* SPDX-License-Identifier: Apache-2.0 */
/* Measures each group's collectives once its ranks are together: skew, transfer, who came
 * last, who did not come. */
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/group_clock.h"
#include "analysis/ranks/job_shard.h"
#include "analysis/ranks/shard_join.h"
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

/* ---- participations ---- */

static void blame(struct rank_summary *summary, uint32_t participation, enum row_figure figure,
                  int64_t amount)
{
    uint32_t step = summary->in_step[participation];

    if (step < summary->step_count)
        summary->figure[figure][step] += amount;
}

static void count_last(struct shard_traffic *traffic, uint32_t rank, int64_t made_wait,
                       struct arena *arena)
{
    SEARCH(uint32_t, at, traffic->last_count, traffic->last[at].rank < rank);
    uint32_t count = traffic->last_count;

    if (at == count || traffic->last[at].rank != rank) {
        struct shard_last *last = traffic->last;

        if ((count & (count - 1)) == 0) {
            last = arena_array(arena, count ? (size_t)count * 2 : 1, sizeof(*last));
            if (count)
                memcpy(last, traffic->last, count * sizeof(*last));
        }
        memmove(last + at + 1, last + at, (count - at) * sizeof(*last));
        last[at] = (struct shard_last){.rank = rank};
        traffic->last = last;
        traffic->last_count++;
    }
    traffic->last[at].times++;
    traffic->last[at].made_wait = checked_add(traffic->last[at].made_wait, made_wait);
}

/* What the entries of a collective moved: of one that has another size on each rank there is no
 * size of one. */
static struct shard_traffic *traffic_of(const struct group_work *work,
                                        const struct group_entry *list, uint32_t count)
{
    struct job_shard *shard = work->shard;
    struct shard_traffic like = {.group = work->at}, *traffic;
    __extension__ __int128 sum = 0;
    int64_t most = 0;
    bool is_known = true;

    for (uint32_t i = 0; i < count; i++) {
        const struct rank_summary *summary = &shard->summaries[list[i].summary];
        int64_t size = summary->size[list[i].participation];

        like.size = i == 0 || size == like.size ? size : NOT_KNOWN;
        like.operation = i ? like.operation : summary->operation[list[i].participation];
        is_known &= size != NOT_KNOWN;
        sum += is_known ? size : 0;
        most = size > most ? size : most;
    }
    traffic = shard_find_traffic(shard, &like);
    traffic = traffic ? traffic : shard_add_traffic(shard, &like);
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
    if (work->shard->summaries[entry->summary].flags & RANK_END_TOGETHER)
        return entry->end;
    return group_clock_offset(work, entry, when);
}

/* Several kernels of one rank in one collective are its shard together, from the first start to the last
 * end. */
static void unite_kernels(struct group_entry *list, uint32_t count)
{
    for (uint32_t i = 0, end; i < count; i = end) {
        int64_t start = list[i].start, until = list[i].end;

        for (end = i + 1; end < count && list[end].sequence == list[i].sequence &&
                          list[end].summary == list[i].summary && list[end].end != NOT_KNOWN &&
                          until != NOT_KNOWN;
             end++) {
            start = list[end].start < start ? list[end].start : start;
            until = list[end].end > until ? list[end].end : until;
        }
        for (uint32_t k = i; k < end; k++) {
            list[k].start = start;
            list[k].end = until;
        }
    }
}

/* The ranks that ended a collective. `late` is when they began, on the group's clock. */
static uint32_t list_members(const struct group_work *work, const struct group_entry *list,
                             uint32_t count, int64_t when, struct meeting_member *members)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < count; i++)
        if (list[i].end != NOT_KNOWN && !(found && members[found - 1].summary == list[i].summary))
            members[found++] =
                (struct meeting_member){.summary = list[i].summary,
                                        .participation = list[i].participation,
                                        .start = list[i].start,
                                        .end = list[i].end,
                                        .late = list[i].start - offset_of(work, &list[i], when)};
    return found;
}

static int by_late(const void *a, const void *b)
{
    const struct meeting_member *first = a, *second = b;

    if (first->late != second->late)
        return first->late < second->late ? -1 : 1;
    return (first->summary < second->summary) - (first->summary > second->summary);
}

/* The entries of one collective. What is left of each: how long it took once the last had come. Of those
 * who came last together the first rank is meant. */
static void measure_collective(struct group_work *work, struct group_entry *list, uint32_t count)
{
    struct job_shard *shard = work->shard;
    struct group_meetings *meetings = work->meetings;
    int64_t when = group_clock_time(work, list, count), first, last, second, end = INT64_MAX;
    uint32_t ended = list_members(work, list, count, when, work->members);
    struct meeting_member *members = work->members;
    struct shard_traffic *traffic;

    for (uint32_t i = 0; i < count && !ended; i++)
        shard->summaries[list[i].summary].start[list[i].participation] = NOT_KNOWN;
    if (!ended)
        return;
    if (ended > 1)
        qsort(members, ended, sizeof(*members), by_late);
    first = members[0].late;
    last = members[ended - 1].late;
    second = ended > 1 ? members[ended - 2].late : last;
    for (uint32_t i = 0; i < ended; i++) {
        int64_t until = members[i].end - members[i].start + members[i].late;

        end = until < end ? until : end;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct rank_summary *summary = &shard->summaries[list[i].summary];
        uint32_t participation = list[i].participation;
        int64_t until = summary->start[participation] + summary->lasted[participation];

        summary->start[participation] = NOT_KNOWN;
        if (list[i].end == NOT_KNOWN)
            continue;
        until -= offset_of(work, &list[i], when) + last;
        work->group->clipped += until < 0;
        summary->lasted[participation] = until > 0 ? until : 0;
    }
    for (uint32_t i = 0; i < ended; i++) {
        const struct meeting_member *member = &members[i];
        struct rank_summary *summary = &shard->summaries[member->summary];

        if (ended < 2)
            break;
        blame(summary, member->participation, ROW_MEETINGS, 1);
        blame(summary, member->participation, ROW_WAITED, last - member->late);
        blame(summary, member->participation, ROW_LAST, i + 1 == ended);
        blame(summary, member->participation, ROW_MADE_WAIT, i + 1 == ended ? last - second : 0);
    }
    if (meetings) {
        vector_add(&meetings->list,
                   (struct group_meeting){.group = work->at,
                                          .first = (uint32_t)meetings->members.count,
                                          .count = ended,
                                          .begin = first,
                                          .skew = last - first,
                                          .transfer = end - last});
        for (uint32_t i = 0; i < ended; i++) {
            members[i].late -= first;
            vector_add(&meetings->members, members[i]);
        }
    }
    if (ended < 2)
        return;
    work->group->meetings++;
    traffic = traffic_of(work, list, count);
    distribution_add(&traffic->skew, last - first, &shard->arena);
    distribution_add(&traffic->transfer, end - last, &shard->arena);
    count_last(traffic, shard->summaries[members[ended - 1].summary].rank, last - second,
               &shard->arena);
}

/* ---- who did not come ---- */

static void add_absence(struct group_work *work, int64_t sequence,
                        const struct rank_summary *summary, const struct group_entry *entry)
{
    shard_add_absence(work->shard,
                      &(struct shard_absence){
                          .group = work->at,
                          .sequence = sequence,
                          .rank = summary->rank,
                          .entered = entry ? entry->participation + 1 : 0,
                          .operation = entry ? summary->operation[entry->participation] : 0,
                          .size = entry ? summary->size[entry->participation] : NOT_KNOWN,
                          .is_begun = entry && summary->is_begun[entry->participation],
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

static struct disagreement compare_entries(const struct job_shard *shard,
                                           const struct group_entry *list, uint32_t count)
{
    struct disagreement found = {.is_open = true, .is_logged = true, .is_ended_only = true};

    for (uint32_t i = 0; i < count; i++) {
        const struct rank_summary *summary = &shard->summaries[list[i].summary],
                                  *first = &shard->summaries[list->summary];

        found.is_open &= list[i].end == NOT_KNOWN;
        found.is_uneven |= summary->size[list[i].participation] != first->size[list->participation];
        found.is_mixed |=
            summary->operation[list[i].participation] != first->operation[list->participation];
        found.is_begun |= summary->is_begun[list[i].participation];
        found.is_waiting |= !summary->is_begun[list[i].participation];
        found.is_logged &= (summary->flags & RANK_LOG) != 0;
        found.is_ended_only &= (summary->flags & RANK_END_TOGETHER) != 0;
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
    struct job_shard *shard = work->shard;
    struct disagreement found = compare_entries(shard, list, count);
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
        const struct rank_summary *summary = &shard->summaries[work->present[i]];

        while (k < count && list[k].rank < summary->rank)
            k++;
        if (k < count && list[k].rank == summary->rank)
            add_absence(work, list->sequence, summary, &list[k]);
        else if (!(summary->flags & RANK_TRUNCATED) &&
                 (!found.is_ended_only || work->last_sequence[i] < list->sequence))
            add_absence(work, list->sequence, summary, NULL);
    }
}

/* ---- groups ---- */

/* By group, the entries of all summaries. */
struct entry_lists {
    uint32_t *first;
    struct group_entry *list;
};

static bool ends_together(const struct job_shard *shard, str_id operation, struct idmap *known)
{
    uint32_t *is = idmap_at(known, operation);

    if (*is == IDMAP_NONE)
        *is = traffic_ends_together(traffic_of_operation(shard_text(shard, operation)));
    return *is;
}

static void list_entries(const struct job_shard *shard, const bool *is_wanted,
                         struct entry_lists *lists)
{
    struct idmap known = {0};

    lists->first = grow_zeroed((size_t)shard->group_count + 2, sizeof(*lists->first));
    for (uint32_t l = 0; l < shard->summary_count; l++)
        for (uint32_t i = 0; i < shard->summaries[l].participation_count; i++)
            if (is_wanted[shard->summaries[l].group[i]])
                lists->first[shard->summaries[l].group[i] + 2]++;
    for (uint32_t g = 0; g < shard->group_count; g++)
        lists->first[g + 2] += lists->first[g + 1];
    lists->list =
        grow_zeroed((size_t)lists->first[shard->group_count + 1] + 1, sizeof(*lists->list));
    for (uint32_t l = 0; l < shard->summary_count; l++) {
        const struct rank_summary *summary = &shard->summaries[l];

        for (uint32_t i = 0; i < summary->participation_count; i++)
            if (is_wanted[summary->group[i]])
                lists->list[lists->first[summary->group[i] + 1]++] = (struct group_entry){
                    .sequence = summary->sequence[i],
                    .start = summary->start[i],
                    .end = summary->lasted[i] == NOT_KNOWN ? NOT_KNOWN
                                                           : summary->start[i] + summary->lasted[i],
                    .rank = summary->rank,
                    .summary = l,
                    .participation = i,
                    .ends_together = ends_together(shard, summary->operation[i], &known)};
    }
    idmap_free(&known);
}

/* The members that are there: as listed, or else whoever has an entry. */
static void find_present(struct group_work *work, struct arena *scratch)
{
    const struct job_shard *shard = work->shard;
    const struct shard_group *group = work->group;
    struct idmap seen = {0};

    work->present =
        arena_array(scratch, (size_t)group->rank_count + work->count + 1, sizeof(*work->present));
    for (uint32_t i = 0; i < group->rank_count; i++) {
        const struct rank_summary *summary = rank_summary_of(shard, group->ranks[i]);

        if (summary)
            work->present[work->present_count++] = (uint32_t)(summary - shard->summaries);
    }
    for (uint32_t i = 0; i < work->count && !group->rank_count; i++) {
        uint32_t *summary = idmap_at(&seen, work->entries[i].summary);

        if (*summary == IDMAP_NONE)
            work->present[work->present_count++] = *summary = work->entries[i].summary;
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
        SEARCH(uint32_t, at, work->present_count, work->present[at] < work->entries[i].summary);
        if (at < work->present_count && work->present[at] == work->entries[i].summary)
            work->last_sequence[at] = work->entries[i].sequence;
    }
}

static void keep_clocks(struct group_work *work)
{
    struct shard_group *group = work->group;

    group->clock = arena_array(&work->shard->arena, group->rank_count, sizeof(*group->clock));
    for (uint32_t i = 0, k = 0; i < group->rank_count; i++) {
        group->clock[i].offset = group->clock[i].residual = NOT_KNOWN;
        if (k < work->present_count &&
            work->shard->summaries[work->present[k]].rank == group->ranks[i])
            group->clock[i] = work->clock[k++];
    }
}

static void align_group(struct group_work *work)
{
    struct arena scratch = {0};
    struct shard_group *group = work->group;

    qsort(work->entries, work->count, sizeof(*work->entries), by_sequence);
    unite_kernels(work->entries, work->count);
    find_present(work, &scratch);
    find_last_collectives(work, &scratch);
    work->members = arena_array(&scratch, (size_t)work->count + 1, sizeof(*work->members));
    work->clock = arena_array(&scratch, (size_t)work->present_count + 1, sizeof(*work->clock));
    group->is_partial = work->present_count < group->size;
    group->is_aligned = true;
    if (work->present_count)
        group_clock_align(work, &scratch);
    for (uint32_t i = 0, end; i < work->count; i = end) {
        for (end = i + 1;
             end < work->count && work->entries[end].sequence == work->entries[i].sequence;)
            end++;
        find_absences(work, &work->entries[i], end - i);
        measure_collective(work, &work->entries[i], end - i);
    }
    keep_clocks(work);
    arena_free(&scratch);
}

/* What participations took is what their operations take. */
static void settle_lengths(struct rank_summary *summary, const bool *is_wanted)
{
    for (uint32_t i = 0; i < summary->op_count; i++) {
        uint32_t participation = summary->participation[i];

        if (participation && is_wanted[summary->group[participation - 1]] &&
            summary->lasted[participation - 1] != NOT_KNOWN)
            summary->length[i] = summary->lasted[participation - 1];
    }
}

void shard_align(struct job_shard *shard, enum groups_aligned which,
                 struct group_meetings *meetings)
{
    bool *is_wanted = grow_zeroed((size_t)shard->group_count + 1, sizeof(*is_wanted));
    struct entry_lists lists;

    for (uint32_t g = 0; g < shard->group_count; g++) {
        const struct shard_group *group = &shard->groups[g];

        is_wanted[g] = !group->is_aligned && (which == GROUPS_ALL || group->rank_count > 0);
        for (uint32_t i = 0; which != GROUPS_ALL && is_wanted[g] && i < group->rank_count; i++)
            is_wanted[g] = rank_summary_of(shard, group->ranks[i]) != NULL;
    }
    list_entries(shard, is_wanted, &lists);
    for (uint32_t g = 0; g < shard->group_count; g++)
        if (is_wanted[g])
            align_group(&(struct group_work){.shard = shard,
                                             .group = &shard->groups[g],
                                             .at = g,
                                             .entries = lists.list + lists.first[g],
                                             .count = lists.first[g + 1] - lists.first[g],
                                             .meetings = meetings});
    for (uint32_t l = 0; l < shard->summary_count; l++)
        settle_lengths(&shard->summaries[l], is_wanted);
    shard_sort(shard);
    free(lists.first);
    free(lists.list);
    free(is_wanted);
}
