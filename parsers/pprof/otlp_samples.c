/* SPDX-License-Identifier: Apache-2.0 */
/* otlp_samples.c — the samples of an OpenTelemetry profile, as each release has them, and what they count */
#include <stdlib.h>

#include "parsers/pprof/otlp.h"

enum { STACK_MAX = 1 << 14, TYPES_MAX = 64 };

/* ---- what is counted ---- */

/* ValueType; and of a profile what all releases have, and what 1.7 has besides. */
struct type_message {
    uint64_t type_strindex, unit_strindex;
};

static const struct wire_member type_members[] = {
    [1] = WIRE_MEMBER(struct type_message, type_strindex),
    [2] = WIRE_MEMBER(struct type_message, unit_strindex),
};

struct profile_message {
    struct wire_list sample_type, samples, location_indices;
};

static const struct wire_member profile_members[] = {
    [1] = WIRE_MEMBER(struct profile_message, sample_type),
    [2] = WIRE_MEMBER(struct profile_message, samples),
    [3] = WIRE_MEMBER(struct profile_message, location_indices),
};

static size_t type_place(struct otlp *otlp, struct span message)
{
    struct type_message fields = {0};
    struct otlp_type type;
    size_t at = 0;

    OTLP_READ(otlp, message, type_members, &fields);
    type = (struct otlp_type){otlp_text(otlp, fields.type_strindex),
                              otlp_text(otlp, fields.unit_strindex)};
    while (at < otlp->types.count &&
           (otlp->types.list[at].name != type.name || otlp->types.list[at].unit != type.unit))
        at++;
    if (at == otlp->types.count && at < TYPES_MAX)
        vector_add(&otlp->types, type);
    return at;
}

/* The places of a profile's types, of which only 1.7 has several, in otlp->places. */
void otlp_read_types(struct otlp *otlp, struct span profile, enum otlp_layout layout UNUSED)
{
    struct profile_message fields = {.sample_type.left = 0};
    struct wire_field field;

    OTLP_READ(otlp, profile, profile_members, &fields);
    otlp->places.count = 0;
    while (!otlp->has_failed && wire_list_next(&fields.sample_type, &field))
        vector_add(&otlp->places, (int64_t)type_place(otlp, field.bytes));
}

bool otlp_begin_values(struct otlp *otlp)
{
    struct value_name values[TYPES_MAX] = {{SPAN("samples"), UNIT_COUNT}};

    for (size_t i = 0; i < otlp->types.count; i++)
        values[i] = (struct value_name){
            builder_text(otlp->builder, otlp->types.list[i].name),
            pprof_unit_named(builder_text(otlp->builder, otlp->types.list[i].unit)).unit};
    return builder_begin(otlp->builder, LEVEL_CALLTREE, values,
                         otlp->types.count ? (uint32_t)otlp->types.count : 1, 0, otlp->err);
}

/* ---- samples ---- */

static void push_location(struct otlp *otlp, uint64_t place)
{
    struct expansion expansion;

    if (!otlp_is_place(place, otlp->locations.count)) {
        if (place)
            warning_count(builder_warnings(otlp->builder), WARNING_LOSS,
                          "places in tables that are not there, left out", otlp_offset(otlp));
        return;
    }
    expansion = otlp->locations.list[place];
    if (expansion.count > otlp->frames_left || otlp->stack.count + expansion.count > STACK_MAX) {
        warning_count(builder_warnings(otlp->builder), WARNING_LOSS,
                      "frames left out: more than a file of this size can mean", otlp_offset(otlp));
        return;
    }
    otlp->frames_left -= expansion.count;
    for (uint32_t i = 0; i < expansion.count; i++)
        vector_add(&otlp->stack, otlp->frames.list[expansion.first + i]);
}

/* A part of the profile's own list, or the stack of that number. */
static void read_stack(struct otlp *otlp, enum otlp_layout layout, uint64_t first, uint64_t second)
{
    enum { LOCATION_INDICES = 1 };
    struct wire wire;
    struct wire_field field;

    otlp->stack.count = otlp->numbers.count = 0;
    if (layout == LAYOUT_7) {
        uint64_t past = otlp->profile_locations.count;

        for (uint64_t i = first; i < past && i - first < second; i++)
            push_location(otlp, (uint64_t)otlp->profile_locations.list[i]);
        return;
    }
    if (!otlp_is_place(first, otlp->stack_table.count))
        return;
    wire = wire_of(otlp->stack_table.list[first]);
    while (otlp_next(otlp, &wire, &field))
        if (field.number == LOCATION_INDICES)
            otlp_integers(otlp, &field, false, &otlp->numbers);
    for (size_t i = 0; i < otlp->numbers.count; i++)
        push_location(otlp, (uint64_t)otlp->numbers.list[i]);
}

/* What a sample weighs of one of its profile's types: where it has no values, each of its times is one. */
static int64_t weight(const struct otlp *otlp, enum otlp_layout layout, size_t type, uint64_t times)
{
    int64_t sum = 0;

    if (!otlp->values.count)
        return type ? 0 : (int64_t)times;
    if (layout == LAYOUT_7)
        return type < otlp->values.count ? otlp->values.list[type] : 0;
    for (size_t i = 0; i < otlp->values.count; i++)
        sum = checked_add(sum, otlp->values.list[i]);
    return sum;
}

/* Sample, as each release has it. */
struct sample_message {
    uint64_t stack, stack_length; /* of 1.7: locations_start_index, and how many */
    struct wire_list values, attribute_indices, timestamps;
};

static const struct wire_member sample_7[] = {
    [1] = WIRE_MEMBER(struct sample_message, stack),
    [2] = WIRE_MEMBER(struct sample_message, stack_length),
    [3] = WIRE_MEMBER(struct sample_message, values),
    [4] = WIRE_MEMBER(struct sample_message, attribute_indices),
    [6] = WIRE_MEMBER(struct sample_message, timestamps),
};

static const struct wire_member sample_8[] = {
    [1] = WIRE_MEMBER(struct sample_message, stack),
    [2] = WIRE_MEMBER(struct sample_message, values),
    [3] = WIRE_MEMBER(struct sample_message, attribute_indices),
    [5] = WIRE_MEMBER(struct sample_message, timestamps),
};

static const struct wire_member sample_10[] = {
    [1] = WIRE_MEMBER(struct sample_message, stack),
    [2] = WIRE_MEMBER(struct sample_message, attribute_indices),
    [4] = WIRE_MEMBER(struct sample_message, values),
    [5] = WIRE_MEMBER(struct sample_message, timestamps),
    [6] = WIRE_MEMBER(struct sample_message, stack_length), /* of 1.7 as JSON */
};

static struct sample_message read_sample(struct otlp *otlp, struct span message,
                                         enum otlp_layout layout)
{
    struct sample_message fields = {.stack = 0};

    if (layout == LAYOUT_7 && !otlp->is_json)
        OTLP_READ(otlp, message, sample_7, &fields);
    else if (layout == LAYOUT_8)
        OTLP_READ(otlp, message, sample_8, &fields);
    else
        OTLP_READ(otlp, message, sample_10, &fields);
    return fields;
}

/* The resource's and the sample's. */
static void read_labels(struct otlp *otlp, struct wire_list attribute_indices)
{
    otlp->numbers.count = 0;
    otlp_list(otlp, attribute_indices, false, &otlp->numbers);
    otlp->labels.count = otlp->resource_labels;
    for (size_t i = 0; i < otlp->numbers.count; i++) {
        uint64_t place = (uint64_t)otlp->numbers.list[i];

        if (otlp_is_place(place, otlp->attributes.count) && otlp->attributes.list[place].key &&
            otlp->attributes.list[place].text)
            vector_add(&otlp->labels, otlp->attributes.list[place]);
    }
}

static str_id label_of(const struct otlp *otlp, struct span key)
{
    for (size_t i = 0; i < otlp->labels.count; i++)
        if (span_eq(builder_text(otlp->builder, otlp->labels.list[i].key), key))
            return otlp->labels.list[i].text;
    return 0;
}

/* Each time of a sample is one of its thread's. */
static void add_timed_sample(struct otlp *otlp, struct span message, enum otlp_layout layout)
{
    struct sample_message fields = read_sample(otlp, message, layout);
    struct integers times = {0};
    str_id name, id, process;
    int64_t pid = 0, tid = 0;
    uint32_t track;

    otlp_list(otlp, fields.timestamps, layout != LAYOUT_7, &times);
    read_labels(otlp, fields.attribute_indices);
    id = label_of(otlp, SPAN("thread.id"));
    name = label_of(otlp, SPAN("thread.name"));
    process = label_of(otlp, SPAN("process.pid"));
    if (process)
        span_to_i64(builder_text(otlp->builder, process), &pid);
    if (id)
        span_to_i64(builder_text(otlp->builder, id), &tid);
    track = timed_samples_track(&otlp->timed, idmap_pair(process, id ? id : name), name ? name : id,
                                pid, tid);
    read_stack(otlp, layout, fields.stack, fields.stack_length);
    for (size_t i = 0; i < times.count; i++)
        timed_samples_add(&otlp->timed, track, times.list[i], otlp->stack.list, otlp->stack.count);
    free(times.list);
}

static void add_sample(struct otlp *otlp, struct span message, enum otlp_layout layout)
{
    struct sample_message fields = read_sample(otlp, message, layout);
    struct integers times = {0};
    int64_t sums[TYPES_MAX] = {0};

    otlp->values.count = 0;
    otlp_list(otlp, fields.values, false, &otlp->values);
    otlp_list(otlp, fields.timestamps, layout != LAYOUT_7, &times);
    for (size_t i = 0; i < otlp->places.count; i++) {
        size_t type = (size_t)otlp->places.list[i];

        if (type < TYPES_MAX) {
            int64_t scale =
                pprof_unit_named(builder_text(otlp->builder, otlp->types.list[type].unit)).scale;
            int64_t amount = weight(otlp, layout, i, times.count);

            if (__builtin_mul_overflow(amount, scale, &amount))
                amount = amount < 0 ? INT64_MIN + 1 : INT64_MAX;
            sums[type] = checked_add(sums[type], amount == UNKNOWN ? UNKNOWN + 1 : amount);
        }
    }
    free(times.list);
    read_stack(otlp, layout, fields.stack, fields.stack_length);
    if (builder_wants_labels(otlp->stacks)) {
        read_labels(otlp, fields.attribute_indices);
        builder_labels(otlp->stacks, otlp->labels.list, (uint32_t)otlp->labels.count);
    }
    builder_stack(otlp->stacks, otlp->stack.list, (uint32_t)otlp->stack.count, sums);
}

void otlp_add_samples(struct otlp *otlp, struct span profile, enum otlp_layout layout)
{
    struct profile_message fields = {.samples.left = 0};
    struct wire_field field;

    otlp_read_types(otlp, profile, layout);
    OTLP_READ(otlp, profile, profile_members, &fields);
    otlp->profile_locations.count = 0;
    if (layout == LAYOUT_7)
        otlp_list(otlp, fields.location_indices, false, &otlp->profile_locations);
    while (!otlp->has_failed && wire_list_next(&fields.samples, &field))
        if (otlp->has_times)
            add_timed_sample(otlp, field.bytes, layout);
        else
            add_sample(otlp, field.bytes, layout);
}

/* Whether any sample says when it was taken. */
void otlp_find_times(struct otlp *otlp, struct span profile, enum otlp_layout layout)
{
    struct profile_message fields = {.samples.left = 0};
    struct wire_field field;

    OTLP_READ(otlp, profile, profile_members, &fields);
    while (!otlp->has_times && !otlp->has_failed && wire_list_next(&fields.samples, &field))
        otlp->has_times = read_sample(otlp, field.bytes, layout).timestamps.left > 0;
}
