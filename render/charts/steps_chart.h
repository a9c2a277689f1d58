/* SPDX-License-Identifier: Apache-2.0 */
/* steps_chart.h — what each training step, or all steps of each rank, are made of, as columns */
#ifndef PTK_RENDER_CHARTS_STEPS_CHART_H
#define PTK_RENDER_CHARTS_STEPS_CHART_H

#include <stdio.h>

#include "analysis/summary/rank_steps.h"
#include "render/forms/report.h"

/* A column a step. */
void steps_chart(const struct step_times *steps, struct report *report);

/* A column a rank; `numbers` is what each of the report's inputs is called. */
void rank_steps_chart(const struct rank_steps *steps, const int64_t *numbers, struct arena *arena,
                      struct report *report);

#endif
