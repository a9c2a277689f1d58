/* SPDX-License-Identifier: Apache-2.0 */
#include "render/writers/wire_bytes.h"

#include <string.h>

void wire_bytes_reserve(struct wire_bytes *bytes, size_t more)
{
    if (more <= bytes->cap - bytes->count)
        return;
    bytes->cap = grow_cap(bytes->cap, bytes->count + more);
    bytes->list = grow_to(bytes->list, bytes->cap, 1);
}

void wire_bytes_add(struct wire_bytes *bytes, const struct wire_bytes *more)
{
    wire_bytes_reserve(bytes, more->count);
    if (more->count)
        memcpy(bytes->list + bytes->count, more->list, more->count);
    bytes->count += more->count;
}

void wire_bytes_field(struct wire_bytes *bytes, unsigned number, const struct wire_bytes *content)
{
    enum { LENGTH_DELIMITED = 2 };

    wire_bytes_number(bytes, number << 3 | LENGTH_DELIMITED);
    wire_bytes_number(bytes, content->count);
    wire_bytes_add(bytes, content);
}
