/* SPDX-License-Identifier: Apache-2.0 */
/* The manual in mdoc, for man(1): what `ptk --generate man COMMAND` prints. */
#include <ctype.h>
#include <string.h>

#include "cmd/help/command.h"
#include "cmd/help/docs.h"

/* A dot or a quote at the start of a line and backslashes anywhere would be requests. */
static void write_roff(struct span text, FILE *out)
{
    if (text.len && (text.at[0] == '.' || text.at[0] == '\''))
        fputs("\\&", out);
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\\')
            fputs("\\e", out);
        else if (text.at[i] == '-')
            fputs("\\-", out);
        else
            putc(text.at[i], out);
    }
}

/* A new sentence begins a new line, so that man(1) can space it. */
static void write_roff_lines(struct span text, FILE *out)
{
    while (text.len) {
        struct span line = span_trim(span_split(&text, '\n'));

        while (line.len) {
            size_t end = 1;

            while (end < line.len && !(line.at[end - 1] == '.' && line.at[end] == ' '))
                end++;
            write_roff((struct span){line.at, end}, out);
            putc('\n', out);
            line = span_trim(span_after(line, end));
        }
    }
}

static void write_roff_literal(struct span text, FILE *out)
{
    fputs(".Bd -literal -offset indent\n", out);
    while (text.len) {
        write_roff(span_split(&text, '\n'), out);
        putc('\n', out);
    }
    fputs(".Ed\n", out);
}

/* Each word by itself, so that none is taken for a macro. */
static void write_roff_words(struct span text, FILE *out)
{
    while ((text = span_trim(text)).len) {
        size_t len = 0;

        while (len < text.len && text.at[len] != ' ' && text.at[len] != '\n')
            len++;
        fputs(" \\&", out);
        write_roff((struct span){text.at, len}, out);
        text = span_after(text, len);
    }
    putc('\n', out);
}

static void write_items(const struct doc_block *block, FILE *out)
{
    struct span rest = block->text;
    struct doc_item item;

    fputs(block->kind == DOC_TERMS ? ".Bl -ohang -compact\n" : ".Bl -bullet -compact\n", out);
    while (doc_next_item(&rest, &item)) {
        fputs(".It", out);
        if (block->kind == DOC_BULLETS) {
            putc('\n', out);
            write_roff_lines(item.text, out);
            continue;
        }
        write_roff_words(item.term, out);
        fputs(".Bd -ragged -offset indent -compact\n", out);
        write_roff_lines(item.text, out);
        fputs(".Ed\n", out);
    }
    fputs(".El\n", out);
}

static void write_block(const struct doc_block *block, bool is_first, FILE *out)
{
    if (!is_first && block->kind != DOC_TITLE && block->kind != DOC_LITERAL)
        fputs(".Pp\n", out);
    switch (block->kind) {
    case DOC_TITLE:
        fprintf(out, ".Sh %.*s\n", (int)block->text.len, block->text.at);
        break;
    case DOC_LITERAL:
        write_roff_literal(block->text, out);
        break;
    case DOC_TERMS:
    case DOC_BULLETS:
        write_items(block, out);
        break;
    case DOC_PARAGRAPH:
        write_roff_lines(block->text, out);
        break;
    }
}

static void write_option(const struct option *option, FILE *out)
{
    fputs(".It ", out);
    if (option->letter)
        fprintf(out, "Fl %c , ", option->letter);
    fputs("Fl \\-", out);
    write_roff(span_of(option->name), out);
    if (option->kind == OPTION_MAYBE)
        fprintf(out, " Ns Op = Ns Ar %s", option->value);
    else if (option->value)
        fprintf(out, " Ar %s", option->value);
    putc('\n', out);
    write_roff(span_of(option->help), out);
    if (option->kind == OPTION_CHOICE || option->kind == OPTION_NAMED) {
        fputs(": ", out);
        for (size_t i = 0; option->choices && option->choices[i]; i++)
            fprintf(out, "%s%s", i ? ", " : "", option->choices[i]);
    }
    fputs(".\n", out);
}

static void write_options(const struct option *table, FILE *out)
{
    struct option_walk walk = {.table = table};
    bool is_open = false;

    for (const struct option *o; (o = option_next(&walk));) {
        if (o->kind == OPTION_GROUP) {
            if (is_open)
                fputs(".El\n", out);
            fprintf(out, ".Ss %s\n", o->help);
            is_open = false;
            continue;
        }
        if (!is_open)
            fputs(".Bl -tag -width Ds\n", out);
        is_open = true;
        write_option(o, out);
    }
    if (is_open)
        fputs(".El\n", out);
}

static void write_head(const struct command *command, FILE *out)
{
    fputs(".\\\" made by ptk --generate man\n.Dd " PTK_DATE "\n.Dt PTK", out);
    if (command)
        putc('-', out);
    for (const char *c = command ? command->name : ""; *c; c++)
        putc(toupper((unsigned char)*c), out);
    fprintf(out, " 1\n.Os ptk\n.Sh NAME\n.Nm ptk%s%s\n.Nd ", command ? "-" : "",
            command ? command->name : "");
    write_roff(span_of(command ? command->summary : "read profiles and say where the time goes"),
               out);
    fprintf(out, "\n.Sh SYNOPSIS\n.Nm ptk\n.%s %s\n.Op Ar OPTIONS\n", command ? "Cm" : "Ar",
            command ? command->name : "COMMAND");
    if (!command || command->operands[0])
        fprintf(out, ".Ar %s\n", command ? command->operands : "[FILE...]");
    fputs(".Sh DESCRIPTION\n", out);
}

static void write_commands(FILE *out)
{
    fputs(".Sh COMMANDS\n", out);
    for (size_t i = 0, group = 0; commands[i]; i++) {
        if (commands[i] == command_groups[group].first) {
            fprintf(out, "%s.Ss %s\n.Bl -tag -width ptk-critical-path(1)\n", group ? ".El\n" : "",
                    command_groups[group].title);
            group++;
        }
        fprintf(out, ".It Xr ptk-%s 1\n", commands[i]->name);
        write_roff(span_of(commands[i]->summary), out);
        putc('\n', out);
    }
    fputs(".El\n", out);
}

static void write_exit_status(FILE *out)
{
    fputs(".Sh EXIT STATUS\n.Bl -tag -width Ds -compact\n", out);
    for (int kind = 0; error_meanings[kind]; kind++) {
        fprintf(out, ".It %d\n", kind);
        write_roff(span_of(error_meanings[kind]), out);
        putc('\n', out);
    }
    fputs(".El\n", out);
}

static void write_see_also(const char *name, FILE *out)
{
    fputs(".Sh SEE ALSO\n.Bl -tag -width ptk-critical-path(1) -compact\n", out);
    for (const struct lead *lead = leads; lead->from; lead++)
        if (strcmp(lead->from, name) == 0) {
            fprintf(out, ".It Xr ptk-%s 1\n", lead->to);
            write_roff(span_of(lead->why), out);
            putc('\n', out);
        }
    if (strcmp(name, "ptk") != 0)
        fputs(".It Xr ptk 1\nall commands, and how to record profiles\n", out);
    fputs(".El\n", out);
}

void docs_manual_mdoc(const struct command *command, FILE *out)
{
    struct span rest = doc_prose(command);
    struct doc_block block;
    bool is_first = true, is_listed = false;

    write_head(command, out);
    while (doc_next_block(&rest, &block)) {
        if (doc_ends_description(command, &block, &is_listed))
            write_commands(out);
        write_block(&block, is_first, out);
        is_first = block.kind == DOC_TITLE;
    }
    if (command && command->reads)
        fprintf(out, ".Sh FORMATS\nReads formats that hold %s (" FORMATS_LIST ").\n",
                command->reads);
    if (command) {
        if (command->options->kind != OPTION_END)
            fputs(".Sh OPTIONS\n", out);
        write_options(command->options, out);
    }
    write_exit_status(out);
    if (command) {
        fputs(".Sh EXAMPLES\n", out);
        write_roff_literal(span_of(command->examples), out);
        fputs(EXAMPLE_FILES "\n", out);
    }
    write_see_also(command ? command->name : "ptk", out);
}
