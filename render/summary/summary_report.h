/* SPDX-License-Identifier: Apache-2.0 */
/* summary_report.h — the summary's tables, in ptk's manner and in Paddle's */
#ifndef PTK_RENDER_SUMMARY_SUMMARY_REPORT_H
#define PTK_RENDER_SUMMARY_SUMMARY_REPORT_H

#include "analysis/summary/summary.h"
#include "render/forms/report.h"

enum time_unit { TIME_UNIT_MS, TIME_UNIT_S, TIME_UNIT_US, TIME_UNIT_NS };

extern const char *const time_unit_names[];    /* ends with NULL */
extern const char *const summary_view_names[]; /* "device", …; ends with NULL */

/* Gives the report the chart of a view that is filled. False where it has none: the curve of memory
 * does if an allocator was recorded, the steps always, and no other does. */
bool summary_chart(enum summary_view view, const struct summary *summary, struct report *report);

/* Adds the tables of `views` that are filled to the report; one that has nothing to show is left
 * out unless it is in `asked_for`. Both are sets of summary_view_bit(). Of tables that may be very
 * long, at most `limit` rows are made; 0: all. */
void summary_report(const struct summary *summary, uint32_t views, uint32_t asked_for,
                    uint32_t limit, enum time_unit unit, struct arena *arena,
                    struct report *report);

#endif
