/* SPDX-License-Identifier: Apache-2.0 */
/* What --help and --version print. */
#include "cmd/help/docs.h"

#include <ctype.h>
#include <string.h>

#include "cmd/help/command.h"

enum { TEXT_WIDTH = 78, OPTION_COLUMN = 27 };

const struct command *command_find(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

void docs_write_commands(FILE *out)
{
    for (size_t i = 0, group = 0; commands[i]; i++) {
        if (commands[i] == command_groups[group].first)
            fprintf(out, "\n%s:\n", command_groups[group++].title);
        fprintf(out, "  %-13s  %s\n", commands[i]->name, commands[i]->summary);
    }
}

void docs_overview(FILE *out)
{
    fputs("Usage: ptk COMMAND [OPTIONS] [FILE...]\n"
          "       ptk FILE\n\n"
          "Reads the profiles that other tools write and says where the time goes. With a FILE\n"
          "alone it runs 'advise' for a trace, and 'hotspots' for another profile.\n",
          out);
    docs_write_commands(out);
    fputs("\n'ptk COMMAND --help' lists a command's options, 'ptk help COMMAND' is its manual.\n"
          "'ptk guide' shows how to record a profile and how to go about it.\n",
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
void docs_write_wrapped(struct span text, int column, int indent, FILE *out)
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
    docs_write_wrapped(span_of(text), OPTION_COLUMN, OPTION_COLUMN, out);
}

void docs_write_options(const struct option *table, FILE *out)
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

void docs_write_examples(const char *examples, FILE *out)
{
    for (struct span rest = span_of(examples); rest.len;) {
        struct span line = span_split(&rest, '\n');

        fprintf(out, "  %.*s\n", (int)line.len, line.at);
    }
}

void docs_write_reads(const struct command *command, int indent, FILE *out)
{
    char text[300];

    snprintf(text, sizeof(text), "Reads formats that hold %s (" FORMATS_LIST ").", command->reads);
    docs_write_wrapped(span_of(text), indent, indent, out);
}

void docs_help(const struct command *command, FILE *out)
{
    fprintf(out, "Usage: ptk %s [OPTIONS] %s\n\n%c%s.\n", command->name, command->operands,
            toupper((unsigned char)command->summary[0]), command->summary + 1);
    if (command->reads)
        docs_write_reads(command, 0, out);
    docs_write_options(command->options, out);
    fputs("\nExamples:\n", out);
    docs_write_examples(command->examples, out);
}

void version_print(FILE *out, bool verbose)
{
    fprintf(out, "ptk " PTK_VERSION "%s%s\n", built_commit[0] ? ", commit " : "", built_commit);
    for (const struct library *library = libraries; library->name; library++) {
        if (!library->version)
            fprintf(out, "without %s: no %s (%s has it)\n", library->name, library->gives,
                    library->package);
        else if (verbose)
            fprintf(out, "with %s %s\n", library->name, library->version);
    }
}
