/* sources.h — the source files of functions whose lines are shown, where they can be read */
#ifndef PTK_CMD_SOURCES_H
#define PTK_CMD_SOURCES_H

#include "analysis/lines.h"
#include "base/code_text.h"
#include "base/option.h"

/* By function of `lines`; those of one file share its text, which is empty when the file is not
 * found. Looked for as named, and below `directories`. All is in the arena. */
struct code_text *sources_read(const struct lines *lines, const struct graph *graph,
                               const struct option_values *directories, struct arena *arena);

#endif
