/* SPDX-License-Identifier: Apache-2.0 */
/* elfutils.h — what reads ELF and DWARF: for the files of this room that need elfutils' headers, which
 * a build without it does not have */
#ifndef PTK_BASE_SYMBOLS_ELFUTILS_H
#define PTK_BASE_SYMBOLS_ELFUTILS_H

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>

#include "base/io/io.h"
#include "base/symbols/symbols.h"

/* ---- the functions of elfutils that we call, loaded when first needed ---- */

/* clang-format off */
#define LIBDW_CALLS(CALL) \
    CALL(dwarf_attr_integrate) CALL(dwarf_cfi_addrframe) CALL(dwarf_child) CALL(dwarf_diename) CALL(dwarf_dieoffset) \
    CALL(dwarf_filesrc) CALL(dwarf_frame_cfa) CALL(dwarf_frame_info) CALL(dwarf_frame_register) \
    CALL(dwarf_formstring) CALL(dwarf_formudata) CALL(dwarf_getelf) CALL(dwarf_getsrc_die) CALL(dwarf_getsrcfiles) \
    CALL(dwarf_lineno) CALL(dwarf_linesrc) CALL(dwarf_nextcu) CALL(dwarf_offdie) \
    CALL(dwarf_ranges) CALL(dwarf_siblingof) CALL(dwarf_tag) CALL(dwelf_elf_gnu_build_id) \
    CALL(dwfl_begin) CALL(dwfl_build_id_find_debuginfo) CALL(dwfl_end) \
    CALL(dwfl_module_address_section) CALL(dwfl_module_build_id) \
    CALL(dwfl_module_dwarf_cfi) CALL(dwfl_module_eh_cfi) CALL(dwfl_module_getdwarf) \
    CALL(dwfl_module_getelf) CALL(dwfl_module_getsym_info) CALL(dwfl_module_getsymtab) \
    CALL(dwfl_module_getsymtab_first_global) CALL(dwfl_module_info) CALL(dwfl_report_begin_add) \
    CALL(dwfl_report_end) CALL(dwfl_report_offline) CALL(elf_begin) CALL(elf_end) \
    CALL(elf_getdata) CALL(elf_getdata_rawchunk) CALL(elf_getphdrnum) CALL(elf_getshdrstrndx) CALL(elf_nextscn) CALL(elf_strptr) CALL(gelf_getehdr) CALL(gelf_getphdr) CALL(gelf_getshdr) \
    CALL(dwfl_build_id_find_elf) CALL(dwfl_offline_section_address)
/* clang-format on */

struct libdw {
    LIBDW_CALLS(LIBRARY_FIELD)
};

/* NULL: it cannot be loaded. That is asked once, before a first binary is opened. */
const struct libdw *libdw(void);

/* A binary that symbol_library_open() has opened; `address` of the file becomes one of the module. */
Dwfl_Module *opened_module(const struct symbol_binary *binary, uint64_t *address);

/* ---- the symbols of a binary, by address ---- */

/* As the module has it, from `low` up to `high`; both are the same where its size is not known. */
struct table_symbol {
    const char *name;
    uint64_t low, high;
    bool is_object;
};

struct symbol_table;

struct symbol_table *symbol_table_new(Dwfl_Module *module);

/* The one that dwfl_module_addrinfo() finds, or NULL; in logarithmic time. */
const struct table_symbol *symbol_table_find(struct symbol_table *table, uint64_t address);

void symbol_table_free(struct symbol_table *table);

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

/* Entries have more pieces of code than the lists of ranges have bytes, because they share lists. Only a
 * part of the pieces is known then. */
bool dwarf_units_are_cut(const struct dwarf_units *units);

void dwarf_units_free(struct dwarf_units *units);

#endif
