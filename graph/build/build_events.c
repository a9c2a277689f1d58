/* SPDX-License-Identifier: Apache-2.0 */
/* build_events.c — gathers tracks and events in the order of the file */
#ifdef __linux__
#define _DEFAULT_SOURCE /* madvise() */
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/parallel/parallel.h"
#include "graph/build/builder_state.h"

/* ---- moves events from the chunks of the file's order to columns, track by track ---- */

/* Events for which another thread is worth its start. */
enum { RANGE_MIN = 4 * CHUNK_EVENTS };

/* Chunks that one thread moves. */
struct chunk_range {
    size_t begin, end;
    uint32_t number; /* of their first event */
    uint32_t *next;  /* by track: how many events they have there, then where the next one goes */
    uint64_t mended, misplaced;
};

struct event_moving {
    struct timeline_builder *builder;
    uint32_t *number;
    struct chunk_range *ranges;
};

static size_t divide_chunks(struct event_moving *moving)
{
    const struct timeline_builder *builder = moving->builder;
    size_t most = builder->event_count / RANGE_MIN + 1, count = thread_budget();
    uint32_t number = 0;

    count = count < most ? count : most;
    moving->ranges = grow_zeroed(count, sizeof(*moving->ranges));
    for (size_t i = 0, c = 0; i < count; i++) {
        struct chunk_range *range = &moving->ranges[i];

        *range = (struct chunk_range){
            .begin = c,
            .end = builder->chunks.count * (i + 1) / count,
            .number = number,
            .next = grow_zeroed((size_t)builder->shared->graph.timeline.track_count,
                                sizeof(*range->next))};
        while (c < range->end)
            number += builder->chunks.list[c++]->count;
    }
    return count;
}

static void count_events(void *context, size_t piece)
{
    const struct event_moving *moving = context;
    struct chunk_range *range = &moving->ranges[piece];

    for (size_t c = range->begin; c < range->end; c++) {
        const struct event_chunk *chunk = moving->builder->chunks.list[c];

        for (uint32_t i = 0; i < chunk->count; i++)
            if (chunk->track[i] != NO_TRACK)
                range->next[chunk->track[i]]++;
    }
}

/* Turns the counts into where each range's events of a track begin. */
static void give_places(struct timeline *t, struct chunk_range *ranges, size_t count)
{
    t->count = 0;
    for (uint32_t track = 0; track < t->track_count; track++) {
        t->tracks[track].first = t->count;
        for (size_t i = 0; i < count; i++) {
            uint32_t events = ranges[i].next[track];

            ranges[i].next[track] = t->count;
            t->count += events;
        }
        t->tracks[track].count = t->count - t->tracks[track].first;
    }
}

/* A negative duration, or one that ends past the end of time, is a fault of the file. */
static inline void mend_times(struct chunk_range *range, int64_t *start, int64_t *duration)
{
    if (!time_is_possible(*start)) {
        *start = *duration = 0;
        range->misplaced++;
    } else if (*duration < 0 || !time_is_possible(checked_add(*start, *duration))) {
        *duration = 0;
        range->mended++;
    }
}

static void move_chunk(struct event_moving *moving, struct chunk_range *range,
                       const struct event_chunk *chunk)
{
    struct timeline *t = &moving->builder->shared->graph.timeline;

    for (uint32_t i = 0; i < chunk->count; i++) {
        int64_t start = chunk->start[i], duration = chunk->duration[i];
        uint32_t at;

        if (chunk->track[i] == NO_TRACK)
            continue;
        mend_times(range, &start, &duration);
        at = range->next[chunk->track[i]]++;
        t->start[at] = start;
        t->duration[at] = duration;
        t->frame[at] = chunk->frame[i];
        if (t->category)
            t->category[at] = chunk->category[i];
        if (moving->number)
            moving->number[at] = range->number + i;
    }
    range->number += chunk->count;
}

static void move_part(void *context, size_t piece)
{
    struct event_moving *moving = context;
    struct chunk_range *range = &moving->ranges[piece];

    for (size_t c = range->begin; c < range->end; c++) {
        move_chunk(moving, range, moving->builder->chunks.list[c]);
        event_chunk_free(moving->builder->chunks.list[c]);
    }
}

static void note_repairs(struct timeline_builder *builder, const struct chunk_range *ranges,
                         size_t count)
{
    struct warnings *warnings = builder_warnings(builder->shared);

    for (size_t i = 0; i < count; i++) {
        warning_count_many(warnings, WARNING_NOTE,
                           "events that end before they begin, shown as instants",
                           ranges[i].mended);
        warning_count_many(warnings, WARNING_LOSS,
                           "events at no possible time, shown as instants at 0",
                           ranges[i].misplaced);
    }
}

static uint32_t *move_columns(struct timeline_builder *builder)
{
    struct timeline *t = &builder->shared->graph.timeline;
    struct event_moving moving = {.builder = builder};
    size_t count = divide_chunks(&moving);

    parallel_for(count, count, count_events, &moving);
    give_places(t, moving.ranges, count);
    t->start = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->start));
    t->duration = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->duration));
    t->frame = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->frame));
    if (t->category_count)
        t->category = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->category));
    if (build_properties_exist(builder))
        moving.number = grow_to(NULL, (size_t)t->count + 1, sizeof(*moving.number));
    parallel_for(count, count, move_part, &moving);
    builder->chunks.count = 0;
    note_repairs(builder, moving.ranges, count);
    for (size_t i = 0; i < count; i++)
        free(moving.ranges[i].next);
    free(moving.ranges);
    return moving.number;
}

/* ---- or makes columns of the one chunk that has them apart ---- */

static bool are_apart(const struct timeline_builder *builder)
{
    return builder->chunks.count == 1 && builder->chunks.list[0]->is_apart;
}

/* Turns each event's track into its place, NO_EVENT for none. True where all stay where they are. */
static bool find_places(struct timeline_builder *builder, struct event_chunk *chunk)
{
    struct timeline *t = &builder->shared->graph.timeline;
    struct chunk_range range = {.next = grow_zeroed((size_t)t->track_count, sizeof(*range.next))};
    bool all_stay = true;

    for (uint32_t i = 0; i < chunk->count; i++) {
        if (chunk->track[i] == NO_TRACK)
            continue;
        mend_times(&range, &chunk->start[i], &chunk->duration[i]);
        range.next[chunk->track[i]]++;
    }
    give_places(t, &range, 1);
    for (uint32_t i = 0; i < chunk->count; i++) {
        chunk->track[i] = chunk->track[i] == NO_TRACK ? NO_EVENT : range.next[chunk->track[i]]++;
        all_stay &= chunk->track[i] == i;
    }
    note_repairs(builder, &range, 1);
    free(range.next);
    return all_stay;
}

/* A column in its events' new order; the old one goes. */
static void *place_column(void *column, size_t size, const struct event_chunk *chunk)
{
    char *from = column, *into = grow_to(NULL, (size_t)chunk->count + 1, size);

    for (uint32_t i = 0; i < chunk->count; i++)
        if (chunk->track[i] != NO_EVENT)
            memcpy(into + chunk->track[i] * size, from + i * size, size);
    free(column);
    return into;
}

/* The numbers of the file's order by place, where they are asked for. */
static uint32_t *take_columns(struct timeline_builder *builder)
{
    struct timeline *t = &builder->shared->graph.timeline;
    struct event_chunk *chunk = builder->chunks.list[0];
    bool all_stay = find_places(builder, chunk), has_categories = t->category_count != 0;
    uint32_t *number = NULL;

    if (build_properties_exist(builder)) {
        number = grow_to(NULL, (size_t)chunk->count + 1, sizeof(*number));
        for (uint32_t i = 0; i < chunk->count; i++)
            if (chunk->track[i] != NO_EVENT)
                number[chunk->track[i]] = i;
    }
    if (!all_stay) {
        chunk->start = place_column(chunk->start, sizeof(*chunk->start), chunk);
        chunk->duration = place_column(chunk->duration, sizeof(*chunk->duration), chunk);
        chunk->frame = place_column(chunk->frame, sizeof(*chunk->frame), chunk);
    }
    if (!all_stay && has_categories)
        chunk->category = place_column(chunk->category, sizeof(*chunk->category), chunk);
    t->start = chunk->start;
    t->duration = chunk->duration;
    t->frame = chunk->frame;
    t->category = has_categories ? chunk->category : NULL;
    chunk->start = chunk->duration = NULL;
    chunk->frame = NULL;
    chunk->category = has_categories ? NULL : chunk->category;
    event_chunk_free(chunk);
    builder->chunks.count = 0;
    return number;
}

uint32_t *build_columns(struct timeline_builder *builder)
{
    if (are_apart(builder))
        return take_columns(builder);
    return move_columns(builder);
}

/* ---- gathers tracks and events in the order of the file ---- */

uint32_t builder_track(struct timeline_builder *builder, const struct track *track)
{
    struct timeline *timeline = &builder->shared->graph.timeline;
    uint32_t at = timeline->track_count++;

    if (at == builder->track_cap) {
        builder->track_cap = (uint32_t)grow_cap(at, at + 1);
        timeline->tracks = grow_to(timeline->tracks, builder->track_cap, sizeof(*timeline->tracks));
    }
    timeline->tracks[at] = *track;
    timeline->tracks[at].first = timeline->tracks[at].count = timeline->tracks[at].lane = 0;
    return at;
}

void builder_tolerance(struct timeline_builder *builder, uint32_t track, int64_t tolerance)
{
    struct track *changed = &builder->shared->graph.timeline.tracks[track];

    if (tolerance > changed->tolerance)
        changed->tolerance = tolerance;
}

static struct event_chunk *last_chunk(struct timeline_builder *builder)
{
    return builder->chunks.count ? builder->chunks.list[builder->chunks.count - 1] : NULL;
}

/* In one piece with its columns. */
static struct event_chunk *add_chunk(struct timeline_builder *builder)
{
    struct event_chunk *chunk = grow_to(
        NULL, 1,
        sizeof(*chunk) + CHUNK_EVENTS * (sizeof(*chunk->start) + sizeof(*chunk->duration) +
                                         sizeof(*chunk->frame) + sizeof(*chunk->track) +
                                         sizeof(*chunk->category)));

    *chunk = (struct event_chunk){.cap = CHUNK_EVENTS, .start = (int64_t *)(void *)(chunk + 1)};
    chunk->duration = chunk->start + CHUNK_EVENTS;
    chunk->frame = (frame_id *)(chunk->duration + CHUNK_EVENTS);
    chunk->track = (uint32_t *)(chunk->frame + CHUNK_EVENTS);
    chunk->category = (uint16_t *)(chunk->track + CHUNK_EVENTS);
    vector_add(&builder->chunks, chunk);
    return chunk;
}

/* A column that will be full. It asks for pages of 2 MB: to get the same memory in pages of 4 kB takes as long as to
 * read the trace. */
static void *add_column(size_t count, size_t size)
{
    char *column = grow_to(NULL, count + 1, size);
#ifdef MADV_HUGEPAGE
    enum { HUGE_PAGE = 1 << 21, HUGE_LEAST = 4 * HUGE_PAGE }; /* what is small would only become larger */
    size_t before = -(uintptr_t)column % HUGE_PAGE;

    if ((count + 1) * size >= HUGE_LEAST)
        (void)madvise(column + before, (count + 1) * size - before, MADV_HUGEPAGE); /* or not */
#endif
    return column;
}

void builder_expect(struct timeline_builder *builder, uint32_t events)
{
    struct event_chunk *chunk;

    if (events <= CHUNK_EVENTS || builder->chunks.count)
        return;
    chunk = grow_to(NULL, 1, sizeof(*chunk));
    *chunk = (struct event_chunk){
        .cap = events,
        .is_apart = true,
        .start = add_column(events, sizeof(*chunk->start)),
        .duration = add_column(events, sizeof(*chunk->duration)),
        .frame = add_column(events, sizeof(*chunk->frame)),
        .track = add_column(events, sizeof(*chunk->track)),
        .category = grow_to(NULL, (size_t)events + 1, sizeof(*chunk->category))};
    vector_add(&builder->chunks, chunk);
}

void event_chunk_free(struct event_chunk *chunk)
{
    if (chunk->is_apart) {
        free(chunk->start);
        free(chunk->duration);
        free(chunk->frame);
        free(chunk->track);
        free(chunk->category);
    }
    free(chunk);
}

uint32_t builder_event(struct timeline_builder *builder, uint32_t track, int64_t start,
                       int64_t duration, frame_id frame)
{
    struct event_chunk *chunk = last_chunk(builder);
    uint32_t at;

    if (!chunk || chunk->count == chunk->cap)
        chunk = add_chunk(builder);
    if (builder->event_count == NO_EVENT - 1)
        oom(); /* ids have 32 bits */
    at = chunk->count++;
    if (builder->event_count == 0)
        builder->earliest = builder->latest = start;
    builder->earliest = start < builder->earliest ? start : builder->earliest;
    builder->latest = start > builder->latest ? start : builder->latest;
    chunk->start[at] = start;
    chunk->duration[at] = duration;
    chunk->frame[at] = frame;
    chunk->track[at] = track;
    if (builder->shared->options.categories)
        chunk->category[at] = 0;
    return builder->event_count++;
}

/* Where an event of this number is; `event` becomes its place in there. A part's chunks may be
 * partly filled, so the chunk is searched for from the back. */
static struct event_chunk *chunk_of(const struct timeline_builder *builder, uint32_t *event)
{
    uint32_t first = builder->event_count;

    for (size_t c = builder->chunks.count; c-- > 0;) {
        first -= builder->chunks.list[c]->count;
        if (*event >= first) {
            *event -= first;
            return builder->chunks.list[c];
        }
    }
    return NULL;
}

int64_t builder_event_start(struct timeline_builder *builder, uint32_t event)
{
    const struct event_chunk *chunk = chunk_of(builder, &event);

    return chunk ? chunk->start[event] : UNKNOWN;
}

void builder_set_duration(struct timeline_builder *builder, uint32_t event, int64_t duration)
{
    struct event_chunk *chunk = chunk_of(builder, &event);

    if (chunk)
        chunk->duration[event] = duration;
}

void builder_reassign(struct timeline_builder *builder, uint32_t event, uint32_t track,
                      frame_id frame)
{
    struct event_chunk *chunk = chunk_of(builder, &event);

    if (chunk) {
        chunk->track[event] = track;
        chunk->frame[event] = frame;
    }
}

uint32_t builder_event_count(const struct timeline_builder *builder)
{
    return builder->event_count;
}

/* The index of a category's name, which is added on first use; 0 is none. */
static uint16_t category_index(struct timeline_builder *builder, str_id name)
{
    struct timeline *timeline = &builder->shared->graph.timeline;
    uint32_t *known;

    if (!timeline->categories) {
        timeline->categories = grow_zeroed(1, sizeof(*timeline->categories));
        timeline->category_count = 1;
    }
    if (!name)
        return 0;
    known = idmap_at(&builder->categories, name);
    if (*known == IDMAP_NONE) {
        /* more kinds of events than 16 bits count share the last name */
        *known =
            timeline->category_count < UINT16_MAX ? timeline->category_count++ : UINT16_MAX - 1;
        timeline->categories =
            grow_to(timeline->categories, timeline->category_count, sizeof(*timeline->categories));
        timeline->categories[*known] = name;
    }
    return (uint16_t)*known;
}

uint16_t builder_category_number(struct timeline_builder *builder, str_id name)
{
    return builder->shared->options.categories ? category_index(builder, name) : 0;
}

void builder_category(struct timeline_builder *builder, uint16_t category)
{
    struct event_chunk *chunk = last_chunk(builder);

    if (builder->shared->options.categories && chunk)
        chunk->category[chunk->count - 1] = category;
}
