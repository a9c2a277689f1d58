/* SPDX-License-Identifier: Apache-2.0 */
/* amdahl_report.h — analysis/amdahl/amdahl.h for every output form */
#ifndef PTK_RENDER_REPORTS_AMDAHL_REPORT_H
#define PTK_RENDER_REPORTS_AMDAHL_REPORT_H

#include "analysis/amdahl/amdahl.h"
#include "analysis/amdahl/amdahl_steps.h"
#include "render/forms/report.h"

/* Fills the report; what it points to lives in `arena`. The first input's graph is meant. */
void amdahl_report(const struct amdahl *amdahl, const struct amdahl_options *options,
                   struct arena *arena, struct report *report);

/* Adds the plan; `names[i]` is how the user called part i. */
void amdahl_plan_report(const struct amdahl_plan *plan, const char *const *names,
                        struct arena *arena, struct report *report);

/* How the shares of the rows vary from step to step. */
void amdahl_steps_report(const struct amdahl *amdahl, const struct amdahl_steps *steps,
                         struct arena *arena, struct report *report);

/* "1.06-1.10x"; one figure when both read the same. */
const char *amdahl_gain_text(const struct gain *gain, struct arena *arena);

#endif
