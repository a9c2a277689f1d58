/* SPDX-License-Identifier: Apache-2.0 */
/* advice_report.h — what `ptk advise` tells */
#ifndef PTK_RENDER_REPORTS_ADVICE_REPORT_H
#define PTK_RENDER_REPORTS_ADVICE_REPORT_H

#include "analysis/verdict/advice.h"
#include "render/forms/report.h"

struct advice_view {
    uint32_t limit; /* findings; 0: all */
    bool has_silent;
};

void advice_report(const struct advice *advice, const struct thresholds *thresholds,
                   const struct advice_view *view, struct arena *arena, struct report *report);

#endif
