/* SPDX-License-Identifier: Apache-2.0 */
/* lines_report.h — a function's lines with hits, time and source, as line_profiler shows them */
#ifndef PTK_RENDER_REPORTS_LINES_REPORT_H
#define PTK_RENDER_REPORTS_LINES_REPORT_H

#include "analysis/functions/source_lines.h"
#include "base/text/source_text.h"
#include "render/forms/report.h"

/* `sources`: for each function its file's text, empty when that was not found; NULL when nobody
 * wants it. Lines between those with figures are shown where the text is there. */
void lines_report(const struct lines *lines, const struct code_text *sources, struct arena *arena,
                  struct report *report);

#endif
