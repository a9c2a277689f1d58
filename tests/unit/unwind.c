/* SPDX-License-Identifier: Apache-2.0 */
/* unwind.c — who called, by rules and by frame pointers, and stacks that say nonsense
 *
 * The binary is testdata/perf/frames, whose code objdump shows. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/symbols/unwind.h"

enum { RBX = 3, RBP = 6, RSP = 7, RIP = 16, WORDS = 64 };

#define CODE UINT64_C(0x400000) /* where it is mapped: as in the file */
#define STACK UINT64_C(0x7ffe0000)

static const struct symbol_map whole_file = {CODE, CODE + 0x1000, 0};

struct unwound {
    struct symbols *symbols;
    struct symbol_binary *binary;
    char bytes[8 * WORDS];
    struct unwind frame;
};

static void put_word(struct unwound *at, unsigned index, uint64_t word)
{
    for (unsigned i = 0; i < 8; i++)
        at->bytes[8 * index + (at->frame.is_big_endian ? 7 - i : i)] = (char)(word >> 8 * i);
}

/* A stack whose words are their own numbers. */
static void begin(struct unwound *at, uint64_t pc, uint64_t frame_pointer)
{
    memset(at, 0, sizeof(*at));
    at->symbols = symbols_new();
    symbols_add_folders(at->symbols, "testdata/perf");
    at->binary = symbols_binary(at->symbols, SPAN("/opt/demo/bin/frames"), SPAN(""));
    at->frame = (struct unwind){.machine = MACHINE_X86_64,
                                .pc = pc,
                                .is_running = true,
                                .stack = {at->bytes, sizeof(at->bytes)},
                                .stack_at = STACK,
                                .known = 1 << RBX | 1 << RBP | 1 << RSP | 1 << RIP};
    at->frame.registers[RBP] = frame_pointer;
    at->frame.registers[RSP] = STACK;
    at->frame.registers[RIP] = pc;
    for (unsigned i = 0; i < WORDS; i++)
        put_word(at, i, i);
}

static void end(struct unwound *at)
{
    symbols_free(at->symbols);
}

Test(unwind, follows_the_rules_of_the_binary)
{
    /* depth_first, past its five pushes; then of_any_size, whose frame begins at rbp + 16 */
    struct unwound at;
    const uint64_t frame = STACK + 8 * 20;

    begin(&at, CODE + 0x20c, 1234);
    if (!at.binary->found) /* without libdw */
        cr_skip_test("%s", at.binary->trouble);
    put_word(&at, 1, frame);           /* rbp */
    put_word(&at, 5, CODE + 0x1d1);    /* returns behind the call of spin */
    put_word(&at, 20, STACK + 8 * 40); /* its rbp */
    put_word(&at, 21, CODE + 0x27b);   /* returns into call_back */
    cr_assert_eq(unwind_to_caller(&at.frame, at.binary, &whole_file), UNWIND_CALLER);
    cr_expect_eq(at.frame.pc, CODE + 0x1d1);
    cr_expect_not(at.frame.is_running);
    cr_expect_eq(at.frame.registers[RBX], 0, "it was pushed last");
    cr_expect_eq(at.frame.registers[RSP], STACK + 48);
    cr_assert_eq(unwind_to_caller(&at.frame, at.binary, &whole_file), UNWIND_CALLER);
    cr_expect_eq(at.frame.pc, CODE + 0x27b);
    cr_expect_eq(at.frame.registers[RBX], 18);
    cr_expect_eq(at.frame.registers[RBP], STACK + 8 * 40);
    cr_expect_eq(at.frame.registers[RSP], frame + 16);
    end(&at);
}

Test(unwind, ends_where_the_rules_say_that_nobody_called)
{
    struct unwound at;

    begin(&at, CODE + 0x155, 1234);
    if (!at.binary->found)
        cr_skip_test("%s", at.binary->trouble);
    at.frame.is_running = false;
    cr_expect_eq(unwind_to_caller(&at.frame, at.binary, &whole_file), UNWIND_OUTERMOST);
    end(&at);
}

Test(unwind, ends_where_the_bytes_do)
{
    static const uint64_t places[] = {
        STACK - 8,      STACK + 8 * WORDS, STACK + 8 * WORDS - 7,  0,        1,
        UINT64_MAX - 7, UINT64_MAX / 2,    UINT64_MAX - 8 * WORDS, STACK - 1};

    for (size_t i = 0; i < COUNT_OF(places); i++) {
        struct unwound at;

        begin(&at, CODE + 0x170, 0); /* spin: the return address is on top */
        if (!at.binary->found)
            cr_skip_test("%s", at.binary->trouble);
        at.frame.registers[RSP] = places[i];
        cr_expect_eq(unwind_to_caller(&at.frame, at.binary, &whole_file), UNWIND_STACK_ENDS,
                     "case %zu", i);
        end(&at);
    }
}

Test(unwind, takes_code_of_no_binary_to_keep_a_frame_pointer)
{
    static const struct {
        uint64_t pointer;
        bool is_running;
        enum unwind_result result;
    } cases[] = {
        {STACK + 80, true, UNWIND_CALLER},
        {STACK + 80, false, UNWIND_CALLER},
        {STACK + 8 * WORDS - 16, true, UNWIND_CALLER},
        {STACK + 8 * WORDS - 8, true, UNWIND_NO_RULES}, /* the second word is not there */
        {STACK + 81, true, UNWIND_NO_RULES},
        {0, false, UNWIND_OUTERMOST},
        {0, true, UNWIND_NO_RULES}, /* a register like others, in code that keeps none */
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++)
        for (int is_big = 0; is_big < 2; is_big++) {
            struct unwound at;

            begin(&at, 0x1000, cases[i].pointer);
            at.frame.is_running = cases[i].is_running;
            at.frame.is_big_endian = is_big;
            put_word(&at, 10, STACK);
            put_word(&at, 11, 0x2000);
            put_word(&at, WORDS - 1, 0x3000);
            cr_expect_eq(unwind_to_caller(&at.frame, NULL, &whole_file), cases[i].result,
                         "case %zu", i);
            if (cases[i].pointer == STACK + 80) {
                cr_expect_eq(at.frame.pc, 0x2000);
                cr_expect_eq(at.frame.registers[RBP], STACK);
                cr_expect_eq(at.frame.registers[RSP], STACK + 96);
            }
            end(&at);
        }
}

Test(unwind, does_not_guess_where_the_binary_is_not_at_hand)
{
    struct unwound at;
    struct symbol_binary *gone;

    begin(&at, 0x1000, STACK + 80);
    gone = symbols_binary(at.symbols, SPAN("/opt/demo/bin/gone"), SPAN(""));
    cr_expect_eq(unwind_to_caller(&at.frame, gone, &whole_file), UNWIND_NO_RULES);
    at.frame.machine = MACHINE_UNKNOWN;
    cr_expect_eq(unwind_to_caller(&at.frame, NULL, &whole_file), UNWIND_NO_RULES);
    end(&at);
}
