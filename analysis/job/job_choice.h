/* SPDX-License-Identifier: Apache-2.0 */
/* job_choice.h — which steps and ranks of a part are compared: whole steps that most have, and whoever
 * has all of these */
#ifndef PTK_ANALYSIS_JOB_JOB_CHOICE_H
#define PTK_ANALYSIS_JOB_JOB_CHOICE_H

#include "analysis/job/job_model.h"

/* Fills the model's steps, workers and those left out, all the arena's, from its part and its number
 * shifts; none of either where no step is whole. */
void job_choose(struct job_model *model, const struct job_options *options, struct arena *arena);

#endif
