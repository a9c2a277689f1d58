/* SPDX-License-Identifier: Apache-2.0 */
/* paddle.c — Paddle's profiler: names with durations, times in two parts */
#include "base/attr.h"
#include "parsers/chrome/event_sink.h"
#include "parsers/chrome/producers/producers.h"
#include "parsers/shared/json_value.h"

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
    static const struct span keys[] = {{"Process Cpu Utilization", 23},
                                       {"System Cpu Utilization", 22}};
    static const char *const facts[] = {"process_cpu_ppm", "system_cpu_ppm"};
    int64_t figure;

    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        struct token token = walk_find(value, keys[i]);

        if (token.at && token_scaled(token, 6, &figure))
            builder_fact(sink->builder, facts[i], figure, UNIT_PPM);
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

static int64_t start(struct sink *sink, const struct event *event, int64_t ts)
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
    sink->rows.quantum = clock_tolerance(&sink->clock);
    sink->rows.has_fractions |= sink->clock.quantum > 0;
}

static const struct producer_member members[] = {
    {{"schemaVersion", 13}, take_schema},
    {{"span_indx", 9}, take_span_index},
    {{"ExtraInfo", 9}, take_usage},
};
static const char *const categories[] = {"ProfileStep", "OperatorInner", NULL};

const struct producer producer_paddle = {
    .name = "Paddle",
    .categories = categories,
    .members = members,
    .member_count = COUNT_OF(members),
    .wanted_arg = ARG_START_TIME,
    .peek = peek,
    .start = start,
    .plain_name = plain_name,
    .finish = finish,
    .entering = MILLISECOND,
};
