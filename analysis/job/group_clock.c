/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/job/group_clock.h"

#include <stdlib.h>

#include "analysis/job/clock_fit.h"
#include "base/memory/hash_index.h"
#include "base/memory/sort.h"

/* Ranks of one host share a clock: what ends there at other times than by this, ns, does not. */
enum { SAME_CLOCK = 20000 };

/* Which of the present ranks it is. */
static uint32_t place_of(const struct group_work *work, const struct group_entry *entry)
{
    SEARCH(uint32_t, at, work->present_count,
           work->part->leaves[work->present[at]].rank < entry->rank);
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

static uint32_t end_of(const struct group_work *work, uint32_t first)
{
    uint32_t end = first;

    while (end < work->count && work->entries[end].sequence == work->entries[first].sequence)
        end++;
    return end;
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
    uint32_t first = work->part->leaves[work->present[0]].rank, found = 0;

    for (uint32_t i = 0, end; i < work->count; i = end) {
        const struct group_entry *base = &work->entries[i];

        end = end_of(work, i);
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
static int64_t distance(const struct host_reading *list, uint32_t count,
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
    const struct part_leaf *first = &work->part->leaves[work->present[0]];
    const struct part_leaf *leaf = &work->part->leaves[work->present[list->of]];
    struct member_clock *clock = &work->clock[list->of];

    if (leaf->flags & first->flags & LEAF_ONE_CLOCK)
        *clock = (struct member_clock){0};
    else if (leaf->host && distance(list, count, of_host, off) <= SAME_CLOCK)
        *clock = *of_host;
    clock->residual = distance(list, count, clock, off);
}

void group_clock_align(struct group_work *work, struct arena *scratch)
{
    const struct job_part *part = work->part;
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
        uint32_t *at = idmap_at(&hosts, part->leaves[work->present[i]].host);

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
