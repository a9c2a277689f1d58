/* SPDX-License-Identifier: Apache-2.0 */
/* job_rows.h — what commands that answer for traces write of parts of a job, and a part itself */
#ifndef PTK_CMD_ANSWER_JOB_ROWS_H
#define PTK_CMD_ANSWER_JOB_ROWS_H

#include "cmd/load/job_inputs.h"

/* Writes a part whole or not at all. NULL and "-" are standard output. */
MUST_CHECK bool part_file_write(const struct job_part *part, const char *path, struct error *err);

/* Fills a report from the job's part, which is sealed. */
typedef void job_rows(const struct job_part *part, struct arena *arena, struct report *report);

/* Reads traces and parts as one job, and writes what `rows` makes of it. */
MUST_CHECK bool job_rows_run(const char *command, job_rows *rows, char **paths, size_t count,
                             const struct common *common, uint64_t memory, struct error *err);

#endif
