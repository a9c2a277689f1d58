/* SPDX-License-Identifier: Apache-2.0 */
/* labels_report.h — labels as a table */
#ifndef PTK_RENDER_REPORTS_LABELS_REPORT_H
#define PTK_RENDER_REPORTS_LABELS_REPORT_H

#include "analysis/functions/label_values.h"
#include "render/forms/report.h"

void labels_report(const struct labels *labels, struct arena *arena, struct report *report);

#endif
