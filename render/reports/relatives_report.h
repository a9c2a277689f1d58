/* SPDX-License-Identifier: Apache-2.0 */
/* relatives_report.h — analysis/functions/relatives.h for every output form */
#ifndef PTK_RENDER_REPORTS_RELATIVES_REPORT_H
#define PTK_RENDER_REPORTS_RELATIVES_REPORT_H

#include "analysis/functions/relatives.h"
#include "render/forms/report.h"

/* Fills the report; what it points to lives in `arena`. The first input's graph is meant. */
void relatives_report(const struct relatives *relatives, struct arena *arena,
                      struct report *report);

#endif
