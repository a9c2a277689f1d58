/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/text/text_end.h"

#include "base/text/format.h"

enum { WHOLE = 10000 /* 100.00 % */ };

void text_check_total(struct builder *builder, const char *what, int64_t stated, int64_t found,
                      int64_t slack, enum unit unit)
{
    char whole[FORMAT_LEN], part[FORMAT_LEN];

    if (stated <= 0 || found >= stated - slack)
        return;
    warning_say(builder_warnings(builder), WARNING_LOSS,
                "rows are missing: the file states %s %s in all, its rows have %s (%.1f %%)",
                format_value(whole, stated, unit), what, format_value(part, found, unit),
                100.0 * (double)found / (double)stated);
    builder_truncated(builder);
}

void text_check_shares(struct builder *builder, const char *table, int64_t found, uint64_t rows,
                       int64_t step)
{
    int64_t slack = rows < WHOLE ? (int64_t)rows * step / 2 + step : WHOLE;

    if (found <= 0 || found >= WHOLE - slack)
        return;
    warning_say(builder_warnings(builder), WARNING_LOSS,
                "rows are missing: those of %s have %.2f %% of the whole", table,
                (double)found / 100);
    builder_truncated(builder);
}

void text_ends_within(struct builder *builder, const char *what)
{
    warning_say(builder_warnings(builder), WARNING_LOSS,
                "the file ends within %s, so it is cut short; what was read is shown", what);
    builder_truncated(builder);
}
