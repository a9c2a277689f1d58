/* SPDX-License-Identifier: Apache-2.0 */
/* protobuf_wire.c — fields of protobuf's wire format: those that are long, and whole messages into structs */
#include "parsers/protobuf/protobuf_wire.h"

enum { VARINT_MAX = 10 };

/* Eight bytes at once: up to the first without its top bit, whose groups of seven bits then move together. */
static inline bool read_word_varint(const char **from, uint64_t *value)
{
    const unsigned char *at = (const unsigned char *)*from;
    uint64_t word = (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 |
                    (uint64_t)at[3] << 24 | (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 |
                    (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
    uint64_t ends;

    ends = ~word & UINT64_C(0x8080808080808080);
    if (!ends)
        return false;
    *from += (__builtin_ctzll(ends) + 1) / 8;
    word &= ends ^ (ends - 1);
    word &= UINT64_C(0x7f7f7f7f7f7f7f7f);
    word = (word & UINT64_C(0x007f007f007f007f)) | (word & UINT64_C(0x7f007f007f007f00)) >> 1;
    word = (word & UINT64_C(0x00003fff00003fff)) | (word & UINT64_C(0x3fff00003fff0000)) >> 2;
    *value = (word & UINT64_C(0x000000000fffffff)) | (word & UINT64_C(0x0fffffff00000000)) >> 4;
    return true;
}

bool wire_long_varint(struct wire *wire, uint64_t *value)
{
    uint64_t result = 0;
    int shift = 0;

    if (wire->end - wire->at >= 8 && read_word_varint(&wire->at, value))
        return true;
    for (int i = 0; i < VARINT_MAX && wire->at < wire->end; i++, shift += 7) {
        unsigned char byte = (unsigned char)*wire->at++;

        result |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *value = result;
            return true;
        }
    }
    wire->fault = shift / 7 == VARINT_MAX ? "a number of more than 10 bytes" : "a number is cut";
    return false;
}

/* Little-endian, as the format has it. */
static bool read_fixed(struct wire *wire, int size, uint64_t *value)
{
    *value = 0;
    if (wire->end - wire->at < size) {
        wire->fault = "a number is cut";
        return false;
    }
    for (int i = 0; i < size; i++)
        *value |= (uint64_t)(unsigned char)*wire->at++ << 8 * i;
    return true;
}

static inline bool read_head(struct wire *wire, struct wire_field *field, uint64_t *length)
{
    uint64_t tag;

    *length = 0;
    if (wire->at == wire->end || !wire_varint(wire, &tag))
        return false;
    *field = (struct wire_field){.number = tag >> 3, .type = (enum wire_type)(tag & 7)};
    if (field->number == 0) {
        wire->fault = "a field with number 0";
        return false;
    }
    switch (field->type) {
    case WIRE_VARINT:
        return wire_varint(wire, &field->value);
    case WIRE_FIXED64:
        return read_fixed(wire, 8, &field->value);
    case WIRE_FIXED32:
        return read_fixed(wire, 4, &field->value);
    case WIRE_BYTES:
        return wire_varint(wire, length);
    }
    wire->fault = "a field of a type that is not used";
    return false;
}

bool wire_any_head(struct wire *wire, struct wire_field *field, uint64_t *length)
{
    return read_head(wire, field, length);
}

bool wire_any(struct wire *wire, struct wire_field *field)
{
    uint64_t length;

    if (!read_head(wire, field, &length))
        return false;
    if (field->type != WIRE_BYTES)
        return true;
    if (length > (uint64_t)(wire->end - wire->at)) {
        wire->fault = "a field is longer than what it is in";
        return false;
    }
    field->bytes = (struct span){wire->at, (size_t)length};
    wire->at += length;
    return true;
}

/* ---- messages as tables of fields ---- */

static void list_field(struct wire_list *list, uint64_t number, const char *at, const char *end)
{
    if (!list->left++) {
        list->at = at;
        list->end = end;
    }
    list->numbers |= UINT64_C(1) << number % 64;
}

/* False: its wire type is not one of such a member. */
static inline bool store_number(void *member, enum wire_kind kind, enum wire_type type,
                                uint64_t value)
{
    if (kind == WIRE_NUMBER)
        memcpy(member, &value, sizeof(value));
    else if (kind == WIRE_OPTIONAL)
        *(struct wire_optional *)member = (struct wire_optional){value, true};
    else if (kind == WIRE_INT32)
        *(int32_t *)member = (int32_t)value;
    else if (kind == WIRE_BOOL)
        *(bool *)member = value != 0;
    else if (kind == WIRE_DOUBLE && type == WIRE_FIXED64)
        *(double *)member = wire_double(value);
    else
        return false;
    return true;
}

static inline bool store_bytes(void *member, enum wire_kind kind, uint64_t number,
                               struct span bytes)
{
    if (kind == WIRE_SPAN)
        *(struct span *)member = bytes;
    else if (kind == WIRE_ONE_OF)
        *(struct wire_field *)member =
            (struct wire_field){.number = number, .type = WIRE_BYTES, .bytes = bytes};
    else
        return false;
    return true;
}

void wire_clear(void *into, size_t size)
{
    memset(into, 0, size);
}

uint64_t wire_read(struct wire *wire, const struct wire_member *members, size_t count, void *into)
{
    const char *at = wire->at, *end = wire->end;
    uint64_t odd = 0;

    while (at < end) {
        const unsigned char *head = (const unsigned char *)at;
        const char *start = at, *after = at + 1;
        bool is_short = end - at >= 2 && head[0] >= 8 && head[0] < 0x80; /* the tag */
        enum wire_type type = (enum wire_type)(head[0] & 7);
        uint64_t number = head[0] >> 3, value = 0;
        struct span bytes = {0};
        enum wire_kind kind;
        void *member;

        /* as in wire_next(), whose pointers would keep all of this in memory */
        if (is_short && type == WIRE_VARINT && head[1] < 0x80) {
            value = head[1];
            at += 2;
        } else if (is_short && type == WIRE_BYTES && head[1] < 0x80 && head[1] <= end - at - 2) {
            bytes = (struct span){at + 2, head[1]};
            at += 2 + head[1];
        } else if (is_short && type == WIRE_VARINT && end - at > 8 &&
                   read_word_varint(&after, &value)) {
            at = after;
        } else {
            struct wire_field field;

            wire->at = at;
            if (!wire_any(wire, &field))
                return odd;
            number = field.number;
            type = field.type;
            value = field.value;
            bytes = field.bytes;
            at = wire->at;
        }
        if (number >= count || members[number].kind == WIRE_NOT_READ)
            continue;
        kind = (enum wire_kind)members[number].kind;
        member = (char *)into + members[number].offset;
        if (kind == WIRE_LIST)
            list_field(member, number, start, end);
        else if (!(type == WIRE_BYTES ? store_bytes(member, kind, number, bytes)
                                      : store_number(member, kind, type, value)) &&
                 !odd)
            odd = number;
    }
    wire->at = at;
    return odd;
}
