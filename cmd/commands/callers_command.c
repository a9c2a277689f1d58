/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands/commands.h"
#include "cmd/shared/command.h"

static bool run(char **argv, struct error *err)
{
    return relatives_run(ASK_CALLERS, argv, err);
}

const struct command command_callers = {
    .name = "callers",
    .summary = "who calls a function, how often and for how long",
    .operands = "FUNC [FILE]",
    .examples = "ptk callers '^row$' profile.out\n"
                "ptk callers --sort calls -n 3 -f csv step profile.out\n",
    .options = relatives_options,
    .run = run,
};
