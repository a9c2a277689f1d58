/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_common.c — the packets that most of a trace is: a time, and an event of a name, a category and a row
 *
 * Tables of fields take longer than all that is then done with such an event. What has anything else is left to
 * them. */
#include "parsers/perfetto/perfetto.h"

/* TracePacket and its TrackEvent, of trace_packet.proto and track_event.proto; 0: not there, but for the time, the
 * event and the row. */
struct common_packet {
    uint64_t time, sequence, flags, clock;
    uint64_t type, name, category, row;
    struct span event;
    bool has_time, has_row;
};

enum {
    FLAG_CLEARED = 1,
    FLAG_NEEDS_STATE = 2,
    /* the field's number and its type: packets' */
    USER = 3 << 3 | WIRE_VARINT,
    TIME = 8 << 3 | WIRE_VARINT,
    SEQUENCE = 10 << 3 | WIRE_VARINT,
    EVENT = 11 << 3 | WIRE_BYTES,
    FLAGS = 13 << 3 | WIRE_VARINT,
    CLOCK = 58 << 3 | WIRE_VARINT,
    PROCESS = 79 << 3 | WIRE_VARINT,
    MACHINE = 98 << 3 | WIRE_VARINT,
    /* events' */
    CATEGORY = 3 << 3 | WIRE_VARINT,
    ANNOTATION = 4 << 3 | WIRE_BYTES,
    TYPE = 9 << 3 | WIRE_VARINT,
    NAME = 10 << 3 | WIRE_VARINT,
    ROW = 11 << 3 | WIRE_VARINT,
};

/* A field's tag, and its number or length; false at what is cut, or a tag of more than two bytes. */
static inline bool next_field(struct wire *wire, unsigned *tag, uint64_t *value)
{
    const unsigned char *at = (const unsigned char *)wire->at;
    ptrdiff_t left = wire->end - wire->at;

    if (left < 2)
        return false;
    *tag = at[0];
    if (at[0] >= 0x80) {
        if (left < 3 || at[1] >= 0x80)
            return false;
        *tag = (at[0] & 0x7fu) | (unsigned)at[1] << 7;
        wire->at++;
    }
    wire->at++;
    return wire_varint(wire, value);
}

static bool read_packet(struct span message, struct common_packet *packet)
{
    struct wire wire = wire_of(message);
    unsigned tag;
    uint64_t value;

    while (wire.at < wire.end) {
        if (!next_field(&wire, &tag, &value))
            return false;
        if (tag == TIME) {
            packet->time = value;
            packet->has_time = true;
        } else if (tag == EVENT) {
            if (value > (uint64_t)(wire.end - wire.at))
                return false;
            packet->event = (struct span){wire.at, (size_t)value};
            wire.at += value;
        } else if (tag == SEQUENCE) {
            packet->sequence = value;
        } else if (tag == FLAGS) {
            packet->flags = value;
        } else if (tag == CLOCK) {
            packet->clock = value;
        } else if (tag != USER && tag != PROCESS && tag != MACHINE) {
            return false;
        }
    }
    return packet->has_time && packet->event.at;
}

static bool read_event(struct common_packet *packet, bool wants_arguments)
{
    struct wire wire = wire_of(packet->event);
    unsigned tag;
    uint64_t value;

    while (wire.at < wire.end) {
        if (!next_field(&wire, &tag, &value))
            return false;
        if (tag == TYPE) {
            packet->type = value;
        } else if (tag == NAME && value) {
            packet->name = value;
        } else if (tag == ROW) {
            packet->row = value;
            packet->has_row = true;
        } else if (tag == CATEGORY && value && !packet->category) {
            packet->category = value;
        } else if (tag == ANNOTATION && !wants_arguments &&
                   value <= (uint64_t)(wire.end - wire.at)) {
            wire.at += value;
        } else {
            return false;
        }
    }
    return packet->type == PERFETTO_BEGIN || packet->type == PERFETTO_END ||
           packet->type == PERFETTO_INSTANT;
}

/* False where a number names nothing. */
static bool find_kind(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                      const struct common_packet *packet, uint32_t clock, uint32_t *kind)
{
    struct perfetto_spelling spelling = {.name = packet->name,
                                         .category = packet->category,
                                         .generation = sequence->generation,
                                         .clock = clock,
                                         .type = (uint32_t)packet->type};
    struct perfetto_spelling *known =
        &perfetto->recent_spellings[(packet->name ^ packet->type << 5) % RECENT_KINDS];
    struct perfetto_kind made = {.clock = clock, .type = (enum perfetto_event_type)packet->type};

    if (known->generation != spelling.generation || known->name != spelling.name ||
        known->category != spelling.category || known->clock != clock ||
        known->type != spelling.type) {
        if (packet->name)
            made.name = perfetto_text(sequence, INTERNED_NAME, packet->name);
        if (packet->category)
            made.category = perfetto_text(sequence, INTERNED_CATEGORY, packet->category);
        if ((packet->name && !made.name) || (packet->category && !made.category))
            return false;
        spelling.kind = perfetto_kind(perfetto, &made);
        *known = spelling;
    }
    *kind = known->kind;
    return true;
}

bool perfetto_common_packet(struct perfetto *perfetto, struct span message)
{
    struct common_packet packet = {.time = 0};
    struct perfetto_sequence *sequence;
    uint32_t clock, kind, row;

    if (!read_packet(message, &packet) || !read_event(&packet, perfetto->wants_arguments))
        return false;
    sequence = perfetto_sequence(perfetto, (uint32_t)packet.sequence);
    if (packet.flags & FLAG_CLEARED ||
        (packet.flags & FLAG_NEEDS_STATE && sequence->lacks_state) ||
        !(packet.has_row || sequence->has_default_track))
        return false;
    clock = packet.clock ? perfetto_clock(&perfetto->clocks, packet.clock, sequence->id)
                         : sequence->default_clock;
    if (!find_kind(perfetto, sequence, &packet, clock, &kind))
        return false;
    row = perfetto_row(perfetto, packet.has_row ? packet.row : sequence->default_track);
    perfetto_add_of_kind(perfetto, row, perfetto_absolute(&perfetto->clocks, clock, packet.time),
                         kind);
    perfetto->packets++;
    return true;
}
