/* SPDX-License-Identifier: Apache-2.0 */
/* A run on another GPU: what bounds its device work, and what that takes there. */
#include "render/reports/reports.h"

#include <math.h>

#include "analysis/kernels/gpu_move.h"
#include "base/text/format.h"
#include "render/reports/report_columns.h"

static void add_classes(const struct gpu_move *move, struct arena *arena, struct report *report)
{
    typedef struct {
        const char *bound, *precision;
        int64_t time, low, likely, high;
    } row;
    static const struct column columns[] = {
        TEXT_AT("bound", bound, .heading = "bound by"),
        TEXT_AT("precision", precision),
        TIME_AT("time", time, .heading = "device time", .is_heat = true),
        TIME_AT("likely", likely),
        TIME_AT("low", low, .heading = "from"),
        TIME_AT("high", high, .heading = "to")};
    struct table *table = TABLE_BEGIN(&(struct table_context){.arena = arena}, columns, move->count,
                                      "moved", "Device work there, by what bounds it");

    for (uint32_t i = 0; i < move->count; i++) {
        const struct move_class *class = &move->list[i];
        double time = (double)class->time;

        TABLE_ADD(table, .bound = move_bound_name(class->bound),
                  .precision = class->precision < PRECISION_UNKNOWN
                                   ? precision_names[class->precision]
                                   : NULL,
                  .time = class->time, .low = (int64_t)llround(time * class->ratio[MOVE_LOW]),
                  .likely = (int64_t)llround(time * class->ratio[MOVE_LIKELY]),
                  .high = (int64_t)llround(time * class->ratio[MOVE_HIGH]));
    }
    report_table(report, table);
}

void gpu_move_report(const struct gpu_move *move, const char *target, const int64_t *after,
                     struct arena *arena, struct report *report)
{
    char before[FORMAT_LEN], text[MOVE_ENDS][FORMAT_LEN];

    report_text(report, "gpu", span_of(target));
    report_time(report, "after_low", after[MOVE_LOW]);
    report_time(report, "after_high", after[MOVE_HIGH]);
    report_time(report, "device_time", move->time);
    report_time(report, "device_low", (int64_t)llround(move->there[MOVE_LOW]));
    report_time(report, "device_likely", (int64_t)llround(move->there[MOVE_LIKELY]));
    report_time(report, "device_high", (int64_t)llround(move->there[MOVE_HIGH]));
    for (int end = 0; end < MOVE_ENDS; end++)
        format_value(text[end], after[end], UNIT_NS);
    report_beforef(
        report, arena,
        "With the same host, it takes from %s to %s on %s: kernels there may attain less "
        "or more of it.",
        text[MOVE_LOW], text[MOVE_HIGH], target);
    for (int end = 0; end < MOVE_ENDS; end++)
        format_value(text[end], (int64_t)llround(move->there[end]), UNIT_NS);
    report_beforef(report, arena, "Device work takes %s (from %s to %s) instead of %s.",
                   text[MOVE_LIKELY], text[MOVE_LOW], text[MOVE_HIGH],
                   format_value(before, move->time, UNIT_NS));
    add_classes(move, arena, report);
}
