/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/producers/paddle_clock.h"

enum { FLOAT_BITS = 24, MICROSECOND = 1000, COARSEST = 2000 };

struct token paddle_plain_name(struct token name)
{
    struct span text = token_raw_text(name);
    size_t open = span_rfind(text, '[');

    if (open == SIZE_MAX || !(span_ends(text, SPAN(" ms]")) || span_ends(text, SPAN(" us]"))))
        return name;
    for (size_t i = open + 1; i + 4 < text.len; i++)
        if (text.at[i] != '.' && (text.at[i] < '0' || text.at[i] > '9'))
            return name;
    return (struct token){text.at, (uint32_t)open};
}

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

void paddle_confine(struct paddle *paddle, int64_t ts, struct token start_time)
{
    int64_t relative, slack, low, high;

    if (!read_relative(start_time, &relative))
        return;
    slack = quantum_at(relative) / 2 + 1;
    low = ts - relative - slack;
    high = ts + MICROSECOND - 1 - relative + slack;
    if (low > paddle->high || high < paddle->low)
        return;
    paddle->low = low > paddle->low ? low : paddle->low;
    paddle->high = high < paddle->high ? high : paddle->high;
}

int64_t paddle_start(struct paddle *paddle, int64_t ts, struct token start_time)
{
    int64_t relative, quantum, start;

    if (paddle->low == INT64_MIN || !read_relative(start_time, &relative))
        return ts;
    quantum = quantum_at(relative);
    if (quantum > paddle->quantum)
        paddle->quantum = quantum < COARSEST ? quantum : COARSEST;
    start = paddle->low + (paddle->high - paddle->low) / 2 + relative;
    if (start < ts)
        return ts;
    return start < ts + MICROSECOND ? start : ts + MICROSECOND - 1;
}

int64_t paddle_tolerance(const struct paddle *paddle)
{
    return paddle->quantum ? 2 * paddle->quantum + 1 : 0;
}
