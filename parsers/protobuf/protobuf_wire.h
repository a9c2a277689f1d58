/* SPDX-License-Identifier: Apache-2.0 */
/* protobuf_wire.h — protobuf's wire format: the fields of one message, one by one or as a struct's members
 *
 * Encoding: https://protobuf.dev/programming-guides/encoding/. Groups, and field numbers that
 * are 0, are faults. */
#ifndef PTK_PARSERS_PROTOBUF_PROTOBUF_WIRE_H
#define PTK_PARSERS_PROTOBUF_PROTOBUF_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"
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
    enum { AT_ONCE = 1024 }; /* so that compilers make vectors of the loop inside */

    while (head.len) {
        size_t count = head.len < AT_ONCE ? head.len : AT_ONCE;
        unsigned char least = '\t';

        for (size_t i = 0; i < count; i++)
            least = (unsigned char)head.at[i] < least ? (unsigned char)head.at[i] : least;
        if (least < '\t')
            return false;
        head = (struct span){head.at + count, head.len - count};
    }
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

/* ---- messages as tables of fields ---- */

/* The fields of some numbers below 64, each as it is in the message: repeated ones. Zeroed there are none. */
struct wire_list {
    const char *at, *end; /* the first that is left; the end of the message */
    uint64_t numbers;     /* a bit each */
    uint32_t left;
};

/* The next of them. */
static inline bool wire_list_next(struct wire_list *list, struct wire_field *field)
{
    struct wire wire = {.at = list->at, .end = list->end};

    while (list->left && wire_next(&wire, field))
        if (field->number < 64 && list->numbers >> field->number & 1) {
            list->at = wire.at;
            list->left--;
            return true;
        }
    return false;
}

/* A number that may be missing. */
struct wire_optional {
    uint64_t value;
    bool is_there;
};

/* Where a field's value goes, and as what; fields of other wire types are left out. Of those that are not lists
 * the last counts. */
enum wire_kind {
    WIRE_NOT_READ,
    WIRE_NUMBER,
    WIRE_INT32,
    WIRE_BOOL,
    WIRE_OPTIONAL,
    WIRE_DOUBLE,
    WIRE_SPAN,   /* texts and messages; empty, with its place, where it has no bytes */
    WIRE_ONE_OF, /* the field, number and all, of those with bytes */
    WIRE_LIST
};

struct wire_member {
    uint8_t kind; /* enum wire_kind */
    uint16_t offset;
};

/* A message is an array by field number: [3] = WIRE_MEMBER(struct device, name). The type of the struct's
 * member says the kind. */
#define WIRE_MEMBER(type, member)                                                                  \
    {                                                                                              \
        _Generic(((type *)NULL)->member, uint64_t                                                  \
                 : WIRE_NUMBER, int64_t                                                            \
                 : WIRE_NUMBER, int32_t                                                            \
                 : WIRE_INT32, bool                                                                \
                 : WIRE_BOOL, struct wire_optional                                                 \
                 : WIRE_OPTIONAL, double                                                           \
                 : WIRE_DOUBLE, struct span                                                        \
                 : WIRE_SPAN, struct wire_field                                                    \
                 : WIRE_ONE_OF, struct wire_list                                                   \
                 : WIRE_LIST),                                                                     \
            offsetof(type, member)                                                                 \
    }

/* Reads what is left of a message into a struct, up to its end or a fault. Members of fields that are not
 * there keep their values. Returns the number of the first field of another wire type than its member's; 0. */
uint64_t wire_read(struct wire *wire, const struct wire_member *members, size_t count, void *into);

/* Zeroes a struct for wire_read(). In place the compiler zeroes one of some hundred bytes by an instruction
 * that takes longer to start than a small message to read. */
void wire_clear(void *into, size_t size);

/* wire_read() of a whole message whose faults do not matter: what comes before them is read. */
static inline void wire_read_span(struct span message, const struct wire_member *members,
                                  size_t count, void *into)
{
    struct wire wire = wire_of(message);

    (void)wire_read(&wire, members, count, into);
}
#define WIRE_READ(message, members, into) wire_read_span(message, members, COUNT_OF(members), into)

/* Of a fixed number that is a double's bits. */
static inline double wire_double(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Only the field's number, its type, and the length or the number that follows: wire->at is then
 * at the first byte of a WIRE_BYTES. For messages that are not all in memory. */
MUST_CHECK bool wire_any_head(struct wire *wire, struct wire_field *field, uint64_t *length);

MUST_CHECK static inline bool wire_head(struct wire *wire, struct wire_field *field,
                                        uint64_t *length)
{
    const unsigned char *at = (const unsigned char *)wire->at;

    if (wire->end - wire->at < 2 || (at[0] & 0x87) != WIRE_BYTES || at[0] < 8 || at[1] >= 0x80)
        return wire_any_head(wire, field, length);
    *field = (struct wire_field){.number = at[0] >> 3, .type = WIRE_BYTES};
    *length = at[1];
    wire->at += 2;
    return true;
}

#endif
