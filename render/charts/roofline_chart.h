/* SPDX-License-Identifier: Apache-2.0 */
/* roofline_chart.h — analysis/roofline/roofline.h as the picture that it is named after
 *
 * FLOP a second over FLOP a byte, both logarithmic and with decades of one length, so that memory's
 * roof rises by 45 degrees. A dot is a row: its area is its time, its colour what holds it up, and
 * it is hollow where its work is not counted but follows from shapes. */
#ifndef PTK_RENDER_CHARTS_ROOFLINE_CHART_H
#define PTK_RENDER_CHARTS_ROOFLINE_CHART_H

#include <stdio.h>

#include "analysis/roofline/roofline.h"
#include "render/forms/report.h"

/* Gives a chart to the report that roofline_report() filled from the same result. */
void roofline_chart(const struct roofline *roofline, const struct roofline_options *options,
                    struct arena *arena, struct report *report);

#endif
