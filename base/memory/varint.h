/* SPDX-License-Identifier: Apache-2.0 */
/* varint.h — numbers as protocol buffers write them: seven bits a byte, the lowest first; the eighth bit says that
 * more follow */
#ifndef PTK_BASE_MEMORY_VARINT_H
#define PTK_BASE_MEMORY_VARINT_H

#include <stdint.h>

#include "base/memory/memory.h"

/* Ready for use when zeroed; its owner frees `list`. */
struct byte_list {
    VECTOR(uint8_t);
};

/* Room for so many bytes more. */
static inline void byte_list_reserve(struct byte_list *bytes, size_t more)
{
    if (more <= bytes->cap - bytes->count)
        return;
    bytes->cap = grow_cap(bytes->cap, bytes->count + more);
    bytes->list = grow_to(bytes->list, bytes->cap, 1);
}

static inline void varint_add(struct byte_list *bytes, uint64_t number)
{
    enum { VARINT_MOST = 10 };

    byte_list_reserve(bytes, VARINT_MOST);
    for (; number >= 0x80; number >>= 7)
        bytes->list[bytes->count++] = (uint8_t)(number | 0x80);
    bytes->list[bytes->count++] = (uint8_t)number;
}

#endif
