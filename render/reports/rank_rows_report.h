/* SPDX-License-Identifier: Apache-2.0 */
/* rank_rows_report.h — what each rank of a job did in its steps, from a part of it */
#ifndef PTK_RENDER_REPORTS_RANK_ROWS_REPORT_H
#define PTK_RENDER_REPORTS_RANK_ROWS_REPORT_H

#include "graph/model/job_part.h"
#include "render/forms/report.h"

/* A row a rank: its device work, what hid what, and how it waited. The part must be sealed. */
void rank_overlap_rows(const struct job_part *part, struct arena *arena, struct report *report);

/* A row a step: over all ranks that have it. */
void rank_step_rows(const struct job_part *part, struct arena *arena, struct report *report);

#endif
