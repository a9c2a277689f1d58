/* SPDX-License-Identifier: Apache-2.0 */
/* The list of commands, and which of them runs. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/io/io.h"
#include "base/text/pattern.h"
#include "cmd/answer/profile_command.h"
#include "cmd/help/command.h"
#include "cmd/help/messages.h"
#include "cmd/load/fitting.h"
#include "cmd/load/profile_load.h"

extern const struct command command_info, command_hotspots, command_callers, command_callees,
    command_tree, command_bound, command_advise, command_overlap, command_critical_path,
    command_summary, command_dot, command_amdahl, command_roofline, command_what_if, command_report,
    command_diff, command_merge, command_convert, command_labels, command_lines, command_list,
    command_disasm, command_web, command_weblist, command_formats, command_flame, command_timeline, command_help,
    command_job, command_map, command_reduce, command_peek, command_traces, command_browse, command_events,
    command_serve, command_brief, command_guide;

/* One a line: they are added to often. */
/* clang-format off */
const struct command *const commands[] = {
    &command_advise,
    &command_brief,
    &command_hotspots,
    &command_browse,
    &command_callers,
    &command_callees,
    &command_peek,
    &command_tree,
    &command_traces,
    &command_events,
    &command_lines,
    &command_list,
    &command_disasm,
    &command_labels,
    &command_bound,
    &command_overlap,
    &command_critical_path,
    &command_summary,
    &command_serve,
    &command_amdahl,
    &command_what_if,
    &command_roofline,
    &command_diff,
    &command_merge,
    &command_job,
    &command_map,
    &command_reduce,
    &command_report,
    &command_web,
    &command_flame,
    &command_dot,
    &command_timeline,
    &command_weblist,
    &command_convert,
    &command_info,
    &command_formats,
    &command_guide,
    &command_help,
    NULL,
};
/* clang-format on */

const struct command_group command_groups[] = {
    {&command_advise, "Start here"},
    {&command_callers, "Where the time goes"},
    {&command_amdahl, "How much faster it can get"},
    {&command_diff, "Several files"},
    {&command_report, "Pictures and conversion"},
    {&command_info, "About files"},
    {0},
};

/* For the Makefile and for packagers: `ptk --generate man hotspots`, `ptk --generate bash`. */
static bool generate(char **argv, struct error *err)
{
    const char *what = argv[0];

    if (what && strcmp(what, "man") == 0) {
        const struct command *command = argv[1] ? command_find(argv[1]) : NULL;

        if (argv[1] && !command)
            return error_set(err, ERROR_USAGE, "unknown command '%.60s'", argv[1]);
        docs_manual_mdoc(command, stdout);
        return true;
    }
    if (what && strcmp(what, "commands") == 0) {
        for (size_t i = 0; commands[i]; i++)
            printf("%s\n", commands[i]->name);
        return true;
    }
    if (what && docs_completion(what, stdout))
        return true;
    return error_set(err, ERROR_USAGE, "--generate takes man, commands, bash, zsh or fish");
}

static bool unknown_command(const char *name, struct error *err)
{
    struct suggestion nearest = {.typed = name};
    bool is_option = name[0] == '-';

    for (size_t i = 0; commands[i]; i++)
        suggestion_consider(&nearest, commands[i]->name);
    error_set(err, ERROR_USAGE, "unknown %s '%.60s'", is_option ? "option" : "command", name);
    if (habit_hint(name, err))
        return false;
    if (is_option)
        return error_hint(err, "the command or the file comes first");
    if (nearest.word)
        return error_hint(err, "did you mean '%s'?", nearest.word);
    return error_hint(err, "'ptk --help' lists them");
}

/* `ptk FILE [OPTIONS]`: the command that fits. */
static const struct command *command_of(char **argv, struct error *err)
{
    const struct command *command;
    bool is_quiet = false;

    bool may_be_file = argv[1][0] != '-' && strpbrk(argv[1], "./");

    if (access(argv[1], F_OK) != 0 && !may_be_file && strcmp(argv[1], "-") != 0) {
        unknown_command(argv[1], err);
        return NULL;
    }
    command = command_for_file(argv[1], err);
    for (char **word = argv + 2; *word; word++)
        is_quiet |= strcmp(*word, "-q") == 0 || strcmp(*word, "--quiet") == 0;
    if (command && !is_quiet)
        message_note("running 'ptk %s %s'", command->name, argv[1]);
    return command;
}

static bool run(char **argv, struct error *err)
{
    const char *name = argv[1];

    if (!name) {
        docs_overview(stderr);
        error_set(err, ERROR_USAGE, "a command or a file is missing");
        return hint_profiles_here(err);
    }
    if (strcmp(name, "--version") == 0) {
        version_print(stdout,
                      argv[2] && (strcmp(argv[2], "--verbose") == 0 || strcmp(argv[2], "-v") == 0));
        return true;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        docs_overview(stdout);
        return true;
    }
    if (strcmp(name, "--generate") == 0)
        return generate(argv + 2, err);

    const struct command *command = command_find(name);
    bool is_file = !command;

    if (is_file && !(command = command_of(argv, err)))
        return false;
    for (char **word = argv + 2; *word && strcmp(*word, "--") != 0; word++)
        if (strcmp(*word, "--help") == 0 || strcmp(*word, "-h") == 0) {
            docs_help(command, stdout);
            return true;
        }
    argv += 2 - is_file;
    return profile_command_run(command, argv, err);
}

/* Errors of a command line that names no command, too, so before it is parsed. */
static bool asks_for_json(char **argv)
{
    for (char **word = argv + 1; word[-1] && *word && strcmp(*word, "--") != 0; word++)
        if (strcmp(*word, "-fjson") == 0 || strcmp(*word, "--format=json") == 0 ||
            (strcmp(*word, "json") == 0 &&
             (strcmp(word[-1], "-f") == 0 || strcmp(word[-1], "--format") == 0)))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    struct error err = {0};
    bool is_json = asks_for_json(argv);

    (void)argc;
#ifdef __GLIBC__
    /* glibc raises it with each array that is freed. Columns then grow on the heap, in the holes
     * behind which a quarter of the memory stays. */
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
#endif
    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN); /* a reader that leaves is seen as EPIPE, and ends us quietly */
    if (run(argv, &err))
        (void)!output_end(&err);
    if (err.kind != ERROR_NONE)
        (is_json ? message_error_json : message_error)(&err);
    return (int)err.kind;
}
