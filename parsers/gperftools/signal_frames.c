/* SPDX-License-Identifier: Apache-2.0 */
/* signal_frames.c — what old profilers' signal handlers leave in their stacks, behind the leaf */
#include "parsers/gperftools/gperf_stacks.h"

static bool has_second(const struct stack_row *row)
{
    return row->count > 1;
}

/* What takes the place of the second is the leaf. */
static void drop_second(struct stacks *stacks, struct stack_row *row)
{
    stacks->addresses[row->first + 1] = stacks->addresses[row->first];
    row->first++;
    row->count--;
}

/* The address that is second in most stacks, if there is one: Boyer and Moore's vote. */
static uint64_t second_of_most(const struct stacks *stacks)
{
    uint64_t leader = 0;
    size_t lead = 0;

    for (size_t i = 0; i < stacks->row_count; i++) {
        const struct stack_row *row = &stacks->rows[i];

        if (!has_second(row))
            continue;
        if (lead == 0)
            leader = stacks->addresses[row->first + 1];
        lead = stacks->addresses[row->first + 1] == leader ? lead + 1 : lead - 1;
    }
    return leader;
}

/* A handler's frame is in nearly all stacks. False when there is none such. */
static bool drop_handler(struct stacks *stacks)
{
    uint64_t handler = second_of_most(stacks);
    size_t count = 0;

    for (size_t i = 0; i < stacks->row_count; i++)
        count +=
            has_second(&stacks->rows[i]) && stacks->addresses[stacks->rows[i].first + 1] == handler;
    if (count == 0 || count < stacks->row_count - stacks->row_count / 32)
        return false;
    for (size_t i = 0; i < stacks->row_count; i++) {
        struct stack_row *row = &stacks->rows[i];

        if (has_second(row) && stacks->addresses[row->first + 1] == handler)
            drop_second(stacks, row);
    }
    return true;
}

/* Callers' addresses are one less than they were recorded, the leaf's is not. */
void stacks_drop_handlers(struct stacks *stacks)
{
    if (drop_handler(stacks))
        drop_handler(stacks);
    for (size_t i = 0; i < stacks->row_count; i++) {
        struct stack_row *row = &stacks->rows[i];

        if (has_second(row) &&
            stacks->addresses[row->first] == stacks->addresses[row->first + 1] + 1)
            drop_second(stacks, row);
    }
}
