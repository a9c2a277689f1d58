/* SPDX-License-Identifier: Apache-2.0 */
/* disassemble.c — a function's bytes as instructions, through capstone */
#include <capstone/capstone.h>
#include <elf.h>
#include <inttypes.h>

#include "base/io/io.h"
#include "base/memory/memory.h"
#include "base/symbols/symbols.h"

/* clang-format off */
#define LIBCAPSTONE_CALLS(CALL) \
    CALL(cs_open) CALL(cs_close) CALL(cs_option) CALL(cs_malloc) CALL(cs_free) CALL(cs_disasm_iter)
/* clang-format on */

struct capstone {
    LIBCAPSTONE_CALLS(LIBRARY_FIELD)
};

static LIBRARY(capstone, LIBCAPSTONE)

static bool open_machine(const struct symbol_code *code, csh *handle)
{
    static const struct {
        uint16_t machine;
        cs_arch arch;
        cs_mode mode;
    } machines[] = {
        {EM_X86_64, CS_ARCH_X86, CS_MODE_64},     {EM_386, CS_ARCH_X86, CS_MODE_32},
        {EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM}, {EM_PPC64, CS_ARCH_PPC, CS_MODE_64},
        {EM_S390, CS_ARCH_SYSZ, CS_MODE_ARM},
    };
    int order = code->is_big_endian ? CS_MODE_BIG_ENDIAN : CS_MODE_LITTLE_ENDIAN;

    for (size_t i = 0; i < COUNT_OF(machines); i++) {
        cs_err result = CS_ERR_ARCH;

        if (machines[i].machine == code->machine)
            result =
                capstone()->cs_open(machines[i].arch, (cs_mode)(machines[i].mode | order), handle);
        if (result == CS_ERR_MEM)
            oom();
        if (result == CS_ERR_OK)
            return true;
    }
    return false;
}

/* Where a branch goes: "0x401136", of ARM "#0x401136", is an operand of its own. */
static bool is_target(struct span operands, uint64_t *address)
{
    if (span_starts(operands, SPAN("#")))
        operands = span_after(operands, 1);
    return span_starts(operands, SPAN("0x")) && span_hex_to_u64(span_after(operands, 2), address);
}

static struct span text_of(struct symbols *symbols, const struct symbol_binary *binary,
                           const struct symbol_function *function, const cs_insn *insn)
{
    struct symbol_function callee = *function;
    uint64_t target;

    if (!insn->op_str[0])
        return span_of(arena_printf(&symbols->arena, "%s", insn->mnemonic));
    if (!is_target(span_of(insn->op_str), &target) ||
        ((target < function->low || target >= function->high) &&
         !symbols_function(symbols, binary, target, &callee)))
        return span_of(arena_printf(&symbols->arena, "%-7s %s", insn->mnemonic, insn->op_str));

    const char *text = arena_printf(&symbols->arena, "%-7s %s <%.*s", insn->mnemonic, insn->op_str,
                                    (int)callee.name.len, callee.name.at);

    if (target == callee.low)
        return span_of(arena_printf(&symbols->arena, "%s>", text));
    return span_of(arena_printf(&symbols->arena, "%s+0x%" PRIx64 ">", text, target - callee.low));
}

const char *symbols_disassemble(struct symbols *symbols, const struct symbol_binary *binary,
                                const struct symbol_function *function, enum assembly_syntax syntax,
                                struct instructions *list)
{
    struct symbol_place places[SYMBOL_PLACES_MAX];
    struct symbol_code code = symbol_library_code(binary, function);
    uint64_t address = function->low;
    csh handle;
    cs_insn *insn;

    if (!capstone())
        return "capstone cannot be loaded";
    if (!code.bytes)
        return "the file ends before the function does";
    if (!open_machine(&code, &handle))
        return "capstone does not know its processor";
    capstone()->cs_option(handle, CS_OPT_SKIPDATA, CS_OPT_ON);
    if (code.machine == EM_X86_64 || code.machine == EM_386)
        capstone()->cs_option(handle, CS_OPT_SYNTAX,
                              syntax == ASSEMBLY_INTEL ? CS_OPT_SYNTAX_INTEL : CS_OPT_SYNTAX_ATT);
    insn = capstone()->cs_malloc(handle);
    if (!insn)
        oom();
    while (capstone()->cs_disasm_iter(handle, &code.bytes, &code.size, &address, insn)) {
        struct instruction instruction = {.address = insn->address,
                                          .text = text_of(symbols, binary, function, insn)};

        uint32_t depth =
            symbol_library_find(symbols, binary, insn->address, places, SYMBOL_PLACES_MAX);

        if (depth) {
            instruction.place = places[0];
            instruction.own = places[depth - 1];
        }
        vector_add(list, instruction);
    }
    capstone()->cs_free(insn, 1);
    capstone()->cs_close(&handle);
    return NULL;
}
