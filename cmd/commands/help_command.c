/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cmd/answer/profile_command.h"
#include "cmd/help/command.h"

static const struct option options[] = {OPT_END};

static bool print_manual(struct profile_request *request, struct error *err)
{
    const struct command *command;
    char **operands = request->operands;

    if (request->count > 1)
        return error_set(err, ERROR_USAGE, "help takes one command: '%.100s' is one more",
                         operands[1]);
    if (request->count == 0) {
        docs_overview(stdout);
        return true;
    }
    command = command_find(operands[0]);
    if (!command && strcmp(operands[0], "ptk") != 0) {
        error_set(err, ERROR_USAGE, "unknown command '%.60s'", operands[0]);
        return error_hint(err, "'ptk help' lists them");
    }
    docs_manual_text(command, stdout);
    return true;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct common),
    .answer = print_manual,
};

const struct command command_help = {
    .name = "help",
    .summary = "the manual of ptk or of one command",
    .operands = "[COMMAND]",
    .examples = "ptk help\nptk help hotspots\n",
    .options = options,
    .profile = &profile_command,
};
