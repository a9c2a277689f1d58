/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cmd/help/command.h"

struct help_arguments {
    bool unused;
};

static const struct option options[] = {OPT_END};

static bool run(char **argv, struct error *err)
{
    struct help_arguments fields = {0};
    const struct command *command;
    size_t operands;

    if (!option_parse(options, &fields, argv, &operands, err))
        return false;
    if (operands > 1)
        return error_set(err, ERROR_USAGE, "help takes one command: '%.100s' is one more", argv[1]);
    if (operands == 0) {
        docs_overview(stdout);
        return true;
    }
    command = command_find(argv[0]);
    if (!command && strcmp(argv[0], "ptk") != 0) {
        error_set(err, ERROR_USAGE, "unknown command '%.60s'", argv[0]);
        return error_hint(err, "'ptk help' lists them");
    }
    docs_manual_text(command, stdout);
    return true;
}

const struct command command_help = {
    .name = "help",
    .summary = "the manual of ptk or of one command",
    .operands = "[COMMAND]",
    .examples = "ptk help\nptk help hotspots\n",
    .options = options,
    .run = run,
};
