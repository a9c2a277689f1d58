/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/build/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/grow.h"
#include "graph/model/open_events.h"

enum { LANES_MAX = 64 };

/* What the tag of an open event says: it was cut to the range that it leaves. */
enum { CUT = 1 };

struct lanes {
    struct timeline *timeline;
    const struct frames *frames;
    struct open_events list[LANES_MAX];
    int64_t entering; /* ns: see struct track */
    uint32_t used;
    uint64_t crowded, overlapping, trimmed, moved, entered;
};

/* By how much the event sticks out of what is open on the lane; at most 0: it fits. */
static int64_t excess_on(const struct open_events *lane, int64_t end, bool nests)
{
    if (lane->depth == 0)
        return 0;
    return nests ? end - lane->list[lane->depth - 1].end : INT64_MAX;
}

static enum frame_kind kind_of(const struct lanes *lanes, event_id event)
{
    return lanes->frames->list[lanes->timeline->frame[event]].kind;
}

/* A range that Python code enters begins inside the function that enters it and ends inside the one
 * that leaves it; so neither nests. What they have in common is the profiler's own time: no
 * longer than the track says. */
static bool is_of_entering(const struct lanes *lanes, event_id inner,
                           const struct open_event *outer, enum frame_kind in, enum frame_kind out)
{
    return kind_of(lanes, inner) == in && kind_of(lanes, outer->event) == out &&
           outer->end - lanes->timeline->start[inner] <= lanes->entering;
}

/* Ends the functions that enter the range where it begins. */
static bool end_entering(struct lanes *lanes, struct open_events *lane, event_id range, int64_t end)
{
    struct timeline *t = lanes->timeline;
    size_t depth = lane->depth;

    while (depth && lane->list[depth - 1].end < end) {
        if (!is_of_entering(lanes, range, &lane->list[depth - 1], KIND_ANNOTATION, KIND_PYTHON))
            return false;
        depth--;
    }
    for (size_t i = depth; i < lane->depth; i++)
        t->duration[lane->list[i].event] = t->start[range] - t->start[lane->list[i].event];
    lane->depth = depth;
    return true;
}

/* Whether the event leaves the range that it sticks out of, or is inside one that does: then its
 * end is cut. */
static bool is_leaving(const struct lanes *lanes, const struct open_events *lane, event_id event)
{
    const struct open_event *outer = &lane->list[lane->depth - 1];

    return outer->tag == CUT || is_of_entering(lanes, event, outer, KIND_PYTHON, KIND_ANNOTATION);
}

/* Cuts the event to end with the one around it, if it ends later. */
static int64_t fit(struct lanes *lanes, const struct open_events *lane, event_id event, int64_t end)
{
    int64_t excess = excess_on(lane, end, true);

    if (excess <= 0)
        return end;
    lanes->timeline->duration[event] -= excess;
    return end - excess;
}

/* A stream does one thing after another: work that seems to begin before the one before it has
 * ended by no more than the file's rounding begins at its end. */
static void move_to_end(struct lanes *lanes, const struct track *track, event_id event)
{
    struct timeline *t = lanes->timeline;
    const struct open_events *lane = &lanes->list[0];
    int64_t end = lane->depth ? lane->list[lane->depth - 1].end : t->start[event];
    bool is_last = event + 1 == track->first + track->count;

    if (end <= t->start[event] || end - t->start[event] > track->tolerance ||
        t->duration[event] == 0 || (!is_last && t->start[event + 1] < end))
        return;
    t->start[event] = end;
    lanes->moved++;
}

/* An instant takes no room: it may stand inside anything. */
static uint8_t pick_lane(struct lanes *lanes, const struct track *track, event_id event)
{
    struct timeline *t = lanes->timeline;
    int64_t start = t->start[event], end = start + t->duration[event];
    bool nests = track->kind != TRACK_STREAM || start == end;

    for (uint8_t i = 0; i < LANES_MAX; i++) {
        struct open_events *lane = &lanes->list[i];
        int64_t excess;
        bool leaves;

        open_events_close_all(lane, start);
        excess = excess_on(lane, end, nests);
        leaves = nests && excess > track->tolerance && is_leaving(lanes, lane, event);

        if (excess > track->tolerance) {
            if (!leaves && !(nests && end_entering(lanes, lane, event, end)))
                continue;
            lanes->entered++;
        } else {
            lanes->trimmed += excess > 0;
        }
        open_events_add(lane,
                        (struct open_event){fit(lanes, lane, event, end), event, leaves ? CUT : 0});
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
    warning_count_many(
        warnings, WARNING_NOTE,
        "device work that begins before the one before it has ended by the file's rounding, moved",
        lanes->moved);
    warning_count_many(warnings, WARNING_NOTE,
                       "Python functions cut where they overlap the named range that they enter "
                       "or leave",
                       lanes->entered);
    if (track->kind == TRACK_THREAD || track->kind == TRACK_RANGES)
        warning_count_many(warnings, WARNING_NOTE,
                           "events that overlap another of their thread, shown in a lane of their "
                           "own",
                           lanes->overlapping);
}

uint32_t lanes_assign(struct timeline *timeline, const struct frames *frames,
                      const struct track *track, uint16_t **lane_of, struct warnings *warnings)
{
    struct lanes lanes = {.timeline = timeline, .frames = frames, .entering = track->entering};

    *lane_of = NULL;
    for (uint32_t i = 0; i < track->count; i++) {
        uint8_t lane;

        if (track->kind == TRACK_STREAM)
            move_to_end(&lanes, track, track->first + i);
        lane = pick_lane(&lanes, track, track->first + i);

        if (lane && !*lane_of)
            *lane_of = grow_zeroed(track->count, sizeof(**lane_of));
        if (lane)
            (*lane_of)[i] = lane;
        lanes.overlapping += lane > 0;
    }
    report(&lanes, track, warnings);
    for (uint32_t i = 0; i < LANES_MAX; i++)
        open_events_free(&lanes.list[i]);
    return lanes.used ? lanes.used : 1;
}
