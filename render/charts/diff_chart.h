/* SPDX-License-Identifier: Apache-2.0 */
/* diff_chart.h — analysis/compare/diff.h as a waterfall: from the total before, through what
 * grew and what shrank, to the total after
 *
 * Figures with callees do not add up: there, each change stands for itself. */
#ifndef PTK_RENDER_CHARTS_DIFF_CHART_H
#define PTK_RENDER_CHARTS_DIFF_CHART_H

#include <stdio.h>

#include "analysis/compare/diff.h"
#include "render/forms/report.h"

/* Gives a chart to the report that diff_report() filled from the same result. */
void diff_chart(const struct difference *difference, const struct diff *diff, struct arena *arena,
                struct report *report);

#endif
