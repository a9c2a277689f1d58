/* SPDX-License-Identifier: Apache-2.0 */
/* memory_chart.h — analysis/summary/memory_curve.h over time: what was allocated, and reserved, on
 * each place, with the peak marked */
#ifndef PTK_RENDER_CHARTS_MEMORY_CHART_H
#define PTK_RENDER_CHARTS_MEMORY_CHART_H

#include <stdio.h>

#include "analysis/summary/memory_curve.h"
#include "render/forms/report.h"

/* Gives the report a chart, which reads `curve` later. */
void memory_chart(const struct memory_curve *curve, struct report *report);

#endif
