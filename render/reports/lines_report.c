/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/functions/hotspots.h"
#include "base/checked.h"
#include "base/io/source_text.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "render/reports/report_columns.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct column function_columns[] = {
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "file", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "first_line", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "self", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "cum", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

#define LINE_COLUMNS                                                                               \
    {.key = "line", .kind = CELL_COUNT, .use = COLUMN_MACHINES},                                   \
        {.key = "hits", .kind = CELL_COUNT, .use = COLUMN_MACHINES},                               \
        {.key = "self", .kind = CELL_VALUE, .use = COLUMN_MACHINES},                               \
        {.key = "cum", .kind = CELL_VALUE, .use = COLUMN_MACHINES},                                \
        {.key = "share", .kind = CELL_SHARE, .use = COLUMN_MACHINES},                              \
        {.key = "source", .kind = CELL_TEXT, .use = COLUMN_MACHINES},                              \
    {                                                                                              \
        .key = "line", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true                   \
    }

/* The columns that users of line_profiler know. */
static const struct column counted_columns[] = {
    LINE_COLUMNS,
    {.key = "hits", .kind = CELL_COUNT, .use = COLUMN_PEOPLE},
    {.key = "time", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "per hit", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_heat = true},
    {.key = "source", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_code = true},
};

/* And those that users of pprof know. */
static const struct column sampled_columns[] = {
    LINE_COLUMNS,
    {.key = "flat", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "flat%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_heat = true},
    {.key = "cum", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "source", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_code = true},
};

struct lines_page {
    const struct lines *lines;
    const struct code_text *sources;
    const struct graph *graph;
    struct arena *arena;
    struct table *table; /* of lines */
};

static int64_t line_of(const struct lines_page *page, uint32_t at)
{
    const struct graph *graph = page->graph;

    return graph_frame(graph, graph->functions.frame[page->lines->rows[at]])->line;
}

static const struct code_text *text_of(const struct lines_page *page, uint32_t function)
{
    static const struct code_text none;

    return page->sources ? &page->sources[function] : &none;
}

/* Where the lines between a row and the one before it begin: nowhere after no known line. */
static int64_t between(const struct lines_page *page, uint32_t at)
{
    int64_t before = line_of(page, at - 1);

    return before > 0 ? before + 1 : line_of(page, at);
}

/* A line with neither hits nor time, as the one where a function begins, is a quiet one. */
static bool is_quiet(const struct lines_page *page, uint32_t of)
{
    const struct functions *f = &page->graph->functions;
    uint32_t row = page->lines->rows[of];

    return f->self[row] == 0 && f->cum[row] == 0 &&
           (f->calls[row] == 0 || f->calls[row] == UNKNOWN);
}

/* Of the time in no known line there is nothing to say where there is none. */
static bool is_nothing(const struct lines_page *page, uint32_t of)
{
    return line_of(page, of) == 0 && is_quiet(page, of);
}

/* How many rows a function takes: with its text also the lines in between. */
static uint32_t height_of(const struct lines_page *page, uint32_t index)
{
    const struct lines_function *function = &page->lines->functions[index];
    uint32_t height = function->count - is_nothing(page, function->first);

    for (uint32_t i = function->first + 1; i < function->first + function->count; i++)
        for (int64_t line = between(page, i);
             line < line_of(page, i) && code_text_line(text_of(page, index), line).at; line++)
            height++;
    return height;
}

/* Line numbers are looked up in editors: without commas. */
static void fill_number(struct row_writer *row, int64_t line, struct arena *arena)
{
    row_text(row, line ? span_of(arena_printf(arena, "%" PRId64, line)) : SPAN("?"));
}

/* A line between those that have figures. */
static void fill_quiet_line(const struct lines_page *page, uint32_t at, int64_t line,
                            struct span source)
{
    struct row_writer row = table_row(page->table, at);

    row_number(&row, line);
    for (int i = 0; i < 3; i++)
        row_figure(&row, UNKNOWN);
    row_real(&row, NAN);
    row_text(&row, source);
    fill_number(&row, line, page->arena);
    row_figure(&row, UNKNOWN);
    if (page->lines->has_hits) {
        row_figure(&row, UNKNOWN);
        row_figure(&row, UNKNOWN);
        row_real(&row, NAN);
    } else {
        row_real(&row, NAN);
        row_figure(&row, UNKNOWN);
    }
    row_text(&row, code_without_tabs(source, page->arena));
}

static void fill_line(const struct lines_page *page, uint32_t at, uint32_t of,
                      const struct lines_function *function, struct span source)
{
    const struct functions *f = &page->graph->functions;
    uint32_t line = page->lines->rows[of];
    double share = function->self ? share_of(f->self[line], function->self) : NAN;
    struct row_writer row = table_row(page->table, at);

    row_number(&row, line_of(page, of));
    row_figure(&row, f->calls[line]);
    row_figure(&row, f->self[line]);
    row_figure(&row, f->cum[line]);
    row_real(&row, share);
    row_text(&row, source);
    fill_number(&row, line_of(page, of), page->arena);
    if (page->lines->has_hits) {
        row_figure(&row, f->calls[line]);
        row_figure(&row, f->self[line]);
        row_per_call(&row, f->self[line], f->calls[line]);
        row_real(&row, share);
    } else {
        row_figure(&row, f->self[line]);
        row_real(&row, share);
        row_figure(&row, f->cum[line]);
    }
    row_text(&row, code_without_tabs(source, page->arena));
}

static uint32_t fill_lines(const struct lines_page *page, uint32_t index, uint32_t at)
{
    const struct lines_function *function = &page->lines->functions[index];
    const struct code_text *source = text_of(page, index);

    for (uint32_t i = function->first; i < function->first + function->count; i++) {
        int64_t line = line_of(page, i);

        if (is_nothing(page, i))
            continue;
        for (int64_t gap = i > function->first ? between(page, i) : line;
             gap < line && code_text_line(source, gap).at; gap++)
            fill_quiet_line(page, at++, gap, code_text_line(source, gap));
        if (is_quiet(page, i))
            fill_quiet_line(page, at++, line, code_text_line(source, line));
        else
            fill_line(page, at++, i, function, code_text_line(source, line));
    }
    return at;
}

static const char *figure_text(const struct lines_page *page, const char *what, int64_t figure)
{
    char value[FORMAT_LEN], share[FORMAT_LEN];

    return arena_printf(page->arena, "%s%s (%s)", what,
                        format_value(value, figure, graph_unit(page->graph)),
                        format_share(share, share_of(figure, page->lines->total)));
}

/* "w_lines.py:5(slow): 3.478 ms (40.33%)", and "flat 12 (42.86%), cum 20 (71.43%)" where it calls
 * others. */
static struct span describe(const struct lines_page *page, const struct lines_function *function)
{
    struct span label = frame_label_of_function(page->graph, function->frame, page->arena);
    bool has_cum = function->cum != UNKNOWN;
    const char *tail = arena_printf(
        page->arena, ": %s%s%s", figure_text(page, has_cum ? "flat " : "", function->self),
        has_cum ? ", " : "", has_cum ? figure_text(page, "cum ", function->cum) : "");
    char *text = arena_array(page->arena, label.len + strlen(tail) + 1, 1);

    memcpy(text, label.at, label.len);
    memcpy(text + label.len, tail, strlen(tail));
    return (struct span){text, label.len + strlen(tail)};
}

static void fill_functions(struct lines_page *page, struct table *outer)
{
    for (uint32_t i = 0; i < page->lines->count; i++) {
        const struct lines_function *function = &page->lines->functions[i];
        const struct frame *frame = graph_frame(page->graph, function->frame);
        int64_t begins_at = frame_begins_at(&page->graph->frames, function->frame);
        struct row_writer row = table_row(outer, i);

        row_text(&row, graph_text(page->graph, frame->name));
        row_text(&row, graph_text(page->graph, frame->file));
        row_number(&row, begins_at ? begins_at : frame->line);
        row_number(&row, function->self);
        row_figure(&row, function->cum);
        row_text(&row, describe(page, function));
        outer->first[i + 1] = fill_lines(page, i, outer->first[i]);
    }
}

static void tell_missing(const struct lines_page *page, struct report *report)
{
    uint32_t missing = 0, outside = 0;

    for (uint32_t i = 0; page->sources && i < page->lines->count; i++) {
        missing += !page->sources[i].path && !page->sources[i].is_outside;
        outside += page->sources[i].is_outside;
    }
    if (outside)
        report_afterf(report, page->arena,
                      "the source of %s is outside the working "
                      "directory and was not read; --source-path DIR allows "
                      "a folder, --source any all",
                      format_many(page->arena, outside, "function"));
    if (missing)
        report_afterf(report, page->arena,
                      "the source of %s was not found; --source-path DIR says where to look",
                      format_many(page->arena, missing, "function"));
    if (page->lines->left_out)
        report_afterf(report, page->arena, "%s; -n 0 shows all",
                      format_many(page->arena, page->lines->left_out, "more function"));
}

void lines_report(const struct lines *lines, const struct code_text *sources, struct arena *arena,
                  struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    const struct column *columns = lines->has_hits ? counted_columns : sampled_columns;
    uint32_t width = lines->has_hits ? COUNT_OF(counted_columns) : COUNT_OF(sampled_columns);
    struct table *outer = table_new(
        arena,
        columns_in_unit(arena, function_columns, COUNT_OF(function_columns), graph_unit(graph)),
        COUNT_OF(function_columns), lines->count, "rows", NULL);
    struct lines_page page = {lines, sources, graph, arena, NULL};
    uint32_t height = 0;

    for (uint32_t i = 0; i < lines->count; i++)
        height += height_of(&page, i);
    page.table = table_new(arena, columns_in_unit(arena, columns, width, graph_unit(graph)), width,
                           height, "lines", NULL);
    page.table->row = "line";
    outer->inner = page.table;
    outer->first = arena_array(arena, (size_t)lines->count + 1, sizeof(*outer->first));
    fill_functions(&page, outer);
    report->has_value = true;
    report_number(report, "total", lines->total);
    report_table(report, outer);
    tell_missing(&page, report);
}
