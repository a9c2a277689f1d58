/* SPDX-License-Identifier: Apache-2.0 */
/* build_properties.c — gathers what events know besides their time, and counters */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "graph/build/builder_state.h"

/* ---- pairs as they come ---- */

/* The first is small, as most have few; the last are so large that free() gives their memory back at once. */
enum { PIECE_FIRST = 64, PIECE_GROWTH = 4, PIECE_MOST = 32 * 1024 };

static struct property_column *add_piece(struct pairs *pairs, const struct property_column *last)
{
    uint32_t cap = !last                                    ? PIECE_FIRST
                   : last->cap >= PIECE_MOST / PIECE_GROWTH ? PIECE_MOST
                                                            : last->cap * PIECE_GROWTH;
    struct pair_piece piece = {.pairs = {.cap = cap}};

    piece.pairs.event = grow_to(NULL, cap, sizeof(*piece.pairs.event));
    piece.pairs.value = grow_to(NULL, cap, sizeof(*piece.pairs.value));
    vector_add(pairs, piece);
    return &pairs->list[pairs->count - 1].pairs;
}

/* Pairs are not moved when more come. */
static void pairs_add(struct pairs *pairs, uint32_t event, int64_t value)
{
    struct pair_piece *piece = pairs->count ? &pairs->list[pairs->count - 1] : NULL;
    struct property_column *last = piece ? &piece->pairs : NULL;

    if (!last || piece->first || last->count == last->cap)
        last = add_piece(pairs, last);
    last->event[last->count] = event;
    last->value[last->count++] = value;
}

void pairs_absorb(struct pairs *pairs, struct pairs *part, uint32_t first)
{
    for (size_t i = 0; i < part->count; i++) {
        part->list[i].first += first;
        vector_add(pairs, part->list[i]);
    }
    part->count = 0;
}

struct property_column pairs_take(struct pairs *pairs, const uint32_t *place, bool is_narrow)
{
    struct property_column column = {0};

    for (size_t i = 0; i < pairs->count; i++)
        column.cap += pairs->list[i].pairs.count;
    column.event = grow_to(NULL, (size_t)column.cap + 1, sizeof(*column.event));
    if (is_narrow)
        column.narrow = grow_to(NULL, (size_t)column.cap + 1, sizeof(*column.narrow));
    else
        column.value = grow_to(NULL, (size_t)column.cap + 1, sizeof(*column.value));
    for (size_t i = 0; i < pairs->count; i++) {
        struct pair_piece *piece = &pairs->list[i];

        for (uint32_t k = 0; k < piece->pairs.count; k++) {
            column.event[column.count] = place[piece->first + piece->pairs.event[k]];
            if (is_narrow)
                column.narrow[column.count++] = (int32_t)piece->pairs.value[k];
            else
                column.value[column.count++] = piece->pairs.value[k];
        }
        property_column_free(&piece->pairs);
    }
    pairs_free(pairs);
    return column;
}

void pairs_free(struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        property_column_free(&pairs->list[i].pairs);
    free(pairs->list);
    *pairs = (struct pairs){0};
}

/* ---- what is wanted, and what there is ---- */

bool builder_wants_launches(const struct builder *builder)
{
    return builder->options.launches;
}

bool builder_wants_modules(const struct builder *builder)
{
    return !builder->options.no_modules;
}

bool builder_wants(const struct builder *builder, enum property property)
{
    return builder->options.properties & property_bit(property);
}

bool builder_has(const struct builder *builder, enum property property)
{
    return builder->timeline.properties[property].count > 0;
}

enum input_need builder_input_need(const struct builder *builder, struct span name)
{
    struct operator_class class;

    if (builder->options.inputs == INPUTS_OF_ALL)
        return INPUTS_VALUES;
    class = operator_class(name);
    if (builder->options.inputs == INPUTS_OF_FLOPS)
        return class.need;
    return class.kind == OPERATOR_OTHER && class.named == NAMED_OTHER ? INPUTS_NONE : INPUTS_VALUES;
}

void builder_inputs(struct builder *builder, str_id text, const struct operator_inputs *inputs)
{
    inputs_add(&builder->graph.inputs, &builder->graph.arena, text, inputs);
}

bool builder_has_inputs(const struct builder *builder, enum property property, str_id text)
{
    return inputs_of(&builder->graph.inputs, property, text) != NULL;
}

void builder_property(struct timeline_builder *builder, uint32_t event, enum property property,
                      int64_t value)
{
    if (builder_wants(builder->shared, property))
        pairs_add(&builder->properties[property], event, value);
}

void builder_launches(struct timeline_builder *builder, uint32_t event, int64_t correlation)
{
    if (builder->shared->options.launches)
        pairs_add(&builder->launches, event, correlation);
}

void builder_launched(struct timeline_builder *builder, uint32_t event, int64_t correlation)
{
    if (builder->shared->options.launches)
        pairs_add(&builder->launched, event, correlation);
}

void builder_launched_early(struct builder *builder, uint32_t event, str_id call)
{
    const struct frame frame = {.name = call, .kind = KIND_RUNTIME};

    if (builder->options.launches)
        pairs_add(&builder->timeline.properties[PROP_EARLY_CALL], event,
                  builder_frame(builder, &frame));
}

void builder_set_operation(struct timeline_builder *builder, uint32_t event, int64_t operation)
{
    pairs_add(&builder->operations, event, operation);
}

uint32_t builder_series(struct timeline_builder *builder, str_id name, str_id process,
                        int32_t device)
{
    struct timeline *timeline = &builder->shared->graph.timeline;

    vector_add(&timeline->series,
               (struct series){.name = name, .process = process, .device = device});
    return (uint32_t)timeline->series.count - 1;
}

void builder_sample(struct timeline_builder *builder, uint32_t series, int64_t time, double value)
{
    struct series *s = &builder->shared->graph.timeline.series.list[series];

    if (!builder->shared->options.series)
        return;
    if (s->count == s->cap) {
        s->cap = (uint32_t)grow_cap(s->cap, (size_t)s->cap + 1);
        s->time = grow_to(s->time, s->cap, sizeof(*s->time));
        s->value = grow_to(s->value, s->cap, sizeof(*s->value));
    }
    s->time[s->count] = time;
    s->value[s->count++] = value;
}

void builder_origin(struct timeline_builder *builder, int64_t origin)
{
    builder->shared->graph.timeline.origin = origin;
}

/* ---- the end ---- */

static bool is_earlier(const void *context, uint32_t a, uint32_t b)
{
    const int64_t *time = context;

    return time[a] < time[b];
}

static void sort_series(struct series *s)
{
    uint32_t *order = sorted_order(s->count, is_earlier, s->time);
    int64_t *time = grow_to(NULL, (size_t)s->count + 1, sizeof(*time));
    double *value = grow_to(NULL, (size_t)s->count + 1, sizeof(*value));

    for (uint32_t i = 0; i < s->count; i++) {
        time[i] = s->time[order[i]];
        value[i] = s->value[order[i]];
    }
    free(order);
    free(s->time);
    free(s->value);
    s->time = time;
    s->value = value;
    s->cap = s->count + 1;
}

static bool is_in_order(const struct property_column *column)
{
    for (uint32_t i = 1; i < column->count; i++)
        if (column->event[i - 1] >= column->event[i])
            return false;
    return true;
}

/* By event; of several values of one event the last stays. Nothing need be compared, since events
 * are known: a value's place is the number of events before it that have one. */
static void sort_column(struct property_column *column, uint32_t events)
{
    struct property_column sorted = {.event = column->event};
    struct bits holders;
    uint32_t kept = 0;

    bits_init(&holders, events);
    for (uint32_t i = 0; i < column->count; i++)
        bits_set(&holders, column->event[i]);
    kept = bits_count(&holders);
    sorted.count = sorted.cap = kept;
    if (column->narrow)
        sorted.narrow = grow_to(NULL, (size_t)kept + 1, sizeof(*sorted.narrow));
    else
        sorted.value = grow_to(NULL, (size_t)kept + 1, sizeof(*sorted.value));
    for (uint32_t i = 0; i < column->count; i++) {
        uint32_t at = bits_before(&holders, column->event[i]);

        if (column->narrow)
            sorted.narrow[at] = column->narrow[i];
        else
            sorted.value[at] = column->value[i];
    }
    kept = 0;
    for (uint32_t event = bits_next(&holders, 0, events); event < events;
         event = bits_next(&holders, event + 1, events))
        column->event[kept++] = event;
    free(column->value);
    free(column->narrow);
    *column = sorted;
    bits_free(&holders);
}

bool build_properties_exist(const struct timeline_builder *builder)
{
    for (uint32_t p = 0; p < PROP_COUNT; p++)
        if (builder->properties[p].count)
            return true;
    return builder->launched.count > 0 || builder->operations.count > 0 || builder->has_event_flows;
}

void build_series_finish(struct timeline_builder *builder)
{
    for (uint32_t i = 0; i < builder->shared->graph.timeline.series.count; i++)
        sort_series(&builder->shared->graph.timeline.series.list[i]);
}

static bool are_narrow(const struct pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        for (uint32_t k = 0; k < pairs->list[i].pairs.count; k++)
            if (pairs->list[i].pairs.value[k] != (int32_t)pairs->list[i].pairs.value[k])
                return false;
    return true;
}

void build_property_finish(struct timeline_builder *builder, enum property property,
                           const uint32_t *place)
{
    struct timeline *timeline = &builder->shared->graph.timeline;
    struct property_column *column = &timeline->properties[property];

    if (!builder->properties[property].count)
        return;
    *column = pairs_take(&builder->properties[property], place,
                         are_narrow(&builder->properties[property]));
    if (!is_in_order(column))
        sort_column(column, timeline->count);
}
