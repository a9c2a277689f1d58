/* SPDX-License-Identifier: Apache-2.0 */
/* trace_job.h — what slows the job that a trace has several ranks of */
#ifndef PTK_CMD_ANSWER_TRACE_JOB_H
#define PTK_CMD_ANSWER_TRACE_JOB_H

#include "analysis/ranks/job.h"
#include "analysis/ranks/job_shard.h"
#include "graph/model/graph.h"
#include "render/forms/report.h"

/* What slows the job of a shard, by the default thresholds, in the arena; it points into the shard. NULL: `refused`
 * says why. */
struct job *job_of_shard(struct job_shard *shard, struct arena *arena, const char **refused);

/* The same of a trace with the phases of several ranks, as simulators and schedulers write it: their shard is made in
 * `shard`, which the caller frees in any case. NULL without a reason: the trace is no such one. */
struct job *job_of_trace(const struct graph *graph, const char *path, struct job_shard *shard,
                         struct arena *arena, const char **refused);

/* Of such a trace, the sentence that `ptk job` begins with, and its command, as lines before the others. False: it is none. */
bool job_of_trace_report(const struct graph *graph, const char *path, struct arena *arena,
                         struct report *report);

#endif
