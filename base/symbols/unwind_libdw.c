/* SPDX-License-Identifier: Apache-2.0 */
/* unwind_libdw.c — call frame information out of ELF files, through elfutils */
#include <stdlib.h>

#include "base/symbols/elfutils.h"
#include "base/symbols/unwind.h"

static struct frame_expression add_steps(struct frame_rules *rules, const Dwarf_Op *steps,
                                         size_t count)
{
    struct frame_expression expression = {(uint32_t)rules->steps.count, (uint32_t)count};

    for (size_t i = 0; i < count; i++)
        vector_add(&rules->steps,
                   (struct frame_step){steps[i].atom, steps[i].number, steps[i].number2});
    return expression;
}

static bool add_row(struct frame_rules *rules, Dwarf_Frame *frame, uint64_t *begin)
{
    struct frame_row row = {.unchanged = 0};
    Dwarf_Addr low, high;
    Dwarf_Op room[3], *steps;
    size_t count;
    int return_register = libdw()->dwarf_frame_info(frame, &low, &high, &row.is_signal);

    if (return_register < 0 || return_register >= UNWIND_REGISTERS ||
        libdw()->dwarf_frame_cfa(frame, &steps, &count) != 0 || count == 0)
        return false;
    row.return_register = (uint8_t)return_register;
    row.address = add_steps(rules, steps, count);
    for (int i = 0; i < UNWIND_REGISTERS; i++) {
        if (libdw()->dwarf_frame_register(frame, i, room, &steps, &count) != 0)
            continue;
        if (count)
            row.registers[i] = add_steps(rules, steps, count);
        else if (!steps)
            row.unchanged |= UINT64_C(1) << i;
    }
    vector_add(&rules->rows, row);
    *begin = low;
    return true;
}

bool symbol_library_frame(const struct symbol_binary *binary, uint64_t address,
                          struct frame_rules *rules, uint64_t *begin)
{
    uint64_t in_module = address;
    Dwfl_Module *module = opened_module(binary, &in_module);
    Dwarf_CFI *(*const sections[])(Dwfl_Module *, Dwarf_Addr *) = {
        libdw()->dwfl_module_eh_cfi,
        libdw()->dwfl_module_dwarf_cfi,
    };
    bool is_found = false;

    *begin = 0;
    for (size_t i = 0; i < COUNT_OF(sections) && !is_found; i++) {
        Dwarf_Addr bias;
        Dwarf_CFI *cfi = sections[i](module, &bias);
        Dwarf_Frame *frame;

        if (cfi && libdw()->dwarf_cfi_addrframe(cfi, in_module - bias, &frame) == 0) {
            is_found = add_row(rules, frame, begin);
            *begin += bias - (in_module - address);
            free(frame);
        }
    }
    return is_found;
}
