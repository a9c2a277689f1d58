/* SPDX-License-Identifier: Apache-2.0 */
/* build_properties.c — gathers what events know besides their time, and counters */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "graph/build/builder_state.h"

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
    return builder->graph.timeline.properties[property].count > 0;
}

enum input_need builder_input_need(const struct builder *builder, struct span name)
{
    return builder->options.inputs_of_work ? operator_class(name).need : INPUTS_VALUES;
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
        property_append(&builder->shared->graph.timeline.properties[property], event, value);
}

void builder_launches(struct timeline_builder *builder, uint32_t event, int64_t correlation)
{
    if (builder->shared->options.launches)
        property_append(&builder->launches, event, correlation);
}

void builder_launched(struct timeline_builder *builder, uint32_t event, int64_t correlation)
{
    if (builder->shared->options.launches)
        property_append(&builder->launched, event, correlation);
}

void builder_launched_early(struct builder *builder, uint32_t event, str_id call)
{
    const struct frame frame = {.name = call, .kind = KIND_RUNTIME};

    if (builder->options.launches)
        property_append(&builder->graph.timeline.properties[PROP_EARLY_CALL], event,
                        builder_frame(builder, &frame));
}

void builder_set_operation(struct timeline_builder *builder, uint32_t event, int64_t operation)
{
    property_append(&builder->operations, event, operation);
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

/* By event; of several values of one event the last stays. Nothing need be compared, since places
 * are known: a value's is the number of places before it that have one. */
static void sort_column(struct property_column *column, const uint32_t *place, uint32_t events)
{
    struct bits holders;
    int64_t *value;
    uint32_t kept = 0;

    bits_init(&holders, events);
    for (uint32_t i = 0; i < column->count; i++)
        bits_set(&holders, place[column->event[i]]);
    kept = bits_count(&holders);
    value = grow_to(NULL, (size_t)kept + 1, sizeof(*value));
    for (uint32_t i = 0; i < column->count; i++)
        value[bits_before(&holders, place[column->event[i]])] = column->value[i];
    kept = 0;
    for (uint32_t event = bits_next(&holders, 0, events); event < events;
         event = bits_next(&holders, event + 1, events))
        column->event[kept++] = event;
    free(column->value);
    *column = (struct property_column){column->event, value, kept, kept};
    bits_free(&holders);
}

bool build_properties_exist(const struct timeline_builder *builder)
{
    for (uint32_t p = 0; p < PROP_COUNT; p++)
        if (builder->shared->graph.timeline.properties[p].count)
            return true;
    return builder->launched.count > 0 || builder->operations.count > 0 || builder->has_event_flows;
}

void build_series_finish(struct timeline_builder *builder)
{
    for (uint32_t i = 0; i < builder->shared->graph.timeline.series.count; i++)
        sort_series(&builder->shared->graph.timeline.series.list[i]);
}

void build_property_finish(struct timeline_builder *builder, enum property property,
                           const uint32_t *place)
{
    struct timeline *timeline = &builder->shared->graph.timeline;

    if (timeline->properties[property].count)
        sort_column(&timeline->properties[property], place, timeline->count);
}
