/* SPDX-License-Identifier: Apache-2.0 */
/* export.h — a graph to a file of another tool, the same way in every command */
#ifndef PTK_CMD_SHARED_EXPORT_H
#define PTK_CMD_SHARED_EXPORT_H

#include "cmd/shared/shared_options.h"
#include "graph/build/builder.h"
#include "render/writers/writer.h"

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
