/* SPDX-License-Identifier: Apache-2.0 */
/* report_output.h — a command's last step: its report or its graph, in the form and to the place that was asked for */
#ifndef PTK_CMD_ANSWER_REPORT_OUTPUT_H
#define PTK_CMD_ANSWER_REPORT_OUTPUT_H

#include "base/io/io.h"
#include "cmd/load/profile_load.h"
#include "render/forms/report.h"
#include "render/writers/writer.h"

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
 * hold is printed on stderr unless quiet, as a warning about `path`. `marks`: for writers that show the
 * critical path; or NULL. */
MUST_CHECK bool export_write(const struct graph *graph, const char *path,
                             const struct writer *writer, const struct path_marks *marks,
                             const struct common *common, struct error *err);

#endif
