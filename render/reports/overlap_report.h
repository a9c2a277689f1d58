/* SPDX-License-Identifier: Apache-2.0 */
/* overlap_report.h — an overlap as tables: devices, steps, gaps, kinds and tracks */
#ifndef PTK_RENDER_REPORTS_OVERLAP_REPORT_H
#define PTK_RENDER_REPORTS_OVERLAP_REPORT_H

#include "analysis/timeline/overlap.h"
#include "render/forms/report.h"

/* Adds fields and tables to a report that has its inputs. All lives in `arena`. */
void overlap_report(const struct overlap *overlap, struct arena *arena, struct report *report);

#endif
