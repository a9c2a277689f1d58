/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_clocks.c — one time for all packets: each may go by a clock of its own */
#include <stdlib.h>

#include "parsers/perfetto/perfetto.h"

enum { OWN_FIRST = 64, OWN_END = 128, READINGS_MAX = 64 };

uint32_t perfetto_clock(struct perfetto_clocks *clocks, uint64_t id, uint64_t sequence)
{
    uint64_t key = id >= OWN_FIRST && id < OWN_END ? id | sequence << 32 : id;
    uint32_t *known = idmap_at(&clocks->by_key, key);

    if (*known == IDMAP_NONE) {
        *known = (uint32_t)clocks->count;
        vector_add(clocks, (struct perfetto_clock){.key = key, .unit = 1, .next = IDMAP_NONE});
    }
    return *known;
}

static int64_t scaled(uint64_t ticks, uint64_t unit)
{
    uint64_t ns;

    return __builtin_mul_overflow(ticks, unit, &ns) || ns > INT64_MAX ? UNKNOWN : (int64_t)ns;
}

/* ClockSnapshot, of clock_snapshot.proto. */
struct clock_snapshot {
    struct wire_list clocks;
    struct wire_optional primary_trace_clock;
};

static const struct wire_member clock_snapshot[] = {
    [1] = WIRE_MEMBER(struct clock_snapshot, clocks),
    [2] = WIRE_MEMBER(struct clock_snapshot, primary_trace_clock),
};

/* ClockSnapshot.Clock. */
struct snapshot_clock {
    uint64_t clock_id, timestamp, unit_multiplier_ns;
    bool is_incremental;
};

static const struct wire_member snapshot_clock[] = {
    [1] = WIRE_MEMBER(struct snapshot_clock, clock_id),
    [2] = WIRE_MEMBER(struct snapshot_clock, timestamp),
    [3] = WIRE_MEMBER(struct snapshot_clock, is_incremental),
    [4] = WIRE_MEMBER(struct snapshot_clock, unit_multiplier_ns),
};

void perfetto_snapshot(struct perfetto_clocks *clocks, struct span message, uint64_t sequence)
{
    struct clock_snapshot snapshot = {0};
    struct wire_field field;
    size_t first = clocks->readings.count;

    WIRE_READ(message, clock_snapshot, &snapshot);
    if (snapshot.primary_trace_clock.is_there && clocks->trace_clock == IDMAP_NONE)
        clocks->trace_clock = perfetto_clock(clocks, snapshot.primary_trace_clock.value, sequence);
    while (clocks->readings.count - first < READINGS_MAX &&
           wire_list_next(&snapshot.clocks, &field)) {
        struct snapshot_clock fields = {0};
        uint32_t at;
        struct perfetto_clock *known;

        WIRE_READ(field.bytes, snapshot_clock, &fields);
        at = perfetto_clock(clocks, fields.clock_id, sequence);
        known = &clocks->list[at];
        known->unit = fields.unit_multiplier_ns ? fields.unit_multiplier_ns : 1;
        known->is_incremental |= fields.is_incremental;
        known->last = fields.timestamp;
        vector_add(
            &clocks->readings,
            (struct perfetto_reading){clocks->snapshots, at, scaled(fields.timestamp, known->unit)});
    }
    clocks->snapshots++;
}

int64_t perfetto_absolute(struct perfetto_clocks *clocks, uint32_t clock, uint64_t ticks)
{
    struct perfetto_clock *of = &clocks->list[clock];

    if (of->is_incremental)
        of->last = ticks += of->last; /* modulo 2^64, as it is written */
    return scaled(ticks, of->unit);
}

/* ---- from clock to clock ---- */

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct perfetto_reading *readings = context;

    return readings[a].clock != readings[b].clock ? readings[a].clock < readings[b].clock
                                                  : readings[a].time < readings[b].time;
}

/* A clock's readings, in time's order. */
struct clock_readings {
    uint32_t *order; /* of all readings */
    size_t *first;   /* by clock, and one more */
};

/* The snapshots of one clock say how the clocks beside it in them follow from it. */
static void tie_neighbours(struct perfetto_clocks *clocks, const struct clock_readings *sorted,
                           uint32_t clock, struct perfetto_numbers *queue, bool *is_done)
{
    for (size_t i = sorted->first[clock]; i < sorted->first[clock + 1]; i++) {
        uint32_t snapshot = clocks->readings.list[sorted->order[i]].snapshot;
        size_t at = sorted->order[i];

        if (is_done[snapshot])
            continue;
        is_done[snapshot] = true;
        while (at && clocks->readings.list[at - 1].snapshot == snapshot)
            at--;
        for (; at < clocks->readings.count && clocks->readings.list[at].snapshot == snapshot;
             at++) {
            uint32_t other = clocks->readings.list[at].clock;

            if (other == clocks->trace_clock || clocks->list[other].next != IDMAP_NONE)
                continue;
            clocks->list[other].next = clock;
            vector_add(queue, other);
        }
    }
}

static void list_ties(struct perfetto_clocks *clocks, const struct clock_readings *sorted,
                      uint32_t clock)
{
    struct perfetto_clock *of = &clocks->list[clock];

    of->first_tie = clocks->ties.count;
    for (size_t i = sorted->first[clock]; i < sorted->first[clock + 1]; i++) {
        size_t at = sorted->order[i];
        const struct perfetto_reading *from = &clocks->readings.list[at];

        while (at && clocks->readings.list[at - 1].snapshot == from->snapshot)
            at--;
        for (; at < clocks->readings.count && clocks->readings.list[at].snapshot == from->snapshot;
             at++) {
            const struct perfetto_reading *to = &clocks->readings.list[at];

            if (to->clock == of->next && to->time != UNKNOWN && from->time != UNKNOWN)
                vector_add(&clocks->ties, (struct perfetto_tie){from->time, to->time});
        }
    }
    of->tie_count = clocks->ties.count - of->first_tie;
}

void perfetto_tie_clocks(struct perfetto_clocks *clocks)
{
    struct clock_readings sorted;
    struct perfetto_numbers queue = {0};
    bool *is_done = grow_zeroed((size_t)clocks->snapshots + 1, sizeof(*is_done));

    if (clocks->trace_clock == IDMAP_NONE)
        clocks->trace_clock = perfetto_clock(clocks, CLOCK_BOOTTIME_ID, 0);
    sorted.order = sorted_order(clocks->readings.count, is_before, clocks->readings.list);
    sorted.first = grow_zeroed(clocks->count + 1, sizeof(*sorted.first));
    for (size_t i = 0; i < clocks->readings.count; i++)
        sorted.first[clocks->readings.list[i].clock + 1]++;
    for (size_t i = 0; i < clocks->count; i++)
        sorted.first[i + 1] += sorted.first[i];
    vector_add(&queue, clocks->trace_clock);
    for (size_t i = 0; i < queue.count; i++)
        tie_neighbours(clocks, &sorted, (uint32_t)queue.list[i], &queue, is_done);
    for (size_t i = 1; i < queue.count; i++)
        list_ties(clocks, &sorted, (uint32_t)queue.list[i]);
    free(queue.list);
    free(is_done);
    free(sorted.order);
    free(sorted.first);
}

/* The last snapshot before the time says how far the clocks are apart, or else the first. */
int64_t perfetto_tied_time(const struct perfetto_clocks *clocks, uint32_t clock, int64_t time)
{
    for (size_t steps = 0; clock != clocks->trace_clock && steps < clocks->count; steps++) {
        const struct perfetto_clock *of = &clocks->list[clock];
        const struct perfetto_tie *ties;

        if (!clocks->snapshots) /* nobody says how clocks are apart: they are taken for one */
            break;
        if (of->next == IDMAP_NONE || !of->tie_count || time == UNKNOWN)
            return UNKNOWN;
        ties = clocks->ties.list + of->first_tie;
        SEARCH(size_t, at, of->tie_count, ties[at].from <= time)
        at -= at > 0;
        time = checked_add(checked_sub(time, ties[at].from), ties[at].to);
        clock = of->next;
    }
    return time >= 0 && time_is_possible(time) ? time : UNKNOWN;
}

void perfetto_clocks_free(struct perfetto_clocks *clocks)
{
    idmap_free(&clocks->by_key);
    free(clocks->list);
    free(clocks->readings.list);
    free(clocks->ties.list);
}
