/* properties.c — gathers what events know besides their time, and counters */
#include <stdlib.h>

#include "base/grow.h"
#include "base/sort.h"
#include "graph/builder/inside.h"

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

bool builder_wants_shapes(const struct builder *builder, struct span name)
{
    return !builder->options.shapes_of || builder->options.shapes_of(name);
}

void builder_property(struct builder *builder, uint32_t event, enum property property,
                      int64_t value)
{
    if (builder_wants(builder, property))
        property_append(&builder->graph.timeline.properties[property], event, value);
}

void builder_launches(struct builder *builder, uint32_t event, int64_t correlation)
{
    if (builder->options.launches)
        property_append(&builder->launches, event, correlation);
}

void builder_launched(struct builder *builder, uint32_t event, int64_t correlation)
{
    if (builder->options.launches)
        property_append(&builder->launched, event, correlation);
}

void builder_operation(struct builder *builder, uint32_t event, int64_t operation)
{
    property_append(&builder->operations, event, operation);
}

uint32_t builder_series(struct builder *builder, str_id name, str_id process, int32_t device)
{
    struct timeline *timeline = &builder->graph.timeline;
    size_t cap = builder->series_cap;

    timeline->series =
        grow_one(timeline->series, timeline->series_count, &cap, sizeof(*timeline->series));
    builder->series_cap = (uint32_t)cap;
    timeline->series[timeline->series_count] =
        (struct series){.name = name, .process = process, .device = device};
    return timeline->series_count++;
}

void builder_sample(struct builder *builder, uint32_t series, int64_t time, double value)
{
    struct series *s = &builder->graph.timeline.series[series];

    if (!builder->options.series)
        return;
    if (s->count == s->cap) {
        s->cap = (uint32_t)grow_cap(s->cap, (size_t)s->cap + 1);
        s->time = grow_to(s->time, s->cap, sizeof(*s->time));
        s->value = grow_to(s->value, s->cap, sizeof(*s->value));
    }
    s->time[s->count] = time;
    s->value[s->count++] = value;
}

void builder_origin(struct builder *builder, int64_t origin)
{
    builder->graph.timeline.origin = origin;
}

/* ---- the end ---- */

static bool is_earlier(const void *context, uint32_t a, uint32_t b)
{
    const int64_t *time = context;

    return time[a] < time[b];
}

static void sort_series(struct series *s)
{
    uint32_t *order = grow_to(NULL, (size_t)s->count + 1, sizeof(*order));
    int64_t *time = grow_to(NULL, (size_t)s->count + 1, sizeof(*time));
    double *value = grow_to(NULL, (size_t)s->count + 1, sizeof(*value));

    for (uint32_t i = 0; i < s->count; i++)
        order[i] = i;
    sort_stable(order, s->count, is_earlier, s->time);
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

/* Which of a column's values an event has, while the column is sorted. */
struct holders {
    uint64_t *bits; /* by 64 events: those that have one; none before and after */
    uint32_t *last; /* by event: its last value; only theirs mean anything */
    uint32_t words;
};

/* By event; of several values of one event the last stays. Nothing need be compared, since places are
 * known. */
static void sort_column(struct property_column *column, const uint32_t *place,
                        const struct holders *holders)
{
    int64_t *value = grow_to(NULL, (size_t)column->count + 1, sizeof(*value));
    uint32_t kept = 0;

    for (uint32_t i = 0; i < column->count; i++) {
        uint32_t event = place[column->event[i]];

        holders->bits[event / 64] |= UINT64_C(1) << event % 64;
        holders->last[event] = i;
    }
    for (uint32_t word = 0; word < holders->words; word++) {
        for (uint64_t bits = holders->bits[word]; bits; bits &= bits - 1) {
            uint32_t event = word * 64 + (uint32_t)__builtin_ctzll(bits);

            value[kept] = column->value[holders->last[event]];
            column->event[kept++] = event;
        }
        holders->bits[word] = 0;
    }
    free(column->value);
    *column = (struct property_column){column->event, value, kept, column->count};
}

bool build_properties_exist(const struct builder *builder)
{
    for (uint32_t p = 0; p < PROP_COUNT; p++)
        if (builder->graph.timeline.properties[p].count)
            return true;
    return builder->launched.count > 0 || builder->operations.count > 0 || builder->has_event_flows;
}

void build_properties_finish(struct builder *builder, const uint32_t *place)
{
    struct timeline *timeline = &builder->graph.timeline;
    struct holders holders = {
        .bits = grow_zeroed((size_t)timeline->count / 64 + 1, sizeof(*holders.bits)),
        .last = grow_to(NULL, (size_t)timeline->count + 1, sizeof(*holders.last)),
        .words = timeline->count / 64 + 1,
    };

    for (uint32_t i = 0; i < timeline->series_count; i++)
        sort_series(&timeline->series[i]);
    for (uint32_t p = 0; p < PROP_COUNT; p++)
        if (timeline->properties[p].count)
            sort_column(&timeline->properties[p], place, &holders);
    free(holders.bits);
    free(holders.last);
}
