/* SPDX-License-Identifier: Apache-2.0 */
/* diff_report.h — what changed, as a table */
#ifndef PTK_RENDER_REPORTS_DIFF_REPORT_H
#define PTK_RENDER_REPORTS_DIFF_REPORT_H

#include "analysis/compare/diff.h"
#include "render/forms/report.h"

void diff_report(const struct difference *difference, const struct diff *diff, struct arena *arena,
                 struct report *report);

/* "+1.500 ms" */
const char *diff_value_text(double value, enum unit unit, struct arena *arena);

/* "+5.20%", "-0.31%"; "new" and "gone" for what is on one side only. */
const char *diff_growth_text(int64_t old, int64_t new, struct arena *arena);

#endif
