/* SPDX-License-Identifier: Apache-2.0 */
/* unwind.c — from a function to its caller, by rules that are read once for each piece of code */
#include "base/symbols/unwind.h"

#include <stdlib.h>
#include <string.h>

#define NO_ROW (IDMAP_NONE - 1)

enum { NUMBERS_MAX = 32 };

/* The operations that frames have; without jumps, so that expressions end. Not from <dwarf.h>, which
 * only a build with elfutils has. */
enum frame_operation { /* DW_OP_… */
    OP_DEREF = 0x06,
    OP_CONST_FIRST = 0x08,
    OP_CONST_LAST = 0x11,
    OP_AND = 0x1a,
    OP_MINUS = 0x1c,
    OP_PLUS = 0x22,
    OP_PLUS_UCONST = 0x23,
    OP_SHL = 0x24,
    OP_GE = 0x2a,
    OP_LIT0 = 0x30,
    OP_REG0 = 0x50,
    OP_BREG0 = 0x70,
    OP_REGX = 0x90,
    OP_BREGX = 0x92,
    OP_CALL_FRAME_CFA = 0x9c,
    OP_STACK_VALUE = 0x9f,
};

enum { OP_REGISTERS = 32 }; /* LIT0, REG0 and BREG0 begin so many each */

/* An expression at work. */
struct calculation {
    const struct unwind *unwind;
    uint64_t frame_address;
    uint64_t list[NUMBERS_MAX];
    size_t count;
    bool is_value;     /* the number is what is wanted, not where it is */
    bool lacks_memory; /* it is in a part of the stack that is not there */
};

static bool read_word(const struct unwind *unwind, uint64_t address, uint64_t *word)
{
    uint64_t at = address - unwind->stack_at;

    *word = 0;
    if (unwind->stack.len < 8 || at > unwind->stack.len - 8)
        return false;
    for (unsigned i = 0; i < 8; i++)
        *word =
            *word << 8 | (unsigned char)unwind->stack.at[at + (unwind->is_big_endian ? i : 7 - i)];
    return true;
}

static bool push(struct calculation *sum, uint64_t number)
{
    if (sum->count == NUMBERS_MAX)
        return false;
    sum->list[sum->count++] = number;
    return true;
}

static bool push_register(struct calculation *sum, uint64_t which, uint64_t offset)
{
    return which < UNWIND_REGISTERS && sum->unwind->known >> which & 1 &&
           push(sum, sum->unwind->registers[which] + offset);
}

/* The two last numbers become one. */
static bool combine(struct calculation *sum, enum frame_operation operation)
{
    uint64_t *a, b;

    if (sum->count < 2)
        return false;
    b = sum->list[--sum->count];
    a = &sum->list[sum->count - 1];
    switch (operation) {
    case OP_AND:
        *a &= b;
        return true;
    case OP_MINUS:
        *a -= b;
        return true;
    case OP_PLUS:
        *a += b;
        return true;
    case OP_SHL:
        *a = b < 64 ? *a << b : 0;
        return true;
    default: /* OP_GE */
        *a = (int64_t)*a >= (int64_t)b;
        return true;
    }
}

/* False: an operation that frames do not have, a register that is not known, or memory that is not
 * there. */
static bool take_step(struct calculation *sum, const struct frame_step *step)
{
    unsigned operation = step->operation;

    if (operation >= OP_LIT0 && operation < OP_LIT0 + OP_REGISTERS)
        return push(sum, operation - OP_LIT0);
    if (operation >= OP_BREG0 && operation < OP_BREG0 + OP_REGISTERS)
        return push_register(sum, operation - OP_BREG0, step->a);
    if (operation >= OP_CONST_FIRST && operation <= OP_CONST_LAST)
        return push(sum, step->a);
    if (operation >= OP_REG0 && operation < OP_REG0 + OP_REGISTERS) {
        sum->is_value = true;
        return push_register(sum, operation - OP_REG0, 0);
    }
    switch (operation) {
    case OP_REGX:
        sum->is_value = true;
        return push_register(sum, step->a, 0);
    case OP_BREGX:
        return push_register(sum, step->a, step->b);
    case OP_CALL_FRAME_CFA:
        return push(sum, sum->frame_address);
    case OP_STACK_VALUE:
        sum->is_value = true;
        return true;
    case OP_PLUS_UCONST:
        if (sum->count == 0)
            return false;
        sum->list[sum->count - 1] += step->a;
        return true;
    case OP_DEREF:
        if (sum->count == 0)
            return false;
        sum->lacks_memory =
            !read_word(sum->unwind, sum->list[sum->count - 1], &sum->list[sum->count - 1]);
        return !sum->lacks_memory;
    case OP_AND:
    case OP_MINUS:
    case OP_PLUS:
    case OP_SHL:
    case OP_GE:
        return combine(sum, operation);
    default:
        return false;
    }
}

/* The number that an expression leads to. */
static bool calculate(struct calculation *sum, const struct frame_rules *rules,
                      const struct frame_expression *expression, uint64_t *number)
{
    sum->count = 0;
    sum->is_value = sum->lacks_memory = false;
    for (uint32_t i = 0; i < expression->count; i++)
        if (!take_step(sum, &rules->steps.list[expression->first + i]))
            return false;
    if (sum->count == 0)
        return false;
    *number = sum->list[sum->count - 1];
    return true;
}

/* ---- rules ---- */

/* Rows are known by where they begin, too: most addresses are in one that another was in. */
static uint32_t read_row(const struct symbol_binary *binary, uint64_t address)
{
    struct frame_rules *rules = binary->frames;
    uint64_t begin;
    uint32_t *at;

    if (!symbol_library_frame(binary, address, rules, &begin))
        return NO_ROW;
    at = idmap_at(&rules->row_of, begin);
    if (*at < NO_ROW)
        rules->steps.count = rules->rows.list[--rules->rows.count].address.first;
    else
        *at = (uint32_t)rules->rows.count - 1;
    return *at;
}

/* NULL: there are none for that address of the file. */
static const struct frame_row *row_at(struct symbol_binary *binary, uint64_t address)
{
    uint32_t row;

    if (!binary->frames)
        binary->frames = grow_zeroed(1, sizeof(*binary->frames));
    row = idmap_find(&binary->frames->row_of, address);
    if (row == IDMAP_NONE) {
        row = read_row(binary, address);
        *idmap_at(&binary->frames->row_of, address) = row;
    }
    return row == NO_ROW ? NULL : &binary->frames->rows.list[row];
}

void frame_rules_free(struct frame_rules *rules)
{
    if (!rules)
        return;
    free(rules->rows.list);
    free(rules->steps.list);
    idmap_free(&rules->row_of);
    free(rules);
}

/* ---- to the caller ---- */

static unsigned stack_register(enum machine machine)
{
    return machine == MACHINE_X86_64 ? 7 : 31;
}

static enum unwind_result finish(struct unwind *unwind, const struct unwind *caller,
                                 uint64_t frame_address, bool is_running)
{
    *unwind = *caller;
    unwind->registers[stack_register(unwind->machine)] = frame_address;
    unwind->known |= UINT64_C(1) << stack_register(unwind->machine);
    unwind->is_running = is_running;
    if (unwind->machine == MACHINE_AARCH64) /* without the signature that it may carry */
        unwind->pc &= (UINT64_C(1) << 48) - 1;
    return unwind->pc ? UNWIND_CALLER : UNWIND_OUTERMOST;
}

static enum unwind_result follow_rules(struct unwind *unwind, const struct frame_rules *rules,
                                       const struct frame_row *row)
{
    struct calculation sum = {.unwind = unwind};
    struct unwind caller = *unwind;
    uint64_t frame_address;

    if (!calculate(&sum, rules, &row->address, &frame_address))
        return sum.lacks_memory ? UNWIND_STACK_ENDS : UNWIND_NO_RULES;
    sum.frame_address = frame_address;
    caller.known = unwind->known & row->unchanged;
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++) {
        bool is_return = i == row->return_register, is_there;

        if (row->registers[i].count == 0)
            continue;
        is_there = calculate(&sum, rules, &row->registers[i], &caller.registers[i]);
        if (is_there && !sum.is_value) {
            is_there = read_word(unwind, caller.registers[i], &caller.registers[i]);
            sum.lacks_memory = !is_there;
        }
        if (is_there)
            caller.known |= UINT64_C(1) << i;
        else if (is_return)
            return sum.lacks_memory ? UNWIND_STACK_ENDS : UNWIND_NO_RULES;
    }
    if (!(caller.known >> row->return_register & 1))
        return UNWIND_OUTERMOST;
    caller.pc = caller.registers[row->return_register];
    return finish(unwind, &caller, frame_address, row->is_signal);
}

/* 0 in the frame pointer, as the machines' ABIs have it. */
static bool is_marked_outermost(const struct unwind *unwind, unsigned pointer)
{
    return unwind->known >> pointer & 1 && unwind->registers[pointer] == 0;
}

/* The caller's frame pointer lies where ours points to, and behind it where the call returns to. */
static enum unwind_result follow_frame_pointer(struct unwind *unwind, unsigned pointer)
{
    struct unwind caller = *unwind;
    uint64_t frame = unwind->registers[pointer];

    if (!(unwind->known >> pointer & 1) || frame % 8 != 0)
        return UNWIND_NO_RULES;
    caller.known = UINT64_C(1) << pointer;
    if (!read_word(unwind, frame, &caller.registers[pointer]) ||
        !read_word(unwind, frame + 8, &caller.pc))
        return UNWIND_NO_RULES;
    return finish(unwind, &caller, frame + 16, false);
}

enum unwind_result unwind_to_caller(struct unwind *unwind, struct symbol_binary *binary,
                                    const struct symbol_map *map)
{
    unsigned pointer = unwind->machine == MACHINE_X86_64 ? 6 : 29;
    const struct frame_row *row = NULL;
    uint64_t address;
    bool is_read;

    if (unwind->machine == MACHINE_UNKNOWN)
        return UNWIND_NO_RULES;
    is_read =
        binary && symbols_file_address(binary, map, unwind->pc - !unwind->is_running, &address);
    if (is_read && (row = row_at(binary, address)))
        return follow_rules(unwind, binary->frames, row);
    if (!unwind->is_running && is_marked_outermost(unwind, pointer))
        return UNWIND_OUTERMOST;
    return binary && !is_read ? UNWIND_NO_RULES : follow_frame_pointer(unwind, pointer);
}
