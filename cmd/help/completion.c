/* SPDX-License-Identifier: Apache-2.0 */
/* Completion of commands, options and their values for bash, zsh and fish, from the tables of
 * options. */
#include <string.h>

#include "cmd/help/command.h"

/* The options of a command that are no headings. */
static const struct option *next_real(struct option_walk *walk)
{
    const struct option *option;

    do
        option = option_next(walk);
    while (option && option->kind == OPTION_GROUP);
    return option;
}

static void write_words(const char *const *words, FILE *out)
{
    for (size_t i = 0; words[i]; i++)
        if (!strchr(words[i], ':')) /* what follows a colon nobody can foresee */
            fprintf(out, "%s%s", i ? " " : "", words[i]);
}

static void write_commands(FILE *out)
{
    for (size_t i = 0; commands[i]; i++)
        fprintf(out, "%s%s", i ? " " : "", commands[i]->name);
}

static bool takes_value(const struct option *option)
{
    return option->value != NULL && option->kind != OPTION_MAYBE;
}

/* Its operand is another command. */
static bool takes_command(const struct command *command)
{
    return strstr(command->operands, "COMMAND") != NULL;
}

/* ---- bash ---- */

static void bash_command(const struct command *command, FILE *out)
{
    struct option_walk walk = {.table = command->options};

    fprintf(out, "    %s)\n        case $prev in\n", command->name);
    for (const struct option *o; (o = next_real(&walk));) {
        if (!takes_value(o))
            continue;
        fprintf(out, "        --%s", o->name);
        if (o->letter)
            fprintf(out, "|-%c", o->letter);
        fputs(") ", out);
        if (o->choices) {
            fputs("COMPREPLY=($(compgen -W '", out);
            write_words(o->choices, out);
            fputs("' -- \"$cur\")); ", out);
        } else if (o->kind == OPTION_FILE) {
            fputs("compopt -o default; ", out);
        }
        fputs("return ;;\n", out);
    }
    fputs("        esac\n        options='", out);
    walk = (struct option_walk){.table = command->options};
    for (const struct option *o; (o = next_real(&walk));)
        fprintf(out, "--%s ", o->name);
    fputs("--help'\n", out);
    if (takes_command(command)) {
        fputs("        operands='", out);
        write_commands(out);
        fputs("'\n", out);
    }
    fputs("        ;;\n", out);
}

static void write_bash(FILE *out)
{
    fputs("# bash completion for ptk, made by ptk --generate bash\n_ptk()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local options= operands=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '",
          out);
    write_commands(out);
    fputs(" --help --version' -- \"$cur\"))\n        return\n    fi\n"
          "    case ${COMP_WORDS[1]} in\n",
          out);
    for (size_t i = 0; commands[i]; i++)
        bash_command(commands[i], out);
    fputs("    esac\n    case $cur in\n"
          "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
          "    *)\n        COMPREPLY=($(compgen -W \"$operands\" -- \"$cur\"))\n"
          "        [ -n \"$operands\" ] || compopt -o default ;;\n    esac\n}\n"
          "complete -F _ptk ptk\n",
          out);
}

/* ---- zsh ---- */

/* Help texts stand in single quotes and brackets; neither may come early. */
static void zsh_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:\\", *text))
            fprintf(out, "\\%c", *text);
        else
            putc(*text, out);
    }
}

static void zsh_option(const struct option *option, FILE *out)
{
    const char *again = option->kind == OPTION_EACH || option->kind == OPTION_MAYBE ? "*" : "";

    if (option->letter && !*again)
        fprintf(out, "        '(-%c --%s)'{-%c,--%s}'[", option->letter, option->name,
                option->letter, option->name);
    else
        fprintf(out, "        '%s--%s[", again, option->name);
    zsh_text(option->help, out);
    putc(']', out);
    if (takes_value(option)) {
        fprintf(out, ":%s:", option->value);
        if (option->choices) {
            putc('(', out);
            write_words(option->choices, out);
            putc(')', out);
        } else if (option->kind == OPTION_FILE) {
            fputs("_files", out);
        }
    }
    fputs("' \\\n", out);
}

static void write_zsh(FILE *out)
{
    fputs("#compdef ptk\n# zsh completion for ptk, made by ptk --generate zsh\n"
          "_ptk_commands() {\n    local -a commands=(\n",
          out);
    for (size_t i = 0; commands[i]; i++) {
        fprintf(out, "        '%s:", commands[i]->name);
        zsh_text(commands[i]->summary, out);
        fputs("'\n", out);
    }
    fputs("    )\n    _describe command commands\n}\n"
          "if (( CURRENT == 2 )); then\n    _ptk_commands\n    return\nfi\n"
          "case $words[2] in\n",
          out);
    for (size_t i = 0; commands[i]; i++) {
        struct option_walk walk = {.table = commands[i]->options};

        fprintf(out, "    %s)\n        _arguments \\\n", commands[i]->name);
        for (const struct option *o; (o = next_real(&walk));)
            zsh_option(o, out);
        fputs(takes_command(commands[i]) ? "        '*:command:_ptk_commands' ;;\n"
                                         : "        '*:file:_files' ;;\n",
              out);
    }
    fputs("esac\n", out);
}

/* ---- fish ---- */

static void fish_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            putc('\\', out);
        putc(*text, out);
    }
}

static void fish_option(const struct command *command, const struct option *option, FILE *out)
{
    fprintf(out, "complete -c ptk -n '__fish_seen_subcommand_from %s' -l %s", command->name,
            option->name);
    if (option->letter)
        fprintf(out, " -s %c", option->letter);
    if (option->choices) {
        fputs(" -x -a '", out);
        write_words(option->choices, out);
        putc('\'', out);
    } else if (takes_value(option)) {
        fputs(option->kind == OPTION_FILE ? " -r" : " -x", out);
    }
    fputs(" -d '", out);
    fish_text(option->help, out);
    fputs("'\n", out);
}

static void write_fish(FILE *out)
{
    fputs("# fish completion for ptk, made by ptk --generate fish\n", out);
    for (size_t i = 0; commands[i]; i++) {
        struct option_walk walk = {.table = commands[i]->options};

        fprintf(out, "complete -c ptk -n __fish_use_subcommand -f -a %s -d '", commands[i]->name);
        fish_text(commands[i]->summary, out);
        fputs("'\n", out);
        for (const struct option *o; (o = next_real(&walk));)
            fish_option(commands[i], o, out);
        if (takes_command(commands[i])) {
            fprintf(out, "complete -c ptk -n '__fish_seen_subcommand_from %s' -f -a '",
                    commands[i]->name);
            write_commands(out);
            fputs("'\n", out);
        }
    }
}

bool docs_completion(const char *shell, FILE *out)
{
    static const struct {
        const char *shell;
        void (*write)(FILE *out);
    } writers[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};

    for (size_t i = 0; i < COUNT_OF(writers); i++)
        if (strcmp(shell, writers[i].shell) == 0) {
            writers[i].write(out);
            return true;
        }
    return false;
}
