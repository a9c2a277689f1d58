/* memory_chart.h — analysis/summary/memory_curve.h over time: what was allocated, and reserved, on
 * each place, with the peak marked */
#ifndef PTK_RENDER_MEMORY_CHART_H
#define PTK_RENDER_MEMORY_CHART_H

#include <stdio.h>

#include "analysis/summary/memory_curve.h"
#include "render/report.h"

/* `origin`: ns, where the axis says 0. The report's lines are written, and its inputs named. */
void memory_chart_write(const struct memory_curve *curve, int64_t origin,
                        const struct report *report, FILE *out);

#endif
