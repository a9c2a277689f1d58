/* SPDX-License-Identifier: Apache-2.0 */
/* symbols.h — names and lines of code addresses */
#ifndef PTK_BASE_SYMBOLS_SYMBOLS_H
#define PTK_BASE_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "base/text/string_table.h"

/* ---- names for addresses of code, from the binaries that the code is in ---- */

/* Through elfutils (libdw) where the build found it, else none are found. Binaries are opened when
 * first asked for, and stay open. Nothing is fetched from a network. */

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
    struct frame_rules *frames; /* how its code is left, as far as that was asked: unwind.h */
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

/* The same by how far an address is behind where the binary begins in memory. Without a build id that
 * proves the file nothing is found. */
uint32_t symbols_find_in_image(struct symbols *symbols, struct symbol_binary *binary,
                               uint64_t address, struct symbol_place *places, uint32_t room);

/* The path of the table of a kernel's names, as /proc/kallsyms: below one of the folders, there and in
 * perf's own cache by its build id; the running kernel's, if that has the same. Without a build id only
 * FOLDER/kallsyms. NULL: there is none. */
const char *symbols_kernel_table(struct symbols *symbols, struct span build_id);

/* The file of a kernel's symbols, vmlinux, that has the build id: in one of the folders, where
 * distributions put it by the kernel's release ("6.1.0-18-amd64"; empty: not known), and in perf's cache.
 * NULL: there is none. */
struct symbol_binary *symbols_kernel_binary(struct symbols *symbols, struct span build_id,
                                            struct span release);

/* The file's address of a symbol; false where the file has none of that name. */
bool symbols_named(const struct symbol_binary *binary, struct span name, uint64_t *address);

/* ---- the code itself, as instructions ---- */

/* A function as a binary's table of symbols has it. Addresses are those that the file gives its code,
 * wherever that was mapped: what objdump shows. */
struct symbol_function {
    struct span name; /* demangled, without arguments */
    uint64_t low, high;
};

struct instruction {
    uint64_t address;
    struct span text;          /* "callq  0x401100 <parse+0x10>" */
    struct symbol_place place; /* of the innermost function there; without a file: not known */
    struct symbol_place own; /* of the function whose code it is in: there that calls the inlined */
};

struct instructions {
    VECTOR(struct instruction);
};

enum assembly_syntax { ASSEMBLY_ATT, ASSEMBLY_INTEL };

/* The file's address of one within the map; false where the file cannot be the one that was mapped so. */
bool symbols_file_address(struct symbol_binary *binary, const struct symbol_map *map,
                          uint64_t address, uint64_t *found);

/* The function around an address of the file; false where no symbol that has a size is. */
bool symbols_function(struct symbols *symbols, const struct symbol_binary *binary, uint64_t address,
                      struct symbol_function *function);

/* Adds the function's instructions, ascending, through capstone where the build found it; bytes that are
 * none stand as ".byte". Texts are valid until symbols_free(). NULL, or a literal that says why there are
 * none. */
const char *symbols_disassemble(struct symbols *symbols, const struct symbol_binary *binary,
                                const struct symbol_function *function, enum assembly_syntax syntax,
                                struct instructions *list);

/* All that were asked for, in that order. */
uint32_t symbols_binary_count(const struct symbols *symbols);
const struct symbol_binary *symbols_binary_at(const struct symbols *symbols, uint32_t at);

void symbols_free(struct symbols *symbols);

/* ---- which ranges of addresses an address is in, where ranges lie inside others ---- */

#define CODE_NONE UINT32_MAX

struct code_range {
    uint64_t low, high; /* high is the first address behind it */
    uint64_t item;      /* the owner's */
    uint32_t depth;     /* of two equal ranges the deeper one is inside */
    uint32_t outer;     /* the range around it, or CODE_NONE */
};

/* Ready for use when zeroed. */
struct code_map {
    struct code_range *list;
    uint32_t count;
    size_t cap;
};

/* Adds a range; an empty one is none. */
void code_map_add(struct code_map *map, uint64_t low, uint64_t high, uint64_t item, uint32_t depth);

/* Once, between the last range and the first search. */
void code_map_seal(struct code_map *map);

/* The innermost range at an address, or CODE_NONE; list[].outer goes on from there. Of ranges that
 * cross, which none should, one may be missed. */
uint32_t code_map_find(const struct code_map *map, uint64_t address);

void code_map_free(struct code_map *map);

/* ---- C++ names as people know them ---- */

/* "_ZN3foo3barIiEEvT_" → "foo::bar": without arguments, template arguments and result, as pprof
 * shows names. What is no name of C++ comes back as it is. */
struct span demangle(struct arena *arena, const char *name);

/* "_RNvNtCs1_4core3ptr5write" → "core::ptr::write", with its generic arguments: names of Rust's v0 mangling, in the
 * arena. Others, and those that are damaged or grow beyond bounds, come back as they are. */
struct span demangle_rust(struct arena *arena, struct span name);

/* "_Z6matMulPfi" → "matMul(float*, int)": all of it, as nvprof prints kernels. What is no name of
 * C++, or refers back to its own parts so often that it could grow without bound, comes back as it
 * is. */
struct span demangle_whole(struct arena *arena, const char *name);

/* ---- the inside of symbols.h that needs no library: which binaries, and where ---- */

struct symbols {
    struct arena arena;
    struct VECTOR_OF(struct span) folders;
    struct VECTOR_OF(struct symbol_binary *) binaries;
    struct strings paths;   /* of all binaries */
    struct idmap binary_of; /* by path: its place among them */
    void *session;          /* what the library keeps for all */
};

/* The bytes of a function, and whose instructions they are. */
struct symbol_code {
    const unsigned char *bytes; /* NULL: the file does not hold them */
    size_t size;
    uint16_t machine; /* EM_X86_64 */
    bool is_64_bit, is_big_endian;
};

/* What a library does: it opens the binary at a path, tells whether its segments would be mapped
 * so, which address an offset has, and what is at an address of the file. */
bool symbol_library_open(struct symbols *symbols, struct symbol_binary *binary, const char *path,
                         struct span build_id);
bool symbol_library_fits(const struct symbol_binary *binary, const struct symbol_map *map);
bool symbol_library_address(const struct symbol_binary *binary, uint64_t offset, uint64_t *address);
bool symbol_library_image_address(const struct symbol_binary *binary, uint64_t from_begin,
                                  uint64_t *address);
uint32_t symbol_library_find(struct symbols *symbols, const struct symbol_binary *binary,
                             uint64_t address, struct symbol_place *places, uint32_t room);
bool symbol_library_function(struct symbols *symbols, const struct symbol_binary *binary,
                             uint64_t address, struct symbol_function *function);
struct symbol_code symbol_library_code(const struct symbol_binary *binary,
                                       const struct symbol_function *function);
bool symbol_library_named(const struct symbol_binary *binary, struct span name, uint64_t *address);
void symbol_library_end(struct symbols *symbols);

#endif
