/* SPDX-License-Identifier: Apache-2.0 */
/* build_columns.c — moves events from the chunks of the file's order to columns, track by track */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/grow.h"
#include "base/parallel/parallel_for.h"
#include "graph/build/builder_state.h"

/* Events for which another thread is worth its start. */
enum { STRETCH_MIN = 4 * CHUNK_EVENTS };

/* Chunks that one thread moves. */
struct stretch {
    size_t begin, end;
    uint32_t number; /* of their first event */
    uint32_t *next;  /* by track: how many events they have there, then where the next one goes */
    uint64_t mended, misplaced;
};

struct moving {
    struct timeline_builder *builder;
    uint32_t *number;
    struct stretch *stretches;
};

static size_t cut_stretches(struct moving *moving)
{
    const struct timeline_builder *builder = moving->builder;
    size_t most = builder->event_count / STRETCH_MIN + 1, count = thread_budget();
    uint32_t number = 0;

    count = count < most ? count : most;
    moving->stretches = grow_zeroed(count, sizeof(*moving->stretches));
    for (size_t i = 0, c = 0; i < count; i++) {
        struct stretch *stretch = &moving->stretches[i];

        *stretch = (struct stretch){
            .begin = c,
            .end = builder->chunk_count * (i + 1) / count,
            .number = number,
            .next = grow_zeroed((size_t)builder->shared->graph.timeline.track_count,
                                sizeof(*stretch->next))};
        while (c < stretch->end)
            number += builder->chunks[c++]->count;
    }
    return count;
}

static void count_events(void *context, size_t piece)
{
    const struct moving *moving = context;
    struct stretch *stretch = &moving->stretches[piece];

    for (size_t c = stretch->begin; c < stretch->end; c++) {
        const struct event_chunk *chunk = moving->builder->chunks[c];

        for (uint32_t i = 0; i < chunk->count; i++)
            if (chunk->track[i] != NO_TRACK)
                stretch->next[chunk->track[i]]++;
    }
}

/* Turns the counts into where each stretch's events of a track begin. */
static void give_places(struct timeline *t, struct stretch *stretches, size_t count)
{
    t->count = 0;
    for (uint32_t track = 0; track < t->track_count; track++) {
        t->tracks[track].first = t->count;
        for (size_t i = 0; i < count; i++) {
            uint32_t events = stretches[i].next[track];

            stretches[i].next[track] = t->count;
            t->count += events;
        }
        t->tracks[track].count = t->count - t->tracks[track].first;
    }
}

/* A negative duration, or one that ends past the end of time, is a fault of the file. */
static void mend(struct stretch *stretch, int64_t *start, int64_t *duration)
{
    if (!time_is_possible(*start)) {
        *start = *duration = 0;
        stretch->misplaced++;
    } else if (*duration < 0 || !time_is_possible(checked_add(*start, *duration))) {
        *duration = 0;
        stretch->mended++;
    }
}

static void move_chunk(struct moving *moving, struct stretch *stretch,
                       const struct event_chunk *chunk)
{
    struct timeline *t = &moving->builder->shared->graph.timeline;

    for (uint32_t i = 0; i < chunk->count; i++) {
        uint32_t at;

        if (chunk->track[i] == NO_TRACK)
            continue;
        at = stretch->next[chunk->track[i]]++;
        t->start[at] = chunk->start[i];
        t->duration[at] = chunk->duration[i];
        mend(stretch, &t->start[at], &t->duration[at]);
        t->frame[at] = chunk->frame[i];
        if (t->category)
            t->category[at] = chunk->category[i];
        if (moving->number)
            moving->number[at] = stretch->number + i;
    }
    stretch->number += chunk->count;
}

static void move_stretch(void *context, size_t piece)
{
    struct moving *moving = context;
    struct stretch *stretch = &moving->stretches[piece];

    for (size_t c = stretch->begin; c < stretch->end; c++) {
        move_chunk(moving, stretch, moving->builder->chunks[c]);
        free(moving->builder->chunks[c]);
    }
}

static void note_repairs(struct timeline_builder *builder, const struct stretch *stretches,
                         size_t count)
{
    struct warnings *warnings = builder_warnings(builder->shared);

    for (size_t i = 0; i < count; i++) {
        warning_count_many(warnings, WARNING_NOTE,
                           "events that end before they begin, shown as instants",
                           stretches[i].mended);
        warning_count_many(warnings, WARNING_LOSS,
                           "events at no possible time, shown as instants at 0",
                           stretches[i].misplaced);
    }
}

uint32_t *build_columns(struct timeline_builder *builder)
{
    struct timeline *t = &builder->shared->graph.timeline;
    struct moving moving = {.builder = builder};
    size_t count = cut_stretches(&moving);

    parallel_for(count, count, count_events, &moving);
    give_places(t, moving.stretches, count);
    t->start = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->start));
    t->duration = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->duration));
    t->frame = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->frame));
    if (t->category_count)
        t->category = grow_to(NULL, (size_t)t->count + 1, sizeof(*t->category));
    if (build_properties_exist(builder))
        moving.number = grow_to(NULL, (size_t)t->count + 1, sizeof(*moving.number));
    parallel_for(count, count, move_stretch, &moving);
    builder->chunk_count = 0;
    note_repairs(builder, moving.stretches, count);
    for (size_t i = 0; i < count; i++)
        free(moving.stretches[i].next);
    free(moving.stretches);
    return moving.number;
}
