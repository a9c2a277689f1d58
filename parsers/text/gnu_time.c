/* SPDX-License-Identifier: Apache-2.0 */
/* gnu_time.c — what a whole process cost: /usr/bin/time -v, and the shell's time (real, user, sys)
 *
 * The two rows are the process's time on a CPU; all else is facts, which `ptk bound` judges. The
 * report may stand at the end of what the program itself wrote. */
#include "base/checked.h"
#include "base/text/decimal.h"
#include "parsers/parser.h"

enum { SECONDS = 9, KILO = 1024, NOT_FOUND = -1 };

/* What a report can say; `user` and `system` are first, since they become rows. */
enum item { ITEM_USER, ITEM_SYSTEM, ITEM_WALL, ITEM_COUNT = 14 };

static const struct {
    struct span label; /* of time -v, up to the colon */
    const char *key;   /* NULL: of the fact */
    enum unit unit;
    enum fact_id fact;
} items[ITEM_COUNT] = {
    [ITEM_USER] = {LITERAL("User time (seconds)"), NULL, UNIT_NS, FACT_USER_TIME},
    [ITEM_SYSTEM] = {LITERAL("System time (seconds)"), NULL, UNIT_NS, FACT_SYSTEM_TIME},
    [ITEM_WALL] = {LITERAL("Elapsed (wall clock) time (h:mm:ss or m:ss)"), NULL, UNIT_NS,
                   FACT_WALL_TIME},
    {.label = LITERAL("Maximum resident set size (kbytes)"),
     .key = "max_resident",
     .unit = UNIT_BYTES},
    {LITERAL("Major (requiring I/O) page faults"), NULL, UNIT_COUNT, FACT_MAJOR_FAULTS},
    {LITERAL("Minor (reclaiming a frame) page faults"), NULL, UNIT_COUNT, FACT_MINOR_FAULTS},
    {LITERAL("Voluntary context switches"), NULL, UNIT_COUNT, FACT_SWITCHES},
    {.label = LITERAL("Involuntary context switches"),
     .key = "involuntary_switches",
     .unit = UNIT_COUNT},
    {.label = LITERAL("Swaps"), .key = "swaps", .unit = UNIT_COUNT},
    {LITERAL("File system inputs"), NULL, UNIT_COUNT, FACT_BLOCKS_READ},
    {LITERAL("File system outputs"), NULL, UNIT_COUNT, FACT_BLOCKS_WRITTEN},
    {.label = LITERAL("Socket messages sent"), .key = "socket_sent", .unit = UNIT_COUNT},
    {.label = LITERAL("Socket messages received"), .key = "socket_received", .unit = UNIT_COUNT},
    {.label = LITERAL("Exit status"), .key = "exit_status", .unit = UNIT_COUNT},
};

struct time_report {
    str_id command;
    int64_t figure[ITEM_COUNT];
    bool is_known[ITEM_COUNT];
    uint64_t reports; /* how many the file has; the last one counts */
};

/* ---- figures ---- */

/* "1:02:03", "0:04.99" and "4.99" to ns, and the shell's "0m4.990s". */
static bool read_clock(struct span text, int64_t *ns)
{
    int64_t minutes = 0, seconds;
    size_t at;

    if (span_ends(text, SPAN("s")))
        text.len--;
    while ((at = span_find(text, SPAN(":"))) != SIZE_MAX ||
           (at = span_find(text, SPAN("m"))) != SIZE_MAX) {
        int64_t units;

        if (!span_to_i64((struct span){text.at, at}, &units) || units < 0 || units > 1000000 ||
            minutes > 1000000)
            return false;
        minutes = minutes * 60 + units;
        text = span_after(text, at + 1);
    }
    if (!decimal_scaled(text, SECONDS, &seconds) || seconds < 0)
        return false;
    *ns = checked_add(minutes * 60 * 1000000000, seconds);
    return true;
}

static bool read_figure(enum item item, struct span text, int64_t *figure)
{
    if (items[item].unit == UNIT_NS)
        return read_clock(text, figure);
    if (!span_to_i64(text, figure) || *figure < 0)
        return false;
    if (items[item].unit == UNIT_BYTES)
        *figure = *figure < INT64_MAX / KILO ? *figure * KILO : INT64_MAX;
    return true;
}

/* ---- lines ---- */

static void set_item(struct time_report *report, int item, int64_t figure)
{
    report->figure[item] = figure;
    report->is_known[item] = true;
}

static bool shell_line(struct span line, enum item *item, int64_t *ns)
{
    static const struct {
        struct span word;
        enum item item;
    } words[] = {
        {LITERAL("real"), ITEM_WALL}, {LITERAL("user"), ITEM_USER}, {LITERAL("sys"), ITEM_SYSTEM}};

    for (size_t i = 0; i < COUNT_OF(words); i++) {
        struct span rest = span_after(line, words[i].word.len);

        *item = words[i].item;
        if (span_starts(line, words[i].word) && rest.len &&
            (rest.at[0] == ' ' || rest.at[0] == '\t'))
            return read_clock(span_trim(rest), ns);
    }
    return false;
}

/* "Label: figure"; labels hold colons of their own. */
static int long_item(struct span line, struct span *figure)
{
    for (int i = 0; i < ITEM_COUNT; i++) {
        if (!span_starts(line, items[i].label) || line.len <= items[i].label.len ||
            line.at[items[i].label.len] != ':')
            continue;
        *figure = span_trim(span_after(line, items[i].label.len + 1));
        return i;
    }
    return NOT_FOUND;
}

static void begin_report(struct time_report *report)
{
    *report = (struct time_report){.reports = report->reports + 1};
}

static void read_line(struct time_report *report, struct span line, uint64_t offset,
                      struct builder *builder)
{
    static const struct span command = LITERAL("Command being timed:");
    struct span figure;
    enum item item;
    int64_t value;
    int at;

    line = span_trim(line);
    if (span_starts(line, command)) {
        begin_report(report);
        report->command = builder_intern(builder, span_trim(span_after(line, command.len)));
    } else if (shell_line(line, &item, &value)) {
        if (item == ITEM_WALL)
            begin_report(report);
        set_item(report, item, value);
    } else if ((at = long_item(line, &figure)) != NOT_FOUND) {
        if (read_figure((enum item)at, figure, &value))
            set_item(report, at, value);
        else
            warning_count(builder_warnings(builder), WARNING_LOSS,
                          "figures that are no numbers, left out", offset);
    }
}

/* ---- the whole ---- */

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("time"), UNIT_NS}};
    struct time_report report = {.reports = 0};
    uint64_t offset = input_offset(in);
    struct span line;

    if (!builder_begin(builder, LEVEL_FLAT, values, 1, 0, err))
        return false;
    for (; input_line(in, &line); offset = input_offset(in))
        read_line(&report, line, offset, builder);
    if (!report.is_known[ITEM_USER] || !report.is_known[ITEM_SYSTEM] || !report.is_known[ITEM_WALL])
        return error_set_at(err, input_offset(in), 0, "no times of user, system and wall clock");
    builder_producer(builder, "time");
    if (report.command)
        builder_fact_text(builder, "command", builder_text(builder, report.command));
    for (int i = 0; i < ITEM_COUNT; i++)
        if (report.is_known[i] && items[i].fact)
            builder_known_fact(builder, items[i].fact, report.figure[i], items[i].unit);
        else if (report.is_known[i])
            builder_fact(builder, items[i].key, report.figure[i], items[i].unit);
    builder_list_time(builder, "user", report.figure[ITEM_USER]);
    builder_list_time(builder, "system", report.figure[ITEM_SYSTEM]);
    if (report.reports > 1)
        warning_count_many(builder_warnings(builder), WARNING_LOSS,
                           "reports before the last one, left out", report.reports - 1);
    return true;
}

/* The shell's three lines, one below the other. */
static bool has_shell_times(struct span head)
{
    static const enum item order[] = {ITEM_WALL, ITEM_USER, ITEM_SYSTEM};
    size_t at = 0;

    while (head.len && at < COUNT_OF(order)) {
        enum item item;
        int64_t ns;

        if (!shell_line(span_trim(span_split(&head, '\n')), &item, &ns))
            at = 0;
        else
            at = item == order[at] ? at + 1 : item == ITEM_WALL;
    }
    return at == COUNT_OF(order);
}

static enum sniff sniff(struct span head, bool is_all)
{
    return sniff_text(head, is_all,
                      span_find(head, SPAN("Command being timed: \"")) != SIZE_MAX ||
                          has_shell_times(head));
}

const struct parser parser_gnu_time = {
    .name = "time",
    .title = "reports of time",
    .summary = "/usr/bin/time -v, the shell's time: what a whole process cost",
    .tried = "GNU time 1.9, bash",
    .level = LEVEL_FLAT,
    .sniff = sniff,
    .parse = parse,
};
