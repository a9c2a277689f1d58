/* SPDX-License-Identifier: Apache-2.0 */
/* causes_report.h — why kernels are slow: the causes that shapes and launches tell, with figures */
#ifndef PTK_RENDER_REPORTS_CAUSES_REPORT_H
#define PTK_RENDER_REPORTS_CAUSES_REPORT_H

#include "analysis/causes/kernel_causes.h"
#include "render/forms/report.h"

/* Adds a table with a row a cause of a group of kernels, the most that could be saved first, at most
 * `limit` of them (0: all), and what people do about each. Nothing where there is none. */
void causes_report(const struct kernel_causes *causes, const struct ceilings *ceilings,
                   uint32_t limit, struct arena *arena, struct report *report);

#endif
