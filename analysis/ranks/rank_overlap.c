/* SPDX-License-Identifier: Apache-2.0 */
/* Several ranks side by side: what overlaps on each, and how they waited for one another in collectives, which
 * are matched and timed as those of a job. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "analysis/ranks/job.h"
#include "analysis/ranks/rank_overlap.h"
#include "analysis/ranks/shard_join.h"
#include "base/checked.h"
#include "base/memory/memory.h"

/* ---- one job, one clock ---- */

/* The ranks' shares as one shard. */
struct ranks_joining {
    struct job_shard whole;
    struct group_meetings meetings;
    uint32_t *rank_of;        /* by summary, which of the ranks */
    struct rank_pair **pairs; /* by group: of transfers; the arena's */
};

/* Numbers that files give twice tell nothing apart: then all are numbered as listed. */
static void number_summaries(const struct ranks *ranks)
{
    struct idmap seen = {0};

    for (uint32_t i = 0; i < ranks->count; i++)
        *idmap_at(&seen, ranks->list[i].share->shard.summaries->rank) = i;
    for (uint32_t i = 0; i < ranks->count && seen.count < ranks->count; i++)
        ranks->list[i].share->shard.summaries->rank = i;
    idmap_free(&seen);
}

static void name_pairs(struct ranks_joining *joining, struct arena *arena, struct arena *scratch)
{
    const struct job_shard *whole = &joining->whole;

    joining->pairs = arena_array(scratch, whole->group_count, sizeof(*joining->pairs));
    for (uint32_t g = 0; g < whole->group_count; g++) {
        struct span name = shard_text(whole, whole->groups[g].name);
        struct span members = shard_text(whole, whole->groups[g].members);

        if (!whole->groups[g].is_pair)
            continue;
        joining->pairs[g] = arena_alloc(arena, sizeof(**joining->pairs));
        joining->pairs[g]->name =
            span_of(arena_printf(arena, "%.*s", (int)(name.len & 0x1ffff), name.at));
        joining->pairs[g]->members =
            span_of(arena_printf(arena, "%.*s", (int)(members.len & 0xff), members.at));
    }
}

static void join_ranks(const struct ranks *ranks, struct ranks_joining *joining,
                       struct arena *scratch)
{
    struct job_shard *shards = arena_array(scratch, ranks->count, sizeof(*shards));
    struct idmap places = {0};
    struct error err = {0};
    size_t at;

    number_summaries(ranks);
    for (uint32_t i = 0; i < ranks->count; i++) {
        shards[i] = ranks->list[i].share->shard;
        ranks->list[i].share->shard = (struct job_shard){0};
        *idmap_at(&places, shards[i].summaries->rank) = i;
    }
    if (!shards_meet(shards, ranks->count, &joining->whole, &joining->meetings, &at, &err))
        joining->whole.summary_count = 0; /* cannot be: of each rank there is one, and of no size */
    joining->rank_of =
        arena_array(scratch, joining->whole.summary_count, sizeof(*joining->rank_of));
    for (uint32_t l = 0; l < joining->whole.summary_count; l++)
        joining->rank_of[l] = idmap_find(&places, joining->whole.summaries[l].rank);
    idmap_free(&places);
}

/* Where nothing ties a rank to the others its own clock is believed. */
static void set_clock(struct ranks *ranks, const struct ranks_joining *joining, struct arena *arena,
                      struct arena *scratch)
{
    uint32_t count = joining->whole.summary_count;
    struct job_step step = {0};
    struct job_model model = {.shard = &joining->whole,
                              .number_shift =
                                  arena_array(scratch, count, sizeof(*model.number_shift)),
                              .workers = arena_array(scratch, count, sizeof(*model.workers)),
                              .worker_count = count,
                              .steps = &step,
                              .step_count = 1};
    int64_t earliest = INT64_MAX;

    ranks->offset = arena_array(arena, ranks->count, sizeof(*ranks->offset));
    for (uint32_t l = 0; l < count; l++)
        model.workers[l] =
            (struct job_worker){.summary = l, .rank = joining->whole.summaries[l].rank};
    if (count)
        job_align(&model, scratch);
    for (uint32_t l = 0; l < count; l++) {
        uint32_t rank = joining->rank_of[l];
        int64_t origin = ranks->list[rank].graph->timeline.origin;

        ranks->offset[rank] =
            model.workers[l].is_aligned ? checked_sub(origin, *model.workers[l].offset) : origin;
        earliest = ranks->offset[rank] < earliest ? ranks->offset[rank] : earliest;
    }
    for (uint32_t i = 0; i < ranks->count; i++)
        ranks->offset[i] = checked_sub(ranks->offset[i], earliest);
}

static void measure_span(struct ranks *ranks)
{
    int64_t start = INT64_MAX, end = INT64_MIN;

    for (uint32_t i = 0; i < ranks->count; i++) {
        const struct overlap *overlap = ranks->list[i].overlap;
        int64_t begins = checked_add(overlap->start, ranks->offset[i]);
        int64_t ends = checked_add(begins, overlap->span);

        start = begins < start ? begins : start;
        end = ends > end ? ends : end;
    }
    ranks->start = start <= end ? start : 0;
    ranks->span = start <= end ? checked_sub(end, start) : 0;
}

/* ---- devices ---- */

static void list_devices(struct ranks *ranks, struct arena *arena)
{
    size_t count = 0;

    for (uint32_t i = 0; i < ranks->count; i++)
        count += ranks->list[i].overlap->device_count;
    ranks->devices = arena_array(arena, count, sizeof(*ranks->devices));
    for (uint32_t i = 0; i < ranks->count; i++)
        for (uint32_t d = 0; d < ranks->list[i].overlap->device_count; d++)
            ranks->devices[ranks->device_count++] =
                (struct rank_device){i, &ranks->list[i].overlap->devices[d]};
}

#define FIGURE(name, member)                                                                       \
    {                                                                                              \
        name, offsetof(struct overlap_figures, member)                                             \
    }

static const struct {
    const char *name;
    size_t at;
} figures[] = {
    FIGURE("span", span),
    FIGURE("busy", busy),
    FIGURE("idle", idle),
    FIGURE("compute", compute),
    FIGURE("communication", communication),
    FIGURE("exposed_communication", exposed_communication),
    FIGURE("overlap_compute_communication", hidden_communication),
    FIGURE("memory", memory),
    FIGURE("exposed_memory", exposed_memory),
};

enum { FIGURE_COUNT = sizeof(figures) / sizeof(figures[0]) };

static void measure_spreads(struct ranks *ranks, struct arena *arena)
{
    int64_t *values = arena_array(arena, ranks->device_count, sizeof(*values));

    if (ranks->device_count < 2)
        return;
    ranks->spreads = arena_array(arena, FIGURE_COUNT, sizeof(*ranks->spreads));
    for (; ranks->spread_count < FIGURE_COUNT; ranks->spread_count++) {
        struct rank_spread *spread = &ranks->spreads[ranks->spread_count];

        spread->figure = figures[ranks->spread_count].name;
        for (uint32_t i = 0; i < ranks->device_count; i++)
            memcpy(&values[i],
                   (const char *)&ranks->devices[i].of->all + figures[ranks->spread_count].at,
                   sizeof(*values));
        spread->over = extremes_of(values, ranks->device_count);
    }
}

/* ---- one collective ---- */

static double rate(int64_t bytes, int64_t time)
{
    return bytes == UNKNOWN || time <= 0 ? (double)NAN : (double)bytes * 1e9 / (double)time;
}

static const struct collective *collective_of(const struct ranks *ranks, uint32_t rank, uint32_t at)
{
    return &ranks->list[rank].collectives->list[at];
}

/* Which of its rank's collectives a member's participation is. */
static uint32_t place_of(const struct ranks *ranks, const struct ranks_joining *joining,
                         const struct meeting_member *member)
{
    return ranks->list[joining->rank_of[member->summary]].share->collective[member->participation];
}

/* What those who send call otherwise than those who receive is called as the smallest rank does. */
static const struct meeting_member *smallest_of(const struct ranks_joining *joining,
                                                const struct group_meeting *found)
{
    const struct meeting_member *members = &joining->meetings.members.list[found->first];
    uint32_t least = 0;

    for (uint32_t i = 1; i < found->count; i++)
        least = members[i].summary < members[least].summary ? i : least;
    return &members[least];
}

static struct rank_meeting meet(const struct ranks *ranks, const struct ranks_joining *joining,
                                const struct group_meeting *found)
{
    const struct meeting_member *members = &joining->meetings.members.list[found->first];
    const struct meeting_member *smallest = smallest_of(joining, found);
    uint32_t rank = joining->rank_of[smallest->summary], first = joining->rank_of[members->summary];
    uint32_t at = place_of(ranks, joining, smallest);
    const struct collective *collective = collective_of(ranks, rank, at);
    int64_t start = collective_of(ranks, first, place_of(ranks, joining, members))->start;
    struct rank_meeting meeting = {.rank = rank,
                                   .at = at,
                                   .first = first,
                                   .last = joining->rank_of[members[found->count - 1].summary],
                                   .ranks = found->count,
                                   .pair = joining->pairs[found->group],
                                   .start = checked_add(start, ranks->offset[first]),
                                   .skew = found->skew,
                                   .transfer = found->transfer >= 0 ? found->transfer : UNKNOWN,
                                   .bytes = collective_bytes(collective)};

    meeting.algorithm = rate(meeting.bytes, meeting.transfer);
    meeting.bus = meeting.algorithm * collective_bus_factor(collective);
    return meeting;
}

/* As measured when the groups were clock-aligned: all that a rank did is in one step. */
static void take_lateness(struct ranks *ranks, const struct ranks_joining *joining)
{
    for (uint32_t l = 0; l < joining->whole.summary_count; l++) {
        const struct rank_summary *summary = &joining->whole.summaries[l];
        struct rank_lateness *lateness = &ranks->lateness[joining->rank_of[l]];

        lateness->matched = (uint32_t)summary->figure[ROW_MEETINGS][0];
        lateness->last = (uint32_t)summary->figure[ROW_LAST][0];
        lateness->made_wait = summary->figure[ROW_MADE_WAIT][0];
        lateness->waited = summary->figure[ROW_WAITED][0];
    }
}

/* ---- all meetings of a kind ---- */

static void add_to_kind(struct rank_kind *kind, const struct rank_meeting *meeting)
{
    kind->count++;
    kind->apart += meeting->transfer == UNKNOWN;
    kind->skew = checked_add(kind->skew, meeting->skew);
    kind->max_skew = meeting->skew > kind->max_skew ? meeting->skew : kind->max_skew;
    if (meeting->transfer != UNKNOWN)
        kind->transfer = checked_add(kind->transfer, meeting->transfer);
    if (meeting->bytes == UNKNOWN || kind->bytes == UNKNOWN)
        kind->bytes = UNKNOWN;
    else
        kind->bytes = checked_add(kind->bytes, meeting->bytes);
}

/* Of ranks that ran a collective at once. */
static void add_waits(const struct ranks *ranks, const struct ranks_joining *joining,
                      const struct group_meeting *found, struct rank_wait *waits,
                      uint32_t *wait_count)
{
    const struct meeting_member *members = &joining->meetings.members.list[found->first];

    for (uint32_t i = 0; i + 1 < found->count; i++) {
        uint32_t rank = joining->rank_of[members[i].summary];
        const struct collective *collective =
            collective_of(ranks, rank, place_of(ranks, joining, &members[i]));

        waits[(*wait_count)++] =
            (struct rank_wait){.start = collective->start,
                               .end = checked_add(collective->start, found->skew - members[i].late),
                               .rank = rank,
                               .last = joining->rank_of[members[found->count - 1].summary],
                               .device = collective->device};
    }
}

/* A meeting on its way to its kind. */
struct sorted_meeting {
    uint32_t group, operation, kind;
    const struct group_meeting *found;
    struct rank_meeting meeting;
};

static int by_start(const void *a, const void *b)
{
    const struct sorted_meeting *first = a, *second = b;

    if (first->meeting.start != second->meeting.start)
        return first->meeting.start < second->meeting.start ? -1 : 1;
    return (first->found > second->found) - (first->found < second->found);
}

static int by_kind(const void *a, const void *b)
{
    const struct sorted_meeting *first = a, *second = b;

    if (first->kind != second->kind)
        return first->kind < second->kind ? -1 : 1;
    return by_start(a, b);
}

/* Those of several ranks, by kind, of which that is first which was run first, and as they were run. */
static uint32_t sort_meetings(struct ranks *ranks, const struct ranks_joining *joining,
                              struct sorted_meeting *list)
{
    struct idmap kinds = {0};
    uint32_t count = 0, kind_count = 0;

    for (size_t i = 0; i < joining->meetings.list.count; i++) {
        const struct group_meeting *found = &joining->meetings.list.list[i];
        const struct meeting_member *member = smallest_of(joining, found);

        if (found->count < 2)
            ranks->unmatched++;
        else
            list[count++] = (struct sorted_meeting){
                .group = found->group,
                .operation =
                    joining->whole.summaries[member->summary].operation[member->participation],
                .found = found,
                .meeting = meet(ranks, joining, found)};
    }
    if (count)
        qsort(list, count, sizeof(*list), by_start);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *kind = idmap_at(&kinds, idmap_pair(list[i].group, list[i].operation));

        *kind = *kind == IDMAP_NONE ? kind_count++ : *kind;
        list[i].kind = *kind;
    }
    if (count)
        qsort(list, count, sizeof(*list), by_kind);
    idmap_free(&kinds);
    return count;
}

static void find_meetings(struct ranks *ranks, const struct ranks_joining *joining,
                          struct arena *arena, struct arena *scratch)
{
    struct sorted_meeting *list = arena_array(scratch, joining->meetings.list.count, sizeof(*list));
    struct rank_wait *waits = arena_array(scratch, joining->meetings.members.count, sizeof(*waits));
    uint32_t wait_count = 0, count = sort_meetings(ranks, joining, list);

    ranks->meetings = arena_array(arena, count, sizeof(*ranks->meetings));
    ranks->kinds = arena_array(arena, count, sizeof(*ranks->kinds));
    for (uint32_t i = 0; i < count; i++) {
        const struct rank_meeting *meeting = &list[i].meeting;

        if (list[i].kind == ranks->kind_count)
            ranks->kinds[ranks->kind_count++] = (struct rank_kind){.first = i};
        add_to_kind(&ranks->kinds[list[i].kind], meeting);
        ranks->apart += meeting->transfer == UNKNOWN;
        ranks->meetings[ranks->meeting_count++] = *meeting;
        if (meeting->transfer != UNKNOWN)
            add_waits(ranks, joining, list[i].found, waits, &wait_count);
    }
    rank_waits_sum(waits, wait_count, arena, ranks);
}

static void measure_kinds(struct ranks *ranks)
{
    for (uint32_t i = 0; i < ranks->kind_count; i++) {
        struct rank_kind *kind = &ranks->kinds[i];
        const struct rank_meeting *first = &ranks->meetings[kind->first];

        kind->algorithm = rate(kind->bytes, kind->transfer);
        kind->bus =
            kind->algorithm * collective_bus_factor(collective_of(ranks, first->rank, first->at));
    }
}

static void find_waited_for(struct ranks *ranks, double share)
{
    for (uint32_t i = 0; i < ranks->count; i++) {
        struct rank_lateness *lateness = &ranks->lateness[i];

        lateness->is_waited_for =
            lateness->made_wait > 0 && (double)lateness->made_wait >= share * (double)ranks->span;
    }
}

void ranks_compare(const struct rank *list, uint32_t count, double waited_share,
                   struct arena *arena, struct ranks *ranks)
{
    struct ranks_joining joining = {0};
    struct arena scratch = {0};

    *ranks = (struct ranks){.list = list, .count = count};
    join_ranks(ranks, &joining, &scratch);
    name_pairs(&joining, arena, &scratch);
    set_clock(ranks, &joining, arena, &scratch);
    measure_span(ranks);
    list_devices(ranks, arena);
    measure_spreads(ranks, arena);
    ranks->lateness = arena_array(arena, count, sizeof(*ranks->lateness));
    for (uint32_t i = 0; i < count; i++)
        ranks->lateness[i].idle_for = UINT32_MAX;
    take_lateness(ranks, &joining);
    find_meetings(ranks, &joining, arena, &scratch);
    measure_kinds(ranks);
    find_waited_for(ranks, waited_share);
    group_meetings_free(&joining.meetings);
    job_shard_free(&joining.whole);
    arena_free(&scratch);
}

/* ---- who waited for whom ---- */

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct rank_wait *waits = context;

    if (waits[a].rank != waits[b].rank)
        return waits[a].rank < waits[b].rank;
    if (waits[a].device != waits[b].device)
        return waits[a].device < waits[b].device;
    return waits[a].start < waits[b].start;
}

/* How much of [start, end) the device communicated and did not compute. */
static int64_t exposed_in(const struct overlap *overlap, int32_t device, int64_t start, int64_t end)
{
    int64_t time = 0;

    for (uint32_t d = 0; d < overlap->device_count; d++) {
        const struct overlap_device *of = &overlap->devices[d];

        if (of->device != device)
            continue;
        SEARCH(uint32_t, at, of->exposed_count, of->exposed[at].end <= start);
        for (; at < of->exposed_count && of->exposed[at].start < end; at++) {
            int64_t from = of->exposed[at].start > start ? of->exposed[at].start : start;
            int64_t to = of->exposed[at].end < end ? of->exposed[at].end : end;

            time += to - from;
        }
    }
    return time;
}

void rank_waits_sum(const struct rank_wait *waits, uint32_t count, struct arena *arena,
                    struct ranks *ranks)
{
    uint32_t *order = arena_array(arena, count, sizeof(*order));
    int64_t *by_last = arena_array(arena, ranks->count, sizeof(*by_last)); /* of one rank's waits */
    int64_t until = INT64_MIN;

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    sort_stable(order, count, is_before, waits);
    for (uint32_t i = 0; i < count; i++) {
        const struct rank_wait *wait = &waits[order[i]], *before = i ? &waits[order[i - 1]] : NULL;
        struct rank_lateness *lateness = &ranks->lateness[wait->rank];
        int64_t start, time;

        if (before && before->rank != wait->rank)
            for (uint32_t r = 0; r < ranks->count; r++)
                by_last[r] = 0;
        if (!before || before->rank != wait->rank || before->device != wait->device)
            until = INT64_MIN;
        start = wait->start > until ? wait->start : until;
        if (start >= wait->end)
            continue;
        until = wait->end;
        time = exposed_in(ranks->list[wait->rank].overlap, wait->device, start, wait->end);
        lateness->idle = checked_add(lateness->idle, time);
        by_last[wait->last] = checked_add(by_last[wait->last], time);
        if (time &&
            (lateness->idle_for == UINT32_MAX || by_last[wait->last] > by_last[lateness->idle_for]))
            lateness->idle_for = wait->last;
    }
}
