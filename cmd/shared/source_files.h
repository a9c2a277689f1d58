/* source_files.h — the source files of functions whose lines are shown, where they can be read */
#ifndef PTK_CMD_SHARED_SOURCE_FILES_H
#define PTK_CMD_SHARED_SOURCE_FILES_H

#include "analysis/functions/source_lines.h"
#include "base/cli/option.h"
#include "base/text/source_text.h"

/* By function of `lines`; those of one file share its text, which is empty when the file is not
 * found. Looked for as named, and below `directories`. All is in the arena. */
struct code_text *sources_read(const struct lines *lines, const struct graph *graph,
                               const struct option_values *directories, struct arena *arena);

#endif
