/* SPDX-License-Identifier: Apache-2.0 */
/* info_report.h — what is in a profile, and how far it can be trusted, for every output form */
#ifndef PTK_RENDER_REPORTS_INFO_REPORT_H
#define PTK_RENDER_REPORTS_INFO_REPORT_H

#include "analysis/functions/integrity.h"
#include "analysis/timeline/inventory.h"
#include "render/forms/report.h"

/* What is known of the profile besides its graph. */
struct info {
    const char *packing;               /* "gzip", or empty */
    const struct integrity *integrity; /* NULL: the graph has no call graph of its own */
    const struct inventory *inventory; /* NULL: it has no timeline */
    int64_t total, whole;              /* see graph/derive/need.h */
};

/* Fills the report; what it points to lives in `arena`. The first input's graph is meant. */
void info_report(const struct info *info, struct arena *arena, struct report *report);

#endif
