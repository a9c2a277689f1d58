/* SPDX-License-Identifier: Apache-2.0 */
/* peek_report.h — a function between its callers and its callees, in one table */
#ifndef PTK_RENDER_REPORTS_PEEK_REPORT_H
#define PTK_RENDER_REPORTS_PEEK_REPORT_H

#include "analysis/functions/relatives.h"
#include "render/forms/report.h"

/* `callers` and `callees`: of the same functions, in the same order. */
void peek_report(const struct relatives *callers, const struct relatives *callees,
                 struct arena *arena, struct report *report);

#endif
