/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with the lines that cost something, and their source. */
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

/* A line with figures, or one between such. */
struct lines_row {
    int64_t line, hits, self, cum; /* or UNKNOWN */
    double share;
    struct span source, shown;
    const char *number;
};

/* Line numbers are looked up in editors: people see them without commas. */
#define LINE_COLUMNS                                                                               \
    COUNT_AT("line", line, FOR_MACHINES), COUNT_AT("hits", hits, FOR_MACHINES),                    \
        VALUE_AT("self", self, FOR_MACHINES), VALUE_AT("cum", cum, FOR_MACHINES),                  \
        SHARE_AT("share", share, FOR_MACHINES), TEXT_AT("source", source, FOR_MACHINES),           \
        TEXT_AT("line", number, FOR_PEOPLE, .is_right = true)

static struct table *begin_lines(const struct lines *lines, const struct table_context *context,
                                 uint32_t room)
{
    typedef struct lines_row row;
    /* The columns that users of line_profiler know. */
    static const struct column counted_columns[] = {
        LINE_COLUMNS,
        COUNT_AT("hits", hits, FOR_PEOPLE),
        VALUE_AT("time", self, FOR_PEOPLE),
        MEAN_OF("per hit", self, hits, FOR_PEOPLE),
        SHARE_AT("%", share, FOR_PEOPLE, .is_heat = true),
        TEXT_AT("source", shown, FOR_PEOPLE, .is_code = true),
    };

    /* And those that users of pprof know. */
    static const struct column sampled_columns[] = {
        LINE_COLUMNS,
        VALUE_AT("flat", self, FOR_PEOPLE),
        SHARE_AT("flat%", share, FOR_PEOPLE, .is_heat = true),
        VALUE_AT("cum", cum, FOR_PEOPLE),
        TEXT_AT("source", shown, FOR_PEOPLE, .is_code = true),
    };
    struct table *table = lines->has_hits
                              ? TABLE_BEGIN(context, counted_columns, room, "lines", NULL)
                              : TABLE_BEGIN(context, sampled_columns, room, "lines", NULL);

    table->row = "line";
    return table;
}

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

static void add_row(const struct lines_page *page, struct lines_row line)
{
    line.number = line.line ? arena_printf(page->arena, "%" PRId64, line.line) : "?";
    line.shown = code_without_tabs(line.source, page->arena);
    table_add(page->table, &line);
}

/* A line between those that have figures. */
static void add_quiet_line(const struct lines_page *page, int64_t line, struct span source)
{
    add_row(page, (struct lines_row){.line = line,
                                     .hits = UNKNOWN,
                                     .self = UNKNOWN,
                                     .cum = UNKNOWN,
                                     .share = NAN,
                                     .source = source});
}

static void add_line(const struct lines_page *page, uint32_t of,
                     const struct lines_function *function, struct span source)
{
    const struct functions *f = &page->graph->functions;
    uint32_t at = page->lines->rows[of];

    add_row(page, (struct lines_row){.line = line_of(page, of),
                                     .hits = f->calls[at],
                                     .self = f->self[at],
                                     .cum = f->cum[at],
                                     .share = function->self ? share_of(f->self[at], function->self)
                                                             : NAN,
                                     .source = source});
}

static void add_lines(const struct lines_page *page, uint32_t index)
{
    const struct lines_function *function = &page->lines->functions[index];
    const struct code_text *source = text_of(page, index);

    for (uint32_t i = function->first; i < function->first + function->count; i++) {
        int64_t line = line_of(page, i);

        if (is_nothing(page, i))
            continue;
        for (int64_t gap = i > function->first ? between(page, i) : line;
             gap < line && code_text_line(source, gap).at; gap++)
            add_quiet_line(page, gap, code_text_line(source, gap));
        if (is_quiet(page, i))
            add_quiet_line(page, line, code_text_line(source, line));
        else
            add_line(page, i, function, code_text_line(source, line));
    }
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

static struct table *functions_table(const struct lines_page *page,
                                     const struct table_context *context)
{
    typedef struct {
        frame_id frame;
        str_id file;
        int64_t first_line, self, cum;
        struct span heading;
    } row;
    static const struct column columns[] = {
        TEXT_BY(cell_frame_name, "name", frame, FOR_MACHINES),
        STRING_AT("file", file, FOR_MACHINES),
        COUNT_AT("first_line", first_line, FOR_MACHINES),
        VALUE_AT("self", self, FOR_MACHINES),
        VALUE_AT("cum", cum, FOR_MACHINES),
        TEXT_AT("function", heading, FOR_PEOPLE, .is_path = true),
    };
    uint32_t count = page->lines->count;
    struct table *table = TABLE_BEGIN(context, columns, count, "rows", NULL);

    table->inner = page->table;
    table->first = arena_array(page->arena, (size_t)count + 1, sizeof(*table->first));
    for (uint32_t i = 0; i < count; i++) {
        const struct lines_function *function = &page->lines->functions[i];
        const struct frame *frame = graph_frame(page->graph, function->frame);
        int64_t begins_at = frame_begins_at(&page->graph->frames, function->frame);

        TABLE_ADD(table, function->frame, frame->file, begins_at ? begins_at : frame->line,
                  function->self, function->cum, describe(page, function));
        add_lines(page, i);
        table->first[i + 1] = page->table->height;
    }
    return table;
}

static void write_missing(const struct lines_page *page, struct report *report)
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
    struct table_context context = graph_context(graph, arena);
    struct lines_page page = {lines, sources, graph, arena, NULL};
    uint32_t height = 0;

    for (uint32_t i = 0; i < lines->count; i++)
        height += height_of(&page, i);
    page.table = begin_lines(lines, &context, height);
    report->has_value = true;
    report_value(report, "total", lines->total, graph_unit(report->inputs[0].graph));
    report_table(report, functions_table(&page, &context));
    write_missing(&page, report);
}
