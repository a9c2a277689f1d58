/* SPDX-License-Identifier: Apache-2.0 */
/* wire_bytes.h — protobuf written by hand, where messages come by the million */
#ifndef PTK_RENDER_WRITERS_WIRE_BYTES_H
#define PTK_RENDER_WRITERS_WIRE_BYTES_H

#include <stdint.h>

#include "base/memory/memory.h"

/* Ready for use when zeroed; its owner frees `list`. */
struct wire_bytes {
    VECTOR(uint8_t);
};

/* Room for so many bytes more. */
void wire_bytes_reserve(struct wire_bytes *bytes, size_t more);

void wire_bytes_add(struct wire_bytes *bytes, const struct wire_bytes *more);

/* A field of packed numbers, or of a message. */
void wire_bytes_field(struct wire_bytes *bytes, unsigned number, const struct wire_bytes *content);

static inline void wire_bytes_number(struct wire_bytes *bytes, uint64_t number)
{
    enum { VARINT_MOST = 10 };

    if (bytes->cap - bytes->count < VARINT_MOST)
        wire_bytes_reserve(bytes, VARINT_MOST);
    for (; number >= 0x80; number >>= 7)
        bytes->list[bytes->count++] = (uint8_t)(number | 0x80);
    bytes->list[bytes->count++] = (uint8_t)number;
}

#endif
