/* SPDX-License-Identifier: Apache-2.0 */
/* dwarf_units.h — the functions around an address, from a binary's DWARF
 *
 * A binary's units are listed once by the code that they have, and a unit's functions once when the
 * first of its addresses is asked for. Not by .debug_aranges, which clang does not write. */
#ifndef PTK_BASE_SYMBOLS_DWARF_UNITS_H
#define PTK_BASE_SYMBOLS_DWARF_UNITS_H

#include <elfutils/libdw.h>
#include <stdbool.h>

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
