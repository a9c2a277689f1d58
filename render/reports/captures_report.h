/* SPDX-License-Identifier: Apache-2.0 */
/* captures_report.h — how much of a trace's work CUDA and HIP graphs launched, and what their
 * captures tell of it */
#ifndef PTK_RENDER_REPORTS_CAPTURES_REPORT_H
#define PTK_RENDER_REPORTS_CAPTURES_REPORT_H

#include "analysis/captures/captures_join.h"
#include "render/forms/report.h"

/* Adds one line above the tables where there were captures, or one below where there should be. */
void captures_report(const struct captures_join *join, struct arena *arena, struct report *report);

#endif
