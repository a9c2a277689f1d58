/* SPDX-License-Identifier: Apache-2.0 */
/* profile_command.h — a command that reads one profile and writes one report */
#ifndef PTK_CMD_SHARED_PROFILE_COMMAND_H
#define PTK_CMD_SHARED_PROFILE_COMMAND_H

#include "base/io/io.h"
#include "base/memory/memory.h"
#include "cmd/shared/command.h"
#include "cmd/shared/load.h"
#include "cmd/shared/shared_options.h"
#include "graph/build/builder.h"
#include "render/forms/report.h"
#include "render/writers/writer.h"

/* ---- a command that reads one profile, and answers with one report ---- */

/* A command on its way to an answer. */
struct profile_request {
    const char *command;
    void *asked; /* by the user: a struct that begins with struct common */
    char **operands;
    size_t count;
    struct builder_options wanted; /* of the file */
    struct arena arena;            /* of what `asked` points to */
};

struct profile_command {
    size_t size;                   /* of the struct that its options are of, */
    const void *defaults;          /* and that struct; NULL: zeroed */
    struct builder_options wanted; /* of the file, whatever is asked: the selection can want more */
    bool wants_execution;          /* what the graph of tasks is built from */
    bool takes_function;           /* the operand FUNC, for `fill` */

    /* Checks and completes what was asked, and adds to what is wanted of the file; or NULL. */
    bool (*prepare)(struct profile_request *request, struct error *err);

    /* Answers where the operands are several files or parts of a job; or NULL: there is one profile. */
    bool (*answer_several)(const struct profile_request *request, struct error *err);

    /* Fills a report that has its command and its input; what it then points to lives in the arena, or in
     * `asked`. The profile is narrowed and grouped as asked. */
    bool (*fill)(struct profile *profile, const void *asked, struct arena *arena,
                 struct report *report, struct error *err);

    void (*release)(void *asked); /* what `prepare` made, whether or not it was called; or NULL */
};

/* Does it all for a command that has such a record. */
MUST_CHECK bool profile_command_run(const struct command *command, char **argv, struct error *err);

/* What `info` and the page of `report` tell of a profile, which has its flat level. */
void profile_info_report(const struct profile *profile, struct arena *arena, struct report *report);

/* ---- a command's last step: its report, in the form and to the place that was asked for ---- */

/* What text may look like where `out` goes. */
struct text_style report_output_style(const struct common *common, const struct output *out);

/* Writes the report and commits the output. False with what the report lacks, too. */
MUST_CHECK bool report_output_write(const struct report *report, const struct common *common,
                                    struct error *err);

/* False with ERROR_USAGE where `what` ("an HTML page"), which no terminal can show, would go to one, and no
 * -o asks for that: `path` is NULL. */
MUST_CHECK bool terminal_check(const char *what, const char *path, struct error *err);

/* ---- a graph to a file of another tool, the same way in every command ---- */

/* Adds what the writer can tell to what the profile is read with. */
void export_want(const struct writer *writer, struct builder_options *wanted);

/* False with ERROR_USAGE where a binary format would go to a terminal, and no -o asks for that. */
MUST_CHECK bool export_check(const struct writer *writer, const struct common *common,
                             struct error *err);

/* Writes a graph, which has the writer's level, to where the answer goes. What the format cannot
 * hold is told on stderr unless quiet, as a warning about `path`. `marks`: for writers that show the
 * critical path; or NULL. */
MUST_CHECK bool export_write(const struct graph *graph, const char *path,
                             const struct writer *writer, const struct path_marks *marks,
                             const struct common *common, struct error *err);

#endif
