/* SPDX-License-Identifier: Apache-2.0 */
/* symbols.h — names and lines of code addresses */
#ifndef PTK_BASE_SYMBOLS_SYMBOLS_H
#define PTK_BASE_SYMBOLS_SYMBOLS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/io/io.h"
#include "base/memory/memory.h"
#include "base/text/span.h"

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

/* "_Z6matMulPfi" → "matMul(float*, int)": all of it, as nvprof prints kernels. What is no name of
 * C++, or refers back to its own parts so often that it could grow without bound, comes back as it
 * is. */
struct span demangle_whole(struct arena *arena, const char *name);

/* ---- the inside of symbols.h that needs no library: which binaries, and where ---- */

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

/* ---- the functions of elfutils that we call, loaded when first needed ---- */

/* clang-format off */
#define LIBDW_CALLS(CALL) \
    CALL(dwarf_attr_integrate) CALL(dwarf_child) CALL(dwarf_diename) CALL(dwarf_dieoffset) \
    CALL(dwarf_filesrc) CALL(dwarf_formstring) CALL(dwarf_formudata) CALL(dwarf_getsrc_die) CALL(dwarf_getsrcfiles) \
    CALL(dwarf_lineno) CALL(dwarf_linesrc) CALL(dwarf_nextcu) CALL(dwarf_offdie) \
    CALL(dwarf_ranges) CALL(dwarf_siblingof) CALL(dwarf_tag) CALL(dwelf_elf_gnu_build_id) \
    CALL(dwfl_begin) CALL(dwfl_build_id_find_debuginfo) CALL(dwfl_end) \
    CALL(dwfl_module_addrinfo) CALL(dwfl_module_build_id) CALL(dwfl_module_getdwarf) \
    CALL(dwfl_module_getelf) CALL(dwfl_module_info) CALL(dwfl_report_begin_add) \
    CALL(dwfl_report_end) CALL(dwfl_report_offline) CALL(elf_begin) CALL(elf_end) \
    CALL(elf_getphdrnum) CALL(elf_nextscn) CALL(gelf_getphdr) CALL(gelf_getshdr) \
    CALL(dwfl_build_id_find_elf) CALL(dwfl_offline_section_address)
/* clang-format on */

struct libdw {
    LIBDW_CALLS(LIBRARY_FIELD)
};

/* NULL: it cannot be loaded. That is asked once, before a first binary is opened. */
const struct libdw *libdw(void);

/* ---- debug information that lies beside a binary, in a file of its own ---- */

/* A Dwfl_Callbacks.find_debuginfo whose user data is the struct symbols: looks for
 * FOLDER/.build-id, the system's, and what .gnu_debuglink names in a folder, beside the binary and
 * in .debug there. Only a file with the binary's build id is taken. Not
 * dwfl_standard_find_debuginfo(), which may ask a server. */
int dwarf_files_find(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base,
                     const char *path, const char *link, GElf_Word link_sum, char **found);

/* ---- the functions around an address, from a binary's DWARF ---- */

/* A binary's units are listed once by the code that they have, and a unit's functions once when
 * the first of its addresses is asked for. Not by .debug_aranges, which clang does not write. */

struct dwarf_units;

/* The dwarf stays the caller's. */
struct dwarf_units *dwarf_units_new(Dwarf *dwarf);

/* The unit whose code holds an address. */
bool dwarf_units_unit(struct dwarf_units *units, Dwarf_Addr address, Dwarf_Die *unit);

/* The functions around it, the innermost first: all but the last are inlined. Returns how many of
 * at most `room`. */
uint32_t dwarf_units_find(struct dwarf_units *units, Dwarf_Addr address, Dwarf_Die *functions,
                          uint32_t room);

void dwarf_units_free(struct dwarf_units *units);

#endif
