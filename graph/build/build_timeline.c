/* SPDX-License-Identifier: Apache-2.0 */
/* build_timeline.c — puts every track's events in order, and overlapping events on lanes */
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/parallel/parallel.h"
#include "graph/build/builder_state.h"
#include "graph/model/graph.h"

/* ---- puts the events of one track in order, in place ---- */

struct event_ordering {
    struct event_rows events;
    struct event_rows aside; /* the shorter side of a merge */
    size_t aside_cap;
};

/* Earlier first; of those that start together the longer, which is the parent; else as they came. */
static bool is_before(const struct event_rows *a, size_t i, const struct event_rows *b, size_t j)
{
    if (a->start[i] != b->start[j])
        return a->start[i] < b->start[j];
    return a->duration[i] > b->duration[j];
}

static bool is_place_before(const void *context, size_t a, size_t b)
{
    const struct event_ordering *ordering = context;

    return is_before(&ordering->events, a, &ordering->events, b);
}

/* ---- merging ---- */

static void set_aside(struct event_ordering *ordering, size_t from, size_t count)
{
    if (count > ordering->aside_cap) {
        event_rows_free(&ordering->aside);
        ordering->aside = event_rows_like(&ordering->events, count);
        ordering->aside_cap = count;
    }
    event_rows_move(&ordering->aside, 0, &ordering->events, from, count);
}

static void merge_forward(struct event_ordering *ordering, size_t to, size_t right, size_t end)
{
    const struct event_rows *events = &ordering->events, *aside = &ordering->aside;
    size_t left = 0, lefts = right - to;

    set_aside(ordering, to, lefts);
    for (; left < lefts && right < end; to++)
        if (is_before(events, right, aside, left))
            event_rows_move_one(events, to, events, right++);
        else
            event_rows_move_one(events, to, aside, left++);
    event_rows_move(events, to, aside, left, lefts - left);
}

static void merge_backward(struct event_ordering *ordering, size_t begin, size_t left, size_t to)
{
    const struct event_rows *events = &ordering->events, *aside = &ordering->aside;
    size_t rights = to - left;

    set_aside(ordering, left, rights);
    while (left > begin && rights > 0)
        if (is_before(aside, rights - 1, events, left - 1))
            event_rows_move_one(events, --to, events, --left);
        else
            event_rows_move_one(events, --to, aside, --rights);
    event_rows_move(events, begin, aside, 0, rights);
}

/* What is in its place at the ends is left alone. */
static void merge(void *context, size_t begin, size_t middle, size_t end)
{
    struct event_ordering *ordering = context;
    const struct event_rows *events = &ordering->events;

    SEARCH(size_t, settled, middle - begin, !is_before(events, middle, events, begin + settled));
    SEARCH(size_t, rights, end - middle, is_before(events, middle + rights, events, middle - 1));
    begin += settled;
    if (middle - begin < rights)
        merge_forward(ordering, begin, middle, middle + rights);
    else
        merge_backward(ordering, begin, middle, middle + rights);
}

/* ---- tracks ---- */

/* Events for which threads are worth their start. */
enum { SHARED_MIN = 1 << 16 };

/* What becomes of one track of the file. */
struct lane_layout {
    struct track *lanes; /* a track each */
    uint32_t lane_count;
    struct warnings warnings;
};

struct laying {
    struct timeline_builder *builder;
    uint32_t *operation; /* by event: a number of its operation, 0: none; NULL: none has one */
    uint32_t *number;    /* by place: which event of the file is there; NULL: nobody asks */
    uint32_t *by_size;   /* tracks, the longest first, which would keep the others waiting */
    struct lane_layout *layouts; /* by track */
};

/* ---- lanes ---- */

/* The events on other lanes than the first, which are few as a rule, go behind those on it. */
static void gather_lanes(const struct laying *laying, const struct track *track,
                         const uint16_t *lane_of, const struct lane_layout *layout)
{
    struct event_rows events =
        event_rows_of(&laying->builder->shared->graph.timeline, laying->number, track);
    uint32_t kept = layout->lanes[0].count, others = track->count - kept, at = 0;
    struct event_rows aside = event_rows_like(&events, others);
    uint32_t *next = grow_to(NULL, layout->lane_count, sizeof(*next)); /* by lane, in `aside` */

    for (uint32_t lane = 1; lane < layout->lane_count; lane++)
        next[lane] = layout->lanes[lane].first - track->first - kept;
    for (uint32_t i = 0; i < track->count; i++)
        if (lane_of[i])
            event_rows_move_one(&aside, next[lane_of[i]]++, &events, i);
        else
            event_rows_move_one(&events, at++, &events, i);
    event_rows_move(&events, kept, &aside, 0, others);
    event_rows_free(&aside);
    free(next);
}

/* One track for each lane, with the events that are on it. */
static void split_lanes(const struct laying *laying, const struct track *track,
                        const uint16_t *lane_of, struct lane_layout *layout)
{
    uint32_t first = track->first;

    for (uint32_t lane = 0; lane < layout->lane_count; lane++) {
        layout->lanes[lane] = *track;
        layout->lanes[lane].lane = lane;
        layout->lanes[lane].count = 0;
    }
    for (uint32_t i = 0; i < track->count; i++)
        layout->lanes[lane_of[i]].count++;
    for (uint32_t lane = 0; lane < layout->lane_count; lane++) {
        layout->lanes[lane].first = first;
        first += layout->lanes[lane].count;
    }
    gather_lanes(laying, track, lane_of, layout);
}

static uint32_t find_lanes(const struct laying *laying, const struct track *track,
                           uint16_t **lane_of, struct warnings *warnings)
{
    struct graph *graph = &laying->builder->shared->graph;
    uint32_t *operation, lanes;

    if (track->kind == TRACK_POINTS || track->kind == TRACK_TOTALS)
        return 1;
    if (track->kind != TRACK_ASYNC || !laying->operation)
        return lanes_assign(&graph->timeline, &graph->frames, track, lane_of, warnings);
    operation = grow_to(NULL, (size_t)track->count + 1, sizeof(*operation));
    for (uint32_t i = 0; i < track->count; i++)
        operation[i] = laying->operation[laying->number[track->first + i]];
    lanes = operations_assign(&graph->timeline, track, operation, lane_of, warnings);
    free(operation);
    return lanes;
}

static void lay_out_track(void *context, size_t piece)
{
    const struct laying *laying = context;
    const struct timeline *timeline = &laying->builder->shared->graph.timeline;
    const struct track *track = &timeline->tracks[laying->by_size[piece]];
    struct lane_layout *layout = &laying->layouts[laying->by_size[piece]];
    struct event_ordering ordering = {.events = event_rows_of(timeline, laying->number, track)};
    uint16_t *lane_of = NULL;

    sort_by_merging(&(struct mergeable){is_place_before, merge, &ordering}, track->count);
    event_rows_free(&ordering.aside);
    layout->lane_count = find_lanes(laying, track, &lane_of, &layout->warnings);
    layout->lanes = grow_to(NULL, layout->lane_count, sizeof(*layout->lanes));
    layout->lanes[0] = *track;
    if (layout->lane_count > 1)
        split_lanes(laying, track, lane_of, layout);
    free(lane_of);
}

static bool is_longer(const void *tracks, uint32_t a, uint32_t b)
{
    return ((const struct track *)tracks)[a].count > ((const struct track *)tracks)[b].count;
}

static void lay_out_tracks(struct laying *laying)
{
    const struct timeline *t = &laying->builder->shared->graph.timeline;

    laying->layouts = grow_zeroed((size_t)t->track_count + 1, sizeof(*laying->layouts));
    laying->by_size = sorted_order(t->track_count, is_longer, t->tracks);
    parallel_for(t->count < SHARED_MIN ? 1 : thread_budget(), t->track_count, lay_out_track,
                 laying);
    free(laying->by_size);
}

/* Numbers the operations that events are of. */
static uint32_t *number_operations(const struct timeline_builder *builder)
{
    const struct pairs *pairs = &builder->operations;
    struct idmap numbers = {0};
    uint32_t *operation, count = 0;

    if (pairs->count == 0)
        return NULL;
    operation = grow_zeroed((size_t)builder->event_count + 1, sizeof(*operation));
    for (size_t i = 0; i < pairs->count; i++) {
        const struct property_column *piece = &pairs->list[i].pairs;

        for (uint32_t k = 0; k < piece->count; k++) {
            uint32_t *number = idmap_at(&numbers, (uint64_t)piece->value[k]);

            if (*number == IDMAP_NONE)
                *number = ++count;
            operation[pairs->list[i].first + piece->event[k]] = *number;
        }
    }
    idmap_free(&numbers);
    return operation;
}

/* ---- the whole ---- */

/* Puts lanes in place of tracks. Returns which is the first of each; one more tells the end. */
static uint32_t *replace_tracks(struct laying *laying)
{
    struct graph *graph = &laying->builder->shared->graph;
    struct timeline *t = &graph->timeline;
    uint32_t *first_lane = grow_to(NULL, (size_t)t->track_count + 1, sizeof(*first_lane)), at = 0;
    struct track *tracks;

    for (uint32_t i = 0; i < t->track_count; i++) {
        first_lane[i] = at;
        at += laying->layouts[i].lane_count;
    }
    first_lane[t->track_count] = at;
    tracks = grow_to(NULL, (size_t)at + 1, sizeof(*tracks));
    for (uint32_t i = 0; i < t->track_count; i++) {
        struct lane_layout *layout = &laying->layouts[i];

        memcpy(tracks + first_lane[i], layout->lanes, layout->lane_count * sizeof(*tracks));
        for (size_t w = 0; w < layout->warnings.count; w++)
            warning_merge(&graph->source.warnings, &layout->warnings.list[w]);
        warnings_free(&layout->warnings);
        free(layout->lanes);
    }
    free(t->tracks);
    t->tracks = tracks;
    t->track_count = at;
    return first_lane;
}

/* What is to be done when events have their places, a piece for each property and one before
 * them. */
struct event_placement {
    struct timeline_builder *builder;
    uint32_t *number; /* by place: which event of the file is there */
    uint32_t *place;  /* by event of the file: where it has gone; NO_EVENT where it was left out */
    size_t pieces;    /* that the places are found in */
};

static void find_places(void *context, size_t piece)
{
    const struct event_placement *placement = context;
    uint64_t count = placement->builder->shared->graph.timeline.count;
    uint32_t end = (uint32_t)(count * (piece + 1) / placement->pieces);

    for (uint32_t i = (uint32_t)(count * piece / placement->pieces); i < end; i++)
        placement->place[placement->number[i]] = i;
}

static void finish_piece(void *context, size_t piece)
{
    struct event_placement *placement = context;

    if (piece == 0)
        placement->number =
            build_links_finish(placement->builder, placement->place, placement->number);
    else
        build_property_finish(placement->builder, (enum property)(piece - 1), placement->place);
}

/* Most that is known of kernels is known of all of them, and likewise of operators. */
static void share_events(struct property_column *columns)
{
    for (uint32_t i = 1; i < PROP_COUNT; i++)
        for (uint32_t k = i; k-- > 0 && !property_share(&columns[i], &columns[k]);)
            continue;
}

/* Returns the places, which flows want, too. Takes over `number`. */
static uint32_t *use_places(struct timeline_builder *builder, uint32_t *number)
{
    size_t count = (size_t)builder->event_count, threads = thread_budget();
    struct event_placement placement = {builder, number, NULL, count < SHARED_MIN ? 1 : threads};

    if (!number)
        return NULL;
    placement.place = grow_to(NULL, count + 1, sizeof(*placement.place));
    if (builder->shared->graph.timeline.count < count)
        memset(placement.place, 0xff, count * sizeof(*placement.place));
    parallel_for(placement.pieces, placement.pieces, find_places, &placement);
    parallel_for(placement.pieces, PROP_COUNT + 1, finish_piece, &placement);
    free(placement.number);
    share_events(builder->shared->graph.timeline.properties);
    return placement.place;
}

void build_timeline_finish(struct timeline_builder *builder)
{
    struct laying laying = {.builder = builder};
    uint32_t *first_lane, *place;

    drop_time_outliers(builder);
    laying.operation = number_operations(builder);
    laying.number = build_columns(builder);
    lay_out_tracks(&laying);
    first_lane = replace_tracks(&laying);
    free(laying.layouts);
    free(laying.operation);
    build_series_finish(builder);
    place = use_places(builder, laying.number);
    build_flows_finish(builder, first_lane, place);
    free(first_lane);
    free(place);
}
