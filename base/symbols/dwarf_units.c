/* SPDX-License-Identifier: Apache-2.0 */
#include "base/symbols/dwarf_units.h"
#include "base/symbols/libdw.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/memory/grow.h"
#include "base/symbols/code_map.h"

/* More pieces of one function, and more scopes in one another, than compilers make. */
enum { PIECES_MAX = 1024, DEPTH_MAX = 128 };

struct unit {
    Dwarf_Die die;
    struct code_map functions; /* items: offsets of their DIEs */
    bool is_read;
};

struct dwarf_units {
    Dwarf *dwarf;
    struct unit *list;
    size_t count, cap;
    struct code_map map; /* items: places in the list */
};

static void add_code(struct code_map *map, Dwarf_Die *die, uint64_t item, uint32_t depth)
{
    Dwarf_Addr base, low, high;
    ptrdiff_t next = 0;

    for (int i = 0; i < PIECES_MAX; i++) {
        next = libdw()->dwarf_ranges(die, next, &base, &low, &high);
        if (next <= 0)
            return;
        code_map_add(map, low, high, item, depth);
    }
}

/* ---- the units of a binary ---- */

struct dwarf_units *dwarf_units_new(Dwarf *dwarf)
{
    struct dwarf_units *units = grow_zeroed(1, sizeof(*units));
    Dwarf_Off at = 0, next;
    size_t head;

    units->dwarf = dwarf;
    while (libdw()->dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0 && next > at) {
        struct unit unit = {.is_read = false};

        if (libdw()->dwarf_offdie(dwarf, at + head, &unit.die)) {
            add_code(&units->map, &unit.die, units->count, 0);
            units->list = grow_one(units->list, units->count, &units->cap, sizeof(unit));
            units->list[units->count++] = unit;
        }
        at = next;
    }
    code_map_seal(&units->map);
    return units;
}

static struct unit *unit_at(struct dwarf_units *units, Dwarf_Addr address)
{
    uint32_t at = code_map_find(&units->map, address);

    return at == CODE_NONE ? NULL : &units->list[units->map.list[at].item];
}

/* ---- the functions of a unit ---- */

static bool is_function(Dwarf_Die *die)
{
    int tag = libdw()->dwarf_tag(die);

    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* Depth first. What is not further on in the file than all before is a loop that a hostile one
 * made. */
static void read_functions(struct unit *unit)
{
    Dwarf_Die open[DEPTH_MAX];
    Dwarf_Off last = libdw()->dwarf_dieoffset(&unit->die);
    uint32_t depth = libdw()->dwarf_child(&unit->die, &open[0]) == 0 ? 1 : 0;

    while (depth) {
        Dwarf_Die *die = &open[depth - 1];
        Dwarf_Off at = libdw()->dwarf_dieoffset(die);

        if (at <= last)
            break;
        last = at;
        if (is_function(die))
            add_code(&unit->functions, die, at, depth);
        if (depth < DEPTH_MAX && libdw()->dwarf_child(die, &open[depth]) == 0) {
            depth++;
            continue;
        }
        while (depth && libdw()->dwarf_siblingof(&open[depth - 1], &open[depth - 1]) != 0)
            depth--;
    }
    code_map_seal(&unit->functions);
    unit->is_read = true;
}

bool dwarf_units_unit(struct dwarf_units *units, Dwarf_Addr address, Dwarf_Die *unit)
{
    struct unit *found = unit_at(units, address);

    if (found)
        *unit = found->die;
    return found != NULL;
}

uint32_t dwarf_units_find(struct dwarf_units *units, Dwarf_Addr address, Dwarf_Die *functions,
                          uint32_t room)
{
    struct unit *found = unit_at(units, address);
    uint32_t count = 0;

    if (!found)
        return 0;
    if (!found->is_read)
        read_functions(found);
    for (uint32_t at = code_map_find(&found->functions, address); at != CODE_NONE && count < room;
         at = found->functions.list[at].outer) {
        if (!libdw()->dwarf_offdie(units->dwarf, found->functions.list[at].item, &functions[count]))
            break;
        if (libdw()->dwarf_tag(&functions[count++]) == DW_TAG_subprogram)
            break;
    }
    return count;
}

void dwarf_units_free(struct dwarf_units *units)
{
    if (!units)
        return;
    for (size_t i = 0; i < units->count; i++)
        code_map_free(&units->list[i].functions);
    code_map_free(&units->map);
    free(units->list);
    free(units);
}
