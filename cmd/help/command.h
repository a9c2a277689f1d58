/* SPDX-License-Identifier: Apache-2.0 */
/* command.h — what a command is, its help and manual, and how they are printed */
#ifndef PTK_CMD_HELP_COMMAND_H
#define PTK_CMD_HELP_COMMAND_H

#include <stdbool.h>
#include <stdio.h>

#include "base/checked.h"
#include "base/cli/cli.h"
#include "base/error/error.h"

/* ---- what a subcommand is, and the list of all of them ---- */

struct command {
    const char *name;
    const char *summary;  /* one line for `ptk help` */
    const char *operands; /* "[FILE]" in the synopsis */
    const char *reads;    /* what the formats that it reads hold: "a timeline"; NULL: whatever */
    const char *examples; /* one a line: shown by --help and in the manual; run by `make test` */
    const struct option *options;

    const struct profile_command *profile; /* how it answers: profile_command.h */
};

extern const struct command *const commands[]; /* ends with NULL */

/* Commands stand in the order of their groups. */
struct command_group {
    const struct command *first;
    const char *title;
};

extern const struct command_group command_groups[]; /* ends with a NULL title */

/* NULL when there is none of that name. */
const struct command *command_find(const char *name);

/* Help, manual pages and completion, all from the same option tables; and the one place where
 * the version stands. */

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

#define PTK_VERSION "1.0.0"
#define PTK_DATE "November 28, 2026" /* of the manual pages */

struct library {
    const char *name;    /* of its pkg-config module */
    const char *version; /* that the program was built with; NULL: it was built without */
    const char *package; /* of Debian, that has it; NULL where it was there */
    const char *gives;   /* what the program cannot do without it; NULL where it was there */
};

extern const char built_commit[];        /* its first 12 digits; empty where it is not known */
extern const struct library libraries[]; /* made by tools/embed-libraries; ends with a NULL name */

/* The version and the commit, and of the libraries those that are missing; verbose: all of them. */
void version_print(FILE *out, bool verbose);

/* ---- the prose of the manual pages, from man/NAME.txt, built into the program ---- */

/* Blocks separated by empty lines. "# TITLE" begins a section. Lines that begin with blanks are shown
 * as they are. "- " begins an item of a list; so does a term on lines of its own, whose explanation
 * is indented by four blanks. All else is a paragraph. */

struct manual {
    const char *name; /* of the command, or "ptk" */
    const char *text;
};

extern const struct manual manuals[]; /* made by tools/embed-manual.awk; ends with a NULL name */

#endif
