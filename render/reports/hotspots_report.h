/* SPDX-License-Identifier: Apache-2.0 */
/* hotspots_report.h — analysis/functions/hotspots.h for every output form */
#ifndef PTK_RENDER_REPORTS_HOTSPOTS_REPORT_H
#define PTK_RENDER_REPORTS_HOTSPOTS_REPORT_H

#include "analysis/functions/hotspots.h"
#include "render/forms/report.h"

/* Fills the report; what it points to lives in `arena`. The first input's graph is meant. */
void hotspots_report(const struct hotspots *hotspots, struct arena *arena, struct report *report);

#endif
