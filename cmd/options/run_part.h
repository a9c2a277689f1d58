/* SPDX-License-Identifier: Apache-2.0 */
/* run_part.h — the part of a run that is meant: when, in which stage, by which rank, process, thread or device */
#ifndef PTK_CMD_OPTIONS_RUN_PART_H
#define PTK_CMD_OPTIONS_RUN_PART_H

#include "base/checked.h"
#include "base/error/error.h"
#include "cmd/options/time_window.h"
#include "graph/build/builder.h"

/* As typed; NULL: all. */
struct run_part {
    struct time_window window;
    const char *stage;   /* what it was spent on: "backward" */
    const char *rank;    /* its number, in a job */
    const char *process; /* its number, or an expression in its name */
    const char *track;   /* the same of a thread or a stream */
    const char *device;  /* its number: other devices' work is left out */
};

bool run_part_is_all(const struct run_part *part);

/* Adds what it takes to find the part. */
void run_part_want(const struct run_part *part, struct builder_options *wanted);

/* Limits the graph to it, which must have no level but its native one yet. `keeps_steps`: beside a stage, for
 * answers of each step. What the profile cannot tell is ERROR_LACK. */
MUST_CHECK bool run_part_apply(const struct run_part *part, bool keeps_steps, struct graph *graph,
                               struct error *err);

#endif
