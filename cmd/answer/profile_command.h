/* SPDX-License-Identifier: Apache-2.0 */
/* profile_command.h — a command as a record: what it can be asked, what it reads, and how it answers */
#ifndef PTK_CMD_ANSWER_PROFILE_COMMAND_H
#define PTK_CMD_ANSWER_PROFILE_COMMAND_H

#include "base/memory/memory.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/build/builder.h"
#include "render/forms/report.h"

/* ---- a command as a record ---- */

/* A command on its way to an answer. */
struct profile_request {
    const char *command;
    void *asked; /* by the user: a struct that begins with struct common */
    char **operands;
    size_t count;
    struct builder_options wanted; /* of the file */
    struct arena arena;            /* of what `asked` points to */
};

/* Which functions a command can be limited to. */
enum filtering {
    FILTERS_FUNCTIONS, /* of the call tree, or the level that the file has */
    FILTERS_EVENTS,    /* of the timeline where there is one, before anything is made of it */
};

struct profile_command {
    size_t size;                   /* of the struct that its options are of, */
    const void *defaults;          /* and that struct; NULL: zeroed */
    struct builder_options wanted; /* of the file, whatever is asked: the selection can want more */
    bool wants_execution;          /* what the graph of tasks is built from */
    bool takes_function;           /* the operand FUNC, for what answers */
    enum filtering filtering;

    /* Checks and completes what was asked, and adds to what is wanted of the file; or NULL. */
    bool (*prepare)(struct profile_request *request, struct error *err);

    /* Answers where the operands are several files or parts of a job; or NULL: there is one profile. */
    bool (*answer_several)(const struct profile_request *request, struct error *err);

    /* ---- one of three ---- */

    /* Fills a report that has its command and its input; what it then points to lives in the arena, or in
     * `asked`. The profile is narrowed and grouped as asked. */
    bool (*fill)(struct profile *profile, const void *asked, struct arena *arena,
                 struct report *report, struct error *err);

    /* Writes an answer that is no report: a picture, a page, another tool's file. The profile is not narrowed
     * yet: profile_select(). */
    bool (*write)(struct profile *profile, const void *asked, struct arena *arena, struct error *err);

    /* Reads the operands, if any, and writes the answer. */
    bool (*answer)(struct profile_request *request, struct error *err);

    void (*release)(void *asked); /* what `prepare` made, whether or not it was called; or NULL */
};

/* Does it all. */
MUST_CHECK bool profile_command_run(const struct command *command, char **argv, struct error *err);

#endif
