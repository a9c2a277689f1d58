/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/ranks/rank_overlap.h"

#include "base/checked.h"
#include "base/memory/sort.h"

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
