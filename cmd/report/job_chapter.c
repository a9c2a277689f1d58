/* SPDX-License-Identifier: Apache-2.0 */
/* Which rank, stage, link or host slows the job that the profiles are of */
#include "cmd/report/chapters.h"

#include "analysis/ranks/job.h"
#include "render/charts/charts.h"
#include "render/reports/reports.h"

enum { WORKERS_LISTED = 16 };

bool chapter_job(const struct report_context *context, struct arena *arena,
                 struct chapter_content *content, struct error *err)
{
    const struct job *job = context->job_result;

    (void)err;
    if (!job) {
        if (context->job_refused)
            report_before(&content->report, context->job_refused);
        return true;
    }
    job_report(job, JOB_BY_RANK, WORKERS_LISTED, arena, &content->report);
    if (job->is_measured) {
        job_chart(job, &content->report);
        chapter_draw_chart(content);
    }
    return true;
}
