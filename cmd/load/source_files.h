/* SPDX-License-Identifier: Apache-2.0 */
/* source_files.h — the source files of functions whose lines are shown, where they may be read */
#ifndef PTK_CMD_LOAD_SOURCE_FILES_H
#define PTK_CMD_LOAD_SOURCE_FILES_H

#include "analysis/functions/hotspots.h"
#include "base/cli/cli.h"
#include "base/io/source_text.h"
#include "base/memory/memory.h"
#include "render/forms/report.h"

/* Which sources are read; zeroed is the default: those below the working directory. */
struct source_choice {
    struct option_values directories; /* and those below these */
    int reach;
    bool is_none;
};

extern const struct option source_options[]; /* of struct source_choice */

/* By path; equal ones share their text, which is empty when the file is not found or must not be read.
 * NULL where none are wanted. All is in the arena. */
struct code_text *sources_read(const struct span *paths, uint32_t count,
                               const struct source_choice *choice, struct arena *arena);

/* The same by function of `lines`. */
struct code_text *sources_of_lines(const struct lines *lines, const struct graph *graph,
                                   const struct source_choice *choice, struct arena *arena);

/* A page is sent to others: what it holds of the machine's files is said on it, and to its maker. */
void sources_write_missing(const struct code_text *sources, uint32_t count, bool is_quiet,
                           struct arena *arena, struct report *report);

#endif
