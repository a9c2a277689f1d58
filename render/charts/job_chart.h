/* SPDX-License-Identifier: Apache-2.0 */
/* job_chart.h — where a job is slow: by stage and data-parallel rank, and by rank and step */
#ifndef PTK_RENDER_CHARTS_JOB_CHART_H
#define PTK_RENDER_CHARTS_JOB_CHART_H

#include "analysis/job/job.h"
#include "render/forms/report.h"

/* The job must last until the report is written. */
void job_chart(const struct job *job, struct report *report);

#endif
