/* SPDX-License-Identifier: Apache-2.0 */
/* perf_stat.c — what perf stat counted of a whole run, as text or with -x, as CSV
 *
 *             18.24 msec task-clock                       #    1.174 CPUs utilized
 *     4,361,287,102      instructions:u                   #    2.10  insn per cycle    (83.21%)
 *       0.015532819 seconds time elapsed
 *
 *     50.43,msec,task-clock,50433909,100.00,0.289,CPUs utilized
 *
 * The rows are the process's time on a CPU; counts and the ratios of two of them are facts. Ratios are
 * computed again of the counts: perf words and rounds them differently from version to version. */
#include <stdio.h>

#include "base/checked.h"
#include "base/text/decimal.h"
#include "base/text/format.h"
#include "parsers/parser.h"
#include "parsers/text/text_end.h"

enum { MILLI = 6, SECONDS = 9, PPM = 1000000, FULL = 10000 /* 100.00 % */ };

enum perf_event {
    PERF_TASK_CLOCK, /* ns, as cpu-clock */
    PERF_CPU_CLOCK,
    PERF_SWITCHES,
    PERF_MIGRATIONS,
    PERF_FAULTS,
    PERF_MAJOR_FAULTS,
    PERF_MINOR_FAULTS,
    PERF_CYCLES,
    PERF_INSTRUCTIONS,
    PERF_STALLED_FRONTEND,
    PERF_STALLED_BACKEND,
    PERF_BRANCHES,
    PERF_BRANCH_MISSES,
    PERF_CACHE_REFERENCES,
    PERF_CACHE_MISSES,
    PERF_L1_LOADS,
    PERF_L1_MISSES,
    PERF_LLC_LOADS,
    PERF_LLC_MISSES,
    PERF_TLB_LOADS,
    PERF_TLB_MISSES,
    PERF_EVENT_COUNT,
    PERF_NO_EVENT = PERF_EVENT_COUNT
};

static const struct {
    const char *name; /* perf's */
    const char *key;  /* of the fact */
    enum fact_id fact;
} events[PERF_EVENT_COUNT] = {
    [PERF_TASK_CLOCK] = {"task-clock", "task_clock", FACT_SHOWN},
    [PERF_CPU_CLOCK] = {"cpu-clock", "cpu_clock", FACT_SHOWN},
    [PERF_SWITCHES] = {"context-switches", "context_switches", FACT_SHOWN},
    [PERF_MIGRATIONS] = {"cpu-migrations", "cpu_migrations", FACT_SHOWN},
    [PERF_FAULTS] = {"page-faults", "page_faults", FACT_SHOWN},
    [PERF_MAJOR_FAULTS] = {"major-faults", NULL, FACT_MAJOR_FAULTS},
    [PERF_MINOR_FAULTS] = {"minor-faults", NULL, FACT_MINOR_FAULTS},
    [PERF_CYCLES] = {"cycles", "cycles", FACT_SHOWN},
    [PERF_INSTRUCTIONS] = {"instructions", "instructions", FACT_SHOWN},
    [PERF_STALLED_FRONTEND] = {"stalled-cycles-frontend", "stalled_cycles_frontend", FACT_SHOWN},
    [PERF_STALLED_BACKEND] = {"stalled-cycles-backend", "stalled_cycles_backend", FACT_SHOWN},
    [PERF_BRANCHES] = {"branches", "branches", FACT_SHOWN},
    [PERF_BRANCH_MISSES] = {"branch-misses", "branch_misses", FACT_SHOWN},
    [PERF_CACHE_REFERENCES] = {"cache-references", "cache_references", FACT_SHOWN},
    [PERF_CACHE_MISSES] = {"cache-misses", "cache_misses", FACT_SHOWN},
    [PERF_L1_LOADS] = {"L1-dcache-loads", "l1_data_loads", FACT_SHOWN},
    [PERF_L1_MISSES] = {"L1-dcache-load-misses", "l1_data_load_misses", FACT_SHOWN},
    [PERF_LLC_LOADS] = {"LLC-loads", "llc_loads", FACT_SHOWN},
    [PERF_LLC_MISSES] = {"LLC-load-misses", "llc_load_misses", FACT_SHOWN},
    [PERF_TLB_LOADS] = {"dTLB-loads", "data_tlb_loads", FACT_SHOWN},
    [PERF_TLB_MISSES] = {"dTLB-load-misses", "data_tlb_load_misses", FACT_SHOWN},
};

/* What part of the second the first is. */
static const struct {
    const char *key;
    enum perf_event part, whole;
} shares[] = {
    {"frontend_stall_share", PERF_STALLED_FRONTEND, PERF_CYCLES},
    {"backend_stall_share", PERF_STALLED_BACKEND, PERF_CYCLES},
    {"branch_miss_rate", PERF_BRANCH_MISSES, PERF_BRANCHES},
    {"cache_miss_rate", PERF_CACHE_MISSES, PERF_CACHE_REFERENCES},
    {"l1_data_miss_rate", PERF_L1_MISSES, PERF_L1_LOADS},
    {"llc_miss_rate", PERF_LLC_MISSES, PERF_LLC_LOADS},
    {"data_tlb_miss_rate", PERF_TLB_MISSES, PERF_TLB_LOADS},
};

struct perf_stat {
    str_id command;
    int64_t figure[PERF_EVENT_COUNT]; /* or UNKNOWN */
    int64_t wall, user, system;       /* ns, or UNKNOWN */
    uint64_t known, others, uncounted, unreadable, scaled, reports;
    bool has_user_mode; /* an event was counted in user mode alone */
};

/* One counter's line, whichever form it had. */
struct counter_row {
    struct span value, unit, event;
    bool is_scaled; /* it was not counted all of the time */
};

/* ---- figures ---- */

/* "1,234,567", with whatever the locale puts between thousands. */
static bool read_count(struct span text, int64_t *count)
{
    char digits[32];
    size_t len = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == ',' || text.at[i] == '.' || text.at[i] == '\'')
            continue;
        if (len == sizeof(digits))
            return false;
        digits[len++] = text.at[i];
    }
    return span_to_i64((struct span){digits, len}, count) && *count >= 0;
}

/* "1,234.56", or "1.234,56" where the comma is the point: the last mark is it. */
static bool read_decimal(struct span text, int scale, int64_t *value)
{
    char digits[32];
    size_t len = 0, point = span_rfind(text, '.'), comma = span_rfind(text, ',');

    if (point == SIZE_MAX || (comma != SIZE_MAX && comma > point))
        point = comma;
    for (size_t i = 0; i < text.len; i++) {
        if (!is_digit(text.at[i]) && text.at[i] != ',' && text.at[i] != '.')
            return false;
        if (!is_digit(text.at[i]) && i != point)
            continue;
        if (len == sizeof(digits))
            return false;
        digits[len++] = i == point ? '.' : text.at[i];
    }
    return decimal_fits((struct span){digits, len}, scale, value);
}

/* ---- counters ---- */

/* The event of that name; `modifiers` gets what follows a colon. */
static enum perf_event event_of(struct span name, struct span *modifiers)
{
    struct span plain = span_split(&name, ':');

    *modifiers = name;
    for (enum perf_event event = 0; event < PERF_EVENT_COUNT; event++)
        if (span_eq(plain, span_of(events[event].name)))
            return event;
    return PERF_NO_EVENT;
}

static void take_counter(struct perf_stat *stat, const struct counter_row *row)
{
    struct span modifiers;
    enum perf_event event = event_of(row->event, &modifiers);
    int64_t figure;
    bool is_clock = event == PERF_TASK_CLOCK || event == PERF_CPU_CLOCK;

    if (span_starts(row->value, SPAN("<not "))) {
        stat->uncounted++;
    } else if (event == PERF_NO_EVENT) {
        stat->others += read_count(row->value, &figure);
    } else if (is_clock
                   ? span_eq(row->unit, SPAN("msec")) && read_decimal(row->value, MILLI, &figure)
                   : read_count(row->value, &figure)) {
        stat->known++;
        stat->scaled += row->is_scaled;
        stat->figure[event] = figure;
        stat->has_user_mode |= span_eq(modifiers, SPAN("u"));
    } else {
        stat->unreadable++;
    }
}

/* "50.43,msec,task-clock,50433909,100.00,0.289,CPUs utilized"; with -r the event's deviation, "0.49%",
 * follows it. */
static bool read_csv_row(struct span line, struct counter_row *row)
{
    int64_t share;
    struct span field;

    *row = (struct counter_row){.value = span_split(&line, ',')};
    row->unit = span_split(&line, ',');
    row->event = span_split(&line, ',');
    field = span_split(&line, ',');
    if (span_ends(field, SPAN("%")))
        field = span_split(&line, ',');
    if (!span_is_digits(field) || !decimal_scaled(span_split(&line, ','), 2, &share))
        return false;
    row->is_scaled = share > 0 && share < FULL;
    return row->event.len > 0 && (is_digit(row->value.len ? row->value.at[0] : ' ') ||
                                  span_starts(row->value, SPAN("<not ")));
}

/* "18.24 msec task-clock   #  1.174 CPUs utilized   (83.21%)" */
static bool read_text_row(struct span line, struct counter_row *row)
{
    static const struct span nots[] = {LITERAL("<not supported>"), LITERAL("<not counted>")};
    struct span rest = span_trim(line), tail;
    size_t open;

    *row = (struct counter_row){0};
    for (size_t i = 0; i < COUNT_OF(nots); i++)
        if (span_starts(rest, nots[i])) {
            row->value = nots[i];
            rest = span_after(rest, nots[i].len);
        }
    if (row->value.len == 0)
        row->value = span_word(&rest);
    row->event = span_word(&rest);
    if (rest.len && rest.at[0] != '#' && rest.at[0] != '(') {
        row->unit = row->event;
        row->event = span_word(&rest);
    }
    open = span_ends(rest, SPAN("%)")) ? span_rfind(rest, '(') : SIZE_MAX;
    tail = open == SIZE_MAX ? (struct span){0} : span_after(rest, open + 1);
    row->is_scaled = tail.len && is_digit(tail.at[0]); /* and not "( +-  0.11% )" */
    return row->event.len > 0 && row->value.len > 0 &&
           (row->value.at[0] == '<' || is_digit(row->value.at[0]));
}

/* ---- lines ---- */

static const struct span heading = LITERAL("Performance counter stats for ");

static struct perf_stat empty(void)
{
    struct perf_stat stat = {.wall = UNKNOWN, .user = UNKNOWN, .system = UNKNOWN};

    for (size_t i = 0; i < PERF_EVENT_COUNT; i++)
        stat.figure[i] = UNKNOWN;
    return stat;
}

/* "0.174219767 seconds time elapsed", "0.1351 +- 0.0279 seconds time elapsed  ( +- 20.68% )" */
static bool take_time(struct perf_stat *stat, struct span line)
{
    struct span number = span_word(&line);
    const struct {
        struct span words;
        int64_t *time;
    } kinds[] = {{LITERAL("seconds time elapsed"), &stat->wall},
                 {LITERAL("seconds user"), &stat->user},
                 {LITERAL("seconds sys"), &stat->system}};

    if (span_starts(line, SPAN("+-"))) {
        span_word(&line);
        span_word(&line);
    }
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (span_starts(line, kinds[i].words))
            return read_decimal(number, SECONDS, kinds[i].time);
    return false;
}

/* What the program itself wrote may stand between: lines of neither form are nobody's. */
static void read_line(struct perf_stat *stat, struct span line, struct builder *builder)
{
    struct span name = span_trim(line);
    struct counter_row row;

    if (span_starts(name, heading)) {
        uint64_t reports = stat->reports + 1;

        name = span_after(name, heading.len);
        if (span_ends(name, SPAN(":")))
            name.len--;
        *stat = empty();
        stat->reports = reports;
        stat->command = builder_intern(builder, name);
    } else if (read_csv_row(name, &row)) {
        take_counter(stat, &row);
    } else if (stat->reports && !take_time(stat, line) && read_text_row(line, &row)) {
        take_counter(stat, &row);
    }
}

/* ---- the whole ---- */

static void add_ratio(struct builder *builder, const char *key, int64_t part, int64_t whole)
{
    char text[FORMAT_LEN];

    if (part != UNKNOWN && whole != UNKNOWN && whole > 0)
        builder_fact_text(builder, key, span_of(format_ratio(text, share_of(part, whole))));
}

static void add_facts(const struct perf_stat *stat, struct builder *builder)
{
    const int64_t *figure = stat->figure;

    if (stat->command)
        builder_fact_text(builder, "command", builder_text(builder, stat->command));
    if (stat->wall != UNKNOWN)
        builder_known_fact(builder, FACT_WALL_TIME, stat->wall, UNIT_NS);
    if (stat->user != UNKNOWN)
        builder_known_fact(builder, FACT_USER_TIME, stat->user, UNIT_NS);
    if (stat->system != UNKNOWN)
        builder_known_fact(builder, FACT_SYSTEM_TIME, stat->system, UNIT_NS);
    for (enum perf_event event = 0; event < PERF_EVENT_COUNT; event++)
        if (figure[event] != UNKNOWN && events[event].fact)
            builder_known_fact(builder, events[event].fact, figure[event], UNIT_COUNT);
        else if (figure[event] != UNKNOWN)
            builder_fact(builder, events[event].key, figure[event],
                         event <= PERF_CPU_CLOCK ? UNIT_NS : UNIT_COUNT);
    add_ratio(builder, "cpus_utilized", figure[PERF_TASK_CLOCK], stat->wall);
    add_ratio(builder, "instructions_per_cycle", figure[PERF_INSTRUCTIONS], figure[PERF_CYCLES]);
    for (size_t i = 0; i < COUNT_OF(shares); i++) {
        int64_t part = figure[shares[i].part], whole = figure[shares[i].whole];

        if (part != UNKNOWN && whole != UNKNOWN && whole > 0)
            builder_fact(builder, shares[i].key, checked_whole(share_of(part, whole) * PPM + 0.5),
                         UNIT_PPM);
    }
}

static void add_warnings(const struct perf_stat *stat, struct warnings *warnings)
{
    if (stat->scaled)
        warning_count_many(warnings, WARNING_NOTE,
                           "counters that were on for a part of the run only: perf scaled them up",
                           stat->scaled);
    if (stat->uncounted)
        warning_count_many(warnings, WARNING_NOTE, "events that could not be counted here",
                           stat->uncounted);
    if (stat->unreadable)
        warning_count_many(warnings, WARNING_LOSS, "counts that are no numbers, left out",
                           stat->unreadable);
    if (stat->others)
        warning_count_many(warnings, WARNING_LOSS, "counters that ptk does not know, left out",
                           stat->others);
    if (stat->reports > 1)
        warning_count_many(warnings, WARNING_LOSS, "reports before the last one, left out",
                           stat->reports - 1);
    if (stat->has_user_mode)
        warning_say(warnings, WARNING_NOTE, "events named :u were counted in user mode only");
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS}};
    struct perf_stat stat = empty();
    struct span line;

    if (!builder_begin(builder, LEVEL_FLAT, values, 1, 0, err))
        return false;
    while (input_line(in, &line))
        read_line(&stat, line, builder);
    if (stat.known + stat.others + stat.uncounted == 0)
        return error_set_at(err, input_offset(in), 0, "no counter is in it");
    if (stat.reports && (stat.wall == UNKNOWN || (stat.user != UNKNOWN && stat.system == UNKNOWN)))
        text_ends_within(builder, "a report, which ends with its times");
    builder_producer(builder, "perf stat");
    add_facts(&stat, builder);
    add_warnings(&stat, builder_warnings(builder));
    if (stat.user != UNKNOWN && stat.system != UNKNOWN) {
        builder_list_time(builder, "user", stat.user);
        builder_list_time(builder, "system", stat.system);
    } else if (stat.figure[PERF_TASK_CLOCK] != UNKNOWN) {
        builder_list_time(builder, "task-clock", stat.figure[PERF_TASK_CLOCK]);
    } else if (stat.figure[PERF_CPU_CLOCK] != UNKNOWN) {
        builder_list_time(builder, "cpu-clock", stat.figure[PERF_CPU_CLOCK]);
    } else {
        warning_say(builder_warnings(builder), WARNING_NOTE,
                    "no CPU time was counted: `ptk info` shows what was");
    }
    return true;
}

static bool has_csv_row(struct span head)
{
    while (head.len) {
        struct counter_row row;
        struct span modifiers;

        if (read_csv_row(span_trim(span_split(&head, '\n')), &row) &&
            event_of(row.event, &modifiers) != PERF_NO_EVENT)
            return true;
    }
    return false;
}

static enum sniff sniff(struct span head, bool is_all)
{
    return sniff_text(head, is_all, span_find(head, heading) != SIZE_MAX || has_csv_row(head));
}

const struct parser parser_perf_stat = {
    .name = "perf-stat",
    .title = "reports of perf stat",
    .summary = "perf stat, perf stat -x,: what was counted of a whole run",
    .tried = "perf 6.1: text, -r, -x",
    .omitted = "-j",
    .level = LEVEL_FLAT,
    .sniff = sniff,
    .parse = parse,
};
