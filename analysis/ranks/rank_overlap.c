/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stddef.h>

#include "analysis/ranks/rank_overlap.h"
#include "base/checked.h"
#include "base/memory/memory.h"

/* ---- one clock ---- */

static void set_clock(struct ranks *ranks, struct arena *arena)
{
    int64_t earliest = INT64_MAX;

    ranks->offset = arena_array(arena, ranks->count, sizeof(*ranks->offset));
    for (uint32_t i = 0; i < ranks->count; i++) {
        int64_t origin = ranks->list[i].graph->timeline.origin;

        earliest = origin < earliest ? origin : earliest;
    }
    for (uint32_t i = 0; i < ranks->count; i++)
        ranks->offset[i] = checked_sub(ranks->list[i].graph->timeline.origin, earliest);
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

static struct rank_meeting meet(const struct ranks *ranks, const struct rank_part *parts,
                                uint32_t count)
{
    const struct collective *collective = collective_of(ranks, parts[0].rank, parts[0].at);
    int64_t last_start = parts[count - 1].start, first_end = INT64_MAX;
    struct rank_meeting meeting = {.rank = parts[0].rank,
                                   .at = parts[0].at,
                                   .last = parts[count - 1].rank,
                                   .ranks = count,
                                   .start = parts[0].start,
                                   .skew = checked_sub(last_start, parts[0].start),
                                   .bytes = collective_bytes(collective)};

    for (uint32_t i = 0; i < count; i++)
        first_end = parts[i].end < first_end ? parts[i].end : first_end;
    meeting.transfer = first_end >= last_start ? checked_sub(first_end, last_start) : UNKNOWN;
    meeting.algorithm = rate(meeting.bytes, meeting.transfer);
    meeting.bus = meeting.algorithm * collective_bus_factor(collective);
    return meeting;
}

/* Where clocks disagree the files do not tell who was late. */
static void blame(struct ranks *ranks, const struct rank_part *parts, uint32_t count,
                  const struct rank_meeting *meeting)
{
    const struct rank_part *last = &parts[count - 1];

    for (uint32_t i = 0; i < count; i++) {
        struct rank_lateness *lateness = &ranks->lateness[parts[i].rank];

        lateness->matched++;
        if (meeting->transfer != UNKNOWN)
            lateness->waited =
                checked_add(lateness->waited, checked_sub(last->start, parts[i].start));
    }
    if (meeting->transfer == UNKNOWN || last->start == last[-1].start)
        return;
    ranks->lateness[last->rank].last++;
    ranks->lateness[last->rank].made_wait =
        checked_add(ranks->lateness[last->rank].made_wait, last->start - last[-1].start);
}

/* ---- all meetings of a kind ---- */

static void add_to_kind(struct rank_kind *kind, const struct rank_meeting *meeting)
{
    kind->count++;
    if (meeting->transfer == UNKNOWN) {
        kind->apart++;
        return;
    }
    kind->skew = checked_add(kind->skew, meeting->skew);
    kind->max_skew = meeting->skew > kind->max_skew ? meeting->skew : kind->max_skew;
    kind->transfer = checked_add(kind->transfer, meeting->transfer);
    if (meeting->bytes == UNKNOWN || kind->bytes == UNKNOWN)
        kind->bytes = UNKNOWN;
    else
        kind->bytes = checked_add(kind->bytes, meeting->bytes);
}

static void add_meeting(struct ranks *ranks, const struct rank_part *parts, uint32_t count,
                        bool is_same_key)
{
    struct rank_meeting meeting = meet(ranks, parts, count);

    if (!is_same_key) /* parts come by key */
        ranks->kinds[ranks->kind_count++] = (struct rank_kind){.first = ranks->meeting_count};
    add_to_kind(&ranks->kinds[ranks->kind_count - 1], &meeting);
    ranks->apart += meeting.transfer == UNKNOWN;
    ranks->meetings[ranks->meeting_count++] = meeting;
    blame(ranks, parts, count, &meeting);
}

/* Of ranks that ran a collective at once. */
static void add_waits(const struct ranks *ranks, const struct rank_part *parts, uint32_t count,
                      struct rank_wait *waits, uint32_t *wait_count)
{
    const struct rank_part *last = &parts[count - 1];

    for (uint32_t i = 0; i + 1 < count; i++) {
        uint32_t rank = parts[i].rank;

        waits[(*wait_count)++] =
            (struct rank_wait){.start = checked_sub(parts[i].start, ranks->offset[rank]),
                               .end = checked_sub(last->start, ranks->offset[rank]),
                               .rank = rank,
                               .last = last->rank,
                               .device = collective_of(ranks, rank, parts[i].at)->device};
    }
}

static void find_meetings(struct ranks *ranks, const struct rank_parts *parts, struct arena *arena)
{
    struct rank_wait *waits = arena_array(arena, parts->count, sizeof(*waits));
    uint32_t wait_count = 0;
    str_id key = 0; /* the empty text, which is no key */

    for (uint32_t first = 0, end; first < parts->count; first = end) {
        const struct rank_part *part = &parts->list[first];

        for (end = first + 1; end < parts->count && is_one_collective(part, &parts->list[end]);)
            end++;
        if (end - first == 1) {
            ranks->unmatched++;
            continue;
        }
        add_meeting(ranks, part, end - first, part->key == key);
        key = part->key;
        if (ranks->meetings[ranks->meeting_count - 1].transfer != UNKNOWN)
            add_waits(ranks, part, end - first, waits, &wait_count);
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
    struct rank_parts parts;

    *ranks = (struct ranks){.list = list, .count = count};
    set_clock(ranks, arena);
    measure_span(ranks);
    list_devices(ranks, arena);
    measure_spreads(ranks, arena);
    ranks->lateness = arena_array(arena, count, sizeof(*ranks->lateness));
    for (uint32_t i = 0; i < count; i++)
        ranks->lateness[i].idle_for = UINT32_MAX;
    rank_match(list, count, ranks->offset, arena, &parts);
    ranks->meetings = arena_array(arena, parts.count / 2, sizeof(*ranks->meetings));
    ranks->kinds = arena_array(arena, parts.count / 2, sizeof(*ranks->kinds));
    find_meetings(ranks, &parts, arena);
    measure_kinds(ranks);
    find_waited_for(ranks, waited_share);
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
