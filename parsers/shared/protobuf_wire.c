/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/protobuf_wire.h"

#include <string.h>

enum { VARINT_MAX = 10 };

bool wire_long_varint(struct wire *wire, uint64_t *value)
{
    uint64_t result = 0;
    int shift = 0;

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

bool wire_head(struct wire *wire, struct wire_field *field, uint64_t *length)
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

bool wire_next(struct wire *wire, struct wire_field *field)
{
    uint64_t length;

    if (!wire_head(wire, field, &length))
        return false;
    if (length > (uint64_t)(wire->end - wire->at)) {
        wire->fault = "a field is longer than what it is in";
        return false;
    }
    if (field->type == WIRE_BYTES)
        field->bytes = (struct span){wire->at, (size_t)length};
    wire->at += length;
    return true;
}
