/* SPDX-License-Identifier: Apache-2.0 */
/* job_report.h — what slows a job, in words and tables */
#ifndef PTK_RENDER_REPORTS_JOB_REPORT_H
#define PTK_RENDER_REPORTS_JOB_REPORT_H

#include "analysis/job/job.h"
#include "render/forms/report.h"

/* Which table comes first: CSV writes that one. */
enum job_table {
    JOB_BY_RANK,
    JOB_BY_STAGE,
    JOB_BY_TYPE,
    JOB_BY_DP,
    JOB_BY_STEP,
    JOB_BY_GROUP,
    JOB_BY_COLLECTIVE
};

/* `limit`: rows of a table that people see; 0: all. */
void job_report(const struct job *job, enum job_table first, uint32_t limit, struct arena *arena,
                struct report *report);

#endif
