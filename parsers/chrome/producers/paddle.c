/* SPDX-License-Identifier: Apache-2.0 */
/* paddle.c — Paddle's profiler: names with durations, times in two parts */
#include "parsers/chrome/producers/producers.h"

#include "base/checked.h"
#include "parsers/chrome/chrome.h"
#include "parsers/json/json.h"

/* Starts in whole microseconds, and once more in floats of nanoseconds since a base that the file
 * does not give, as Paddle writes them. */

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

/* Narrows the base by an event of the file's beginning. */
static void clock_confine(struct relative_clock *clock, int64_t ts, struct token start_time)
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

/* The start of an event in ns; `ts` when there is no better. */
static int64_t clock_start(struct relative_clock *clock, int64_t ts, struct token start_time)
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

/* ---- Paddle's profiler: names with durations, times in two parts ---- */

enum { MILLISECOND = 1000000 };

/* ---- the header ---- */

/* PyTorch's schema version is a number. */
static void take_schema(struct sink *sink, struct token value)
{
    if (value.at[0] != '"')
        return;
    sink_announce(sink, &producer_paddle);
    builder_producer(sink->builder, "Paddle, trace format %.*s",
                     (int)(token_raw_text(value).len & 31), token_raw_text(value).at);
}

static void take_span_index(struct sink *sink, struct token value)
{
    (void)value;
    if (sink->producer != &producer_paddle)
        sink_announce(sink, &producer_paddle);
}

/* The CPUs' utilisation, which is written as decimal text, in parts per million. */
static void take_usage(struct sink *sink, struct token value)
{
    static const struct span keys[] = {LITERAL("Process Cpu Utilization"),
                                       LITERAL("System Cpu Utilization")};
    static const enum fact_id facts[] = {FACT_PROCESS_CPU, FACT_SYSTEM_CPU};
    int64_t figure;

    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        struct token token = walk_find(value, keys[i]);

        if (token.at && token_scaled(token, 6, &figure))
            builder_known_fact(sink->builder, facts[i], figure, UNIT_PPM);
    }
}

/* ---- events ---- */

static void peek(struct sink *sink, const struct event *event)
{
    int64_t ts;

    if (token_is(event->field[FIELD_PH], SPAN("X")) && event->field[FIELD_TS].at &&
        token_scaled(event->field[FIELD_TS], 3, &ts))
        clock_confine(&sink->clock, ts, event->field[ARG_START_TIME]);
}

static int64_t paddle_start(struct sink *sink, const struct event *event, int64_t ts)
{
    return clock_start(&sink->clock, ts, event->field[ARG_START_TIME]);
}

/* "conv2d[1.234 ms]" → "conv2d". The result is not in quotes. */
static struct token plain_name(struct token name)
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

static void finish(struct sink *sink)
{
    int64_t quantum = sink->clock.quantum;

    /* By how much two starts may be too near: each was rounded to a float of nanoseconds, again
     * when that was divided, and to the nanosecond as text. */
    sink->rows.quantum = quantum ? 2 * quantum + 1 : 0;
    sink->rows.has_fractions |= quantum > 0;
}

static const struct producer_member members[] = {
    {LITERAL("schemaVersion"), take_schema},
    {LITERAL("span_indx"), take_span_index},
    {LITERAL("ExtraInfo"), take_usage},
};
static const char *const categories[] = {"ProfileStep", "OperatorInner", NULL};

const struct producer producer_paddle = {
    .name = "Paddle",
    .categories = categories,
    .members = members,
    .member_count = COUNT_OF(members),
    .wanted_arg = ARG_START_TIME,
    .peek = peek,
    .start = paddle_start,
    .plain_name = plain_name,
    .finish = finish,
    .entering = MILLISECOND,
};
