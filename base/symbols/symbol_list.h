/* SPDX-License-Identifier: Apache-2.0 */
/* symbol_list.h — the inside of symbols.h that needs no library: which binaries, and where */
#ifndef PTK_BASE_SYMBOLS_SYMBOL_LIST_H
#define PTK_BASE_SYMBOLS_SYMBOL_LIST_H

#include <stddef.h>

#include "base/memory/arena.h"
#include "base/memory/vector.h"
#include "base/symbols/symbols.h"

struct symbols {
    struct arena arena;
    struct VECTOR_OF(struct span) folders;
    struct VECTOR_OF(struct symbol_binary *) binaries;
    void *session; /* what the library keeps for all */
};

/* What a library does: it opens the binary at a path, tells whether its segments would be mapped
 * so, and finds what is at an offset. */
bool symbol_library_open(struct symbols *symbols, struct symbol_binary *binary, const char *path,
                         struct span build_id);
bool symbol_library_fits(const struct symbol_binary *binary, const struct symbol_map *map);
uint32_t symbol_library_find(struct symbols *symbols, struct symbol_binary *binary, uint64_t offset,
                             struct symbol_place *places, uint32_t room);
void symbol_library_end(struct symbols *symbols);

#endif
