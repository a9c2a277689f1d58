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

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/decimal.h"
#include "parsers/parser.h"
#include "parsers/text/text_end.h"

enum { WHOLE = 10000 /* 100.00 % */, COLUMNS_MAX = 32, DEPTH_MAX = 1000, BRANCH_WIDTH = 11 };

/* A row of the table (depth 0), or a step of the tree below it. */
struct report_node {
    uint32_t depth;
    int64_t share; /* of WHOLE; with -g fractal, a step's is of the one before */
    int64_t self;  /* of a row: without what it calls */
    str_id name;
    frame_id frame;
    bool is_inlined;
};

struct report_column {
    size_t start, end; /* in the line of dots, and in rows */
    enum { COLUMN_OTHER, COLUMN_OVERHEAD, COLUMN_SELF, COLUMN_OBJECT, COLUMN_SYMBOL } kind;
};

struct report_edge {
    uint32_t caller, callee;
    int64_t share;
};

struct perf_report {
    struct builder *builder;
    struct VECTOR_OF(struct report_node) nodes;
    struct report_column columns[COLUMNS_MAX];
    size_t column_count;
    size_t margin[DEPTH_MAX + 1]; /* of the tree at hand: where the step of each depth begins */
    uint32_t depth;               /* of the step read last */
    struct idmap rows;            /* by name: the frame of the first row of it */
    str_id event;
    int64_t total; /* of all events */
    uint64_t tables;
    bool has_titles, has_children, is_caller_order, is_fractal;
};

/* ---- the table's head ---- */

/* "# ........  .......  ....": a column is as wide as its dots. */
static void read_widths(struct perf_report *report, struct span line)
{
    report->column_count = 0;
    for (size_t at = 2; at < line.len && report->column_count < COLUMNS_MAX;) {
        struct report_column *column = &report->columns[report->column_count++];

        *column = (struct report_column){.start = report->column_count > 1 ? at : 0};
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
static void name_columns(struct perf_report *report, struct span titles)
{
    static const struct {
        struct span title;
        int kind;
    } kinds[] = {{LITERAL("Overhead"), COLUMN_OVERHEAD},
                 {LITERAL("Children"), COLUMN_OVERHEAD},
                 {LITERAL("Self"), COLUMN_SELF},
                 {LITERAL("Shared Object"), COLUMN_OBJECT},
                 {LITERAL("Symbol"), COLUMN_SYMBOL}};

    for (size_t i = 0; i < report->column_count; i++)
        for (size_t k = 0; k < COUNT_OF(kinds); k++) {
            struct span title = cell(&report->columns[i], titles);

            if (i == 0)
                title = span_trim(span_after(title, 1));
            if (!span_eq(title, kinds[k].title))
                continue;
            report->columns[i].kind = kinds[k].kind;
            report->has_titles |= kinds[k].kind == COLUMN_SYMBOL;
            report->has_children |= kinds[k].kind == COLUMN_SELF;
        }
}

/* ---- rows ---- */

static bool read_share(struct span text, int64_t *share)
{
    if (!span_ends(text, SPAN("%")))
        return false;
    text.len--;
    return decimal_scaled(text, 2, share) && *share >= 0 && *share <= WHOLE;
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

static bool read_row(struct perf_report *report, struct span line)
{
    struct report_node row = {.self = UNKNOWN};
    struct frame frame = {.kind = KIND_HOST};
    struct span name = {0};
    bool has_share = false;
    uint32_t *known;

    for (size_t i = 0; i < report->column_count; i++) {
        struct report_column column = report->columns[i];
        struct span text;

        if (i + 1 == report->column_count)
            column.end = line.len;
        text = cell(&column, line);
        if (column.kind == COLUMN_OVERHEAD)
            has_share = read_share(text, &row.share);
        else if (column.kind == COLUMN_SELF && !read_share(text, &row.self))
            return false;
        else if (column.kind == COLUMN_OBJECT && text.len)
            frame.module = builder_intern(report->builder, text);
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
    frame.name = row.name = builder_intern(report->builder, name);
    row.frame = builder_frame(report->builder, &frame);
    known = idmap_at(&report->rows, row.name);
    if (*known == IDMAP_NONE)
        *known = row.frame;
    report->depth = 0;
    vector_add(&report->nodes, row);
    return true;
}

/* ---- the tree below a row ---- */

/* "|--94.84%--main", "--1.33%--main", "---main", or "main", which goes on from the step before. */
static bool read_step(struct perf_report *report, struct span line)
{
    struct span text = line;
    struct report_node step = {.share = UNKNOWN};
    size_t blanks = 0;

    while (blanks < line.len && (line.at[blanks] == ' ' || line.at[blanks] == '|'))
        blanks++;
    text = span_trim(span_after(line, blanks));
    if (text.len == 0)
        return true;
    if (report->depth == 0) /* the tree's margin is where its first mark stands */
        report->margin[0] = span_starts(text, SPAN("---")) ? blanks : blanks ? blanks - 1 : 0;
    if (span_starts(text, SPAN("---"))) {
        text = span_after(text, 3);
        step.depth = 1;
        report->margin[1] = blanks + 3;
    } else if (span_starts(text, SPAN("--"))) {
        size_t end = span_find(span_after(text, 2), SPAN("--"));

        if (end == SIZE_MAX || blanks == 0 ||
            !read_share((struct span){text.at + 2, end}, &step.share))
            return false;
        text = span_after(text, end + 4);
        while (report->depth > 0 && report->margin[report->depth] > blanks - 1)
            report->depth--;
        if (report->margin[report->depth] != blanks - 1 || report->depth == DEPTH_MAX)
            return false;
        step.depth = report->depth + 1;
        report->margin[step.depth] = blanks - 1 + BRANCH_WIDTH;
    } else {
        if (report->depth == 0 || report->depth == DEPTH_MAX ||
            report->margin[report->depth] != blanks)
            return false;
        step.depth = report->depth + 1;
        report->margin[step.depth] = blanks;
    }
    step.is_inlined = drop_inlined(&text);
    step.name = builder_intern(report->builder, text);
    report->depth = step.depth;
    vector_add(&report->nodes, step);
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
static void read_comment(struct perf_report *report, struct span line)
{
    uint64_t total;
    size_t at;

    if (take_after(&line, SPAN("# Samples: "))) {
        report->tables++;
        at = span_find(line, SPAN("event '"));
        if (report->tables == 1 && at != SIZE_MAX) {
            line = span_after(line, at + 7);
            report->event = builder_intern(report->builder, span_split(&line, '\''));
        }
    } else if (report->tables == 1 && take_after(&line, SPAN("# Event count (approx.): "))) {
        if (span_to_u64(line, &total) && total <= INT64_MAX)
            report->total = (int64_t)total;
    }
}

/* ---- what the trees are ---- */

static size_t tree_end(const struct perf_report *report, size_t row)
{
    size_t end = row + 1;

    while (end < report->nodes.count && report->nodes.list[end].depth)
        end++;
    return end;
}

/* A step that has no share of its own has that of the one before it, whose only one it is. A branch of
 * more than it hangs on is a share of that: then all of the file's are. */
static void complete_shares(struct perf_report *report)
{
    int64_t *path = grow_zeroed(DEPTH_MAX + 1, sizeof(*path));
    struct report_node *nodes = report->nodes.list;

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < report->nodes.count; i++) {
            int64_t share = nodes[i].share, above = nodes[i].depth ? path[nodes[i].depth - 1] : 0;

            if (share == UNKNOWN)
                share = above;
            else if (round && report->is_fractal && nodes[i].depth)
                share = checked_share(above, share, WHOLE);
            else if (nodes[i].depth && share > above + 1)
                report->is_fractal = true;
            if (round)
                nodes[i].share = share;
            path[nodes[i].depth] = share;
        }
    free(path);
}

/* A tree from the root down ends with the row's function, one from the function up begins with it. Where
 * rows are with what they call, each begins with the function, but those of what it did itself. */
static void find_order(struct perf_report *report)
{
    const struct report_node *nodes = report->nodes.list;
    uint64_t begin = 0, end = 0, otherwise = 0;

    for (size_t row = 0; row < report->nodes.count; row = tree_end(report, row)) {
        size_t after = tree_end(report, row);

        if (after == row + 1)
            continue;
        begin += nodes[row + 1].name == nodes[row].name;
        end += nodes[after - 1].name == nodes[row].name;
        for (size_t i = row + 1; i < after; i++)
            otherwise += nodes[i].depth == 1 && nodes[i].name != nodes[row].name;
    }
    report->is_caller_order = report->has_children ? otherwise > 0 : end > begin;
}

static int64_t figure_of(const struct perf_report *report, int64_t share)
{
    return checked_share(report->total, share, WHOLE);
}

/* ---- rows of what functions did themselves: stacks ---- */

/* What no step below accounts for is a stack that ends there. From the root down it ends in the row's
 * function all the same, through what perf did not show. */
static void add_stack(struct perf_report *report, const struct report_node *row,
                      const frame_id *path, uint32_t depth, int64_t share)
{
    struct builder *builder = report->builder;
    struct frame below = {.name = builder_intern(builder, SPAN("(below threshold)")),
                          .kind = KIND_OTHER};
    frame_id frames[DEPTH_MAX + 2];
    int64_t figure = figure_of(report, share);
    uint32_t count = 0;

    frames[count++] = row->frame;
    if (report->is_caller_order) {
        bool is_whole = depth && path[depth] == row->frame;

        if (depth && !is_whole)
            frames[count++] = builder_frame(builder, &below);
        for (uint32_t i = depth - is_whole; i > 0; i--)
            frames[count++] = path[i];
    } else {
        for (uint32_t i = 2; i <= depth; i++)
            frames[count++] = path[i];
    }
    builder_stack(builder_stacks(builder), frames, count, &figure);
}

static void add_stacks(struct perf_report *report)
{
    const struct report_node *nodes = report->nodes.list;
    frame_id path[DEPTH_MAX + 1];
    int64_t *below = grow_zeroed(report->nodes.count + 1, sizeof(*below)); /* of each node */
    size_t at[DEPTH_MAX + 1];

    for (size_t i = 0; i < report->nodes.count; i++) {
        at[nodes[i].depth] = i;
        if (nodes[i].depth)
            below[at[nodes[i].depth - 1]] += nodes[i].share;
    }
    for (size_t i = 0; i < report->nodes.count; i++) {
        at[nodes[i].depth] = i;
        path[nodes[i].depth] = nodes[i].frame;
        if (nodes[i].share > below[i])
            add_stack(report, &nodes[at[0]], path, nodes[i].depth, nodes[i].share - below[i]);
    }
    free(below);
}

/* ---- rows with what they call: a call graph ---- */

/* A function has a row for each command that ran it. */
static void add_functions(struct perf_report *report)
{
    struct callgraph_builder *graph = builder_callgraph(report->builder);
    struct VECTOR_OF(struct call_figures) functions = {0};

    for (size_t i = 0; i < report->nodes.count; i++) {
        const struct report_node *row = &report->nodes.list[i];
        struct call_figures *figures;
        uint32_t function;

        if (row->depth)
            continue;
        function = builder_function(graph, row->frame);
        while (functions.count <= function)
            vector_add(&functions, (struct call_figures){UNKNOWN, UNKNOWN, 0, 0});
        figures = &functions.list[function];
        figures->self = checked_add(figures->self, figure_of(report, row->self));
        figures->cum = checked_add(figures->cum, figure_of(report, row->share));
        builder_list(graph, function, figures);
    }
    free(functions.list);
}

static void add_calls(struct perf_report *report)
{
    struct callgraph_builder *graph = builder_callgraph(report->builder);
    const struct report_node *nodes = report->nodes.list;
    struct VECTOR_OF(struct report_edge) edges = {0};
    struct idmap edge_of = {0};
    size_t row = 0, first = 0;

    for (size_t i = 0; i < report->nodes.count; i++) {
        struct report_edge edge;
        uint32_t own, other, *known;

        if (nodes[i].depth == 0)
            row = i;
        if (nodes[i].depth == 1)
            first = i;
        if (nodes[i].depth != 2 || nodes[first].name != nodes[row].name)
            continue;
        own = builder_function(graph, nodes[row].frame);
        other = builder_function(graph, nodes[i].frame);
        edge = report->is_caller_order ? (struct report_edge){own, other, 0}
                                       : (struct report_edge){other, own, 0};
        known = idmap_at(&edge_of, idmap_pair(edge.caller, edge.callee));
        if (*known == IDMAP_NONE) {
            *known = (uint32_t)edges.count;
            vector_add(&edges, edge);
        }
        edges.list[*known].share = checked_add(edges.list[*known].share, nodes[i].share);
    }
    for (size_t i = 0; i < edges.count; i++) {
        int64_t share = edges.list[i].share < WHOLE ? edges.list[i].share : WHOLE;

        builder_call(graph, edges.list[i].caller, edges.list[i].callee,
                     &(struct call_figures){UNKNOWN, UNKNOWN, UNKNOWN, figure_of(report, share)});
    }
    idmap_free(&edge_of);
    free(edges.list);
}

/* ---- the whole ---- */

/* A row left out is less than perf's threshold, or the file is cut. */
static void check_rows(const struct perf_report *report)
{
    uint64_t rows = 0;
    int64_t found = 0;

    for (size_t i = 0; i < report->nodes.count; i++)
        if (report->nodes.list[i].depth == 0) {
            found = checked_add(found, report->nodes.list[i].self);
            rows++;
        }
    text_check_shares(report->builder, "the report", found, rows, 1);
}

static bool hand_over(struct perf_report *report, struct error *err)
{
    struct builder *builder = report->builder;
    struct span event = builder_text(builder, report->event), name = event;
    struct span clock = span_split(&name, ':');
    bool is_time = span_eq(clock, SPAN("cpu-clock")) || span_eq(clock, SPAN("task-clock"));
    struct value_name value = {event.len ? event : SPAN("events"), is_time ? UNIT_NS : UNIT_COUNT};

    if (!builder_begin(builder, report->has_children ? LEVEL_CALLGRAPH : LEVEL_CALLTREE, &value, 1,
                       0, err))
        return false;
    complete_shares(report);
    find_order(report);
    for (size_t i = 0; i < report->nodes.count; i++) {
        struct report_node *node = &report->nodes.list[i];
        uint32_t known = idmap_find(&report->rows, node->name);
        struct frame frame = {.name = node->name, .kind = KIND_HOST};

        if (node->depth)
            node->frame = known != IDMAP_NONE ? known : builder_frame(builder, &frame);
        builder_inlining(builder, node->frame, node->is_inlined);
    }
    if (report->has_children) {
        add_functions(report);
        add_calls(report);
    } else {
        add_stacks(report);
    }
    check_rows(report);
    builder_producer(builder, "perf report");
    warning_say(builder_warnings(builder), WARNING_NOTE,
                "figures are of shares as printed, to 0.01 %% of the events; perf leaves branches "
                "below its threshold out: perf script has them all");
    if (report->tables > 1)
        warning_count_many(builder_warnings(builder), WARNING_LOSS,
                           "tables of other events, left out", report->tables - 1);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct perf_report report = {.builder = builder, .total = UNKNOWN};
    uint64_t offset = input_offset(in);
    struct span line;
    bool ok = true;

    for (char titles[1024] = ""; input_line(in, &line); offset = input_offset(in))
        if (span_starts(line, SPAN("# ...")) && report.tables == 1) {
            read_widths(&report, line);
            name_columns(&report, span_of(titles));
        } else if (line.len && line.at[0] == '#') {
            read_comment(&report, line);
            snprintf(titles, sizeof(titles), "%.*s",
                     (int)(line.len < sizeof(titles) ? line.len : sizeof(titles) - 1), line.at);
        } else if (report.has_titles && line.len && report.tables <= 1) {
            struct span front = {line.at, line.len < 12 ? line.len : 12};
            bool is_row = memchr(front.at, '%', front.len) && !memchr(front.at, '-', front.len);

            if (is_row ? !read_row(&report, line)
                       : report.nodes.count == 0 || !read_step(&report, line))
                warning_count(builder_warnings(builder), WARNING_LOSS,
                              "lines that are neither a row nor a step of its tree, left out",
                              offset);
        }
    if (report.nodes.count == 0)
        ok = error_set_at(err, offset, 0, "no row of a table with a column Symbol is in it");
    else if (report.total == UNKNOWN)
        ok = error_set_at(err, offset, 0, "no line says what the shares are of");
    if (ok)
        ok = hand_over(&report, err);
    free(report.nodes.list);
    idmap_free(&report.rows);
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
