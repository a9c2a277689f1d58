/* SPDX-License-Identifier: Apache-2.0 */
/* ghc_text.c — GHC's profile as text (+RTS -p, -P, -pa): a tree of cost centres
 *
 *             total time  =        0.02 secs   (23 ticks @ 1000 us, 1 processor)
 *     COST CENTRE  MODULE   SRC            no.  entries  %time %alloc   %time %alloc  ticks  bytes
 *     MAIN         MAIN     <built-in>     337        0    0.0    0.0   100.0  100.0      0    648
 *      main        Main     Main.hs:3:1-9  675        1   30.4    9.4    30.4    9.4      7   5617
 *
 * Ticks and bytes are there with -P and -pa, but not in rows that have none. Else shares are all that is known. */
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/decimal.h"
#include "parsers/text_stacks/text_stacks.h"

enum { GHC_WORDS = 8, GHC_SHARES = 6, NS_PER_US = 1000, PERMILLE = 1000 };

static bool knows_ghc(struct span line)
{
    return span_find(line, SPAN("Time and Allocation Profiling Report")) != SIZE_MAX;
}

/* Takes the numbers off the end of a row, the last first. */
static size_t take_last_numbers(struct span *row, struct span *numbers)
{
    size_t count = 0;

    for (; count < GHC_WORDS; count++) {
        size_t blank;
        int64_t ignored;

        *row = span_trim(*row);
        blank = span_rfind(*row, ' ');
        numbers[count] = span_after(*row, blank == SIZE_MAX ? 0 : blank + 1);
        if (blank == SIZE_MAX || !is_digit(*numbers[count].at) ||
            !decimal_scaled(numbers[count], 0, &ignored))
            break;
        row->len = blank;
    }
    return count;
}

/* Before the tree: its totals, a table of what costs most, the tree's heading. */
static void read_ghc_head(struct text_stacks *text, struct span line)
{
    struct span total = text_behind(line, SPAN("total time ")),
                ticks = text_behind(total, SPAN("(")), tick = text_behind(ticks, SPAN(" @ "));
    int64_t number;

    if (total.len && text_take_number(&ticks, &number) && text_take_number(&tick, &text->period)) {
        text->stated = number;
        text->period = checked_mul(text->period, NS_PER_US);
    }
    text->is_inside =
        span_starts(line, SPAN("COST CENTRE")) && span_find(line, SPAN("entries")) != SIZE_MAX;
    text->has_shares = text->is_inside && span_find(line, SPAN("ticks")) == SIZE_MAX;
    if (text->has_shares) {
        text->period = checked_mul(text->stated, text->period) / PERMILLE;
        text->stated = 0;
    }
    text->values[0].name = text->has_shares ? SPAN("permille") : SPAN("ticks");
    text->values[2] = (struct value_name){SPAN("bytes"), UNIT_BYTES};
}

static bool read_ghc(struct text_stacks *text, struct span line)
{
    struct text_row row = {.frame.kind = KIND_HOST};
    struct span rest = text_unindented(line, &row.indent), numbers[GHC_WORDS], name, module;
    size_t count;

    if (!text->is_inside) {
        read_ghc_head(text, line);
        return true;
    }
    count = take_last_numbers(&rest, numbers);
    name = span_word(&rest);
    module = span_word(&rest);
    if (!span_trim(line).len)
        return true;
    if (count < GHC_SHARES || !module.len)
        return false;
    if (text->has_shares) {
        (void)!decimal_scaled(numbers[GHC_SHARES - 3], 1, &row.figures[0]);
    } else if (count == GHC_WORDS) { /* else it took nothing */
        (void)!decimal_scaled(numbers[1], 0, &row.figures[0]);
        (void)!decimal_scaled(numbers[0], 0, &row.figures[2]);
    }
    row.frame.name = builder_intern(text->builder, JOINED(&text->arena, module, SPAN("."), name));
    row.frame.module = builder_intern(text->builder, module);
    text_set_place(text->builder, &row.frame, span_trim(rest));
    text_row_add(text, &row);
    return true;
}

const struct stack_shape shape_ghc = {
    .producer = "GHC", .knows = knows_ghc, .read = read_ghc, .is_tree = true};
