#include "graph/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum { LANES_MAX = 64 };

/* The ends of the events that are open on one lane, outermost first. */
struct lane {
    int64_t *ends;
    size_t depth, cap;
};

struct lanes {
    struct lane list[LANES_MAX];
    uint32_t used;
    uint64_t crowded, overlapping, trimmed;
};

/* By how much the event sticks out of what is open on the lane; at most 0: it fits. */
static int64_t excess_on(struct lane *lane, int64_t start, int64_t end, bool nests)
{
    while (lane->depth && lane->ends[lane->depth - 1] <= start)
        lane->depth--;
    if (lane->depth == 0)
        return 0;
    return nests ? end - lane->ends[lane->depth - 1] : INT64_MAX;
}

static void open_on(struct lane *lane, int64_t end)
{
    lane->ends = grow_one(lane->ends, lane->depth, &lane->cap, sizeof(*lane->ends));
    lane->ends[lane->depth++] = end;
}

/* An instant takes no room: it may stand inside anything. */
static uint8_t pick_lane(struct lanes *lanes, struct timeline *t, const struct track *track,
                         uint32_t event)
{
    int64_t start = t->start[event], end = start + t->duration[event];
    bool nests = track->kind != TRACK_STREAM || start == end;

    for (uint8_t i = 0; i < LANES_MAX; i++) {
        int64_t excess = excess_on(&lanes->list[i], start, end, nests);

        if (excess > track->tolerance)
            continue;
        if (excess > 0) {
            t->duration[event] -= excess;
            lanes->trimmed++;
        }
        open_on(&lanes->list[i], start + t->duration[event]);
        if (i >= lanes->used)
            lanes->used = i + 1u;
        return i;
    }
    lanes->crowded++;
    t->duration[event] = 0;
    return 0;
}

static void report(const struct lanes *lanes, const struct track *track, struct warnings *warnings)
{
    warning_count_many(warnings, WARNING_LOSS,
                       "events that overlap more than 63 others of their track, shown as instants",
                       lanes->crowded);
    warning_count_many(
        warnings, WARNING_NOTE,
        "events that end after the one around them by the file's rounding, cut to it",
        lanes->trimmed);
    if (track->kind == TRACK_THREAD)
        warning_count_many(warnings, WARNING_NOTE,
                           "events that overlap another of their thread, shown in a lane of their "
                           "own",
                           lanes->overlapping);
}

uint32_t lanes_assign(struct timeline *t, const struct track *track, uint8_t **lane_of,
                      struct warnings *warnings)
{
    struct lanes lanes = {0};

    *lane_of = NULL;
    for (uint32_t i = 0; i < track->count; i++) {
        uint8_t lane = pick_lane(&lanes, t, track, track->first + i);

        if (lane && !*lane_of)
            *lane_of = grow_zeroed(track->count, sizeof(**lane_of));
        if (lane)
            (*lane_of)[i] = lane;
        lanes.overlapping += lane > 0;
    }
    report(&lanes, track, warnings);
    for (uint32_t i = 0; i < LANES_MAX; i++)
        free(lanes.list[i].ends);
    return lanes.used ? lanes.used : 1;
}
