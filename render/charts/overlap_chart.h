/* SPDX-License-Identifier: Apache-2.0 */
/* overlap_chart.h — analysis/timeline/overlap.h as bars: what each device did, why it was idle,
 * and, where steps were asked for, what each step is made of */
#ifndef PTK_RENDER_CHARTS_OVERLAP_CHART_H
#define PTK_RENDER_CHARTS_OVERLAP_CHART_H

#include <stdio.h>

#include "analysis/timeline/overlap.h"
#include "render/forms/report.h"

/* Gives a chart to the report that overlap_report() filled from the same result, if a device
 * worked. */
void overlap_chart(const struct overlap *overlap, struct report *report);

#endif
