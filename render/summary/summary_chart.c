/* SPDX-License-Identifier: Apache-2.0 */
#include "render/charts/charts.h"
#include "render/summary/summary_report.h"

bool summary_chart(enum summary_view view, const struct summary *summary, struct report *report)
{
    if (view == VIEW_STEPS)
        steps_chart(&summary->step_times, report);
    else if (view == VIEW_MEMORY_CURVE && summary->has_allocators)
        memory_chart(&summary->memory_curve, report);
    else
        return false;
    return true;
}
