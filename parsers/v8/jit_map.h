/* SPDX-License-Identifier: Apache-2.0 */
/* jit_map.h — which code lies where, while a program compiles, moves and drops it */
#ifndef PTK_PARSERS_V8_JIT_MAP_H
#define PTK_PARSERS_V8_JIT_MAP_H

#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/model/graph.h"

enum jit_type {
    CODE_LIBRARY,  /* a shared library, or the program's own file */
    CODE_FUNCTION, /* of JavaScript, in whatever state */
    CODE_HANDLER,  /* of one of the interpreter's bytecodes */
    CODE_OTHER     /* built in, or a regular expression */
};

struct jit_code {
    uint64_t start, end;
    str_id text; /* "parse /srv/app.js:4:13" */
    enum jit_type type;
    frame_id frame; /* 0: not asked for yet */
};

/* By address, none over another: in blocks, so that a new one moves no more than a block. Ready for
 * use when zeroed. */
struct jit_map {
    struct VECTOR_OF(struct jit_block {
        struct jit_code *list; /* of a fixed size */
        size_t count;          /* at least 1 */
    }) blocks;
};

/* In place of all that it lies over. Code of no size is left out. */
void jit_map_add(struct jit_map *map, struct jit_code code);

/* The code that an address lies in, until the map changes; NULL: none is known. */
struct jit_code *jit_map_find(const struct jit_map *map, uint64_t address);

/* Takes the code that begins at an address out of the map; false where none does. */
bool jit_map_take(struct jit_map *map, uint64_t start, struct jit_code *taken);

void jit_map_free(struct jit_map *map);

#endif
