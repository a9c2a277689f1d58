/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/answer/trace_job.h"

#include <inttypes.h>

#include "analysis/advice/thresholds.h"
#include "analysis/ranks/rank_summaries.h"
#include "render/reports/reports.h"

struct job *job_of_shard(struct job_shard *shard, struct arena *arena, const char **refused)
{
    struct job_options wanted = {.step = NOT_KNOWN};
    struct thresholds thresholds;
    struct job *job = arena_alloc(arena, sizeof(*job));
    struct error why = {0};

    thresholds_default(&thresholds);
    wanted.limits = thresholds_of_job(&thresholds);
    if (job_analyze(shard, &wanted, arena, job, &why))
        return job;
    *refused = arena_copy(arena, span_of(why.text));
    return NULL;
}

struct job *job_of_trace(const struct graph *graph, const char *path, struct job_shard *shard,
                         struct arena *arena, const char **refused)
{
    const struct rank_summaries_options as_named = {.file = path, .rank = -1};

    if (graph->native != LEVEL_TIMELINE || !has_phases_of_ranks(graph) ||
        !summaries_of_phases(graph, &as_named, shard))
        return NULL;
    return job_of_shard(shard, arena, refused);
}

bool job_of_trace_report(const struct graph *graph, const char *path, struct arena *arena,
                         struct report *report)
{
    struct job_shard shard = {0};
    const char *refused = NULL;
    const struct job *job = job_of_trace(graph, path, &shard, arena, &refused);

    if (job) {
        job_answer(job, arena, report);
        report_beforef(report, arena, "The trace has %" PRIu32 " ranks of one job. `ptk job` compares them.",
                       shard.summary_count);
    }
    job_shard_free(&shard);
    return job != NULL;
}
