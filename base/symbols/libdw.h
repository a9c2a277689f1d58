/* SPDX-License-Identifier: Apache-2.0 */
/* libdw.h — the functions of elfutils that we call, loaded when first needed */
#ifndef PTK_BASE_SYMBOLS_LIBDW_H
#define PTK_BASE_SYMBOLS_LIBDW_H

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>

#include "base/io/shared_library.h"

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

#endif
