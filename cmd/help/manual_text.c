/* SPDX-License-Identifier: Apache-2.0 */
/* The manual for reading on the terminal: what `ptk help COMMAND` prints. */
#include <string.h>

#include "cmd/help/command.h"
#include "cmd/help/docs.h"

enum { INDENT = 4 };

static void write_literal(struct span text, FILE *out)
{
    while (text.len) {
        struct span line = span_split(&text, '\n');

        fprintf(out, "%*s%.*s\n", INDENT, "", (int)line.len, line.at);
    }
}

static void write_items(struct span text, FILE *out)
{
    struct doc_item item;

    while (doc_next_item(&text, &item)) {
        fprintf(out, "%*s", INDENT, "");
        if (item.term.len) {
            docs_write_wrapped(item.term, INDENT, INDENT, out);
            fprintf(out, "%*s", 2 * INDENT, "");
            docs_write_wrapped(item.text, 2 * INDENT, 2 * INDENT, out);
        } else {
            fputs("- ", out);
            docs_write_wrapped(item.text, INDENT + 2, INDENT + 2, out);
        }
    }
}

void docs_write_block(const struct doc_block *block, FILE *out)
{
    switch (block->kind) {
    case DOC_TITLE:
        fprintf(out, "%.*s\n", (int)block->text.len, block->text.at);
        return;
    case DOC_LITERAL:
        write_literal(block->text, out);
        break;
    case DOC_TERMS:
    case DOC_BULLETS:
        write_items(block->text, out);
        break;
    case DOC_PARAGRAPH:
        fprintf(out, "%*s", INDENT, "");
        docs_write_wrapped(block->text, INDENT, INDENT, out);
        break;
    }
    putc('\n', out);
}

static void write_command_parts(const struct command *command, FILE *out)
{
    if (command->reads) {
        fprintf(out, "FORMATS\n%*s", INDENT, "");
        docs_write_reads(command, INDENT, out);
        putc('\n', out);
    }
    if (command->options->kind != OPTION_END) {
        fputs("OPTIONS", out);
        docs_write_options(command->options, out);
        putc('\n', out);
    }
}

static void write_exit_status(FILE *out)
{
    fputs("EXIT STATUS\n", out);
    for (int kind = 0; error_meanings[kind]; kind++) {
        int column = fprintf(out, "%*s%d  ", INDENT, "", kind);

        docs_write_wrapped(span_of(error_meanings[kind]), column, column, out);
    }
    putc('\n', out);
}

void docs_manual_text(const struct command *command, FILE *out)
{
    const char *name = command ? command->name : "ptk";
    struct span rest = doc_prose(command);
    struct doc_block block;
    bool is_listed = false;

    if (command)
        fprintf(out, "NAME\n    ptk %s - %s\n\nSYNOPSIS\n    ptk %s [OPTIONS] %s\n\nDESCRIPTION\n",
                name, command->summary, name, command->operands);
    else
        fputs("NAME\n    ptk - reads profiles and says where the time goes\n\n"
              "SYNOPSIS\n    ptk COMMAND [OPTIONS] [FILE...]\n    ptk FILE\n\nDESCRIPTION\n",
              out);
    while (doc_next_block(&rest, &block)) {
        if (doc_ends_description(command, &block, &is_listed)) {
            fputs("COMMANDS", out);
            docs_write_commands(out);
            putc('\n', out);
        }
        docs_write_block(&block, out);
    }
    if (command)
        write_command_parts(command, out);
    write_exit_status(out);
    if (command) {
        fputs("EXAMPLES\n", out);
        docs_write_examples(command->examples, out);
        fputs("\n  " EXAMPLE_FILES "\n\n", out);
    }
    fputs("SEE ALSO\n", out);
    for (const struct lead *lead = leads; lead->from; lead++)
        if (strcmp(lead->from, name) == 0)
            fprintf(out, "%*sptk %-13s  %s\n", INDENT, "", lead->to, lead->why);
}
