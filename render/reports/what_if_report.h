/* SPDX-License-Identifier: Apache-2.0 */
/* what_if_report.h — a changed run as tables: the changes, the path before and after */
#ifndef PTK_RENDER_REPORTS_WHAT_IF_REPORT_H
#define PTK_RENDER_REPORTS_WHAT_IF_REPORT_H

#include "analysis/execution/what_if.h"
#include "render/forms/report.h"

/* `names`: what each change is called, from 1; `count` of them. `limit`: of functions shown, 0:
 * all. All lives in `arena`. */
void what_if_report(const struct what_if *what_if, const char *const *names, const double *factors,
                    uint32_t count, uint32_t limit, struct arena *arena, struct report *report);

#endif
