/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/build/async_operations.h"

#include <stdlib.h>

#include "base/memory/grow.h"
#include "base/memory/idmap.h"

enum { LANES_MAX = UINT16_MAX };

/* The ends of what is open of one operation, the outermost first. */
struct lane {
    uint32_t operation;
    int64_t *ends;
    size_t depth, cap;
};

/* When a lane is free again. */
struct release {
    int64_t end;
    uint32_t lane;
};

struct operations {
    struct timeline *timeline;
    int64_t tolerance;
    struct lane *lanes;
    size_t count, cap;
    struct idmap lane_of; /* operation → the lane that it was on last */
    struct release *heap; /* of all lanes, the first to be free on top */
    size_t heap_count, heap_cap;
    uint64_t crowded, trimmed;
};

/* ---- which lane is free ---- */

static bool is_sooner(struct release a, struct release b)
{
    return a.end != b.end ? a.end < b.end : a.lane < b.lane;
}

static void push(struct operations *all, struct release release)
{
    size_t at = all->heap_count;

    all->heap = grow_one(all->heap, at, &all->heap_cap, sizeof(*all->heap));
    all->heap_count++;
    for (; at > 0 && is_sooner(release, all->heap[(at - 1) / 2]); at = (at - 1) / 2)
        all->heap[at] = all->heap[(at - 1) / 2];
    all->heap[at] = release;
}

static void pop(struct operations *all)
{
    struct release last = all->heap[--all->heap_count];
    size_t at = 0;

    for (size_t below; (below = 2 * at + 1) < all->heap_count; at = below) {
        if (below + 1 < all->heap_count && is_sooner(all->heap[below + 1], all->heap[below]))
            below++;
        if (!is_sooner(all->heap[below], last))
            break;
        all->heap[at] = all->heap[below];
    }
    all->heap[at] = last;
}

/* A lane that is free from `start` on; LANES_MAX when there is none. */
static uint32_t take_lane(struct operations *all, int64_t start)
{
    if (all->heap_count && all->heap[0].end <= start) {
        uint32_t lane = all->heap[0].lane;

        pop(all);
        return lane;
    }
    if (all->count == LANES_MAX)
        return LANES_MAX;
    all->lanes = grow_one(all->lanes, all->count, &all->cap, sizeof(*all->lanes));
    all->lanes[all->count] = (struct lane){0};
    return (uint32_t)all->count++;
}

/* ---- events ---- */

static void open_on(struct lane *lane, int64_t end)
{
    lane->ends = grow_one(lane->ends, lane->depth, &lane->cap, sizeof(*lane->ends));
    lane->ends[lane->depth++] = end;
}

/* Whether the event stands inside what is open of its operation on the lane. */
static bool nests_on(struct operations *all, struct lane *lane, event_id event)
{
    int64_t start = all->timeline->start[event], end = start + all->timeline->duration[event];
    int64_t excess;

    while (lane->depth && lane->ends[lane->depth - 1] <= start)
        lane->depth--;
    if (!lane->depth)
        return false;
    excess = end - lane->ends[lane->depth - 1];
    if (excess > all->tolerance)
        return false;
    if (excess > 0) {
        all->timeline->duration[event] -= excess;
        all->trimmed++;
        end -= excess;
    }
    open_on(lane, end);
    return true;
}

static uint16_t lane_for(struct operations *all, event_id event, uint32_t operation)
{
    uint32_t *known = idmap_at(&all->lane_of, operation);
    int64_t start = all->timeline->start[event], end = start + all->timeline->duration[event];
    uint32_t at = *known;

    if (at != IDMAP_NONE && all->lanes[at].operation == operation &&
        nests_on(all, &all->lanes[at], event))
        return (uint16_t)at;
    at = take_lane(all, start);
    if (at == LANES_MAX) {
        all->crowded++;
        all->timeline->duration[event] = 0;
        return 0;
    }
    *known = at;
    all->lanes[at].operation = operation;
    all->lanes[at].depth = 0;
    open_on(&all->lanes[at], end);
    push(all, (struct release){end, at});
    return (uint16_t)at;
}

static void report(const struct operations *all, struct warnings *warnings)
{
    warning_count_many(
        warnings, WARNING_LOSS,
        "events that overlap more than 65,534 operations of their track, shown as instants",
        all->crowded);
    warning_count_many(
        warnings, WARNING_NOTE,
        "events that end after the one around them by the file's rounding, cut to it",
        all->trimmed);
}

uint32_t operations_assign(struct timeline *timeline, const struct track *track,
                           const uint32_t *operation, uint16_t **lane_of, struct warnings *warnings)
{
    struct operations all = {.timeline = timeline, .tolerance = track->tolerance};
    uint32_t count;

    *lane_of = grow_to(NULL, (size_t)track->count + 1, sizeof(**lane_of));
    for (uint32_t i = 0; i < track->count; i++)
        (*lane_of)[i] = lane_for(&all, track->first + i, operation[i]);
    report(&all, warnings);
    count = (uint32_t)all.count;
    for (size_t i = 0; i < all.count; i++)
        free(all.lanes[i].ends);
    free(all.lanes);
    free(all.heap);
    idmap_free(&all.lane_of);
    return count ? count : 1;
}
