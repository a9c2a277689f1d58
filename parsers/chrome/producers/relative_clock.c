/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/producers/relative_clock.h"

enum { FLOAT_BITS = 24, MICROSECOND = 1000, COARSEST = 2000 };

/* "12.345 us" → 12345; false when it is absent, or wrapped around below zero. */
static bool read_relative(struct token start_time, int64_t *ns)
{
    struct span text = token_raw_text(start_time);

    if (!start_time.at || !span_ends(text, SPAN(" us")))
        return false;
    return token_scaled((struct token){text.at, (uint32_t)text.len - 3}, 3, ns) && *ns >= 0;
}

/* Between neighbouring floats of that size. */
static int64_t quantum_at(int64_t ns)
{
    int64_t quantum = ns >> (FLOAT_BITS - 1);

    while (quantum & (quantum - 1))
        quantum &= quantum - 1;
    return quantum ? quantum : 1;
}

void clock_confine(struct relative_clock *clock, int64_t ts, struct token start_time)
{
    int64_t relative, slack, low, high;

    if (!read_relative(start_time, &relative))
        return;
    slack = quantum_at(relative) / 2 + 1;
    low = ts - relative - slack;
    high = ts + MICROSECOND - 1 - relative + slack;
    if (low > clock->high || high < clock->low)
        return;
    clock->low = low > clock->low ? low : clock->low;
    clock->high = high < clock->high ? high : clock->high;
}

int64_t clock_start(struct relative_clock *clock, int64_t ts, struct token start_time)
{
    int64_t relative, quantum, start;

    if (clock->low == INT64_MIN || !read_relative(start_time, &relative))
        return ts;
    quantum = quantum_at(relative);
    if (quantum > clock->quantum)
        clock->quantum = quantum < COARSEST ? quantum : COARSEST;
    start = clock->low + (clock->high - clock->low) / 2 + relative;
    if (start < ts)
        return ts;
    return start < ts + MICROSECOND ? start : ts + MICROSECOND - 1;
}

int64_t clock_tolerance(const struct relative_clock *clock)
{
    return clock->quantum ? 2 * clock->quantum + 1 : 0;
}
