/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/protobuf/protobuf_wire.h"

#include <string.h>

enum { VARINT_MAX = 10 };

/* Eight bytes at once: up to the first without its top bit, whose groups of seven bits then move together. */
static bool read_word_varint(struct wire *wire, uint64_t *value)
{
    const unsigned char *at = (const unsigned char *)wire->at;
    uint64_t word = 0, ends;

    for (int i = 0; i < 8; i++)
        word |= (uint64_t)at[i] << 8 * i;
    ends = ~word & UINT64_C(0x8080808080808080);
    if (!ends)
        return false;
    wire->at += (__builtin_ctzll(ends) + 1) / 8;
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

    if (wire->end - wire->at >= 8 && read_word_varint(wire, value))
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

bool wire_head(struct wire *wire, struct wire_field *field, uint64_t *length)
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
