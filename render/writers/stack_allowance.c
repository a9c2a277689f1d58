/* SPDX-License-Identifier: Apache-2.0 */
/* stack_allowance.c — stacks written out one by one, each with all that is above it, as far as that stays in
 * proportion to the profile */
#include "base/memory/memory.h"
#include "render/writers/writer.h"

/* A stack of a thousand frames is some 16 kB as a rule; each repeats all names above it. */
enum { BYTES_MIN = 1 << 28, BYTES_OF_STACK = 1 << 14 };

struct stack_allowance stack_allowance_of(struct writing *writing)
{
    return (struct stack_allowance){
        .warnings = writing->warnings,
        .left = BYTES_MIN + (uint64_t)BYTES_OF_STACK * writing->graph->tree.count};
}

bool stack_allowance_has(struct stack_allowance *allowance)
{
    if (allowance->left == 0)
        warning_count_many(
            allowance->warnings, WARNING_LOSS,
            "stacks left out: deep ones of long names, written out one by one, would "
            "be thousands of times the profile",
            1);
    return allowance->left > 0;
}

void stack_allowance_take(struct stack_allowance *allowance, uint64_t bytes)
{
    allowance->left -= bytes < allowance->left ? bytes : allowance->left;
}
