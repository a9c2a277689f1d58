/* tree_report.h — analysis/tree/tree.h for every output form */
#ifndef PTK_RENDER_REPORTS_TREE_REPORT_H
#define PTK_RENDER_REPORTS_TREE_REPORT_H

#include "analysis/tree/tree.h"
#include "render/report.h"

/* Fills the report; what it points to lives in `arena`. The first input's graph is meant.
 * `is_unicode`: branches may be drawn with box characters. */
void tree_report(const struct tree *tree, const struct tree_options *options, bool is_unicode,
                 struct arena *arena, struct report *report);

#endif
