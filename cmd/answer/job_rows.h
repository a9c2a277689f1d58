/* SPDX-License-Identifier: Apache-2.0 */
/* job_rows.h — what commands that answer for traces write of shards of a job, and a shard itself */
#ifndef PTK_CMD_ANSWER_JOB_ROWS_H
#define PTK_CMD_ANSWER_JOB_ROWS_H

#include "cmd/load/job_inputs.h"

/* Writes a shard whole or not at all. NULL and "-" are standard output. */
MUST_CHECK bool shard_file_write(const struct job_shard *shard, const char *path,
                                 struct error *err);

/* Fills a report from the job's shard, which is clock-aligned. */
typedef void job_rows(const struct job_shard *shard, struct arena *arena, struct report *report);

/* Reads traces and shards as one job, and writes what `rows` makes of it. */
MUST_CHECK bool job_rows_run(const char *command, job_rows *rows, char **paths, size_t count,
                             const struct common *common, uint64_t memory, struct error *err);

#endif
