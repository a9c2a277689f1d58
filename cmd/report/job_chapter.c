/* SPDX-License-Identifier: Apache-2.0 */
/* Which rank, stage, link or host slows the job that the profiles are of */
#include "cmd/report/chapters.h"

#include "analysis/advice/thresholds.h"
#include "analysis/ranks/job.h"
#include "analysis/ranks/rank_summaries.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

enum { WORKERS_LISTED = 16 };

struct job *page_job(struct job_shard *shard, struct arena *arena, const char **refused)
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

static void fill_job_chapter(const struct job *job, const char *refused, struct arena *arena,
                             struct chapter_content *content)
{
    if (!job) {
        report_before(&content->report, refused);
        return;
    }
    job_report(job, JOB_BY_RANK, WORKERS_LISTED, arena, &content->report);
    if (job->is_measured) {
        job_chart(job, &content->report);
        chapter_draw_chart(content);
    }
}

bool chapter_job(const struct report_context *context, struct arena *arena,
                 struct chapter_content *content, struct error *err)
{
    const struct graph *graph = &context->profile->graph;
    const struct rank_summaries_options as_named = {.file = context->profile->path, .rank = -1};
    struct job_shard *whole = &content->shard; /* of a trace that has all ranks in it */
    const char *refused = NULL;

    (void)err;
    if (context->job)
        fill_job_chapter(context->job_result, context->job_refused, arena, content);
    else if (graph->native == LEVEL_TIMELINE && summaries_of_phases(graph, &as_named, whole) &&
             whole->summary_count > 1)
        fill_job_chapter(page_job(whole, arena, &refused), refused, arena, content);
    return true;
}
