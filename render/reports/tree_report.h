/* SPDX-License-Identifier: Apache-2.0 */
/* tree_report.h — analysis/functions/tree.h for every output form */
#ifndef PTK_RENDER_REPORTS_TREE_REPORT_H
#define PTK_RENDER_REPORTS_TREE_REPORT_H

#include "analysis/functions/tree.h"
#include "render/forms/report.h"

/* Fills the report; what it points to lives in `arena`. The first input's graph is meant.
 * `is_unicode`: branches may be drawn with box characters. */
void tree_report(const struct tree *tree, const struct tree_options *options, bool is_unicode,
                 struct arena *arena, struct report *report);

#endif
