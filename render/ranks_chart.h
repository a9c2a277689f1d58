/* ranks_chart.h — analysis/ranks.h as bars: what each rank did, who waited for whom, and how far
 * apart the ranks are in each figure */
#ifndef PTK_RENDER_RANKS_CHART_H
#define PTK_RENDER_RANKS_CHART_H

#include <stdio.h>

#include "analysis/ranks.h"
#include "render/report.h"

/* `report`: what ranks_report() filled from the same result. */
void ranks_chart_write(const struct ranks *ranks, const struct report *report, FILE *out);

#endif
