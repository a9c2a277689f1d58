/* SPDX-License-Identifier: Apache-2.0 */
/* source_files.h — the source files of functions whose lines are shown, where they may be read */
#ifndef PTK_CMD_SHARED_SOURCE_FILES_H
#define PTK_CMD_SHARED_SOURCE_FILES_H

#include "analysis/functions/source_lines.h"
#include "base/cli/option.h"
#include "base/text/source_text.h"

/* Which sources are read; zeroed is the default: those below the working directory. */
struct source_choice {
    struct option_values directories; /* and those below these */
    int reach;
    bool is_none;
};

extern const struct option source_options[]; /* of struct source_choice */

/* By function of `lines`; those of one file share its text, which is empty when the file is not
 * found or must not be read. NULL where none are wanted. All is in the arena. */
struct code_text *sources_read(const struct lines *lines, const struct graph *graph,
                               const struct source_choice *choice, struct arena *arena);

#endif
