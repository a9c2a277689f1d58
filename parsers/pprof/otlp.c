/* SPDX-License-Identifier: Apache-2.0 */
/* otlp.c — OpenTelemetry's profiles: pprof's tables, by their places, for all profiles of a message
 *
 * A file is one message, or many with the length of each before it. Field numbers changed from release to
 * release, and no release says which it is: the wire types tell. Entry 0 of each table is "none"; fields
 * may come in any order. */
#include <stdlib.h>

#include "parsers/parser.h"
#include "parsers/pprof/otlp.h"

/* Stacks are written once and used often: so many frames all samples may have together, for a file must
 * not multiply itself. */
enum { STACK_MAX = 1 << 14, FRAMES_MIN = 1 << 24, FRAMES_PER_BYTE = 64, TYPES_MAX = 64 };

/* Where a sample has what; by the first release that had it so. */
enum otlp_layout {
    LAYOUT_7,  /* 1.7: a part of the profile's locations; a value of each type */
    LAYOUT_8,  /* 1.8 and 1.9: values before attributes */
    LAYOUT_10, /* 1.10 and later: attributes before values */
};

/* ---- profiles ---- */

typedef void profile_visit(struct otlp *otlp, struct span profile, enum otlp_layout layout);

/* A profile's own layout, where it is that of 1.7; else the message's. */
static enum otlp_layout layout_of_profile(struct otlp *otlp, struct span profile,
                                          enum otlp_layout otherwise)
{
    enum { THIRD = 3, SIXTH = 6 };
    struct wire wire = wire_of(profile);
    struct wire_field field;
    bool has_third = false, is_old = false, has_sixth = false;

    while (otlp_next(otlp, &wire, &field)) {
        has_third |= field.number == THIRD;
        is_old |= field.number == THIRD && field.type != WIRE_FIXED64;
        has_sixth |= field.number == SIXTH && field.type == WIRE_BYTES;
    }
    return is_old || (!has_third && has_sixth) ? LAYOUT_7 : otherwise;
}

/* From the first sample that tells them apart: with -1 it is not known yet. One with a stack, times and
 * field 2 alone has attributes there if all of these exist. */
static int layout_of_sample(struct otlp *otlp, struct span sample)
{
    struct wire wire = wire_of(sample);
    struct wire_field field;
    int type_of[6] = {-1, -1, -1, -1, -1, -1};

    otlp->numbers.count = 0;
    while (otlp_next(otlp, &wire, &field)) {
        if (field.number < COUNT_OF(type_of))
            type_of[field.number] = (int)field.type;
        if (field.number == 2)
            otlp_integers(otlp, &field, false, &otlp->numbers);
    }
    if (type_of[4] == WIRE_BYTES || type_of[3] == WIRE_VARINT)
        return LAYOUT_10;
    if (type_of[3] == WIRE_BYTES || type_of[4] == WIRE_VARINT)
        return LAYOUT_8;
    if (type_of[2] < 0)
        return -1;
    for (size_t i = 0; i < otlp->numbers.count; i++)
        if ((uint64_t)otlp->numbers.list[i] >= otlp->attributes.count)
            return LAYOUT_8;
    return type_of[5] < 0 ? LAYOUT_8 : -1; /* it has a value or a time */
}

static enum otlp_layout layout_of_samples(struct otlp *otlp, struct span profile)
{
    struct wire wire = wire_of(profile);
    struct wire_field field;

    while (otlp_next(otlp, &wire, &field)) {
        int layout = field.number == 2 && field.type == WIRE_BYTES
                         ? layout_of_sample(otlp, field.bytes)
                         : -1;

        if (layout >= 0)
            return (enum otlp_layout)layout;
    }
    return LAYOUT_10;
}

/* Resource, ScopeProfiles and ResourceProfiles: what each repeats. */
struct repeated {
    struct wire_list parts;
};

static const struct wire_member resource_members[] = {
    [1] = WIRE_MEMBER(struct repeated, parts), /* attributes */
};

static const struct wire_member scope_profiles[] = {
    [2] = WIRE_MEMBER(struct repeated, parts), /* profiles */
};

struct resource_profiles {
    struct wire_list resource, scope_profiles;
};

static const struct wire_member resource_profiles[] = {
    [1] = WIRE_MEMBER(struct resource_profiles, resource),
    [2] = WIRE_MEMBER(struct resource_profiles, scope_profiles),
};

static void read_resource(struct otlp *otlp, struct span message)
{
    struct repeated attributes = {.parts.left = 0};
    struct wire_field field;

    OTLP_READ(otlp, message, resource_members, &attributes);
    while (!otlp->has_failed && wire_list_next(&attributes.parts, &field)) {
        struct sample_label label = otlp_attribute(otlp, field.bytes);

        if (label.key && label.text)
            vector_add(&otlp->labels, label);
    }
}

/* All profiles of a message, each with its resource's labels. */
static void visit_profiles(struct otlp *otlp, struct wire_list resources, profile_visit *visit)
{
    struct wire_field resource, field, profile;

    while (!otlp->has_failed && wire_list_next(&resources, &resource)) {
        struct resource_profiles fields = {.resource.left = 0};

        otlp->labels.count = 0;
        OTLP_READ(otlp, resource.bytes, resource_profiles, &fields);
        while (!otlp->has_failed && wire_list_next(&fields.resource, &field))
            read_resource(otlp, field.bytes);
        otlp->resource_labels = otlp->labels.count;
        while (!otlp->has_failed && wire_list_next(&fields.scope_profiles, &field)) {
            struct repeated profiles = {.parts.left = 0};

            OTLP_READ(otlp, field.bytes, scope_profiles, &profiles);
            while (!otlp->has_failed && wire_list_next(&profiles.parts, &profile))
                visit(
                    otlp, profile.bytes,
                    layout_of_profile(otlp, profile.bytes, layout_of_samples(otlp, profile.bytes)));
        }
    }
}

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
static void read_types(struct otlp *otlp, struct span profile, enum otlp_layout layout UNUSED)
{
    struct profile_message fields = {.sample_type.left = 0};
    struct wire_field field;

    OTLP_READ(otlp, profile, profile_members, &fields);
    otlp->places.count = 0;
    while (!otlp->has_failed && wire_list_next(&fields.sample_type, &field))
        vector_add(&otlp->places, (int64_t)type_place(otlp, field.bytes));
}

static bool begin_values(struct otlp *otlp)
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
};

static struct sample_message read_sample(struct otlp *otlp, struct span message, enum otlp_layout layout)
{
    struct sample_message fields = {.stack = 0};

    if (layout == LAYOUT_7)
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
    track = timed_samples_track(&otlp->timed, idmap_pair(process, id ? id : name), name ? name : id, pid, tid);
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

static void add_samples(struct otlp *otlp, struct span profile, enum otlp_layout layout)
{
    struct profile_message fields = {.samples.left = 0};
    struct wire_field field;

    read_types(otlp, profile, layout);
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
static void find_times(struct otlp *otlp, struct span profile, enum otlp_layout layout)
{
    struct profile_message fields = {.samples.left = 0};
    struct wire_field field;

    OTLP_READ(otlp, profile, profile_members, &fields);
    while (!otlp->has_times && !otlp->has_failed && wire_list_next(&fields.samples, &field))
        otlp->has_times = read_sample(otlp, field.bytes, layout).timestamps.left > 0;
}

/* ---- messages ---- */

/* ProfilesData. */
struct profiles_data {
    struct wire_list resource_profiles, dictionary;
};

static const struct wire_member profiles_data[] = {
    [1] = WIRE_MEMBER(struct profiles_data, resource_profiles),
    [2] = WIRE_MEMBER(struct profiles_data, dictionary),
};

static void read_message(struct otlp *otlp, struct span message, profile_visit *visit)
{
    struct profiles_data fields = {.dictionary.left = 0};
    struct wire_field field;
    bool has_dictionary;

    OTLP_READ(otlp, message, profiles_data, &fields);
    has_dictionary = fields.dictionary.left;
    while (!otlp->has_failed && wire_list_next(&fields.dictionary, &field))
        otlp_dictionary(otlp, field.bytes);
    if (!has_dictionary && !otlp->has_failed && message.len)
        otlp->has_failed = !error_set_at(
            otlp->err, (uint64_t)(message.at - otlp->start), 0,
            "there is no dictionary: it is of a release before 1.7, which ptk does not read");
    visit_profiles(otlp, fields.resource_profiles, visit);
}

/* Where a file is many messages, the length of each is four bytes before it, the highest first. */
static bool next_message(struct span *rest, struct span *message)
{
    uint32_t length = 0;

    if (rest->len < 4)
        return false;
    for (int i = 0; i < 4; i++)
        length = length << 8 | (unsigned char)rest->at[i];
    if (length > rest->len - 4)
        return false;
    *message = (struct span){rest->at + 4, length};
    *rest = span_after(*rest, 4 + (size_t)length);
    return true;
}

static void read_all(struct otlp *otlp, struct span file, profile_visit *visit)
{
    struct span rest = file, message;

    if (file.len && file.at[0] != '\0') {
        read_message(otlp, file, visit);
        return;
    }
    while (!otlp->has_failed && next_message(&rest, &message))
        read_message(otlp, message, visit);
    if (rest.len && !otlp->has_failed)
        otlp->has_failed = !error_set_at(otlp->err, (uint64_t)(rest.at - otlp->start), 0,
                                         "a message is longer than what is left of the file");
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct span file = input_peek(in, SIZE_MAX);
    struct otlp otlp = {.builder = builder,
                        .stacks = builder_stacks(builder),
                        .start = file.at,
                        .err = err,
                        .frames_left = FRAMES_MIN + (uint64_t)file.len * FRAMES_PER_BYTE};

    read_all(&otlp, file, read_types);
    if (!otlp.has_failed && builder_wants_times(builder))
        read_all(&otlp, file, find_times);
    if (!otlp.has_failed)
        otlp.has_failed = !(otlp.has_times ? timed_samples_begin(&otlp.timed, builder, err) : begin_values(&otlp));
    if (!otlp.has_failed)
        read_all(&otlp, file, add_samples);
    if (!otlp.has_failed && !otlp.has_times)
        builder_sample_facts(otlp.stacks);
    if (otlp.has_times)
        timed_samples_end(&otlp.timed, input_bytes_read(in));
    builder_producer(builder, "OpenTelemetry");
    free(otlp.types.list);
    free(otlp.strings.list);
    free(otlp.attributes.list);
    free(otlp.modules.list);
    free(otlp.functions.list);
    free(otlp.locations.list);
    free(otlp.frames.list);
    free(otlp.stack_table.list);
    free(otlp.labels.list);
    free(otlp.values.list);
    free(otlp.places.list);
    free(otlp.numbers.list);
    free(otlp.profile_locations.list);
    free(otlp.stack.list);
    return !otlp.has_failed;
}

/* Whether all fields are messages, of numbers up to `most`, as far as they can be seen. */
static bool has_messages_to(struct span head, uint64_t most)
{
    struct wire wire = wire_of(head);
    struct wire_field field;
    uint64_t length;

    while (wire.at < wire.end && wire_head(&wire, &field, &length)) {
        if (field.number > most || field.type != WIRE_BYTES)
            return false;
        if (length > (uint64_t)(wire.end - wire.at))
            return true;
        wire.at += length;
    }
    return head.len > 0;
}

/* Resources and a dictionary, which is what tells it from others' first fields. */
static enum sniff sniff(struct span head, bool is_all)
{
    enum { PREFIX = 4, DICTIONARY = 2, DECIDING = 256 };
    struct wire wire = wire_of(head.len > PREFIX && !head.at[0] ? span_after(head, PREFIX) : head);
    struct wire_field field;
    uint64_t length;
    bool has_resources = false;

    if (head.len < DECIDING && !is_all)
        return SNIFF_MORE;
    while (wire.at < wire.end && wire_head(&wire, &field, &length)) {
        struct span inside = {wire.at, (size_t)(wire.end - wire.at)};

        if (field.number == 0 || field.number > DICTIONARY || field.type != WIRE_BYTES)
            return SNIFF_NO;
        inside.len = length < inside.len ? (size_t)length : inside.len;
        if (field.number == DICTIONARY)
            return has_messages_to(inside, STACKS) ? SNIFF_YES : SNIFF_NO;
        if (!has_messages_to(inside, 3))
            return SNIFF_NO;
        has_resources = true;
        if (length > (uint64_t)(wire.end - wire.at))
            break;
        wire.at += length;
    }
    return has_resources ? SNIFF_MAYBE : SNIFF_NO;
}

const struct parser parser_otlp = {
    .name = "otlp",
    .title = "OpenTelemetry profiles",
    .summary = "OpenTelemetry's profiles, of its collector and eBPF profiler: .otlp",
    .tried = "profiles of 1.7 to 1.10 of the protocol, before it is stable",
    .omitted = "the original profile inside; the JSON form",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
