/* bound_report.h — what `ptk bound` tells */
#ifndef PTK_RENDER_BOUND_REPORT_H
#define PTK_RENDER_BOUND_REPORT_H

#include "analysis/bottleneck.h"
#include "render/report.h"

void bound_report(const struct bottlenecks *found, const struct thresholds *thresholds,
                  struct arena *arena, struct report *report);

#endif
