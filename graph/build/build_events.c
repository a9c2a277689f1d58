/* SPDX-License-Identifier: Apache-2.0 */
/* build_events.c — gathers tracks and events in the order of the file */
#include "base/memory/grow.h"
#include "graph/build/builder_state.h"

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

static struct event_chunk *add_chunk(struct timeline_builder *builder)
{
    struct event_chunk *chunk = grow_to(NULL, 1, sizeof(*chunk));

    chunk->count = 0;
    builder->chunks = grow_one(builder->chunks, builder->chunk_count, &builder->chunk_cap,
                               sizeof(struct event_chunk *));
    builder->chunks[builder->chunk_count++] = chunk;
    return chunk;
}

static struct event_chunk *last_chunk(struct timeline_builder *builder)
{
    return builder->chunk_count ? builder->chunks[builder->chunk_count - 1] : NULL;
}

uint32_t builder_event(struct timeline_builder *builder, uint32_t track, int64_t start,
                       int64_t duration, frame_id frame)
{
    struct event_chunk *chunk = last_chunk(builder);
    uint32_t at;

    if (!chunk || chunk->count == CHUNK_EVENTS)
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

    for (size_t c = builder->chunk_count; c-- > 0;) {
        first -= builder->chunks[c]->count;
        if (*event >= first) {
            *event -= first;
            return builder->chunks[c];
        }
    }
    return NULL;
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
