/* SPDX-License-Identifier: Apache-2.0 */
/* gperf_contention.c — lock contention: gperftools' "--- contentionz", Go's "--- mutex:" and
 * "--- contention:"
 *
 * Lines KEY = VALUE, then rows "DELAY COUNT @ ADDRESSES". Delays are in cycles where the file says
 * how many there are in a second; of `sampling period` contentions one was recorded, of all that do
 * not say, each. */
#include "base/checked.h"
#include "parsers/gperftools/gperftools.h"
#include "parsers/text/text_end.h"

struct contention {
    struct legacy *legacy;
    int64_t hz, period;
};

bool contention_knows(struct span head)
{
    return span_starts(head, SPAN("--- contentionz ")) || span_starts(head, SPAN("--- mutex:")) ||
           span_starts(head, SPAN("--- contention:"));
}

static bool read_setting(struct contention *contention, struct span line, struct error *err)
{
    struct span rest = line, key = span_trim(span_split(&rest, '='));
    int64_t value;

    if (!legacy_take_int(&rest, &value))
        return legacy_line_fault(contention->legacy, line, "contention profile", err);
    if (span_eq(key, SPAN("cycles/second")))
        contention->hz = value;
    else if (span_eq(key, SPAN("sampling period")))
        contention->period = value;
    else if (!span_eq(key, SPAN("ms since reset")) && !span_eq(key, SPAN("discarded samples")))
        return legacy_line_fault(contention->legacy, line, "contention profile", err);
    return true;
}

static bool read_row(struct contention *contention, struct span line, struct error *err)
{
    struct legacy *legacy = contention->legacy;
    int64_t values[STACK_VALUES_MAX] = {0}, delay, count;
    struct span rest = line;

    if (!legacy_take_int(&rest, &delay) || !legacy_take_int(&rest, &count))
        return legacy_line_fault(legacy, line, "contention profile", err);
    rest = span_trim(rest);
    if (!span_starts(rest, SPAN("@")))
        return legacy_line_fault(legacy, line, "contention profile", err);
    if (contention->period > 0 && __builtin_mul_overflow(count, contention->period, &count))
        count = INT64_MAX;
    values[0] = count == INT64_MIN ? count + 1 : count;
    values[1] = delay == INT64_MIN ? delay + 1 : delay;
    if (contention->period > 0 && contention->hz > 0)
        values[1] = checked_whole((double)values[1] * (double)contention->period /
                                  ((double)contention->hz / 1e9));
    stacks_begin_row(&legacy->stacks, values);
    return legacy_push_addresses(legacy, span_after(rest, 1), false) ||
           legacy_line_fault(legacy, line, "contention profile", err);
}

static bool read_line(struct contention *contention, struct span line, struct comment_run *run,
                      struct error *err)
{
    if (span_starts(line, SPAN("#"))) {
        legacy_comment(contention->legacy, line, run);
        return true;
    }
    comment_run_end(run, line);
    if (line.len == 0)
        return true;
    if (span_find(line, SPAN("=")) != SIZE_MAX)
        return read_setting(contention, line, err);
    return read_row(contention, line, err);
}

bool contention_parse(struct legacy *legacy, struct error *err)
{
    struct contention contention = {.legacy = legacy, .period = 1};
    struct comment_run run = {0};
    struct span line;
    bool is_go;

    legacy->values[0] = (struct value_name){SPAN("contentions"), UNIT_COUNT};
    legacy->values[1] = (struct value_name){SPAN("delay"), UNIT_NS};
    legacy->value_count = 2;
    if (!input_line(legacy->in, &line))
        return error_set_at(err, 0, 0, "the first line has no end");
    is_go = span_ends(line, SPAN(":"));
    while (input_line(legacy->in, &line) && !legacy_is_maps_title(line))
        if (!read_line(&contention, span_trim(line), &run, err))
            return false;
    comment_run_check(&run, legacy);
    if (is_go && contention.hz == 0) /* Go writes it before all rows */
        text_ends_within(legacy->builder, "its head");
    return true;
}
