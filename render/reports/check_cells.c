/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/report_columns.h"

#include <math.h>

#include "base/text/format.h"
#include "graph/model/graph.h"

const char *check_figures(const struct check *check, struct arena *arena)
{
    char part[FORMAT_LEN], whole[FORMAT_LEN], share[FORMAT_LEN], rate[FORMAT_LEN];

    if (isnan(check->value))
        return "not known";
    format_value(part, check->part, check->unit);
    format_value(whole, check->whole,
                 threshold_unit(check->limit) == LIMIT_RATE ? UNIT_NS : check->unit);
    if (check->whole <= 0)
        return arena_printf(arena, "%s", part);
    if (threshold_unit(check->limit) == LIMIT_RATE)
        return arena_printf(arena, "%s / %s = %s", part, whole,
                            format_rate(rate, check->value, check->unit));
    return arena_printf(arena, "%s / %s = %s", part, whole, format_share(share, check->value));
}

const char *check_threshold(const struct check *check, const struct thresholds *thresholds,
                            struct arena *arena)
{
    double limit = thresholds->of[check->limit];
    bool is_share = threshold_unit(check->limit) == LIMIT_SHARE;

    if (check->is_largest)
        return "the largest loss";
    return arena_printf(arena, "%s %s %.10g%s", threshold_name(check->limit),
                        check->is_below ? "<" : ">=", is_share ? limit * 100 : limit,
                        is_share ? "%" : "");
}

void row_evidence(struct row_writer *row, const struct check *check,
                  const struct thresholds *thresholds, struct arena *arena)
{
    row_text(row, span_of(check->what));
    row_figure(row, check->part);
    row_text(row, span_of(format_unit(check->unit)));
    row_number(row, check->whole > 0 ? check->whole : TABLE_NULL);
    row_real(row, check->value);
    row_number(row, check->is_below);
    row_real(row, thresholds->of[check->limit]);
    row_text(row, span_of(threshold_name(check->limit)));
    row_text(row, span_of(check_figures(check, arena)));
    row_text(row, span_of(check_threshold(check, thresholds, arena)));
}

void row_check(struct row_writer *row, const struct check *check,
               const struct thresholds *thresholds, struct arena *arena)
{
    row_number(row, check->holds);
    if (check->verdict == HELD_BY_NOTHING)
        row_no_text(row);
    else
        row_text(row, span_of(bottleneck_name(check->verdict)));
    row_evidence(row, check, thresholds, arena);
}
