/* SPDX-License-Identifier: Apache-2.0 */
/* job_doubts.h — what the figures of a job rest on, and what was left out of them, in lines */
#ifndef PTK_RENDER_REPORTS_JOB_DOUBTS_H
#define PTK_RENDER_REPORTS_JOB_DOUBTS_H

#include "analysis/job/job.h"
#include "render/forms/report.h"

/* After the report's tables. Of a job that was measured. */
void job_doubts(const struct job *job, struct arena *arena, struct report *report);

/* "s 3, 5, 7 and 9 more" of more than one rank, " 3" of one; `all`: how many there are, `list` has
 * `count` of them. */
const char *job_ranks_text(const uint32_t *list, uint32_t count, uint64_t all, struct arena *arena);

#endif
