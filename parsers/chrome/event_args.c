/* SPDX-License-Identifier: Apache-2.0 */
/* An event's args as properties and links of the graph, and counter events as samples of their series. */
#include "parsers/chrome/chrome_events.h"

#define XXH_INLINE_ALL
#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

#include "graph/classify/event_class.h"
#include "parsers/chrome/producers/producers.h"
#include "parsers/device/operator_input_text.h"
#include "parsers/device/xla_details.h"
#include "parsers/json/json.h"

/* ---- what the name of a copy says of it: "Memcpy HtoD (Pageable -> Device)" ---- */

static void add_known(struct builder *builder, uint32_t event, enum property property, int value)
{
    if (value && builder_wants(builder, property))
        builder_property(builder_timeline(builder), event, property, value);
}

void copy_name_add(struct builder *builder, uint32_t event, struct span name)
{
    struct span to = name;
    size_t arrow;

    add_known(builder, event, PROP_COPY_KIND, (int)copy_direction_of_name(name));
    span_split(&to, '(');
    arrow = span_find(to, SPAN(" -> "));
    if (!span_ends(to, SPAN(")")) || arrow == SIZE_MAX)
        return;
    to.len--;
    add_known(builder, event, PROP_SRC_KIND, (int)memory_kind_of((struct span){to.at, arrow}));
    add_known(builder, event, PROP_DST_KIND, (int)memory_kind_of(span_after(to, arrow + 4)));
}

/* ---- counter events: every member of one's args is a sample of a series of its own ---- */

static int at_most(size_t len, int most)
{
    return len < (size_t)most ? (int)len : most;
}

/* "memory[id] used" */
static str_id series_name(struct builder *builder, struct span name, struct span id,
                          struct span key)
{
    char text[256];
    int len = snprintf(text, sizeof(text), "%.*s%s%.*s%s %.*s", at_most(name.len, 127), name.at,
                       id.len ? "[" : "", at_most(id.len, 31), id.at, id.len ? "]" : "",
                       at_most(key.len, 63), key.at);

    return builder_intern(builder, (struct span){text, (size_t)len});
}

void counters_add(struct counters *counters, struct builder *builder, const struct event *event,
                  int64_t time)
{
    struct timeline_builder *timeline = builder_timeline(builder);
    struct json_walk walk = walk_into(event->field[FIELD_ARGS]);
    struct span name = token_raw_text(event->field[FIELD_NAME]), key;
    struct span pid = token_raw_text(event->field[FIELD_PID]);
    struct span id = token_raw_text(event->field[FIELD_ID]);
    uint64_t hash = XXH3_64bits_withSeed(pid.at, pid.len, 0); /* of a series, but for its key */
    struct token value;
    double real;

    hash = XXH3_64bits_withSeed(name.at, name.len, hash);
    hash = XXH3_64bits_withSeed(id.at, id.len, hash);
    while (walk_member(&walk, &key, &value)) {
        uint32_t *series;

        if (!token_real(value, &real))
            continue;
        series = idmap_at(&counters->series, XXH3_64bits_withSeed(key.at, key.len, hash));
        if (*series == IDMAP_NONE)
            *series = builder_series(timeline, series_name(builder, name, id, key),
                                     builder_intern(builder, pid), -1);
        builder_sample(timeline, *series, time, real);
    }
}

void counters_free(struct counters *counters)
{
    idmap_free(&counters->series);
}

/* ---- an event's args as the graph's properties and links ---- */

static bool read_pack3(struct token token, int64_t *value)
{
    struct json_walk walk = walk_into(token);
    int64_t part[3] = {1, 1, 1};
    struct token item;

    for (int i = 0; i < 3 && walk_item(&walk, &item); i++)
        if (!token_integer(item, &part[i]))
            return false;
    *value = property_pack3(part[0], part[1], part[2]);
    return true;
}

static bool read_value(struct builder *builder, struct text_cache *text_cache, enum field field,
                       struct token token, int64_t *value)
{
    switch (argument_kind(field)) {
    case ARGUMENT_NUMBER:
        return token_integer(token, value);
    case ARGUMENT_PPM:
        return token_scaled(token, 6, value);
    case ARGUMENT_PERCENT:
        return token_scaled(token, 4, value);
    case ARGUMENT_GB_PER_SECOND:
        return token_scaled(token, 9, value);
    case ARGUMENT_PACK3:
        return read_pack3(token, value);
    case ARGUMENT_TEXT:
        *value = text_cache_find(text_cache, builder, token);
        return true;
    }
    return false;
}

/* An allocation's device, from PyTorch's two numbers. */
static void add_place(struct builder *builder, const struct event *event, uint32_t number)
{
    int64_t type, ordinal;
    char text[48] = "cpu";

    if (!token_integer(event->field[ARG_DEVICE_TYPE], &type))
        return;
    if (type != 0) {
        if (!event->field[ARG_DEVICE_ID].at ||
            !token_integer(event->field[ARG_DEVICE_ID], &ordinal))
            ordinal = 0;
        snprintf(text, sizeof(text), "gpu:%" PRId64, ordinal);
    }
    builder_property(builder_timeline(builder), number, PROP_PLACE,
                     builder_intern(builder, span_of(text)));
}

static void add_correlation(struct timeline_builder *builder, struct token token,
                            enum frame_kind kind, uint32_t number)
{
    int64_t correlation;

    if (!token_integer(token, &correlation) || correlation == 0)
        return;
    if (kind == KIND_RUNTIME)
        builder_launches(builder, number, correlation);
    else if (frame_kind_is_device(kind))
        builder_launched(builder, number, correlation);
    builder_property(builder, number, PROP_CORRELATION, correlation);
}

/* Where calls and work have no correlation, they share the number of the operator around them. It
 * counts apart from correlations. */
static void add_external_id(struct timeline_builder *builder, struct token token,
                            enum frame_kind kind, uint32_t number)
{
    const int64_t apart = (int64_t)1 << 62;
    int64_t external;

    if (!token_integer(token, &external) || external <= 0 || external >= apart)
        return;
    if (kind == KIND_RUNTIME)
        builder_launches(builder, number, external | apart);
    else if (frame_kind_is_device(kind))
        builder_launched(builder, number, external | apart);
}

/* Inputs are many, and most operators' work does not depend on them. */
static bool is_idle_input(const struct builder *builder, const struct chrome_name *name,
                          enum property property)
{
    switch ((int)property) {
    case PROP_CONCRETE:
        return name->inputs != INPUTS_VALUES;
    case PROP_SHAPES:
        return name->inputs == INPUTS_NONE && builder_has(builder, PROP_SHAPES);
    case PROP_TYPES:
    case PROP_STRIDES:
        return name->inputs == INPUTS_NONE;
    default:
        return false;
    }
}

static void add_property(struct builder *builder, struct text_cache *text_cache,
                         const struct chrome_name *name, enum field field, struct token token,
                         uint32_t number)
{
    enum property property = argument_property(field);
    int64_t value;

    if (is_idle_input(builder, name, property) ||
        !read_value(builder, text_cache, field, token, &value))
        return;
    if (property == PROP_BYTES && name->kind == KIND_MEMCPY && value < 0 && value >= INT32_MIN)
        value += (int64_t)1 << 32; /* Paddle prints a copy's size as a signed 32-bit number */
    else if (property >= PROP_SHAPES && property <= PROP_CONCRETE)
        operator_inputs_note(builder, property, (str_id)value);
    builder_property(builder_timeline(builder), number, property, value);
}

void arguments_add(struct builder *builder, struct text_cache *text_cache,
                   const struct event *event, const struct chrome_name *name, uint32_t number)
{
    struct timeline_builder *timeline = builder_timeline(builder);

    for (uint32_t i = 0; i < event->argument_count; i++) {
        enum field field = (enum field)event->arguments[i];
        struct token token = event->field[field];

        switch ((int)field) {
        case ARG_CORRELATION:
            add_correlation(timeline, token, name->kind, number);
            break;
        case ARG_EXTERNAL_ID:
            if (!event->field[ARG_CORRELATION].at)
                add_external_id(timeline, token, name->kind, number);
            break;
        case ARG_COLLECTIVE:
            if (builder_wants(builder, PROP_COLLECTIVE))
                add_property(builder, text_cache, name, property_field(PROP_COLLECTIVE), token,
                             number);
            break;
        case ARG_DEVICE_TYPE:
            add_place(builder, event, number);
            break;
        case ARG_EARLY_CALL:
            builder_launched_early(builder, number,
                                   (str_id)text_cache_find(text_cache, builder, token));
            break;
        case ARG_XLA_DETAILS:
            xla_details_add(builder, number, token.at ? token_raw_text(token) : (struct span){0});
            break;
        default:
            if ((int)field >= ARG_PROPERTY)
                add_property(builder, text_cache, name, field, token, number);
        }
    }
}
