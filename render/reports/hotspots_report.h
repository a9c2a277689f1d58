/* hotspots_report.h — analysis/hotspots.h for every output form */
#ifndef PTK_RENDER_REPORTS_HOTSPOTS_REPORT_H
#define PTK_RENDER_REPORTS_HOTSPOTS_REPORT_H

#include "analysis/hotspots.h"
#include "render/report.h"

/* Fills the report; what it points to lives in `arena`. The first input's graph is meant. */
void hotspots_report(const struct hotspots *hotspots, struct arena *arena, struct report *report);

#endif
