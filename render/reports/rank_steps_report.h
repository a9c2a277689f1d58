/* SPDX-License-Identifier: Apache-2.0 */
/* rank_steps_report.h — the steps of several ranks as tables */
#ifndef PTK_RENDER_REPORTS_RANK_STEPS_REPORT_H
#define PTK_RENDER_REPORTS_RANK_STEPS_REPORT_H

#include "analysis/summary/rank_steps.h"
#include "render/forms/report.h"

/* Adds tables to a report whose inputs are the ranks. `numbers`: what each is called. All lives in
 * `arena`. */
void rank_steps_report(const struct rank_steps *steps, const int64_t *numbers, struct arena *arena,
                       struct report *report);

#endif
