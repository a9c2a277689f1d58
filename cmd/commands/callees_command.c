/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands/commands.h"
#include "cmd/shared/command.h"

static bool run(char **argv, struct error *err)
{
    return relatives_run(ASK_CALLEES, argv, err);
}

const struct command command_callees = {
    .name = "callees",
    .summary = "whom a function calls, how often and for how long",
    .operands = "FUNC [FILE]",
    .examples = "ptk callees '^row$' profile.out\n"
                "ptk callees --sort calls -n 3 -f csv step profile.out\n",
    .options = relatives_options,
    .run = run,
};
