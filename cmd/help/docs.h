/* SPDX-License-Identifier: Apache-2.0 */
/* docs.h — what help and manuals are made of, for the files that print them */
#ifndef PTK_CMD_HELP_DOCS_H
#define PTK_CMD_HELP_DOCS_H

#include "base/memory/span.h"
#include "cmd/help/command.h"

#define FORMATS_LIST "'ptk formats' lists them"

/* As tools/install puts them. */
#define EXAMPLE_FILES "The files are installed in share/doc/ptk/examples."

/* ---- the manual's prose ---- */

enum doc_kind {
    DOC_TITLE,
    DOC_PARAGRAPH,
    DOC_LITERAL, /* shown line by line */
    DOC_TERMS,   /* items: a term, and its explanation */
    DOC_BULLETS, /* items without a term */
};

struct doc_block {
    enum doc_kind kind;
    struct span text;
};

struct doc_item {
    struct span term, text;
};

/* The manual of the command, or ptk's own for NULL; empty where there is none. */
struct span doc_prose(const struct command *command);

/* Takes the next block off the front. */
bool doc_next_block(struct span *rest, struct doc_block *block);

/* Takes the next item off the front of the text of DOC_TERMS or DOC_BULLETS. */
bool doc_next_item(struct span *rest, struct doc_item *item);

/* Where ptk's own manual lists the commands: before its first section. */
bool doc_ends_description(const struct command *command, const struct doc_block *block,
                          bool *is_listed);

/* As it looks in `ptk help`: titles at the left, all else indented. */
void docs_write_block(const struct doc_block *block, FILE *out);

/* ---- which command to take next ---- */

struct lead {
    const char *from, *to; /* names of commands; `from` may be "ptk" */
    const char *why;       /* what the other command adds */
};

extern const struct lead leads[]; /* ends with a NULL name */

/* ---- text, wrapped for a terminal ---- */

/* The first line goes on at `column`, the others begin at `indent`. */
void docs_write_wrapped(struct span text, int column, int indent, FILE *out);

void docs_write_options(const struct option *table, FILE *out);

void docs_write_examples(const char *examples, FILE *out);

/* Which formats the command reads. */
void docs_write_reads(const struct command *command, int indent, FILE *out);

/* All commands, in their groups. */
void docs_write_commands(FILE *out);

#endif
