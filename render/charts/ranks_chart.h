/* SPDX-License-Identifier: Apache-2.0 */
/* ranks_chart.h — analysis/ranks/rank_overlap.h as bars: what each rank did, who waited for whom,
 * and how far apart the ranks are in each figure */
#ifndef PTK_RENDER_CHARTS_RANKS_CHART_H
#define PTK_RENDER_CHARTS_RANKS_CHART_H

#include <stdio.h>

#include "analysis/ranks/rank_overlap.h"
#include "render/forms/report.h"

/* Gives a chart to the report that ranks_report() filled from the same result, if a device
 * worked. */
void ranks_chart(const struct ranks *ranks, struct report *report);

#endif
