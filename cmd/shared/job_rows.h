/* SPDX-License-Identifier: Apache-2.0 */
/* job_rows.h — commands that answer for traces answer for parts of a job, too */
#ifndef PTK_CMD_SHARED_JOB_ROWS_H
#define PTK_CMD_SHARED_JOB_ROWS_H

#include "cmd/shared/shared_options.h"
#include "graph/model/job_part.h"
#include "render/forms/report.h"

/* Whether one of the operands begins as a part. */
bool is_part_among(char **paths, size_t count);

/* Fills a report from the job's part, which is sealed. */
typedef void job_rows(const struct job_part *part, struct arena *arena, struct report *report);

/* Reads traces and parts as one job, and writes what `rows` makes of it. */
MUST_CHECK bool job_rows_run(const char *command, job_rows *rows, char **paths, size_t count,
                             const struct common *common, uint64_t memory, struct error *err);

#endif
