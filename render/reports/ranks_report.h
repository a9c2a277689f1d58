/* SPDX-License-Identifier: Apache-2.0 */
/* ranks_report.h — several ranks as tables: devices, their spread, who was late, collectives */
#ifndef PTK_RENDER_REPORTS_RANKS_REPORT_H
#define PTK_RENDER_REPORTS_RANKS_REPORT_H

#include "analysis/ranks/rank_overlap.h"
#include "render/forms/report.h"

/* Adds fields and tables to a report whose inputs are the ranks, in the same order. `limit`: of the
 * collectives shown one by one; 0 is all. All lives in `arena`. */
void ranks_report(const struct ranks *ranks, uint32_t limit, struct arena *arena,
                  struct report *report);

#endif
