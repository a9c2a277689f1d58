/* SPDX-License-Identifier: Apache-2.0 */
/* Lanes for events of one track that overlap, so that on each of them events nest or follow each
 * other. */
#include "graph/build/builder_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "graph/model/walks.h"

/* ---- rows for events of one track that overlap, which only nested events may ---- */

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
        excess = excess_on(lane, end, true); /* of what is open still */
        if (excess > 0) {
            t->duration[event] -= excess;
            end -= excess;
        }
        open_events_add(lane, (struct open_event){end, event, leaves ? CUT : 0});
        if (i >= lanes->used)
            lanes->used = i + 1u;
        return i;
    }
    lanes->crowded++;
    t->duration[event] = 0;
    return 0;
}

static void report_lanes(const struct lanes *lanes, const struct track *track,
                         struct warnings *warnings)
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
    report_lanes(&lanes, track, warnings);
    for (uint32_t i = 0; i < LANES_MAX; i++)
        open_events_free(&lanes.list[i]);
    return lanes.used ? lanes.used : 1;
}

/* ---- rows for the events of asynchronous operations, each of which nests on its own ---- */

enum { OPERATIONS_MAX = UINT16_MAX };

/* The ends of what is open of one operation, the outermost first. */
struct lane {
    uint32_t operation;
    struct VECTOR_OF(int64_t) ends;
};

struct operations {
    struct timeline *timeline;
    int64_t tolerance;
    struct VECTOR_OF(struct lane) lanes;
    struct idmap lane_of; /* operation → the lane that it was on last */
    struct heap free_at;  /* when each lane is free, and its number */
    uint64_t crowded, trimmed;
};

/* ---- which lane is free ---- */

/* A lane that is free from `start` on; OPERATIONS_MAX when there is none. */
static uint32_t take_lane(struct operations *all, int64_t start)
{
    if (all->free_at.count && all->free_at.list[0].key <= start) {
        uint32_t lane = all->free_at.list[0].item;

        heap_pop(&all->free_at);
        return lane;
    }
    if (all->lanes.count == OPERATIONS_MAX)
        return OPERATIONS_MAX;
    vector_add(&all->lanes, (struct lane){0});
    return (uint32_t)all->lanes.count - 1;
}

/* ---- events ---- */

/* Whether the event stands inside what is open of its operation on the lane. */
static bool nests_on(struct operations *all, struct lane *lane, event_id event)
{
    int64_t start = all->timeline->start[event], end = start + all->timeline->duration[event];
    int64_t excess;

    while (lane->ends.count && lane->ends.list[lane->ends.count - 1] <= start)
        lane->ends.count--;
    if (!lane->ends.count)
        return false;
    excess = end - lane->ends.list[lane->ends.count - 1];
    if (excess > all->tolerance)
        return false;
    if (excess > 0) {
        all->timeline->duration[event] -= excess;
        all->trimmed++;
        end -= excess;
    }
    vector_add(&lane->ends, end);
    return true;
}

static uint16_t lane_for(struct operations *all, event_id event, uint32_t operation)
{
    uint32_t *known = idmap_at(&all->lane_of, operation);
    int64_t start = all->timeline->start[event], end = start + all->timeline->duration[event];
    struct lane *lane;
    uint32_t at = *known;

    if (at != IDMAP_NONE && all->lanes.list[at].operation == operation &&
        nests_on(all, &all->lanes.list[at], event))
        return (uint16_t)at;
    at = take_lane(all, start);
    if (at == OPERATIONS_MAX) {
        all->crowded++;
        all->timeline->duration[event] = 0;
        return 0;
    }
    *known = at;
    lane = &all->lanes.list[at];
    lane->operation = operation;
    lane->ends.count = 0;
    vector_add(&lane->ends, end);
    heap_push(&all->free_at, end, at);
    return (uint16_t)at;
}

uint32_t operations_assign(struct timeline *timeline, const struct track *track,
                           const uint32_t *operation, uint16_t **lane_of, struct warnings *warnings)
{
    struct operations all = {.timeline = timeline, .tolerance = track->tolerance};
    uint32_t count;

    *lane_of = grow_to(NULL, (size_t)track->count + 1, sizeof(**lane_of));
    for (uint32_t i = 0; i < track->count; i++)
        (*lane_of)[i] = lane_for(&all, track->first + i, operation[i]);
    warning_count_many(
        warnings, WARNING_LOSS,
        "events that overlap more than 65,534 operations of their track, shown as instants",
        all.crowded);
    warning_count_many(
        warnings, WARNING_NOTE,
        "events that end after the one around them by the file's rounding, cut to it", all.trimmed);
    count = (uint32_t)all.lanes.count;
    for (size_t i = 0; i < all.lanes.count; i++)
        free(all.lanes.list[i].ends.list);
    free(all.lanes.list);
    free(all.free_at.list);
    idmap_free(&all.lane_of);
    return count ? count : 1;
}

/* ---- events as the rows of a timeline's columns, to be moved about ---- */

struct event_rows event_rows_of(const struct timeline *timeline, uint32_t *number,
                                const struct track *track)
{
    return (struct event_rows){
        .start = timeline->start + track->first,
        .duration = timeline->duration + track->first,
        .frame = timeline->frame + track->first,
        .category = timeline->category ? timeline->category + track->first : NULL,
        .number = number ? number + track->first : NULL,
    };
}

struct event_rows event_rows_like(const struct event_rows *rows, size_t count)
{
    return (struct event_rows){
        .start = grow_to(NULL, count, sizeof(*rows->start)),
        .duration = grow_to(NULL, count, sizeof(*rows->duration)),
        .frame = grow_to(NULL, count, sizeof(*rows->frame)),
        .category = rows->category ? grow_to(NULL, count, sizeof(*rows->category)) : NULL,
        .number = rows->number ? grow_to(NULL, count, sizeof(*rows->number)) : NULL,
    };
}

void event_rows_free(struct event_rows *rows)
{
    free(rows->start);
    free(rows->duration);
    free(rows->frame);
    free(rows->category);
    free(rows->number);
}

void event_rows_move(const struct event_rows *to, size_t at, const struct event_rows *from,
                     size_t i, size_t count)
{
    memmove(to->start + at, from->start + i, count * sizeof(*to->start));
    memmove(to->duration + at, from->duration + i, count * sizeof(*to->duration));
    memmove(to->frame + at, from->frame + i, count * sizeof(*to->frame));
    if (to->category)
        memmove(to->category + at, from->category + i, count * sizeof(*to->category));
    if (to->number)
        memmove(to->number + at, from->number + i, count * sizeof(*to->number));
}
