/* SPDX-License-Identifier: Apache-2.0 */
/* symbols.h — names for addresses of code, from the binaries that the code is in
 *
 * Through elfutils (libdw) where the build found it, else none are found. Binaries are opened when
 * first asked for, and stay open. Nothing is fetched from a network. */
#ifndef PTK_BASE_SYMBOLS_SYMBOLS_H
#define PTK_BASE_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/span.h"

struct symbols;

/* More inlined functions at one address than compilers make. */
enum { SYMBOL_PLACES_MAX = 64 };

/* What an address is in: a function, at the line that is running. */
struct symbol_place {
    struct span name;         /* demangled, without arguments */
    struct span file;         /* empty: not known */
    int64_t line, start_line; /* 0: not known */
};

/* A piece of a binary's file in the memory of the program that ran. */
struct symbol_map {
    uint64_t start, end; /* addresses, in whole pages */
    uint64_t offset;     /* of the first byte in the file */
};

/* A binary as a profile names it. */
struct symbol_binary {
    struct span path;
    const char *found;     /* the file that it was read from, or NULL */
    const char *trouble;   /* why it was not read: a literal, or NULL */
    const char *remark;    /* what it lacks: a literal, or NULL */
    bool is_trusted;       /* no build id proves that this is the file that ran */
    uint32_t asked, named; /* addresses */
    void *module;
};

/* `folders`: where binaries are looked for first, by build id, by full path below it, by file name;
 * separated by colons, may be NULL. */
struct symbols *symbols_new(void);
void symbols_add_folders(struct symbols *symbols, const char *folders);

/* The binary of that path; `build_id` in hexadecimal, empty when not known: a file with another one
 * or none is not taken. Without it only files in the folders, below the working directory and of
 * the system are: a profile may name any file of the machine. Valid until symbols_free(). */
struct symbol_binary *symbols_binary(struct symbols *symbols, struct span path,
                                     struct span build_id);

/* What is at an address within the map: the innermost inlined function first. Where no build id
 * proves the file, the map has to be one that its segments would make: another file's names would
 * be wrong ones. Returns how many of at most `room`; 0: not known. Texts are valid until the next
 * call. */
uint32_t symbols_find(struct symbols *symbols, struct symbol_binary *binary,
                      const struct symbol_map *map, uint64_t address, struct symbol_place *places,
                      uint32_t room);

/* All that were asked for, in that order. */
uint32_t symbols_binary_count(const struct symbols *symbols);
const struct symbol_binary *symbols_binary_at(const struct symbols *symbols, uint32_t at);

void symbols_free(struct symbols *symbols);

#endif
