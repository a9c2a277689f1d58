/* SPDX-License-Identifier: Apache-2.0 */
/* bound_report.h — what `ptk bound` tells */
#ifndef PTK_RENDER_REPORTS_BOUND_REPORT_H
#define PTK_RENDER_REPORTS_BOUND_REPORT_H

#include "analysis/verdict/bottleneck.h"
#include "analysis/verdict/cost_shares.h"
#include "analysis/verdict/process_time.h"
#include "render/forms/report.h"

/* What devices did. */
void bound_report(const struct bottlenecks *found, const struct thresholds *thresholds,
                  struct arena *arena, struct report *report);

/* What a whole process did. */
void bound_report_process(const struct process_bottleneck *process,
                          const struct thresholds *thresholds, struct arena *arena,
                          struct report *report);

/* What of a profile of CPU time is no work of the program: by class. */
void bound_report_costs(const struct cost_shares *costs, const struct graph *graph,
                        struct arena *arena, struct report *report);

#endif
