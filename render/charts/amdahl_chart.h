/* SPDX-License-Identifier: Apache-2.0 */
/* amdahl_chart.h — analysis/amdahl/amdahl.h as curves: how much faster the whole gets over how many
 * times faster a part gets
 *
 * A curve rises to its limit, which a dotted line marks; where only bounds are known it is a band,
 * with the curve at its upper side. */
#ifndef PTK_RENDER_CHARTS_AMDAHL_CHART_H
#define PTK_RENDER_CHARTS_AMDAHL_CHART_H

#include <stdio.h>

#include "analysis/amdahl/amdahl.h"
#include "render/forms/report.h"

/* Gives a chart to the report that amdahl_report() filled from the same result, which has
 * curves. */
void amdahl_chart(const struct amdahl *amdahl, const struct amdahl_options *options,
                  struct arena *arena, struct report *report);

#endif
