/* SPDX-License-Identifier: Apache-2.0 */
/* docs.h — help, manual pages and completion, all from the same option tables; and the one place where
 * the version stands */
#ifndef PTK_CMD_SHARED_DOCS_H
#define PTK_CMD_SHARED_DOCS_H

#include <stdbool.h>
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

#define PTK_VERSION "0.1.0"
#define PTK_DATE "November 21, 2026" /* of the manual pages */

struct library {
    const char *name;    /* of its pkg-config module */
    const char *version; /* that the program was built with; NULL: it was built without */
    const char *package; /* of Debian, that has it; NULL where it was there */
    const char *gives;   /* what the program cannot do without it; NULL where it was there */
};

extern const struct library libraries[]; /* made by tools/embed-libraries; ends with a NULL name */

/* The version, and of the libraries those that are missing; verbose: all of them. */
void version_print(FILE *out, bool verbose);

#endif
