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

void perfetto_fields(struct span message, uint64_t *values, size_t count)
{
    struct wire wire = wire_of(message);
    struct wire_field field;

    while (wire_next(&wire, &field))
        if (field.number < count && field.type != WIRE_BYTES)
            values[field.number] = field.value;
}

/* ---- what has a number ---- */

enum { IID = 1, TEXT = 2, PATH_PARTS = 7, FRAME_NUMBERS = 2 };

/* Where a new thing's id goes; NULL where the number is taken: the first to have it keeps it. */
static uint32_t *place_of(struct perfetto_sequence *sequence, enum perfetto_interned kind,
                          uint64_t id)
{
    uint32_t *place = id ? idmap_at(&sequence->interned[kind], id) : NULL;

    return place && *place == IDMAP_NONE ? place : NULL;
}

static uint32_t intern_text(struct perfetto *perfetto, struct span message)
{
    struct wire wire = wire_of(message);
    struct wire_field field;
    str_id text = 0;

    while (wire_next(&wire, &field))
        if (field.number == TEXT && field.type == WIRE_BYTES)
            text = builder_intern(perfetto->builder, field.bytes);
    return text;
}

static uint32_t add_stack(struct perfetto *perfetto, struct span message)
{
    struct perfetto_stack stack = {.first = perfetto->frame_numbers.count};
    struct wire wire = wire_of(message);
    struct wire_field field;

    while (wire_next(&wire, &field))
        if (field.number == FRAME_NUMBERS)
            perfetto_numbers(&field, &perfetto->frame_numbers);
    stack.count = (uint32_t)(perfetto->frame_numbers.count - stack.first);
    vector_add(&perfetto->stacks, stack);
    return (uint32_t)perfetto->stacks.count - 1;
}

static uint32_t add_frame(struct perfetto *perfetto, const uint64_t *said)
{
    vector_add(&perfetto->raw_frames,
               (struct perfetto_frame){
                   .function = said[2], .mapping = said[3], .address = said[4], .source = said[5]});
    return (uint32_t)perfetto->raw_frames.count - 1;
}

/* The path of a mapped file, of parts that are interned themselves. */
static str_id mapping_path(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                           struct span message)
{
    struct wire wire = wire_of(message);
    struct wire_field field;

    perfetto->numbers.count = perfetto->text.count = 0;
    while (wire_next(&wire, &field))
        if (field.number == PATH_PARTS)
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

void perfetto_intern_one(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                         enum perfetto_interned kind, struct span message)
{
    uint64_t said[6] = {0};
    uint32_t *place;

    perfetto_fields(message, said, COUNT_OF(said));
    place = place_of(sequence, kind, said[IID]);
    if (!place)
        return;
    if (kind == INTERNED_FRAME)
        *place = add_frame(perfetto, said);
    else if (kind == INTERNED_STACK)
        *place = add_stack(perfetto, message);
    else if (kind == INTERNED_MAPPING)
        *place = mapping_path(perfetto, sequence, message);
    else
        *place = intern_text(perfetto, message);
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

void perfetto_defaults(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                       struct span message)
{
    enum { OF_EVENTS = 11, CLOCK = 58, TRACK = 11, COUNTERS = 31, DOUBLE_COUNTERS = 45 };
    struct wire wire = wire_of(message), events;
    struct wire_field field, event;

    sequence->default_clock = perfetto_clock(&perfetto->clocks, CLOCK_BOOTTIME_ID, sequence->id);
    sequence->has_default_track = false;
    sequence->counters.count = sequence->double_counters.count = 0;
    while (wire_next(&wire, &field)) {
        if (field.number == CLOCK && field.value)
            sequence->default_clock = perfetto_clock(&perfetto->clocks, field.value, sequence->id);
        if (field.number != OF_EVENTS || field.type != WIRE_BYTES)
            continue;
        events = wire_of(field.bytes);
        while (wire_next(&events, &event)) {
            if (event.number == TRACK) {
                sequence->has_default_track = true;
                sequence->default_track = event.value;
            } else if (event.number == COUNTERS) {
                perfetto_numbers(&event, &sequence->counters);
            } else if (event.number == DOUBLE_COUNTERS) {
                perfetto_numbers(&event, &sequence->double_counters);
            }
        }
    }
}

void perfetto_clear(struct perfetto *perfetto, struct perfetto_sequence *sequence)
{
    for (size_t i = 0; i < INTERNED_KINDS; i++)
        idmap_free(&sequence->interned[i]);
    perfetto_defaults(perfetto, sequence, SPAN(""));
    sequence->lacks_state = false;
    sequence->generation = ++perfetto->generations;
}
