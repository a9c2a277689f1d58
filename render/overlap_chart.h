/* overlap_chart.h — analysis/overlap.h as bars: what each device did, why it was idle, and, where
 * steps were asked for, what each step is made of */
#ifndef PTK_RENDER_OVERLAP_CHART_H
#define PTK_RENDER_OVERLAP_CHART_H

#include <stdio.h>

#include "analysis/overlap.h"
#include "render/report.h"

/* `report`: what overlap_report() filled from the same result. */
void overlap_chart_write(const struct overlap *overlap, const struct report *report, FILE *out);

#endif
