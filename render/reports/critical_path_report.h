/* SPDX-License-Identifier: Apache-2.0 */
/* critical_path_report.h — a critical path as tables: its parts, and what ran on it */
#ifndef PTK_RENDER_REPORTS_CRITICAL_PATH_REPORT_H
#define PTK_RENDER_REPORTS_CRITICAL_PATH_REPORT_H

#include "analysis/execution/critical_path.h"
#include "render/forms/report.h"

/* The `limit` longest functions, all when it is 0. All lives in `arena`. */
void critical_path_report(const struct critical_path *path, uint32_t limit, struct arena *arena,
                          struct report *report);

/* A line about device work that is taken to have waited for another stream; more than none. */
void say_guesses(int64_t guesses, struct arena *arena, struct report *report);

#endif
