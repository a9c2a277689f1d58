/* SPDX-License-Identifier: Apache-2.0 */
/* stack_text.c — stacks written out one by one, each with all that is above it, as far as that stays in
 * proportion to the profile */
#include "base/memory/memory.h"
#include "render/writers/writer.h"

/* A stack of a thousand frames is some 16 kB as a rule; each repeats all names above it. */
enum { BYTES_MIN = 1 << 28, BYTES_OF_STACK = 1 << 14 };

void stack_text_init(struct stack_text *stacks, struct writing *writing)
{
    *stacks = (struct stack_text){.rows.out = writing->out,
                                  .warnings = writing->warnings,
                                  .left = BYTES_MIN +
                                          (uint64_t)BYTES_OF_STACK * writing->graph->tree.count};
}

bool stack_text_has_room(struct stack_text *stacks)
{
    if (stacks->left == 0)
        warning_count_many(
            stacks->warnings, WARNING_LOSS,
            "stacks left out: deep ones of long names, written out one by one, would "
            "be thousands of times the profile",
            1);
    return stacks->left > 0;
}

void stack_text_put(struct stack_text *stacks, struct span text)
{
    stacks->left -= text.len < stacks->left ? text.len : stacks->left;
    row_text_put(&stacks->rows, text);
}
