/* SPDX-License-Identifier: Apache-2.0 */
/* serve_parts.h — the parts of what is said of serving, for the reports that have them */
#ifndef PTK_RENDER_REPORTS_SERVE_PARTS_H
#define PTK_RENDER_REPORTS_SERVE_PARTS_H

#include "analysis/serving/serve.h"
#include "render/forms/report.h"

static inline int64_t known_figure(int64_t figure)
{
    return figure == UNKNOWN ? TABLE_NULL : figure;
}

static inline int64_t spread_figure(const struct serve_spread *spread, int64_t figure)
{
    return spread->count ? figure : TABLE_NULL;
}

/* "3.5-14.9x": the median step over what it takes at least; NULL. */
const char *serve_over_bound(const struct serve_stage *stage, struct arena *arena);

/* Of the time from step to step, in which the device had nothing to do. */
double serve_idle_share(const struct serve_stage *stage);

void serve_stage_table(const struct serve *serve, const struct table_context *context,
                       struct report *report);

/* Prompts that hold tokens up, and graphs that decode misses. */
void serve_stage_notes(const struct serve *serve, struct arena *arena, struct report *report);

void serve_steps_table(const struct serve *serve, const struct table_context *context,
                       struct report *report);

void serve_histogram(const struct serve *serve, const struct table_context *context,
                     struct report *report);

#endif
