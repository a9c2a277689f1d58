/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_sequences.c — what the packets of one writer share: texts and stacks by number, and defaults */
#include <stdlib.h>

#include "parsers/perfetto/perfetto.h"

void perfetto_numbers(const struct wire_field *field, struct perfetto_numbers *numbers)
{
    struct wire packed;
    uint64_t value;

    if (field->type != WIRE_BYTES) {
        vector_add(numbers, field->value);
        return;
    }
    packed = wire_of(field->bytes);
    while (packed.at < packed.end && wire_varint(&packed, &value))
        vector_add(numbers, value);
}

/* ---- what has a number ---- */

/* InternedString, Frame, Callstack and Mapping, of interned_data.proto and profile_common.proto: each has
 * some of these. */
struct interned {
    uint64_t iid;
    struct span text;
    struct perfetto_frame frame;
    struct wire_list numbers; /* of a stack's frames, or of a path's parts */
};

static const struct wire_member interned_string[] = {
    [1] = WIRE_MEMBER(struct interned, iid),
    [2] = WIRE_MEMBER(struct interned, text),
};

static const struct wire_member interned_frame[] = {
    [1] = WIRE_MEMBER(struct interned, iid),
    [2] = WIRE_MEMBER(struct interned, frame.function),
    [3] = WIRE_MEMBER(struct interned, frame.mapping),
    [4] = WIRE_MEMBER(struct interned, frame.address),
    [5] = WIRE_MEMBER(struct interned, frame.source),
};

static const struct wire_member interned_callstack[] = {
    [1] = WIRE_MEMBER(struct interned, iid),
    [2] = WIRE_MEMBER(struct interned, numbers),
};

static const struct wire_member interned_mapping[] = {
    [1] = WIRE_MEMBER(struct interned, iid),
    [7] = WIRE_MEMBER(struct interned, numbers),
};

static uint32_t add_stack(struct perfetto *perfetto, struct wire_list numbers)
{
    struct perfetto_stack stack = {.first = perfetto->frame_numbers.count};
    struct wire_field field;

    while (wire_list_next(&numbers, &field))
        perfetto_numbers(&field, &perfetto->frame_numbers);
    stack.count = (uint32_t)(perfetto->frame_numbers.count - stack.first);
    vector_add(&perfetto->stacks, stack);
    return (uint32_t)perfetto->stacks.count - 1;
}

/* The path of a mapped file, of parts that are interned themselves. */
static str_id mapping_path(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                           struct wire_list numbers)
{
    struct wire_field field;

    perfetto->numbers.count = perfetto->text.count = 0;
    while (wire_list_next(&numbers, &field))
        perfetto_numbers(&field, &perfetto->numbers);
    for (size_t i = 0; i < perfetto->numbers.count; i++) {
        struct span part = builder_text(
            perfetto->builder, perfetto_text(sequence, INTERNED_PATH, perfetto->numbers.list[i]));

        if (perfetto->numbers.count > 1 && part.len && part.at[0] != '/')
            vector_add(&perfetto->text, '/');
        for (size_t j = 0; j < part.len && perfetto->text.count < 4096; j++)
            vector_add(&perfetto->text, part.at[j]);
    }
    return builder_intern(perfetto->builder,
                          (struct span){perfetto->text.list, perfetto->text.count});
}

/* Of a number that comes twice the first counts. */
void perfetto_intern_one(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                         enum perfetto_interned kind, struct span message)
{
    struct interned fields = {0};
    uint32_t *place;

    if (kind == INTERNED_FRAME)
        WIRE_READ(message, interned_frame, &fields);
    else if (kind == INTERNED_STACK)
        WIRE_READ(message, interned_callstack, &fields);
    else if (kind == INTERNED_MAPPING)
        WIRE_READ(message, interned_mapping, &fields);
    else
        WIRE_READ(message, interned_string, &fields);
    place = fields.iid ? idmap_at(&sequence->interned[kind], fields.iid) : NULL;
    if (!place || *place != IDMAP_NONE)
        return;
    if (kind == INTERNED_FRAME) {
        *place = (uint32_t)perfetto->raw_frames.count;
        vector_add(&perfetto->raw_frames, fields.frame);
    } else if (kind == INTERNED_STACK) {
        *place = add_stack(perfetto, fields.numbers);
    } else if (kind == INTERNED_MAPPING) {
        *place = mapping_path(perfetto, sequence, fields.numbers);
    } else {
        *place = perfetto_intern_text(perfetto, fields.text);
    }
}

/* Parts of paths come after what is made of them, as a rule, since their field's number is higher. */
void perfetto_intern(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                     struct span message)
{
    for (int turn = 0; turn < 2; turn++) {
        struct wire wire = wire_of(message);
        struct wire_field field;

        while (wire_next(&wire, &field))
            if (field.type == WIRE_BYTES && field.number < INTERNED_KINDS &&
                turn == (field.number == INTERNED_MAPPING))
                perfetto_intern_one(perfetto, sequence, (enum perfetto_interned)field.number,
                                    field.bytes);
    }
}

str_id perfetto_text(const struct perfetto_sequence *sequence, enum perfetto_interned kind,
                     uint64_t id)
{
    uint32_t text = idmap_find(&sequence->interned[kind], id);

    return text == IDMAP_NONE ? 0 : text;
}

/* ---- a sequence's state ---- */

/* TracePacketDefaults, of trace_packet_defaults.proto. */
struct packet_defaults {
    struct span track_event_defaults;
    uint64_t timestamp_clock_id;
};

static const struct wire_member packet_defaults[] = {
    [11] = WIRE_MEMBER(struct packet_defaults, track_event_defaults),
    [58] = WIRE_MEMBER(struct packet_defaults, timestamp_clock_id),
};

/* TrackEventDefaults, of track_event.proto. */
struct track_event_defaults {
    struct wire_optional track_uuid;
    struct wire_list extra_counter_track_uuids, extra_double_counter_track_uuids;
};

static const struct wire_member track_event_defaults[] = {
    [11] = WIRE_MEMBER(struct track_event_defaults, track_uuid),
    [31] = WIRE_MEMBER(struct track_event_defaults, extra_counter_track_uuids),
    [45] = WIRE_MEMBER(struct track_event_defaults, extra_double_counter_track_uuids),
};

void perfetto_defaults(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                       struct span message)
{
    struct packet_defaults fields = {.timestamp_clock_id = CLOCK_BOOTTIME_ID};
    struct track_event_defaults events = {0};
    struct wire_field field;

    WIRE_READ(message, packet_defaults, &fields);
    WIRE_READ(fields.track_event_defaults, track_event_defaults, &events);
    sequence->default_clock = perfetto_clock(
        &perfetto->clocks, fields.timestamp_clock_id ? fields.timestamp_clock_id : CLOCK_BOOTTIME_ID,
        sequence->id);
    sequence->has_default_track = events.track_uuid.is_there;
    sequence->default_track = events.track_uuid.value;
    sequence->counters.count = sequence->double_counters.count = 0;
    while (wire_list_next(&events.extra_counter_track_uuids, &field))
        perfetto_numbers(&field, &sequence->counters);
    while (wire_list_next(&events.extra_double_counter_track_uuids, &field))
        perfetto_numbers(&field, &sequence->double_counters);
}

void perfetto_clear(struct perfetto *perfetto, struct perfetto_sequence *sequence)
{
    for (size_t i = 0; i < INTERNED_KINDS; i++)
        idmap_free(&sequence->interned[i]);
    perfetto_defaults(perfetto, sequence, SPAN(""));
    sequence->lacks_state = false;
    sequence->generation = ++perfetto->generations;
}
