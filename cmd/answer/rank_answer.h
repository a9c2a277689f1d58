/* SPDX-License-Identifier: Apache-2.0 */
/* rank_answer.h — the report on several ranks of a command that keeps a digest of each rank's trace */
#ifndef PTK_CMD_ANSWER_RANK_ANSWER_H
#define PTK_CMD_ANSWER_RANK_ANSWER_H

#include "cmd/answer/profile_command.h"
#include "cmd/load/rank_files.h"

/* Fills the report from the files' digests, in order of the ranks; `numbers` are the ranks'. What the report
 * then points to lives in the arena. */
typedef bool rank_fill(const struct rank_file *files, const int64_t *numbers, uint32_t count,
                       struct arena *arena, struct report *report, struct error *err);

/* The files as the report's inputs, in the arena, and the doubt about their order, if any, as a line above. */
void rank_report_inputs(struct rank_file *files, size_t count, const char *doubt,
                        struct arena *arena, struct report *report);

/* Reads the operands as the ranks of a job, and writes the report. */
MUST_CHECK bool rank_answer(const struct profile_request *request,
                            const struct rank_reading *reading, rank_fill *fill, struct error *err);

#endif
