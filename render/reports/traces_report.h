/* SPDX-License-Identifier: Apache-2.0 */
/* traces_report.h — stacks one by one, the leaf first */
#ifndef PTK_RENDER_REPORTS_TRACES_REPORT_H
#define PTK_RENDER_REPORTS_TRACES_REPORT_H

#include "analysis/functions/stacks.h"
#include "render/forms/report.h"

void traces_report(const struct stacks *stacks, struct arena *arena, struct report *report);

#endif
