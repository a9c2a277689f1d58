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
enum { FRAMES_MIN = 1 << 24, FRAMES_PER_BYTE = 64, HEAD = 4096 };

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
                visit(otlp, profile.bytes,
                      layout_of_profile(otlp, profile.bytes,
                                        otlp->is_json ? LAYOUT_10
                                                      : layout_of_samples(otlp, profile.bytes)));
        }
    }
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
        otlp_fail(otlp, message.at,
                  "there is no dictionary: it is cut, or of a release before 1.7, which ptk does "
                  "not read");
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

static void read_json(struct otlp *otlp, profile_visit *visit)
{
    size_t at = 0;

    for (size_t i = 0; i < otlp->json.messages.count && !otlp->has_failed; i++) {
        const struct otlp_json_message *message = &otlp->json.messages.list[i];

        otlp->json_offset = message->offset;
        read_message(otlp, (struct span){otlp->json.list + at, message->end - at}, visit);
        at = message->end;
    }
}

static void read_all(struct otlp *otlp, struct span file, profile_visit *visit)
{
    struct span rest = file, message;

    if (otlp->is_json) {
        read_json(otlp, visit);
        return;
    }
    if (file.len && file.at[0] != '\0') {
        read_message(otlp, file, visit);
        return;
    }
    while (!otlp->has_failed && next_message(&rest, &message))
        read_message(otlp, message, visit);
    if (rest.len && !otlp->has_failed)
        otlp_fail(otlp, rest.at, "a message is longer than what is left of the file");
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct otlp otlp = {.builder = builder, .stacks = builder_stacks(builder), .err = err};
    struct span file;

    otlp.is_json = otlp_is_json(input_peek(in, HEAD));
    if (otlp.is_json)
        otlp_of_json(in, &otlp.json, builder_warnings(builder));
    file = otlp.is_json ? (struct span){otlp.json.list, otlp.json.count} : input_peek(in, SIZE_MAX);
    otlp.start = file.at;
    otlp.frames_left = FRAMES_MIN + (uint64_t)file.len * FRAMES_PER_BYTE;
    read_all(&otlp, file, otlp_read_types);
    if (!otlp.has_failed && builder_wants_times(builder))
        read_all(&otlp, file, otlp_find_times);
    if (!otlp.has_failed)
        otlp.has_failed = !(otlp.has_times ? timed_samples_begin(&otlp.timed, builder, err)
                                           : otlp_begin_values(&otlp));
    if (!otlp.has_failed)
        read_all(&otlp, file, otlp_add_samples);
    if (!otlp.has_failed && !otlp.has_times)
        builder_sample_facts(otlp.stacks);
    if (otlp.timed.builder) /* begun */
        timed_samples_end(&otlp.timed, input_bytes_read(in));
    builder_producer(builder, "OpenTelemetry");
    free(otlp.json.list);
    free(otlp.json.messages.list);
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
    if (otlp_is_json((struct span){head.at, head.len < HEAD ? head.len : HEAD}))
        return SNIFF_YES;
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
    .summary = "OpenTelemetry's profiles, of its collector and eBPF profiler: .otlp, .json",
    .tried = "profiles of 1.7 to 1.10 of the protocol, before it is stable",
    .omitted = "the original profile inside",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
