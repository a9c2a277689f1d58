/* SPDX-License-Identifier: Apache-2.0 */
/* protobuf_wire.h — protobuf's wire format: the fields of one message, in the order in which they stand
 *
 * Encoding: https://protobuf.dev/programming-guides/encoding/. Groups, and field numbers that
 * are 0, are faults. */
#ifndef PTK_PARSERS_PROTOBUF_PROTOBUF_WIRE_H
#define PTK_PARSERS_PROTOBUF_PROTOBUF_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/checked.h"
#include "base/memory/span.h"

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* A message, or what is left of it. `fault` says why reading stopped early: a literal, or NULL. */
struct wire {
    const char *at, *end;
    const char *fault;
};

struct wire_field {
    uint64_t number;
    enum wire_type type;
    uint64_t value;    /* of a varint or a fixed number */
    struct span bytes; /* of WIRE_BYTES; without bytes of its own otherwise */
};

static inline struct wire wire_of(struct span message)
{
    return (struct wire){.at = message.at,
                         .end = message.len ? message.at + message.len : message.at};
}

/* The part of wire_varint() that is not worth having everywhere. */
MUST_CHECK bool wire_long_varint(struct wire *wire, uint64_t *value);

/* False at the end, and where the number is cut or has more than 10 bytes. Ids, which are most of
 * a profile, have up to three bytes. */
MUST_CHECK static inline bool wire_varint(struct wire *wire, uint64_t *value)
{
    const unsigned char *at = (const unsigned char *)wire->at;

    if (wire->end - wire->at < 3)
        return wire_long_varint(wire, value);
    if (at[0] < 0x80) {
        *value = at[0];
        wire->at += 1;
    } else if (at[1] < 0x80) {
        *value = (at[0] & 0x7fu) | (unsigned)at[1] << 7;
        wire->at += 2;
    } else if (at[2] < 0x80) {
        *value = (at[0] & 0x7fu) | (at[1] & 0x7fu) << 7 | (unsigned)at[2] << 14;
        wire->at += 3;
    } else {
        return wire_long_varint(wire, value);
    }
    return true;
}

/* Whether all of it is text, which no message is: short numbers are control characters. */
static inline bool wire_is_text(struct span head)
{
    for (size_t i = 0; i < head.len; i++)
        if ((unsigned char)head.at[i] < '\t')
            return false;
    return true;
}

/* The part of wire_next() that is not worth having everywhere. */
MUST_CHECK bool wire_any(struct wire *wire, struct wire_field *field);

/* The next field. False at the end and at a fault. Most fields have a tag of one byte, and a number or a
 * length of one. */
MUST_CHECK static inline bool wire_next(struct wire *wire, struct wire_field *field)
{
    const unsigned char *at = (const unsigned char *)wire->at;
    enum wire_type type;

    if (wire->end - wire->at < 2 || at[0] < 8 || at[0] >= 0x80 || at[1] >= 0x80)
        return wire_any(wire, field);
    type = (enum wire_type)(at[0] & 7);
    if (type == WIRE_VARINT)
        *field = (struct wire_field){.number = at[0] >> 3, .type = type, .value = at[1]};
    else if (type == WIRE_BYTES && at[1] <= wire->end - wire->at - 2)
        *field =
            (struct wire_field){.number = at[0] >> 3, .type = type, .bytes = {wire->at + 2, at[1]}};
    else
        return wire_any(wire, field);
    wire->at += 2 + field->bytes.len;
    return true;
}

/* Only the field's number, its type, and the length or the number that follows: wire->at is then
 * at the first byte of a WIRE_BYTES. For messages that are not all in memory. */
MUST_CHECK bool wire_head(struct wire *wire, struct wire_field *field, uint64_t *length);

#endif
