/* amdahl_chart.h — analysis/amdahl.h as curves: how much faster the whole gets over how many times
 * faster a part gets
 *
 * A curve rises to its limit, which a dotted line marks; where only bounds are known it is a band,
 * with the curve at its upper side. */
#ifndef PTK_RENDER_AMDAHL_CHART_H
#define PTK_RENDER_AMDAHL_CHART_H

#include <stdio.h>

#include "analysis/amdahl.h"
#include "render/report.h"

/* `amdahl` has curves; `report` is what amdahl_report() filled from it. */
void amdahl_chart_write(const struct amdahl *amdahl, const struct amdahl_options *options,
                        const struct report *report, FILE *out);

#endif
