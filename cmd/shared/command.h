/* SPDX-License-Identifier: Apache-2.0 */
/* command.h — what a subcommand is, and the list of all of them */
#ifndef PTK_CMD_SHARED_COMMAND_H
#define PTK_CMD_SHARED_COMMAND_H

#include <stdbool.h>

#include "base/cli/error.h"
#include "base/cli/option.h"

struct command {
    const char *name;
    const char *summary;  /* one line for `ptk help` */
    const char *operands; /* "[FILE]" in the synopsis */
    const char *examples; /* one a line: shown by --help and in the manual; run by `make test` */
    const struct option *options;

    /* Does it all. On false, `err` holds what is printed, and its kind is the exit status. */
    bool (*run)(char **argv, struct error *err);
};

extern const struct command *const commands[]; /* ends with NULL */

/* NULL when there is none of that name. */
const struct command *command_find(const char *name);

#endif
