/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/command.h"

#include <ctype.h>
#include <string.h>

#include "base/text/span.h"

enum { TEXT_WIDTH = 78, OPTION_COLUMN = 27 };

#define FORMATS_LIST "'ptk formats' lists them"

/* As tools/install puts them. */
#define EXAMPLE_FILES "The files are installed in share/doc/ptk/examples."

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static const char *prose_of(const char *name)
{
    for (size_t i = 0; manuals[i].name; i++)
        if (strcmp(manuals[i].name, name) == 0)
            return manuals[i].text;
    return "";
}

static void write_command_list(FILE *out)
{
    for (size_t i = 0; commands[i]; i++)
        fprintf(out, "  %-13s  %s\n", commands[i]->name, commands[i]->summary);
}

void docs_overview(FILE *out)
{
    fputs("Usage: ptk COMMAND [OPTIONS] [FILE...]\n\n"
          "Reads the profiles that other tools write and says where the time goes.\n\n"
          "Commands:\n",
          out);
    write_command_list(out);
    fputs("\nTry:\n"
          "  python3 -m cProfile -o profile.out main.py\n"
          "  ptk hotspots profile.out\n"
          "  ptk dot profile.out | dot -Tpng -o graph.png\n\n"
          "'ptk COMMAND --help' lists a command's options, 'ptk help COMMAND' is its manual.\n",
          out);
}

/* ---- help ---- */

/* "  -n, --limit N" */
static int write_names(const struct option *option, FILE *out)
{
    int len = option->letter ? fprintf(out, "  -%c, --%s", option->letter, option->name)
                             : fprintf(out, "      --%s", option->name);

    if (option->kind == OPTION_MAYBE)
        return len + fprintf(out, "[=%s]", option->value);
    return option->value ? len + fprintf(out, " %s", option->value) : len;
}

/* Words, wrapped; the first line goes on at `column`, the others begin at `indent`. */
static void write_wrapped(struct span text, int column, int indent, FILE *out)
{
    bool is_first = true;

    while ((text = span_trim(text)).len) {
        struct span word = {text.at, strcspn(text.at, " \n")};

        if (word.len > text.len)
            word.len = text.len;
        if (!is_first && column + 1 + (int)word.len > TEXT_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
            is_first = true;
        }
        column += fprintf(out, "%s%.*s", is_first ? "" : " ", (int)word.len, word.at);
        is_first = false;
        text = span_after(text, word.len);
    }
    putc('\n', out);
}

static void write_option(const struct option *option, FILE *out)
{
    char text[600];
    int column = write_names(option, out);

    if (column + 2 > OPTION_COLUMN)
        column = fprintf(out, "\n") - 1;
    fprintf(out, "%*s", OPTION_COLUMN - column, "");
    snprintf(text, sizeof(text), "%s", option->help);
    if (option->kind == OPTION_CHOICE || option->kind == OPTION_NAMED) {
        strncat(text, ": ", sizeof(text) - strlen(text) - 1);
        for (size_t i = 0; option->choices[i]; i++) {
            strncat(text, i ? ", " : "", sizeof(text) - strlen(text) - 1);
            strncat(text, option->choices[i], sizeof(text) - strlen(text) - 1);
        }
    }
    write_wrapped(span_of(text), OPTION_COLUMN, OPTION_COLUMN, out);
}

static void write_options(const struct option *table, FILE *out)
{
    struct option_walk walk = {.table = table};

    if (table->kind != OPTION_GROUP && table->kind != OPTION_END)
        putc('\n', out);
    for (const struct option *o; (o = option_next(&walk));) {
        if (o->kind == OPTION_GROUP)
            fprintf(out, "\n%s:\n", o->help);
        else
            write_option(o, out);
    }
}

static void write_examples(const char *examples, FILE *out)
{
    for (struct span rest = span_of(examples); rest.len;) {
        struct span line = span_split(&rest, '\n');

        fprintf(out, "  %.*s\n", (int)line.len, line.at);
    }
}

static void write_reads(const struct command *command, int indent, FILE *out)
{
    char text[300];

    snprintf(text, sizeof(text), "Reads formats that hold %s (" FORMATS_LIST ").", command->reads);
    write_wrapped(span_of(text), indent, indent, out);
}

void docs_help(const struct command *command, FILE *out)
{
    fprintf(out, "Usage: ptk %s [OPTIONS] %s\n\n%c%s.\n", command->name, command->operands,
            toupper((unsigned char)command->summary[0]), command->summary + 1);
    if (command->reads)
        write_reads(command, 0, out);
    write_options(command->options, out);
    fputs("\nExamples:\n", out);
    write_examples(command->examples, out);
}

/* ---- the manual's prose ---- */

/* A paragraph or a section's title, and what is left after it. */
struct doc_block {
    struct span text;
    bool is_title, is_literal;
};

static bool next_block(struct span *rest, struct doc_block *block)
{
    while (rest->len && rest->at[0] == '\n')
        *rest = span_after(*rest, 1);
    if (rest->len == 0)
        return false;

    size_t end = span_find(*rest, SPAN("\n\n"));

    block->is_title = rest->at[0] == '#';
    block->is_literal = rest->at[0] == ' ';
    if (block->is_title)
        block->text = span_split(rest, '\n');
    else if (end == SIZE_MAX)
        block->text = *rest;
    else
        block->text = (struct span){rest->at, end};
    if (!block->is_title)
        *rest = span_after(*rest, block->text.len);
    else
        block->text = span_trim(span_after(block->text, 1));
    return true;
}

static void write_text_block(const struct doc_block *block, FILE *out)
{
    struct span rest = block->text;

    if (block->is_title) {
        fprintf(out, "%.*s\n", (int)rest.len, rest.at);
        return;
    }
    while (block->is_literal && rest.len) {
        struct span line = span_split(&rest, '\n');

        fprintf(out, "    %.*s\n", (int)line.len, line.at);
    }
    if (!block->is_literal) {
        fputs("    ", out);
        write_wrapped(rest, 4, 4, out);
    }
    putc('\n', out);
}

/* Where ptk's own manual lists the commands: behind what it is, before its first section. */
static bool ends_description(const struct command *command, const struct doc_block *block,
                             bool *is_listed)
{
    bool is_here = !command && block->is_title && !*is_listed;

    *is_listed |= is_here;
    return is_here;
}

void docs_manual_text(const struct command *command, FILE *out)
{
    struct span rest = span_of(prose_of(command ? command->name : "ptk"));
    struct doc_block block;
    bool is_listed = false;

    if (command)
        fprintf(out, "NAME\n    ptk %s - %s\n\nSYNOPSIS\n    ptk %s [OPTIONS] %s\n\nDESCRIPTION\n",
                command->name, command->summary, command->name, command->operands);
    else
        fputs("NAME\n    ptk - reads profiles and says where the time goes\n\n"
              "SYNOPSIS\n    ptk COMMAND [OPTIONS] [FILE...]\n\nDESCRIPTION\n",
              out);
    while (next_block(&rest, &block)) {
        if (ends_description(command, &block, &is_listed)) {
            fputs("COMMANDS\n", out);
            write_command_list(out);
            putc('\n', out);
        }
        write_text_block(&block, out);
    }
    if (!command)
        return;
    if (command->reads) {
        fputs("FORMATS\n    ", out);
        write_reads(command, 4, out);
        putc('\n', out);
    }
    if (command->options->kind != OPTION_END) {
        fputs("OPTIONS", out);
        write_options(command->options, out);
        putc('\n', out);
    }
    fputs("EXAMPLES\n", out);
    write_examples(command->examples, out);
    fputs("\n  " EXAMPLE_FILES "\n", out);
}

/* ---- mdoc ---- */

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

static void write_mdoc_block(const struct doc_block *block, bool is_first, FILE *out)
{
    if (block->is_title) {
        fprintf(out, ".Sh %.*s\n", (int)block->text.len, block->text.at);
    } else if (block->is_literal) {
        write_roff_literal(block->text, out);
    } else {
        if (!is_first)
            fputs(".Pp\n", out);
        write_roff_lines(block->text, out);
    }
}

static void write_mdoc_option(const struct option *option, FILE *out)
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

static void write_mdoc_options(const struct option *table, FILE *out)
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
        write_mdoc_option(o, out);
    }
    if (is_open)
        fputs(".El\n", out);
}

static void write_mdoc_head(const struct command *command, FILE *out)
{
    fputs(".\\\" made by ptk --generate man\n.Dd " PTK_DATE "\n.Dt PTK", out);
    if (command)
        putc('-', out);
    for (const char *c = command ? command->name : ""; *c; c++)
        putc(toupper((unsigned char)*c), out);
    fprintf(out, " 1\n.Os\n.Sh NAME\n.Nm ptk%s%s\n.Nd ", command ? "-" : "",
            command ? command->name : "");
    write_roff(span_of(command ? command->summary : "read profiles and say where the time goes"),
               out);
    fprintf(out, "\n.Sh SYNOPSIS\n.Nm ptk\n.%s %s\n.Op Ar OPTIONS\n", command ? "Cm" : "Ar",
            command ? command->name : "COMMAND");
    if (!command || command->operands[0])
        fprintf(out, ".Ar %s\n", command ? command->operands : "[FILE...]");
    fputs(".Sh DESCRIPTION\n", out);
}

static void write_mdoc_commands(FILE *out)
{
    fputs(".Sh COMMANDS\n.Bl -tag -width ptk-critical-path(1)\n", out);
    for (size_t i = 0; commands[i]; i++) {
        fprintf(out, ".It Xr ptk-%s 1\n", commands[i]->name);
        write_roff(span_of(commands[i]->summary), out);
        putc('\n', out);
    }
    fputs(".El\n", out);
}

void docs_manual_mdoc(const struct command *command, FILE *out)
{
    struct span rest = span_of(prose_of(command ? command->name : "ptk"));
    struct doc_block block;
    bool is_first = true, is_listed = false;

    write_mdoc_head(command, out);
    while (next_block(&rest, &block)) {
        if (ends_description(command, &block, &is_listed))
            write_mdoc_commands(out);
        write_mdoc_block(&block, is_first, out);
        is_first = block.is_title;
    }
    if (command && command->reads)
        fprintf(out, ".Sh FORMATS\nReads formats that hold %s (" FORMATS_LIST ").\n", command->reads);
    if (command) {
        if (command->options->kind != OPTION_END)
            fputs(".Sh OPTIONS\n", out);
        write_mdoc_options(command->options, out);
        fputs(".Sh EXAMPLES\n", out);
        write_roff_literal(span_of(command->examples), out);
        fputs(EXAMPLE_FILES "\n", out);
    }
    fprintf(out, ".Sh SEE ALSO\n%s\n", command ? ".Xr ptk 1" : ".Xr dot 1 ,\n.Xr perf 1");
}

void version_print(FILE *out, bool verbose)
{
    fputs("ptk " PTK_VERSION "\n", out);
    for (const struct library *library = libraries; library->name; library++) {
        if (!library->version)
            fprintf(out, "without %s: no %s (%s has it)\n", library->name, library->gives,
                    library->package);
        else if (verbose)
            fprintf(out, "with %s %s\n", library->name, library->version);
    }
}
