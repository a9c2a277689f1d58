/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands/commands.h"
#include "cmd/shared/command.h"

static bool run(char **argv, struct error *err)
{
    return relatives_run(ASK_BOTH, argv, err);
}

const struct command command_peek = {
    .name = "peek",
    .summary = "a function between its callers and its callees",
    .operands = "FUNC [FILE]",
    .examples = "ptk peek '^row$' profile.out\n"
                "ptk peek -n 5 --min-percent 1 leaf cpu.pb\n",
    .options = relatives_options,
    .run = run,
};
