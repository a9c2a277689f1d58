/* SPDX-License-Identifier: Apache-2.0 */
/* arena.h — memory that lives as long as one graph or one result, freed in one call */
#ifndef PTK_BASE_MEMORY_ARENA_H
#define PTK_BASE_MEMORY_ARENA_H

#include <stddef.h>

#include "base/attr.h"
#include "base/text/span.h"

/* Ready for use when zeroed. */
struct arena {
    struct arena_block *blocks; /* newest first */
    size_t used;                /* bytes handed out */
};

/* Never returns NULL (see vector.h). The memory is zeroed and aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);

/* As arena_alloc, for `count` items of `size`; an overflow counts as out of memory. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* A NUL-terminated copy; the span may hold NULs itself. */
char *arena_copy(struct arena *arena, struct span text);

/* The formatted text, NUL-terminated. */
const char *arena_printf(struct arena *arena, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Takes over all that another holds, which is empty then. */
void arena_absorb(struct arena *arena, struct arena *other);

/* Forgets everything at once, but keeps a block for what comes next: for short work done often. */
void arena_clear(struct arena *arena);

/* Frees everything at once. The arena may be used again. */
void arena_free(struct arena *arena);

#endif
