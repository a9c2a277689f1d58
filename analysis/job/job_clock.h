/* SPDX-License-Identifier: Apache-2.0 */
/* job_clock.h — one clock for all ranks of a job, from those of its groups */
#ifndef PTK_ANALYSIS_JOB_JOB_CLOCK_H
#define PTK_ANALYSIS_JOB_JOB_CLOCK_H

#include "analysis/job/job_model.h"

/* Sets the workers' clock offsets, and when each step began and ended on the smallest rank's clock.
 * Goes from rank to rank over the groups that tie them, the most exact first. A rank that no group
 * ties is taken to begin its steps with the others. */
void job_align(struct job_model *model, struct arena *arena);

#endif
