/* SPDX-License-Identifier: Apache-2.0 */
/* dwarf_files.h — debug information that lies beside a binary, in a file of its own */
#ifndef PTK_BASE_SYMBOLS_DWARF_FILES_H
#define PTK_BASE_SYMBOLS_DWARF_FILES_H

#include <elfutils/libdwfl.h>

/* A Dwfl_Callbacks.find_debuginfo whose user data is the struct symbols: looks for
 * FOLDER/.build-id, the system's, and what .gnu_debuglink names in a folder, beside the binary and
 * in .debug there. Only a file with the binary's build id is taken. Not
 * dwfl_standard_find_debuginfo(), which may ask a server. */
int dwarf_files_find(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr base,
                     const char *path, const char *link, GElf_Word link_sum, char **found);

#endif
