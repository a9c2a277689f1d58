/* SPDX-License-Identifier: Apache-2.0 */
/* unwind.h — who called, from the registers and a piece of the stack */
#ifndef PTK_BASE_SYMBOLS_UNWIND_H
#define PTK_BASE_SYMBOLS_UNWIND_H

#include "base/symbols/symbols.h"

/* Registers have the numbers that DWARF gives them on their machine: on x86-64 rax is 0, rbp 6, rsp 7 and
 * the return address 16; on AArch64 x0 is 0, the frame pointer 29, the link register 30, sp 31. */
enum { UNWIND_REGISTERS = 33 };

enum machine { MACHINE_UNKNOWN, MACHINE_X86_64, MACHINE_AARCH64 };

/* A function that runs, or waits for one that it called. */
struct unwind {
    enum machine machine;
    uint64_t registers[UNWIND_REGISTERS];
    uint64_t known; /* a bit for each register that is */
    uint64_t pc;
    bool is_running;   /* pc is what runs next, not what a call returns to */
    struct span stack; /* the bytes from `stack_at` on */
    uint64_t stack_at;
    bool is_big_endian;
};

enum unwind_result {
    UNWIND_CALLER,
    UNWIND_OUTERMOST,  /* nobody called it */
    UNWIND_STACK_ENDS, /* who did is in a part of the stack that is not there */
    UNWIND_NO_RULES,   /* nothing says how the function's frame is laid out */
};

/* Goes on to the caller by the binary's call frame information (DWARF 5, section 6.4). Code that has none
 * there, and code of no binary (NULL), as of a JIT, is taken to keep a frame pointer. */
enum unwind_result unwind_to_caller(struct unwind *unwind, struct symbol_binary *binary,
                                    const struct symbol_map *map);

void frame_rules_free(struct frame_rules *rules);

/* ---- the inside: call frame information as a library hands it out ---- */

/* One operation of DWARF's expressions, which calculate on a stack of numbers. */
struct frame_step {
    uint8_t operation; /* DW_OP_… */
    uint64_t a, b;
};

/* What is the canonical frame address, or where the caller's register is: at the place in memory that
 * the steps lead to, or with DW_OP_stack_value or DW_OP_regx at their end what they lead to itself. */
struct frame_expression {
    uint32_t first, count; /* of frame_rules.steps; none: it is not known */
};

/* The rules for code between two addresses of the file. */
struct frame_row {
    struct frame_expression address, registers[UNWIND_REGISTERS];
    uint64_t unchanged; /* registers that still are what they were in the caller */
    uint8_t return_register;
    bool is_signal; /* the kernel called it, and its caller was running */
};

struct frame_rules {
    struct VECTOR_OF(struct frame_row) rows;
    struct VECTOR_OF(struct frame_step) steps;
    struct idmap row_of; /* an address of the file; and where a row begins */
};

/* Adds the row for an address of the file and sets where it begins; false: it has none. */
bool symbol_library_frame(const struct symbol_binary *binary, uint64_t address,
                          struct frame_rules *rules, uint64_t *begin);

#endif
