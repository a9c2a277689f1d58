/* SPDX-License-Identifier: Apache-2.0 */
/* docs.h — help, manual pages and completion, all from the same option tables */
#ifndef PTK_CMD_SHARED_DOCS_H
#define PTK_CMD_SHARED_DOCS_H

#include <stdio.h>

#include "cmd/shared/command.h"

/* The list of commands: what `ptk --help` says. */
void docs_overview(FILE *out);

/* What `ptk COMMAND --help` says: a screenful that ends in examples. */
void docs_help(const struct command *command, FILE *out);

/* The manual page, for reading (what `ptk help COMMAND` says) and for man(1) (in mdoc).
 * NULL stands for the page of ptk itself. */
void docs_manual_text(const struct command *command, FILE *out);
void docs_manual_mdoc(const struct command *command, FILE *out);

/* Completion for a shell: "bash", "zsh" or "fish". False when the shell is another. */
bool docs_completion(const char *shell, FILE *out);

#endif
