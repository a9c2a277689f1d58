/* build_timeline.c — gives every track its events in order, and overlapping events lanes */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/sort.h"
#include "graph/build.h"
#include "graph/lanes.h"
#include "graph/operations.h"

/* The events on their way from the file's order to their tracks. */
struct moving {
    struct builder *builder;
    struct timeline *timeline;
    uint32_t *place;      /* by number in file order; NULL when nobody refers to events */
    uint32_t *fix;        /* by place, where sorting has put it after all; NULL: nowhere else */
    uint32_t *operation;  /* by place: a number of its operation, 0 for none; NULL: none has one */
    struct track *tracks; /* with one entry a lane */
    size_t track_count, track_cap;
};

/* ---- from chunks to tracks ---- */

static void count_events(const struct builder *builder, struct timeline *t)
{
    uint32_t first = 0;

    for (size_t c = 0; c < builder->chunk_count; c++)
        for (uint32_t i = 0; i < builder->chunks[c]->count; i++)
            t->tracks[builder->chunks[c]->track[i]].count++;
    for (uint32_t i = 0; i < t->track_count; i++) {
        t->tracks[i].first = first;
        first += t->tracks[i].count;
        t->tracks[i].count = 0;
    }
    t->count = first;
}

/* A negative duration, or one that ends past the end of time, is a fault of the file. */
static int64_t mended(struct builder *builder, int64_t start, int64_t duration)
{
    if (duration >= 0 && (start < 0 || duration <= INT64_MAX - start))
        return duration;
    warning_count_many(&builder->graph.warnings, WARNING_NOTE,
                       "events that end before they begin, shown as instants", 1);
    return 0;
}

static void move_chunk(struct moving *moving, const struct event_chunk *chunk, uint32_t number)
{
    struct timeline *t = moving->timeline;

    for (uint32_t i = 0; i < chunk->count; i++) {
        struct track *track = &t->tracks[chunk->track[i]];
        uint32_t at = track->first + track->count++;

        t->start[at] = chunk->start[i];
        t->duration[at] = mended(moving->builder, chunk->start[i], chunk->duration[i]);
        t->frame[at] = chunk->frame[i];
        if (t->category)
            t->category[at] = chunk->category[i];
        if (moving->place)
            moving->place[number + i] = at;
    }
}

static void move_events(struct moving *moving)
{
    struct builder *builder = moving->builder;
    struct timeline *t = moving->timeline;
    uint32_t number = 0;

    count_events(builder, t);
    t->start = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->start));
    t->duration = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->duration));
    t->frame = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->frame));
    if (builder->options.categories)
        t->category = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->category));
    if (build_properties_exist(builder))
        moving->place = grow_to(NULL, (size_t)t->count + 1, sizeof(*moving->place));
    for (size_t c = 0; c < builder->chunk_count; c++) {
        move_chunk(moving, builder->chunks[c], number);
        number += builder->chunks[c]->count;
        free(builder->chunks[c]);
    }
    builder->chunk_count = 0;
}

static void place_operations(struct moving *moving)
{
    const struct property_column *column = &moving->builder->operations;
    struct idmap numbers = {0};
    uint32_t count = 0;

    if (column->count == 0)
        return;
    moving->operation = grow_zeroed((size_t)moving->timeline->count + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < column->count; i++) {
        uint32_t *number = idmap_at(&numbers, (uint64_t)column->value[i]);

        if (*number == IDMAP_NONE)
            *number = ++count;
        moving->operation[moving->place[column->event[i]]] = *number;
    }
    idmap_free(&numbers);
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

static bool is_sorted(const struct timeline *t, const struct track *track)
{
    for (uint32_t i = 1; i < track->count; i++)
        if (is_before(t, track->first + i, track->first + i - 1))
            return false;
    return true;
}

static void permute(void *column, size_t size, uint32_t first, const uint32_t *order,
                    uint32_t count)
{
    char *base = column, *moved = grow_to(NULL, (size_t)count + 1, size);

    for (uint32_t i = 0; i < count; i++)
        memcpy(moved + i * size, base + order[i] * size, size);
    memcpy(base + first * size, moved, count * size);
    free(moved);
}

/* Puts the track's events into this order, which is a permutation of their places. */
static void reorder(struct moving *moving, const struct track *track, const uint32_t *order)
{
    struct timeline *t = moving->timeline;

    permute(t->start, sizeof(*t->start), track->first, order, track->count);
    permute(t->duration, sizeof(*t->duration), track->first, order, track->count);
    permute(t->frame, sizeof(*t->frame), track->first, order, track->count);
    if (t->category)
        permute(t->category, sizeof(*t->category), track->first, order, track->count);
    if (moving->operation)
        permute(moving->operation, sizeof(*moving->operation), track->first, order, track->count);
    if (!moving->place)
        return;
    if (!moving->fix) {
        moving->fix = grow_to(NULL, (size_t)t->count + 1, sizeof(*moving->fix));
        for (uint32_t i = 0; i < t->count; i++)
            moving->fix[i] = i;
    }
    /* `order` holds places of now: what was fixed there before moves on with the event */
    permute(moving->fix, sizeof(*moving->fix), track->first, order, track->count);
}

static void sort_track(struct moving *moving, const struct track *track)
{
    uint32_t *order;

    if (is_sorted(moving->timeline, track))
        return;
    order = grow_to(NULL, track->count, sizeof(*order));
    for (uint32_t i = 0; i < track->count; i++)
        order[i] = track->first + i;
    sort_stable(order, track->count, is_before, moving->timeline);
    reorder(moving, track, order);
    free(order);
}

/* ---- lanes ---- */

static void add_track(struct moving *moving, const struct track *track)
{
    moving->tracks =
        grow_one(moving->tracks, moving->track_count, &moving->track_cap, sizeof(*moving->tracks));
    moving->tracks[moving->track_count++] = *track;
}

/* One track for each lane, with the events that are on it. */
static void split_lanes(struct moving *moving, const struct track *track, const uint16_t *lane_of,
                        uint32_t lanes)
{
    uint32_t *order = grow_to(NULL, track->count, sizeof(*order));
    uint32_t *at = grow_zeroed((size_t)lanes + 1, sizeof(*at)); /* by lane, the next free place */

    for (uint32_t i = 0; i < track->count; i++)
        at[lane_of[i] + 1]++;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        struct track part = *track;

        part.lane = lane;
        part.first = track->first + at[lane];
        part.count = at[lane + 1];
        at[lane + 1] += at[lane];
        add_track(moving, &part);
    }
    for (uint32_t i = 0; i < track->count; i++)
        order[at[lane_of[i]]++] = track->first + i;
    reorder(moving, track, order);
    free(order);
    free(at);
}

static uint32_t find_lanes(struct moving *moving, const struct track *track, uint16_t **lane_of)
{
    struct graph *graph = &moving->builder->graph;

    if (track->kind == TRACK_POINTS || track->kind == TRACK_TOTALS)
        return 1;
    if (track->kind == TRACK_ASYNC && moving->operation)
        return operations_assign(graph, track, moving->operation + track->first, lane_of);
    return lanes_assign(graph, track, lane_of);
}

static void lay_out_track(struct moving *moving, const struct track *track)
{
    uint16_t *lane_of = NULL;
    uint32_t lanes;

    sort_track(moving, track);
    lanes = find_lanes(moving, track, &lane_of);
    if (lanes > 1)
        split_lanes(moving, track, lane_of, lanes);
    else
        add_track(moving, track);
    free(lane_of);
}

/* ---- the whole ---- */

/* fix[] says which place's event stands where; turned round, where each event has gone. */
static void apply_fixes(struct moving *moving)
{
    struct timeline *t = moving->timeline;
    uint32_t *gone = grow_to(NULL, (size_t)t->count + 1, sizeof(*gone));

    for (uint32_t i = 0; i < t->count; i++)
        gone[moving->fix[i]] = i;
    for (uint32_t i = 0; i < t->count; i++)
        moving->place[i] = gone[moving->place[i]];
    free(gone);
}

void build_timeline_finish(struct builder *builder)
{
    struct timeline *t = &builder->graph.timeline;
    struct moving moving = {.builder = builder, .timeline = t};
    uint32_t *lane_of_track;

    move_events(&moving);
    place_operations(&moving);
    lane_of_track = grow_to(NULL, (size_t)t->track_count + 1, sizeof(*lane_of_track));
    for (uint32_t i = 0; i < t->track_count; i++) {
        lane_of_track[i] = (uint32_t)moving.track_count;
        lay_out_track(&moving, &t->tracks[i]);
    }
    lane_of_track[t->track_count] = (uint32_t)moving.track_count;
    free(t->tracks);
    t->tracks = moving.tracks;
    t->track_count = (uint32_t)moving.track_count;
    if (moving.fix)
        apply_fixes(&moving);
    build_properties_finish(builder, moving.place);
    build_links_finish(builder, moving.place);
    build_flows_finish(builder, lane_of_track);
    free(lane_of_track);
    free(moving.place);
    free(moving.fix);
    free(moving.operation);
}
