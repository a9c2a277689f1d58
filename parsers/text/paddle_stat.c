/* SPDX-License-Identifier: Apache-2.0 */
/* paddle_stat.c — the timers that Paddle's REGISTER_TIMER_INFO prints into its log
 *
 *     I1117 11:13:42.981501 252 Stat.cpp:130] ======= StatSet: [GlobalStatInfo] status ======
 *     I1117 11:13:42.981539 252 Stat.cpp:133] Stat=conv total=136.1 avg=13.6 max=20.1 min=9.2
 * count=9
 *
 * Milliseconds. A timer inside another is in both, and nothing says which is inside which. A log
 * may have a block for each pass: running totals, or what came since the block before. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/decimal.h"
#include "parsers/parser.h"

enum { MILLI_TO_NS = 6 };

struct timer_figures {
    int64_t total, count, min, max; /* times in ns; min and max UNKNOWN where the line has none */
};

/* A timer as the function that it becomes. */
struct timer {
    struct timer_figures sum, last; /* over all blocks, and of the last */
};

struct stat_log {
    struct builder *builder;
    struct callgraph_builder *callgraph;
    struct VECTOR_OF(struct timer) timers; /* by function */
    bool has_repeats;                      /* a timer in several blocks */
    bool has_resets;                       /* one that was less than in the block before */
};

/* ---- a line ---- */

/* What stands behind " key=" up to the next blank; false when there is no such. */
static bool find_field(struct span line, struct span key, struct span *text)
{
    size_t at = span_find(line, key);

    if (at == SIZE_MAX)
        return false;
    line = span_after(line, at + key.len);
    *text = span_split(&line, ' ');
    return true;
}

static bool find_time(struct span line, struct span key, int64_t *ns)
{
    struct span text;

    return find_field(line, key, &text) && decimal_scaled(text, MILLI_TO_NS, ns) && *ns >= 0;
}

/* The name and what follows it; false when the line is of no timer. */
static bool split_timer(struct span line, struct span *name, struct span *fields)
{
    size_t at = span_find(line, SPAN("Stat=")), end;

    if (at == SIZE_MAX || (at && line.at[at - 1] != ' '))
        return false;
    line = span_after(line, at + strlen("Stat="));
    end = span_find(line, SPAN(" total="));
    if (end == SIZE_MAX)
        return false;
    *name = span_trim((struct span){line.at, end});
    *fields = span_after(line, end);
    return name->len > 0;
}

static bool read_figures(struct span fields, struct timer_figures *figures)
{
    struct span count;

    if (!find_time(fields, SPAN(" total="), &figures->total) ||
        !find_field(fields, SPAN(" count="), &count) || !span_to_i64(count, &figures->count) ||
        figures->count < 0)
        return false;
    if (!find_time(fields, SPAN(" min="), &figures->min))
        figures->min = UNKNOWN;
    if (!find_time(fields, SPAN(" max="), &figures->max))
        figures->max = UNKNOWN;
    return true;
}

/* ---- timers ---- */

/* As running totals are: nothing but the shortest is less than it was. */
static bool has_grown(const struct timer_figures *before, const struct timer_figures *now)
{
    return now->count >= before->count && now->total >= before->total &&
           (now->max == UNKNOWN || now->max >= before->max) &&
           (before->min == UNKNOWN || now->min <= before->min);
}

static void add_timer(struct stat_log *log, struct span name, const struct timer_figures *figures)
{
    struct frame frame = {.name = builder_intern(log->builder, name), .kind = KIND_ANNOTATION};
    uint32_t function = builder_function(log->callgraph, builder_frame(log->builder, &frame));
    struct timer *timer;

    while (log->timers.count <= function)
        vector_add(&log->timers, (struct timer){.sum = {.min = UNKNOWN, .max = UNKNOWN},
                                                .last = {.count = UNKNOWN}});
    timer = &log->timers.list[function];
    if (timer->last.count != UNKNOWN) {
        log->has_repeats = true;
        log->has_resets |= !has_grown(&timer->last, figures);
    }
    timer->last = *figures;
    timer->sum.total = checked_add(timer->sum.total, figures->total);
    timer->sum.count = checked_add(timer->sum.count, figures->count);
    if (timer->sum.min == UNKNOWN || (figures->min != UNKNOWN && figures->min < timer->sum.min))
        timer->sum.min = figures->min;
    if (figures->max > timer->sum.max) /* UNKNOWN is the least of all */
        timer->sum.max = figures->max;
}

static void hand_over(const struct stat_log *log)
{
    struct warnings *warnings = builder_warnings(log->builder);

    for (uint32_t i = 0; i < log->timers.count; i++) {
        const struct timer_figures *figures =
            log->has_resets ? &log->timers.list[i].sum : &log->timers.list[i].last;
        struct call_figures calls = {figures->count, figures->count, figures->total,
                                     figures->total};

        builder_list(log->callgraph, i, &calls);
        builder_extremes(log->callgraph, i, figures->min, figures->max);
    }
    if (log->has_repeats)
        warning_say(warnings, WARNING_LOSS,
                    log->has_resets
                        ? "timers are printed several times and start anew in between: added up"
                        : "timers are printed several times and only grow: taken as running "
                          "totals, of which the last counts");
    if (log->timers.count > 1)
        warning_say(warnings, WARNING_NOTE,
                    "a timer inside another is in both, so the total may be too much");
    builder_producer(log->builder, "Paddle, REGISTER_TIMER_INFO");
}

/* ---- the whole ---- */

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS}};
    struct stat_log log = {.builder = builder, .callgraph = builder_callgraph(builder)};
    bool ok = builder_begin(builder, LEVEL_FLAT, values, 1, 0, err);
    uint64_t offset = input_offset(in);
    struct span line, name, fields;
    struct timer_figures figures;

    for (; ok && input_line(in, &line); offset = input_offset(in)) {
        if (!split_timer(line, &name, &fields))
            continue;
        if (read_figures(fields, &figures))
            add_timer(&log, name, &figures);
        else
            warning_count(builder_warnings(builder), WARNING_LOSS,
                          "timers without a total or a count, left out", offset);
    }
    if (ok && !log.timers.count)
        ok = error_set_at(err, input_offset(in), 0, "no line of a timer: Stat=... total=...");
    if (ok)
        hand_over(&log);
    free(log.timers.list);
    return ok;
}

/* The timers come at the end of what the program itself wrote. */
static enum sniff sniff(struct span head, bool is_all)
{
    struct span name, fields;
    struct timer_figures figures;

    if (memchr(head.at, '\0', head.len))
        return SNIFF_NO;
    while (head.len) {
        struct span line = span_split(&head, '\n');

        if (split_timer(line, &name, &fields) && read_figures(fields, &figures))
            return SNIFF_YES;
    }
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_paddle_stat = {
    .name = "paddle-stat",
    .title = "logs of Paddle's timers",
    .summary = "Paddle: REGISTER_TIMER_INFO's Stat= lines in a log",
    .tried = "Paddle",
    .level = LEVEL_FLAT,
    .sniff = sniff,
    .parse = parse,
};
