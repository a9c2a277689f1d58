/* SPDX-License-Identifier: Apache-2.0 */
/* profile_command.h — a command that reads one profile, and answers with one report */
#ifndef PTK_CMD_SHARED_PROFILE_COMMAND_H
#define PTK_CMD_SHARED_PROFILE_COMMAND_H

#include "base/memory/arena.h"
#include "cmd/shared/load.h"
#include "render/forms/report.h"

/* Fills a report that has its command and its input; what it then points to lives in the arena, or
 * in `asked`: what the user asked of the command. */
typedef bool profile_command_fill(struct profile *profile, const void *asked, struct arena *arena,
                                  struct report *report, struct error *err);

struct profile_command {
    const char *command;
    const struct builder_options *wanted; /* of the file */
    const struct common *common;
    profile_command_fill *fill;
    const void *asked;
};

/* Reads the profile that the operands name, or the default one; fills the report, and writes it. */
MUST_CHECK bool profile_command_run(const struct profile_command *request, char **operands,
                                    size_t count, struct error *err);

#endif
