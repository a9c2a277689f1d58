/* SPDX-License-Identifier: Apache-2.0 */
/* build_events.c — gathers tracks and events in the order of the file */
#include <stdlib.h>

#include "base/memory/grow.h"
#include "base/memory/oom.h"
#include "base/parallel/parallel_for.h"
#include "graph/build/builder_state.h"

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

void builder_tolerance(struct builder *builder, uint32_t track, int64_t tolerance)
{
    struct track *changed = &builder->graph.timeline.tracks[track];

    if (tolerance > changed->tolerance)
        changed->tolerance = tolerance;
}

static struct event_chunk *add_chunk(struct builder *builder)
{
    struct event_chunk *chunk = grow_to(NULL, 1, sizeof(*chunk));

    chunk->count = 0;
    builder->chunks = grow_one(builder->chunks, builder->chunk_count, &builder->chunk_cap,
                               sizeof(struct event_chunk *));
    builder->chunks[builder->chunk_count++] = chunk;
    return chunk;
}

static struct event_chunk *last_chunk(struct builder *builder)
{
    return builder->chunk_count ? builder->chunks[builder->chunk_count - 1] : NULL;
}

uint32_t builder_event(struct builder *builder, uint32_t track, int64_t start, int64_t duration,
                       frame_id frame)
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
    if (builder->options.categories)
        chunk->category[at] = 0;
    return builder->event_count++;
}

/* Where an event of this number is; `event` becomes its place in there. A part's chunks may be
 * partly filled, so the chunk is searched for from the back. */
static struct event_chunk *chunk_of(const struct builder *builder, uint32_t *event)
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

void builder_set_duration(struct builder *builder, uint32_t event, int64_t duration)
{
    struct event_chunk *chunk = chunk_of(builder, &event);

    if (chunk)
        chunk->duration[event] = duration;
}

void builder_reassign(struct builder *builder, uint32_t event, uint32_t track, frame_id frame)
{
    struct event_chunk *chunk = chunk_of(builder, &event);

    if (chunk) {
        chunk->track[event] = track;
        chunk->frame[event] = frame;
    }
}

uint32_t builder_event_count(const struct builder *builder)
{
    return builder->event_count;
}

/* The index of a category's name, which is added on first use; 0 is none. */
static uint16_t category_index(struct builder *builder, str_id name)
{
    struct timeline *timeline = &builder->graph.timeline;
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

uint16_t builder_category_number(struct builder *builder, str_id name)
{
    return builder->options.categories ? category_index(builder, name) : 0;
}

void builder_category(struct builder *builder, uint16_t category)
{
    struct event_chunk *chunk = last_chunk(builder);

    if (builder->options.categories && chunk)
        chunk->category[chunk->count - 1] = category;
}

/* ---- parts ---- */

struct builder *builder_part(const struct builder *builder)
{
    return builder_new(&builder->options);
}

/* What a part's ids are in the whole. */
struct maps {
    const str_id *strings;
    frame_id *frames;
    uint16_t *categories;
    const uint32_t *tracks;
    uint32_t events; /* to add to an event's number */
};

static void map_frames(struct builder *builder, const struct graph *part, struct maps *maps)
{
    maps->frames = grow_zeroed(part->frames.count, sizeof(*maps->frames));
    for (size_t i = 1; i < part->frames.count; i++) {
        struct frame frame = part->frames.list[i];

        frame.name = maps->strings[frame.name];
        frame.file = maps->strings[frame.file];
        frame.module = maps->strings[frame.module];
        maps->frames[i] = builder_frame(builder, &frame);
    }
}

static void map_categories(struct builder *builder, const struct timeline *part, struct maps *maps)
{
    maps->categories = grow_zeroed((size_t)part->category_count + 1, sizeof(*maps->categories));
    for (uint32_t i = 1; i < part->category_count; i++)
        maps->categories[i] = category_index(builder, maps->strings[part->categories[i]]);
}

static void map_chunk(struct event_chunk *chunk, const struct maps *maps, bool has_categories)
{
    for (uint32_t i = 0; i < chunk->count; i++) {
        chunk->frame[i] = maps->frames[chunk->frame[i]];
        chunk->track[i] = maps->tracks[chunk->track[i]];
    }
    for (uint32_t i = 0; has_categories && i < chunk->count; i++)
        chunk->category[i] = maps->categories[chunk->category[i]];
}

static void map_values(struct property_column *column, uint32_t first, const struct maps *maps,
                       bool is_text)
{
    for (uint32_t i = first; i < column->count; i++) {
        column->event[i] += maps->events;
        if (is_text)
            column->value[i] = maps->strings[column->value[i]];
    }
}

/* A column that only the part has moves over as it is. */
static void absorb_column(struct property_column *to, struct property_column *from,
                          const struct maps *maps, bool is_text)
{
    uint32_t first = to->count;

    if (first == 0) {
        property_column_free(to);
        *to = *from;
        *from = (struct property_column){0};
    } else {
        property_append_all(to, from);
    }
    map_values(to, first, maps, is_text);
}

static void absorb_columns(struct builder *builder, struct builder *part, const struct maps *maps)
{
    struct timeline *to = &builder->graph.timeline, *from = &part->graph.timeline;

    for (uint32_t p = 0; p < PROP_COUNT; p++)
        absorb_column(&to->properties[p], &from->properties[p], maps,
                      property_kind((enum property)p) == PROPERTY_TEXT);
    absorb_column(&builder->launches, &part->launches, maps, false);
    absorb_column(&builder->launched, &part->launched, maps, false);
    absorb_column(&builder->operations, &part->operations, maps, false);
}

static void absorb_series(struct builder *builder, const struct builder *part,
                          const struct maps *maps)
{
    const struct timeline *from = &part->graph.timeline, *to = &builder->graph.timeline;
    struct idmap known = {0}; /* (name, process) → series */

    for (uint32_t i = to->series_count; i-- > 0;)
        *idmap_at(&known, idmap_pair(to->series[i].name, to->series[i].process)) = i;
    for (uint32_t i = 0; i < from->series_count; i++) {
        const struct series *s = &from->series[i];
        str_id name = maps->strings[s->name], process = maps->strings[s->process];
        uint32_t *here = idmap_at(&known, idmap_pair(name, process));

        if (*here == IDMAP_NONE)
            *here = builder_series(builder, name, process, s->device);
        for (uint32_t k = 0; k < s->count; k++)
            builder_sample(builder, *here, s->time[k], s->value[k]);
    }
    idmap_free(&known);
}

static void absorb_inputs(struct builder *builder, const struct inputs_table *from,
                          const struct maps *maps)
{
    for (size_t i = 0; i < from->count; i++)
        builder_inputs(builder, maps->strings[from->list[i].text], &from->list[i]);
}

static void absorb_warnings(struct builder *builder, const struct warnings *from)
{
    for (size_t i = 0; i < from->count; i++) {
        warning_merge(builder_warnings(builder), &from->list[i]);
    }
}

struct mapping {
    struct builder *part;
    const struct maps *maps;
};

static void map_piece(void *context, size_t piece)
{
    const struct mapping *mapping = context;

    map_chunk(mapping->part->chunks[piece], mapping->maps, mapping->part->options.categories);
}

/* Chunks move over as they are, however full. */
static void absorb_chunks(struct builder *builder, struct builder *part, const struct maps *maps)
{
    struct mapping mapping = {part, maps};

    parallel_for(thread_budget(), part->chunk_count, map_piece, &mapping);
    for (size_t i = 0; i < part->chunk_count; i++) {
        builder->chunks = grow_one(builder->chunks, builder->chunk_count, &builder->chunk_cap,
                                   sizeof(struct event_chunk *));
        builder->chunks[builder->chunk_count++] = part->chunks[i];
    }
    if (part->event_count >= NO_EVENT - 1 - builder->event_count)
        oom(); /* ids have 32 bits */
    if (part->event_count && (builder->event_count == 0 || part->earliest < builder->earliest))
        builder->earliest = part->earliest;
    if (part->event_count && (builder->event_count == 0 || part->latest > builder->latest))
        builder->latest = part->latest;
    builder->event_count += part->event_count;
    part->chunk_count = 0;
}

str_id *builder_absorb_texts(struct builder *builder, const struct builder *part)
{
    str_id *texts = grow_zeroed(part->graph.strings.count + 1, sizeof(*texts));

    for (size_t i = 1; i < part->graph.strings.count; i++)
        texts[i] = builder_intern(builder, graph_text(&part->graph, (str_id)i));
    return texts;
}

void builder_absorb(struct builder *builder, struct builder *part, const str_id *texts,
                    const uint32_t *tracks)
{
    struct maps maps = {.strings = texts, .tracks = tracks, .events = builder->event_count};

    map_frames(builder, &part->graph, &maps);
    if (part->options.categories)
        map_categories(builder, &part->graph.timeline, &maps);
    absorb_columns(builder, part, &maps);
    absorb_series(builder, part, &maps);
    absorb_inputs(builder, &part->graph.inputs, &maps);
    absorb_warnings(builder, &part->graph.source.warnings);
    absorb_chunks(builder, part, &maps);
    free(maps.frames);
    free(maps.categories);
    builder_abandon(part);
}
