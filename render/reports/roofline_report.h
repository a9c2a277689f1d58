/* SPDX-License-Identifier: Apache-2.0 */
/* roofline_report.h — analysis/roofline/roofline.h for every output form */
#ifndef PTK_RENDER_REPORTS_ROOFLINE_REPORT_H
#define PTK_RENDER_REPORTS_ROOFLINE_REPORT_H

#include "analysis/causes/kernel_causes.h"
#include "analysis/roofline/roofline.h"
#include "render/forms/report.h"

/* Fills the report; what it points to lives in `arena`. The first input's graph is meant. */
/* `causes`: of the same graph, for a column of the first of each row; NULL: none. */
void roofline_report(const struct roofline *roofline, const struct roofline_options *options,
                     const struct kernel_causes *causes, struct arena *arena, struct report *report);

#endif
