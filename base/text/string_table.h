/* SPDX-License-Identifier: Apache-2.0 */
/* string_table.h — every distinct name once; the rest of the program holds 32-bit ids */
#ifndef PTK_BASE_TEXT_STRING_TABLE_H
#define PTK_BASE_TEXT_STRING_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"

typedef uint32_t str_id; /* 0 is always the empty string */

/* Owns the bytes of its names. Ready for use when zeroed. */
struct strings {
    struct arena bytes;
    struct span *text; /* by id; each is followed by a NUL */
    size_t count, cap;
    struct index index;
};

/* The id of `text`, which is copied on first use. */
str_id strings_intern(struct strings *strings, struct span text);

/* Starts to fetch where strings_intern() will look first. */
void strings_prefetch(const struct strings *strings, struct span text);

/* Borrowed until strings_free; NUL-terminated, though the span may hold NULs as well. */
struct span strings_get(const struct strings *strings, str_id id);

void strings_free(struct strings *strings);

#endif
