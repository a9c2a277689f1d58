/* SPDX-License-Identifier: Apache-2.0 */
/* build_parts.c — joins what several threads have read of one file */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/parallel/parallel.h"
#include "graph/build/builder_state.h"

struct builder *builder_part(const struct builder *builder)
{
    return builder_new(&builder->options);
}

/* What a part's ids are in the whole. */
struct part_maps {
    const str_id *strings;
    frame_id *frames;
    uint16_t *categories;
    const uint32_t *tracks;
    uint32_t events; /* to add to an event's number */
};

static void absorb_property(struct timeline_builder *to, struct timeline_builder *from,
                            enum property property, const struct part_maps *maps)
{
    struct pairs *pairs = &from->properties[property];
    const uint32_t *ids = property == PROP_EARLY_CALL                     ? maps->frames
                          : property_kind(property) == PROPERTY_TEXT ? maps->strings
                                                                          : NULL;

    for (size_t i = 0; ids && i < pairs->count; i++)
        for (uint32_t k = 0; k < pairs->list[i].pairs.count; k++)
            pairs->list[i].pairs.value[k] = ids[pairs->list[i].pairs.value[k]];
    pairs_absorb(&to->properties[property], pairs, maps->events);
}

static void absorb_series(struct builder *builder, const struct builder *part,
                          const struct part_maps *maps)
{
    const struct timeline *from = &part->graph.timeline, *to = &builder->graph.timeline;
    struct idmap known = {0}; /* (name, process) → series */

    for (uint32_t i = (uint32_t)to->series.count; i-- > 0;)
        *idmap_at(&known, idmap_pair(to->series.list[i].name, to->series.list[i].process)) = i;
    for (uint32_t i = 0; i < from->series.count; i++) {
        const struct series *s = &from->series.list[i];
        str_id name = maps->strings[s->name], process = maps->strings[s->process];
        uint32_t *here = idmap_at(&known, idmap_pair(name, process));

        if (*here == IDMAP_NONE)
            *here = builder_series(&builder->timeline, name, process, s->device);
        for (uint32_t k = 0; k < s->count; k++)
            builder_sample(&builder->timeline, *here, s->time[k], s->value[k]);
    }
    idmap_free(&known);
}

struct mapping {
    struct timeline_builder *part;
    const struct part_maps *maps;
};

static void map_chunk(void *context, size_t piece)
{
    const struct mapping *mapping = context;
    const struct part_maps *maps = mapping->maps;
    struct event_chunk *chunk = mapping->part->chunks.list[piece];
    bool has_categories = mapping->part->shared->options.categories;

    for (uint32_t i = 0; i < chunk->count; i++) {
        chunk->frame[i] = maps->frames[chunk->frame[i]];
        chunk->track[i] = maps->tracks[chunk->track[i]];
    }
    for (uint32_t i = 0; has_categories && i < chunk->count; i++)
        chunk->category[i] = maps->categories[chunk->category[i]];
}

/* Chunks move over as they are, however full. */
static void absorb_chunks(struct timeline_builder *builder, struct timeline_builder *part,
                          const struct part_maps *maps)
{
    struct mapping mapping = {part, maps};

    parallel_for(thread_budget(), part->chunks.count, map_chunk, &mapping);
    for (size_t i = 0; i < part->chunks.count; i++)
        vector_add(&builder->chunks, part->chunks.list[i]);
    if (part->event_count >= NO_EVENT - 1 - builder->event_count)
        oom(); /* ids have 32 bits */
    if (part->event_count && (builder->event_count == 0 || part->earliest < builder->earliest))
        builder->earliest = part->earliest;
    if (part->event_count && (builder->event_count == 0 || part->latest > builder->latest))
        builder->latest = part->latest;
    builder->event_count += part->event_count;
    builder->has_cpu_times |= part->has_cpu_times;
    part->chunks.count = 0;
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
    const struct inputs_table *inputs = &part->graph.inputs;
    const struct warnings *warnings = &part->graph.source.warnings;
    struct part_maps maps = {
        .strings = texts, .tracks = tracks, .events = builder->timeline.event_count};

    maps.frames = grow_zeroed(part->graph.frames.count, sizeof(*maps.frames));
    for (size_t i = 1; i < part->graph.frames.count; i++) {
        struct frame frame = part->graph.frames.list[i];

        frame.name = maps.strings[frame.name];
        frame.file = maps.strings[frame.file];
        frame.module = maps.strings[frame.module];
        maps.frames[i] = builder_frame(builder, &frame);
    }
    if (part->options.categories) {
        maps.categories =
            grow_zeroed((size_t)part->graph.timeline.category_count + 1, sizeof(*maps.categories));
        for (uint32_t i = 1; i < part->graph.timeline.category_count; i++)
            maps.categories[i] = builder_category_number(
                &builder->timeline, maps.strings[part->graph.timeline.categories[i]]);
    }
    for (uint32_t p = 0; p < PROP_COUNT; p++)
        absorb_property(&builder->timeline, &part->timeline, (enum property)p, &maps);
    pairs_absorb(&builder->timeline.launches, &part->timeline.launches, maps.events);
    pairs_absorb(&builder->timeline.launched, &part->timeline.launched, maps.events);
    pairs_absorb(&builder->timeline.operations, &part->timeline.operations, maps.events);
    absorb_series(builder, part, &maps);
    for (size_t i = 0; i < inputs->count; i++)
        builder_inputs(builder, maps.strings[inputs->list[i].text], &inputs->list[i]);
    for (size_t i = 0; i < warnings->count; i++)
        warning_merge(builder_warnings(builder), &warnings->list[i]);
    absorb_chunks(&builder->timeline, &part->timeline, &maps);
    free(maps.frames);
    free(maps.categories);
    builder_abandon(part);
}
