/* SPDX-License-Identifier: Apache-2.0 */
/* Bars: how two profiles differ, for the runs and for each function or part of the program. */
#include "render/charts/charts.h"

#include <math.h>

#include "analysis/compare/diff.h"
#include "analysis/compare/structure.h"
#include "base/checked.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"
#include "render/charts/chart.h"
#include "render/reports/reports.h"

enum { ROWS_MOST = 60, LINES_MOST = ROWS_MOST + 3, KEYS = 3 };

/* Pixels. */
enum {
    NAMES_MOST = 270,
    FIGURES_MOST = 150,
    BESIDE = 10,
    ROW = 22,
    BAR = 14,
    AXIS = 30,
    ABOVE = 6
};

/* What share of a narrow chart's width names and figures take at most. */
static const double NAMES_SHARE = 0.4, FIGURES_SHARE = 0.3;

static const double BAR_LEAST = 0.5;

/* What shares of the highest level the levels must span for the axis to begin at 0. */
static const double FROM_ZERO = 0.3;

/* One bar. A total stands on the axis' side, a change floats from one level to the next. */
struct diff_line {
    const char *name, *figure;
    double from, to;
    bool is_total;
};

/* What is drawn: functions, or where these are known parts of the program. */
struct diff_subject {
    const struct difference *difference;
    const struct diff *diff;
    const struct structure *structure;
    const struct structure_difference *parts; /* NULL: functions */
};

struct diff_drawing {
    const struct diff_subject *of;
    bool floats; /* from one level to the next: figures add up */
    struct chart chart;
    struct axis axis;
    enum unit unit;
    double width, names, figures; /* pixels: the chart's, and those of its texts */
    struct diff_line lines[LINES_MOST];
    uint32_t count;
    double level; /* after the lines so far */
};

static const struct legend_key texts[KEYS] = {
    {.class = "h6", .text = LITERAL("grew")},
    {.class = "h1", .text = LITERAL("shrank")},
    {.class = "h0", .text = LITERAL("total")},
};

/* ---- lines ---- */

/* Of parts a step's mean, as their rows have it. */
static int64_t total_of(const struct diff_drawing *drawing, enum diff_end end)
{
    const struct structure_difference *parts = drawing->of->parts;

    return parts ? llround(structure_total_each(parts, end)) : drawing->of->difference->total[end];
}

static void add_total(struct diff_drawing *drawing, const char *name, enum diff_end end)
{
    int64_t total = total_of(drawing, end);
    char text[FORMAT_LEN];

    format_value(text, total, drawing->unit);
    drawing->lines[drawing->count++] =
        (struct diff_line){.name = name,
                           .figure = arena_printf(&drawing->chart.arena, "%s", text),
                           .to = (double)total,
                           .is_total = true};
    drawing->level = (double)total;
}

static void add_change(struct diff_drawing *drawing, const char *name, int64_t old, int64_t new,
                       bool has_growth)
{
    int64_t change = checked_sub(new, old);
    double from = drawing->floats ? drawing->level : 0;
    const char *figure = diff_value_text((double)change, drawing->unit, &drawing->chart.arena);

    if (has_growth)
        figure = arena_printf(&drawing->chart.arena, "%s %s", figure,
                              diff_growth_text(old, new, &drawing->chart.arena));
    drawing->lines[drawing->count++] = (struct diff_line){
        .name = name, .figure = figure, .from = from, .to = from + (double)change};
    drawing->level = from + (double)change;
}

static void add_function(struct diff_drawing *drawing, const struct diff_row *row)
{
    const struct graph *names = &drawing->of->diff->names;
    const int64_t *figure = drawing->of->difference->is_cum ? row->cum : row->self;
    struct span label = graph_short_name(names, row->after ? row->after : row->before);

    add_change(drawing, arena_copy(&drawing->chart.arena, label), figure[DIFF_BEFORE],
               figure[DIFF_AFTER], true);
}

static void add_part(struct diff_drawing *drawing, const struct structure_row *row)
{
    struct span label = structure_part_text(drawing->of->structure, row, &drawing->chart.arena);

    add_change(drawing, label.at, llround(row->each[DIFF_BEFORE]), llround(row->each[DIFF_AFTER]),
               true);
}

/* What the rows that are drawn leave of the whole change; of parts also what rounding does. */
static void add_rest(struct diff_drawing *drawing)
{
    int64_t rest = checked_sub(total_of(drawing, DIFF_AFTER), (int64_t)llround(drawing->level));

    if (rest)
        add_change(drawing, drawing->of->parts ? "all other parts" : "all other functions", 0, rest,
                   false);
}

static void collect(struct diff_drawing *drawing)
{
    const struct structure_difference *parts = drawing->of->parts;
    uint32_t all = parts ? parts->count : drawing->of->difference->count;
    uint32_t rows = all < ROWS_MOST ? all : ROWS_MOST;

    if (drawing->floats)
        add_total(drawing, "before", DIFF_BEFORE);
    for (uint32_t i = 0; i < rows; i++) {
        if (parts)
            add_part(drawing, &parts->rows[i]);
        else
            add_function(drawing, &drawing->of->difference->rows[i]);
    }
    if (drawing->floats) {
        add_rest(drawing);
        add_total(drawing, "after", DIFF_AFTER);
    }
}

/* ---- the axis, between names and figures ---- */

static double width_of(struct diff_drawing *drawing, const char *text)
{
    return text_width(escape_plain(&drawing->chart.arena, span_of(text))) * CHART_TEXT;
}

/* The room of the longest text, as far as the chart is wide enough for bars beside it. */
static void measure(struct diff_drawing *drawing)
{
    for (uint32_t i = 0; i < drawing->count; i++) {
        const struct diff_line *line = &drawing->lines[i];

        drawing->names = fmax(drawing->names, width_of(drawing, line->name));
        drawing->figures = fmax(drawing->figures, width_of(drawing, line->figure));
    }
    drawing->names = fmin(drawing->names + BESIDE, fmin(NAMES_MOST, drawing->width * NAMES_SHARE));
    drawing->figures =
        fmin(drawing->figures + BESIDE, fmin(FIGURES_MOST, drawing->width * FIGURES_SHARE));
}

static void lay_out(struct diff_drawing *drawing)
{
    double low = INFINITY, high = -INFINITY, slack;

    measure(drawing);

    for (uint32_t i = 0; i < drawing->count; i++) {
        const struct diff_line *line = &drawing->lines[i];

        low = fmin(low, line->is_total ? line->to : fmin(line->from, line->to));
        high = fmax(high, line->is_total ? line->to : fmax(line->from, line->to));
    }
    if (!drawing->count)
        low = high = 0;
    slack = fmax((high - low) * 0.08, fmax(fabs(high) * 1e-6, 1));
    if (low >= 0 && high - low >= FROM_ZERO * high)
        low = 0;
    drawing->axis = (struct axis){.low = low > 0 || low < 0 ? low - slack : 0,
                                  .high = high + slack,
                                  .from = CHART_MARGIN + drawing->names,
                                  .to = drawing->width - CHART_MARGIN - drawing->figures};
}

/* ---- bars ---- */

static void write_bar(struct diff_drawing *drawing, const struct diff_line *line, double y)
{
    struct svg *svg = &drawing->chart.svg;
    double from = line->is_total ? drawing->axis.from : axis_at(&drawing->axis, line->from);
    double to = axis_at(&drawing->axis, line->to);
    const char *class = line->is_total ? "h0" : line->to > line->from ? "h6" : "h1";

    svg_begin(svg, "g");
    svg_text_attribute(svg, "class", "delta");
    svg_tooltip(svg,
                span_of(arena_printf(&drawing->chart.arena, "%s\n%s", line->name, line->figure)));
    svg_rectangle(svg, class,
                  (struct svg_box){fmin(from, to), y + (ROW - BAR) / 2.0,
                                   fmax(fabs(to - from), BAR_LEAST), BAR});
    svg_end(svg);
}

static void write_line(struct diff_drawing *drawing, uint32_t index, double y)
{
    const struct diff_line *line = &drawing->lines[index];
    double to = axis_at(&drawing->axis, line->to), text = y + ROW / 2.0 + 4;

    write_bar(drawing, line, y);
    if (index + 1 < drawing->count && drawing->floats)
        svg_line(&drawing->chart.svg, "fine", to, y + ROW - (ROW - BAR) / 2.0, to,
                 y + ROW + (ROW - BAR) / 2.0);
    chart_text(&drawing->chart, NULL, (struct svg_point){CHART_MARGIN, text}, ANCHOR_START,
               drawing->names - BESIDE + 0.5, span_of(line->name));
    chart_text(&drawing->chart, NULL, (struct svg_point){drawing->width - CHART_MARGIN, text},
               ANCHOR_END, drawing->figures - BESIDE + 0.5, span_of(line->figure));
}

/* The bars of the totals are cut: that is said. */
static void write_break(struct diff_drawing *drawing, double y)
{
    char low[FORMAT_LEN];

    format_value(low, llround(drawing->axis.low), drawing->unit);
    chart_text(&drawing->chart, "faint", (struct svg_point){drawing->width - CHART_MARGIN, y + 10},
               ANCHOR_END, drawing->width / 2,
               span_of(arena_printf(&drawing->chart.arena, "the axis begins at %s", low)));
}

/* ---- the whole ---- */

static void draw(const void *of, const struct report *report, FILE *out)
{
    const struct diff_subject *subject = of;
    struct diff_drawing drawing = {.of = subject,
                                   .width = chart_width(report),
                                   .floats = subject->parts || !subject->difference->is_cum,
                                   .unit = subject->parts ? UNIT_NS
                                                          : graph_unit(&subject->diff->names)};
    struct legend_key keys[KEYS] = {texts[0], texts[1], texts[2]};
    double legend, y;

    collect(&drawing);
    lay_out(&drawing);
    legend = legend_lay_out(keys, KEYS, drawing.width - 2 * CHART_MARGIN, &drawing.chart.arena);
    chart_open(&drawing.chart, out, report, "Difference",
               ABOVE + drawing.count * ROW + AXIS + legend);
    y = drawing.chart.top + ABOVE;
    axis_write_values(&drawing.chart.svg, &drawing.axis,
                      (struct svg_box){drawing.axis.from, y, drawing.axis.to - drawing.axis.from,
                                       drawing.count * ROW},
                      drawing.unit);
    for (uint32_t i = 0; i < drawing.count; i++)
        write_line(&drawing, i, y + i * ROW);
    legend_write(&drawing.chart.svg, keys, KEYS, CHART_MARGIN, y + drawing.count * ROW + AXIS);
    if (drawing.floats && drawing.axis.low > 0)
        write_break(&drawing, y + drawing.count * ROW + AXIS);
    chart_close(&drawing.chart);
}

static void chart_of(struct diff_subject subject, struct arena *arena, struct report *report)
{
    struct diff_subject *kept = arena_alloc(arena, sizeof(*kept));

    *kept = subject;
    report->chart = (struct report_chart){.draw = draw, .subject = kept, .narrow = CHART_NARROW};
}

void diff_chart(const struct difference *difference, const struct diff *diff, struct arena *arena,
                struct report *report)
{
    chart_of((struct diff_subject){.difference = difference, .diff = diff}, arena, report);
}

void structure_chart(const struct structure *structure, const struct structure_difference *parts,
                     struct arena *arena, struct report *report)
{
    chart_of((struct diff_subject){.structure = structure, .parts = parts}, arena, report);
}
