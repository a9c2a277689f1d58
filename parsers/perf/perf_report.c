/* SPDX-License-Identifier: Apache-2.0 */
/* perf_report.c — what perf report --stdio prints
 *
 *     # Samples: 213  of event 'cpu-clock'
 *     # Event count (approx.): 53250000
 *     #
 *     # Children      Self  Command  Shared Object         Symbol
 *     # ........  ........  .......  ....................  ......................
 *     #
 *         99.06%    94.84%  work     work                  [.] leaf
 *                 |
 *                 |--94.84%--main
 *                 |          leaf
 *                 |
 *                  --4.23%--leaf
 *                            do_interrupt
 *
 * With Children a row is with what it calls, and of its tree the first step next to the function is
 * read: who calls whom. Without, a row is what the function did itself, and its tree says through whom
 * it was called: stacks, from the function up (callee) or from the root down (caller). The file does
 * not name the order; the trees tell it. All figures are shares with two decimals, of a count that the
 * file has. */
#include <stdio.h>
#include <stdlib.h>

#include "base/text/decimal.h"
#include "parsers/parser.h"
#include "parsers/perf/perf_report.h"

enum { COLUMNS_MAX = 32, BRANCH_WIDTH = 11 };

struct report_column {
    size_t start, end; /* in the line of dots, and in rows */
    enum { COLUMN_OTHER, COLUMN_OVERHEAD, COLUMN_SELF, COLUMN_OBJECT, COLUMN_SYMBOL } kind;
};

/* The report, and where in its text the reader is. */
struct report_reader {
    struct perf_report report;
    struct report_column columns[COLUMNS_MAX];
    size_t column_count;
    size_t
        margin[REPORT_DEPTH_MAX + 1]; /* of the tree at hand: where the step of each depth begins */
    uint32_t depth;                   /* of the step read last */
    bool has_titles;
};

/* ---- the table's head ---- */

/* "# ........  .......  ....": a column is as wide as its dots. */
static void read_widths(struct report_reader *reader, struct span line)
{
    reader->column_count = 0;
    for (size_t at = 2; at < line.len && reader->column_count < COLUMNS_MAX;) {
        struct report_column *column = &reader->columns[reader->column_count++];

        *column = (struct report_column){.start = reader->column_count > 1 ? at : 0};
        while (at < line.len && line.at[at] == '.')
            at++;
        column->end = at;
        while (at < line.len && line.at[at] != '.')
            at++;
    }
}

static struct span cell(const struct report_column *column, struct span line)
{
    size_t end = column->end < line.len ? column->end : line.len;

    return column->start < end
               ? span_trim((struct span){line.at + column->start, end - column->start})
               : (struct span){0};
}

/* `titles`: the line before that of the dots. */
static void name_columns(struct report_reader *reader, struct span titles)
{
    static const struct {
        struct span title;
        int kind;
    } kinds[] = {{LITERAL("Overhead"), COLUMN_OVERHEAD},
                 {LITERAL("Children"), COLUMN_OVERHEAD},
                 {LITERAL("Self"), COLUMN_SELF},
                 {LITERAL("Shared Object"), COLUMN_OBJECT},
                 {LITERAL("Symbol"), COLUMN_SYMBOL}};

    for (size_t i = 0; i < reader->column_count; i++)
        for (size_t k = 0; k < COUNT_OF(kinds); k++) {
            struct span title = cell(&reader->columns[i], titles);

            if (i == 0)
                title = span_trim(span_after(title, 1));
            if (!span_eq(title, kinds[k].title))
                continue;
            reader->columns[i].kind = kinds[k].kind;
            reader->has_titles |= kinds[k].kind == COLUMN_SYMBOL;
            reader->report.has_children |= kinds[k].kind == COLUMN_SELF;
        }
}

/* ---- rows ---- */

static bool read_share(struct span text, int64_t *share)
{
    if (!span_ends(text, SPAN("%")))
        return false;
    text.len--;
    return decimal_scaled(text, 2, share) && *share >= 0 && *share <= REPORT_WHOLE;
}

/* "step (inlined)": its code stands in that of its caller. */
static bool drop_inlined(struct span *name)
{
    static const struct span mark = LITERAL(" (inlined)");

    if (!span_ends(*name, mark))
        return false;
    name->len -= mark.len;
    return true;
}

static bool read_row(struct report_reader *reader, struct span line)
{
    struct report_node row = {.self = UNKNOWN};
    struct frame frame = {.kind = KIND_HOST};
    struct span name = {0};
    bool has_share = false;
    uint32_t *known;

    for (size_t i = 0; i < reader->column_count; i++) {
        struct report_column column = reader->columns[i];
        struct span text;

        if (i + 1 == reader->column_count)
            column.end = line.len;
        text = cell(&column, line);
        if (column.kind == COLUMN_OVERHEAD)
            has_share = read_share(text, &row.share);
        else if (column.kind == COLUMN_SELF && !read_share(text, &row.self))
            return false;
        else if (column.kind == COLUMN_OBJECT && text.len)
            frame.module = builder_intern(reader->report.builder, text);
        else if (column.kind == COLUMN_SYMBOL)
            name = text;
    }
    if (name.len > 4 && name.at[0] == '[' && name.at[2] == ']') /* "[.] leaf", "[k] schedule" */
        name = span_after(name, 4);
    if (!has_share || name.len == 0)
        return false;
    if (row.self == UNKNOWN)
        row.self = row.share;
    row.is_inlined = drop_inlined(&name);
    frame.is_nameless = span_starts(name, SPAN("0x"));
    frame.name = row.name = builder_intern(reader->report.builder, name);
    row.frame = builder_frame(reader->report.builder, &frame);
    known = idmap_at(&reader->report.rows, row.name);
    if (*known == IDMAP_NONE)
        *known = row.frame;
    reader->depth = 0;
    vector_add(&reader->report.nodes, row);
    return true;
}

/* ---- the tree below a row ---- */

/* "|--94.84%--main", "--1.33%--main", "---main", or "main", which goes on from the step before. */
static bool read_step(struct report_reader *reader, struct span line)
{
    struct span text = line;
    struct report_node step = {.share = UNKNOWN};
    size_t blanks = 0;

    while (blanks < line.len && (line.at[blanks] == ' ' || line.at[blanks] == '|'))
        blanks++;
    text = span_trim(span_after(line, blanks));
    if (text.len == 0)
        return true;
    if (reader->depth == 0) /* the tree's margin is where its first mark stands */
        reader->margin[0] = span_starts(text, SPAN("---")) ? blanks : blanks ? blanks - 1 : 0;
    if (span_starts(text, SPAN("---"))) {
        text = span_after(text, 3);
        step.depth = 1;
        reader->margin[1] = blanks + 3;
    } else if (span_starts(text, SPAN("--"))) {
        size_t end = span_find(span_after(text, 2), SPAN("--"));

        if (end == SIZE_MAX || blanks == 0 ||
            !read_share((struct span){text.at + 2, end}, &step.share))
            return false;
        text = span_after(text, end + 4);
        while (reader->depth > 0 && reader->margin[reader->depth] > blanks - 1)
            reader->depth--;
        if (reader->margin[reader->depth] != blanks - 1 || reader->depth == REPORT_DEPTH_MAX)
            return false;
        step.depth = reader->depth + 1;
        reader->margin[step.depth] = blanks - 1 + BRANCH_WIDTH;
    } else {
        if (reader->depth == 0 || reader->depth == REPORT_DEPTH_MAX ||
            reader->margin[reader->depth] != blanks)
            return false;
        step.depth = reader->depth + 1;
        reader->margin[step.depth] = blanks;
    }
    step.is_inlined = drop_inlined(&text);
    step.name = builder_intern(reader->report.builder, text);
    reader->depth = step.depth;
    vector_add(&reader->report.nodes, step);
    return true;
}

/* ---- lines ---- */

static bool take_after(struct span *line, struct span prefix)
{
    if (!span_starts(*line, prefix))
        return false;
    *line = span_after(*line, prefix.len);
    return true;
}

/* "# Samples: 213  of event 'cpu-clock'", "# Event count (approx.): 53250000" */
static void read_comment(struct report_reader *reader, struct span line)
{
    uint64_t total;
    size_t at;

    if (take_after(&line, SPAN("# Samples: "))) {
        reader->report.tables++;
        at = span_find(line, SPAN("event '"));
        if (reader->report.tables == 1 && at != SIZE_MAX) {
            line = span_after(line, at + 7);
            reader->report.event = builder_intern(reader->report.builder, span_split(&line, '\''));
        }
    } else if (reader->report.tables == 1 && take_after(&line, SPAN("# Event count (approx.): "))) {
        if (span_to_u64(line, &total) && total <= INT64_MAX)
            reader->report.total = (int64_t)total;
    }
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct report_reader reader = {.report = {.builder = builder, .total = UNKNOWN}};
    struct perf_report *report = &reader.report;
    uint64_t offset = input_offset(in);
    struct span line;
    bool ok = true;

    for (char titles[1024] = ""; input_line(in, &line); offset = input_offset(in))
        if (span_starts(line, SPAN("# ...")) && report->tables == 1) {
            read_widths(&reader, line);
            name_columns(&reader, span_of(titles));
        } else if (line.len && line.at[0] == '#') {
            read_comment(&reader, line);
            snprintf(titles, sizeof(titles), "%.*s",
                     (int)(line.len < sizeof(titles) ? line.len : sizeof(titles) - 1), line.at);
        } else if (reader.has_titles && line.len && report->tables <= 1) {
            struct span front = {line.at, line.len < 12 ? line.len : 12};
            bool is_row = memchr(front.at, '%', front.len) && !memchr(front.at, '-', front.len);

            if (is_row ? !read_row(&reader, line)
                       : report->nodes.count == 0 || !read_step(&reader, line))
                warning_count(builder_warnings(builder), WARNING_LOSS,
                              "lines that are neither a row nor a step of its tree, left out",
                              offset);
        }
    if (report->nodes.count == 0)
        ok = error_set_at(err, offset, 0, "no row of a table with a column Symbol is in it");
    else if (report->total == UNKNOWN)
        ok = error_set_at(err, offset, 0, "no line says what the shares are of");
    if (ok)
        ok = perf_report_build(report, err);
    free(report->nodes.list);
    idmap_free(&report->rows);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    return sniff_text(head, is_all,
                      span_find(head, SPAN("\n# Event count (approx.): ")) != SIZE_MAX);
}

const struct parser parser_perf_report = {
    .name = "perf-report",
    .title = "reports of perf",
    .summary = "perf report --stdio: shares of functions, and its trees of callers or callees",
    .tried = "perf 6.1",
    .omitted = "other columns than its usual ones",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
