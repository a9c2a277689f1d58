/* SPDX-License-Identifier: Apache-2.0 */
/* Fits the clocks of a group's members to each other, by the ends of the collectives that
 * they share. */
#include <stdlib.h>

#include "analysis/ranks/clock_fit.h"
#include "analysis/ranks/group_clock.h"
#include "base/memory/memory.h"

/* Ranks of one host share a clock: what ends there at other times than by this, ns, does not. */
enum { SAME_CLOCK = 20000 };

/* Which of the present ranks it is. */
static uint32_t place_of(const struct group_work *work, const struct group_entry *entry)
{
    SEARCH(uint32_t, at, work->present_count,
           work->shard->summaries[work->present[at]].rank < entry->rank);
    return at < work->present_count ? at : 0;
}

int64_t group_clock_offset(const struct group_work *work, const struct group_entry *entry,
                           int64_t when)
{
    const struct member_clock *clock = &work->clock[place_of(work, entry)];

    return clock->offset == NOT_KNOWN ? 0 : clock_offset(clock, when);
}

int64_t group_clock_time(const struct group_work *work, const struct group_entry *entries,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        int64_t offset = work->clock[place_of(work, &entries[i])].offset;

        if (entries[i].end != NOT_KNOWN)
            return entries[i].end - (offset == NOT_KNOWN ? 0 : offset);
    }
    return 0;
}

/* ---- readings ---- */

/* What one present rank, or a rank of one host, read when the first did. */
struct host_reading {
    uint32_t of;
    struct clock_reading reading;
};

static int by_of_and_time(const void *a, const void *b)
{
    const struct host_reading *first = a, *second = b;

    if (first->of != second->of)
        return first->of < second->of ? -1 : 1;
    if (first->reading.when != second->reading.when)
        return first->reading.when < second->reading.when ? -1 : 1;
    return (first->reading.difference > second->reading.difference) -
           (first->reading.difference < second->reading.difference);
}

/* Of operations that all ranks end at one time, or else of all. */
static uint32_t collect(const struct group_work *work, bool is_any, struct host_reading *list)
{
    uint32_t first = work->shard->summaries[work->present[0]].rank, found = 0;

    for (uint32_t i = 0, end; i < work->count; i = end) {
        const struct group_entry *base = &work->entries[i];

        for (end = i + 1; end < work->count && work->entries[end].sequence == base->sequence;)
            end++;
        if (base->rank != first || base->end == NOT_KNOWN || !(base->ends_together || is_any))
            continue;
        for (uint32_t k = i + 1; k < end; k++)
            if (work->entries[k].end != NOT_KNOWN)
                list[found++] =
                    (struct host_reading){place_of(work, &work->entries[k]),
                                          {base->end, work->entries[k].end - base->end}};
    }
    return found;
}

/* Sets by `of` the clock of each; `readings` has room for all. */
static void fit_each(struct host_reading *list, uint32_t count, struct clock_reading *readings,
                     struct member_clock *clock, struct arena *scratch)
{
    qsort(list, count, sizeof(*list), by_of_and_time);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && list[end].of == list[i].of; end++)
            readings[end - i] = list[end].reading;
        clock[list[i].of] = clock_fit(readings, end - i, scratch);
    }
}

/* ---- clocks ---- */

/* Median distance of a rank's readings, which come in a row, from a clock; `off` has room. */
static int64_t median_distance(const struct host_reading *list, uint32_t count,
                               const struct member_clock *clock, int64_t *off)
{
    for (uint32_t i = 0; i < count; i++)
        off[i] = llabs(list[i].reading.difference - clock_offset(clock, list[i].reading.when));
    return lower_median(off, count);
}

/* The clock of a rank: its host's, where that fits. */
static void choose_clock(struct group_work *work, const struct host_reading *list, uint32_t count,
                         const struct member_clock *of_host, int64_t *off)
{
    const struct rank_summary *first = &work->shard->summaries[work->present[0]];
    const struct rank_summary *summary = &work->shard->summaries[work->present[list->of]];
    struct member_clock *clock = &work->clock[list->of];

    if (summary->flags & first->flags & RANK_ONE_CLOCK)
        *clock = (struct member_clock){0};
    else if (summary->host && median_distance(list, count, of_host, off) <= SAME_CLOCK)
        *clock = *of_host;
    clock->residual = median_distance(list, count, clock, off);
}

void group_clock_align(struct group_work *work, struct arena *scratch)
{
    const struct job_shard *shard = work->shard;
    struct host_reading *own = arena_array(scratch, (size_t)work->count + 1, sizeof(*own));
    struct host_reading *shared = arena_array(scratch, (size_t)work->count + 1, sizeof(*shared));
    struct clock_reading *room = arena_array(scratch, (size_t)work->count + 1, sizeof(*room));
    struct member_clock *of_host =
        arena_array(scratch, (size_t)work->present_count + 1, sizeof(*of_host));
    int64_t *off = arena_array(scratch, (size_t)work->count + 1, sizeof(*off));
    uint32_t *host = arena_array(scratch, (size_t)work->present_count + 1, sizeof(*host));
    struct idmap hosts = {0}; /* → its first present rank */
    uint32_t count = collect(work, false, own);

    count = count ? count : collect(work, true, own);
    for (uint32_t i = 0; i < work->present_count; i++) {
        uint32_t *at = idmap_at(&hosts, shard->summaries[work->present[i]].host);

        *at = *at == IDMAP_NONE ? i : *at;
        host[i] = *at;
        work->clock[i].offset = work->clock[i].residual = i ? NOT_KNOWN : 0;
    }
    for (uint32_t i = 0; i < count; i++)
        shared[i] = (struct host_reading){host[own[i].of], own[i].reading};
    fit_each(own, count, room, work->clock, scratch);
    fit_each(shared, count, room, of_host, scratch);
    of_host[0] = (struct member_clock){0};
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && own[end].of == own[i].of;)
            end++;
        choose_clock(work, &own[i], end - i, &of_host[host[own[i].of]], off);
    }
    for (uint32_t i = 0; i < count; i++)
        off[i] = llabs(own[i].reading.difference -
                       clock_offset(&work->clock[own[i].of], own[i].reading.when));
    work->group->residual = count ? lower_median(off, count) : NOT_KNOWN;
    idmap_free(&hosts);
}

/* ---- by how much one clock is ahead of another ---- */

/* Distances of less than CLOCK_NOISE ns in the mean are no drift; nor are fewer readings than
 * FIT_LEAST. Crystals drift by 100 ppm at most: what seems to by more than DRIFT_MOST does not. What
 * is off by less than JUMP_LEAST ns is slewed, not set. */
enum {
    CLOCK_NOISE = 5000,
    FIT_LEAST = 4,
    PARTS_PER_BILLION = 1000000000,
    DRIFT_MOST = 500000,
    JUMP_LEAST = 1000000
};

__extension__ typedef __int128 wide;

static int by_number(const void *a, const void *b)
{
    const int64_t *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

int64_t lower_median(int64_t *list, uint32_t count)
{
    qsort(list, count, sizeof(*list), by_number);
    return list[(count - 1) / 2];
}

struct fitting {
    const struct clock_reading *readings;
    uint32_t count;
    int64_t *list; /* room for one number a reading */
};

static int64_t median_of(const struct fitting *fitting, uint32_t from, uint32_t end)
{
    for (uint32_t i = from; i < end; i++)
        fitting->list[i - from] = fitting->readings[i].difference;
    return lower_median(fitting->list, end - from);
}

/* The mean distance of the readings from a clock, without the farthest eighth: somebody is late at
 * times. */
static int64_t mean_distance(const struct fitting *fitting, const struct member_clock *clock)
{
    uint32_t count = fitting->count - fitting->count / 8;
    wide sum = 0;

    for (uint32_t i = 0; i < fitting->count; i++)
        fitting->list[i] =
            llabs(fitting->readings[i].difference - clock_offset(clock, fitting->readings[i].when));
    qsort(fitting->list, fitting->count, sizeof(*fitting->list), by_number);
    for (uint32_t i = 0; i < count; i++)
        sum += fitting->list[i];
    return (int64_t)(sum / count);
}

/* Through the medians of the first and the last third, which are of their middles, as it drifts. */
static struct member_clock drifting(const struct fitting *fitting)
{
    const struct clock_reading *readings = fitting->readings;
    uint32_t count = fitting->count, third = count / 3;
    uint32_t first = (third - 1) / 2, last = count - third + first;
    struct member_clock clock = {.from = readings[first].when};
    int64_t span = readings[last].when - clock.from;
    wide drift = median_of(fitting, count - third, count);

    drift -= median_of(fitting, 0, third);
    drift = span > 0 ? drift * PARTS_PER_BILLION / span : 0;
    clock.drift = drift <= DRIFT_MOST && drift >= -DRIFT_MOST ? (int64_t)drift : 0;
    for (uint32_t i = 0; i < count; i++)
        fitting->list[i] = readings[i].difference - clock_offset(&clock, readings[i].when);
    clock.offset = lower_median(fitting->list, count);
    return clock;
}

/* The medians of the first and the last eighth, or of three, are what the clock was before and after
 * it was set: as many readings as are nearer to the one than to the other came before. */
static struct member_clock set_meanwhile(const struct fitting *fitting)
{
    const struct clock_reading *readings = fitting->readings;
    uint32_t count = fitting->count, eighth = count / 8, before = 0;
    int64_t first, last, middle;
    struct member_clock clock;

    eighth = eighth >= 3 ? eighth : count >= 12 ? 3 : 1;
    first = median_of(fitting, 0, eighth);
    last = median_of(fitting, count - eighth, count);
    middle = first / 2 + last / 2;
    for (uint32_t i = 0; i < count; i++)
        before += (readings[i].difference < middle) == (first < last);
    if (llabs(last - first) < JUMP_LEAST || before == 0 || before == count)
        return (struct member_clock){.offset = first};
    clock = (struct member_clock){.offset = median_of(fitting, 0, before),
                                  .from = readings[before].when};
    clock.jump = median_of(fitting, before, count) - clock.offset;
    return clock;
}

struct member_clock clock_fit(const struct clock_reading *readings, uint32_t count,
                              struct arena *scratch)
{
    struct fitting fitting = {readings, count, arena_array(scratch, count, sizeof(int64_t))};
    struct member_clock best = {.offset = median_of(&fitting, 0, count)};
    int64_t least = mean_distance(&fitting, &best);

    if (count < FIT_LEAST || least <= CLOCK_NOISE)
        return best;
    for (int i = 0; i < 2; i++) {
        struct member_clock clock = i == 0 ? drifting(&fitting) : set_meanwhile(&fitting);
        int64_t mean = mean_distance(&fitting, &clock);

        if (mean <= least / 2) {
            best = clock;
            least = mean;
        }
    }
    return best;
}
