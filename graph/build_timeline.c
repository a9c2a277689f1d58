/* build_timeline.c — gathers tracks and events; sorts, and gives overlapping events lanes */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/oom.h"
#include "base/sort.h"
#include "graph/build.h"

enum { LANES_MAX = 64 };

uint32_t builder_track(struct builder *builder, const struct track *track)
{
    struct timeline *timeline = &builder->graph.timeline;
    uint32_t at = timeline->track_count++;

    if (at == builder->track_cap) {
        builder->track_cap = (uint32_t)grow_cap(at, at + 1);
        timeline->tracks = grow_to(timeline->tracks, builder->track_cap, sizeof(*timeline->tracks));
    }
    timeline->tracks[at] = *track;
    timeline->tracks[at].first = timeline->tracks[at].count = timeline->tracks[at].lane = 0;
    return at;
}

static void grow_events(struct builder *builder)
{
    struct timeline *timeline = &builder->graph.timeline;
    size_t cap = grow_cap(builder->event_cap, (size_t)builder->event_cap + 1);

    if (cap >= NO_EVENT)
        oom(); /* ids have 32 bits */
    builder->event_cap = (uint32_t)cap;
    timeline->start = grow_to(timeline->start, cap, sizeof(*timeline->start));
    timeline->duration = grow_to(timeline->duration, cap, sizeof(*timeline->duration));
    timeline->frame = grow_to(timeline->frame, cap, sizeof(*timeline->frame));
    builder->event_track = grow_to(builder->event_track, cap, sizeof(*builder->event_track));
    if (timeline->launch)
        timeline->launch = grow_to(timeline->launch, cap, sizeof(*timeline->launch));
    if (timeline->category)
        timeline->category = grow_to(timeline->category, cap, sizeof(*timeline->category));
}

uint32_t builder_event(struct builder *builder, uint32_t track, int64_t start, int64_t duration,
                       frame_id frame)
{
    struct timeline *timeline = &builder->graph.timeline;
    uint32_t at = timeline->count;

    if (at == builder->event_cap)
        grow_events(builder);
    timeline->count++;
    timeline->start[at] = start;
    timeline->duration[at] = duration;
    timeline->frame[at] = frame;
    builder->event_track[at] = track;
    if (timeline->launch)
        timeline->launch[at] = NO_EVENT;
    if (timeline->category)
        timeline->category[at] = 0;
    return at;
}

void builder_launch(struct builder *builder, uint32_t launch, uint32_t event)
{
    struct timeline *timeline = &builder->graph.timeline;

    if (!timeline->launch) {
        timeline->launch = grow_to(NULL, builder->event_cap, sizeof(*timeline->launch));
        memset(timeline->launch, 0xff, timeline->count * sizeof(*timeline->launch));
    }
    timeline->launch[event] = launch;
}

/* ---- the order within a track ---- */

/* Earlier first; of those that start together the longer, which is the parent. */
static bool is_before(const void *timeline, uint32_t a, uint32_t b)
{
    const struct timeline *t = timeline;

    if (t->start[a] != t->start[b])
        return t->start[a] < t->start[b];
    return t->duration[a] > t->duration[b];
}

static bool is_sorted(const struct timeline *t, const uint32_t *order, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (is_before(t, order[i], order[i - 1]))
            return false;
    return true;
}

/* ---- lanes ---- */

/* The ends of the events that are open on one lane, outermost first. */
struct lane {
    int64_t *ends;
    size_t depth, cap;
};

static bool lane_takes(struct lane *lane, int64_t start, int64_t end, bool nests)
{
    while (lane->depth && lane->ends[lane->depth - 1] <= start)
        lane->depth--;
    if (lane->depth && (!nests || end > lane->ends[lane->depth - 1]))
        return false;
    lane->ends = grow_one(lane->ends, lane->depth, &lane->cap, sizeof(*lane->ends));
    lane->ends[lane->depth++] = end;
    return true;
}

struct lanes {
    struct lane list[LANES_MAX];
    uint32_t used;
};

/* The first lane where the event breaks no rule. Past the last lane it is cut short instead. */
static uint8_t pick_lane(struct lanes *lanes, struct timeline *t, uint32_t event, bool nests,
                         struct warnings *warnings)
{
    int64_t start = t->start[event], end = start + t->duration[event];

    for (uint8_t i = 0; i < LANES_MAX; i++) {
        if (lane_takes(&lanes->list[i], start, end, nests)) {
            if (i >= lanes->used)
                lanes->used = i + 1u;
            return i;
        }
    }
    warning_count_many(warnings, WARNING_LOSS,
                       "events that overlap more than 63 others of their track, shown as instants",
                       1);
    t->duration[event] = 0;
    return 0;
}

/* ---- all tracks ---- */

struct sorting {
    struct timeline *timeline;
    uint32_t *order; /* events, track by track */
    uint32_t *scratch;
    uint8_t *lane;        /* by place in `order` */
    struct track *tracks; /* with one entry a lane */
    size_t track_count, track_cap;
};

/* Groups events by track, in file order. */
static void group(struct sorting *sorting, const uint32_t *event_track)
{
    struct timeline *t = sorting->timeline;
    uint32_t first = 0;

    for (uint32_t i = 0; i < t->count; i++)
        t->tracks[event_track[i]].count++;
    for (uint32_t i = 0; i < t->track_count; i++) {
        t->tracks[i].first = first;
        first += t->tracks[i].count;
        t->tracks[i].count = 0;
    }
    for (uint32_t i = 0; i < t->count; i++) {
        struct track *track = &t->tracks[event_track[i]];

        sorting->order[track->first + track->count++] = i;
    }
}

/* Splits the track's part of `order` by lane, and adds one track for each. */
static void split_lanes(struct sorting *sorting, const struct track *track, uint32_t lanes)
{
    uint32_t *order = sorting->order + track->first;
    const uint8_t *lane_of = sorting->lane + track->first;
    uint32_t first = 0;

    memcpy(sorting->scratch, order, track->count * sizeof(*order));
    for (uint32_t lane = 0; lane < lanes; lane++) {
        struct track part = *track;

        part.lane = lane;
        part.first = track->first + first;
        part.count = 0;
        for (uint32_t i = 0; i < track->count; i++)
            if (lane_of[i] == lane)
                order[first + part.count++] = sorting->scratch[i];
        first += part.count;
        sorting->tracks = grow_one(sorting->tracks, sorting->track_count, &sorting->track_cap,
                                   sizeof(*sorting->tracks));
        sorting->tracks[sorting->track_count++] = part;
    }
}

static void sort_track(struct sorting *sorting, struct track *track, struct warnings *warnings)
{
    struct timeline *t = sorting->timeline;
    uint32_t *order = sorting->order + track->first;
    struct lanes lanes = {0};

    if (!is_sorted(t, order, track->count))
        sort_stable(order, track->count, is_before, t);
    for (uint32_t i = 0; i < track->count; i++)
        sorting->lane[track->first + i] =
            pick_lane(&lanes, t, order[i], track->kind != TRACK_STREAM, warnings);
    if (track->kind == TRACK_THREAD && lanes.used > 1)
        for (uint32_t i = 0; i < track->count; i++)
            warning_count_many(warnings, WARNING_NOTE,
                               "events that overlap another of their thread, shown in a lane of "
                               "their own",
                               sorting->lane[track->first + i] > 0);
    split_lanes(sorting, track, lanes.used ? lanes.used : 1);
    for (uint32_t i = 0; i < LANES_MAX; i++)
        free(lanes.list[i].ends);
}

/* column[i] = old column[order[i]] */
static void *permuted(const void *column, const uint32_t *order, uint32_t count, size_t size)
{
    char *moved = grow_to(NULL, (size_t)count + 1, size);

    for (uint32_t i = 0; i < count; i++)
        memcpy(moved + i * size, (const char *)column + order[i] * size, size);
    return moved;
}

static void move_events(struct builder *builder, const uint32_t *order)
{
    struct timeline *t = &builder->graph.timeline;
    void *old[] = {t->start, t->duration, t->frame, t->launch, t->category};
    uint32_t *place = grow_to(NULL, (size_t)t->count + 1, sizeof(*place));

    for (uint32_t i = 0; i < t->count; i++)
        place[order[i]] = i;
    t->start = permuted(t->start, order, t->count, sizeof(*t->start));
    t->duration = permuted(t->duration, order, t->count, sizeof(*t->duration));
    t->frame = permuted(t->frame, order, t->count, sizeof(*t->frame));
    if (t->category)
        t->category = permuted(t->category, order, t->count, sizeof(*t->category));
    if (t->launch) {
        t->launch = permuted(t->launch, order, t->count, sizeof(*t->launch));
        for (uint32_t i = 0; i < t->count; i++)
            if (t->launch[i] != NO_EVENT)
                t->launch[i] = place[t->launch[i]];
    }
    for (size_t i = 0; i < COUNT_OF(old); i++)
        free(old[i]);
    build_properties_finish(builder, place);
    free(place);
}

static void mend_durations(struct timeline *t, struct warnings *warnings)
{
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->duration[i] < 0) {
            warning_count_many(warnings, WARNING_NOTE,
                               "events that end before they begin, shown as instants", 1);
            t->duration[i] = 0;
        }
        if (t->duration[i] > INT64_MAX - t->start[i])
            t->duration[i] = 0;
    }
}

void build_timeline_finish(struct builder *builder)
{
    struct timeline *t = &builder->graph.timeline;
    struct sorting sorting = {.timeline = t};

    mend_durations(t, &builder->graph.warnings);
    sorting.order = grow_to(NULL, (size_t)t->count + 1, sizeof(*sorting.order));
    sorting.scratch = grow_to(NULL, (size_t)t->count + 1, sizeof(*sorting.scratch));
    sorting.lane = grow_to(NULL, (size_t)t->count + 1, sizeof(*sorting.lane));
    group(&sorting, builder->event_track);
    for (uint32_t i = 0; i < t->track_count; i++)
        sort_track(&sorting, &t->tracks[i], &builder->graph.warnings);
    free(t->tracks);
    t->tracks = sorting.tracks;
    t->track_count = (uint32_t)sorting.track_count;
    move_events(builder, sorting.order);
    free(sorting.order);
    free(sorting.scratch);
    free(sorting.lane);
}
