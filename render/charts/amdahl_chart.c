/* SPDX-License-Identifier: Apache-2.0 */
/* Curves: how much faster the whole gets with each part. */
#include "render/charts/charts.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/execution/amdahl.h"
#include "base/text/escape.h"
#include "graph/classify/function_class.h"
#include "graph/names/names.h"
#include "render/charts/chart.h"
#include "render/reports/reports.h"

enum { CURVES_MOST = 6, ROWS_MOST = 40, Y_TICKS = 7 };

/* Pixels. The plot's right end is a part that takes no time at all. Beside it stand the curves' names,
 * in a narrow chart their numbers alone. */
enum { LEFT = 70, LAST_POINT = 40, HEIGHT = 340, NAMES = 198, NUMBERS = 26, LABEL = 18 };
enum { ABOVE = 8, BELOW = 44, MARK = 8, ASIDE = 10 };

struct amdahl_drawing {
    const struct amdahl *amdahl;
    const struct report *report;
    struct chart chart;
    struct svg_box plot;
    double right; /* its end, in pixels */
    struct axis x, y;
    uint32_t curves; /* the first rows have one */
};

static const char *const lines[] = {"curve c1", "curve c2", "curve c3",
                                    "curve c4", "curve c6", "curve c7"};
static const char *const low_lines[] = {"curve dashed c1", "curve dashed c2", "curve dashed c3",
                                        "curve dashed c4", "curve dashed c6", "curve dashed c7"};
static const char *const limits[] = {"curve dotted c1", "curve dotted c2", "curve dotted c3",
                                     "curve dotted c4", "curve dotted c6", "curve dotted c7"};
static const char *const bands[] = {"faded h1", "faded h2", "faded h3",
                                    "faded h4", "faded h6", "faded h7"};
static const char *const marks[] = {"mark h1 c1", "mark h2 c2", "mark h3 c3",
                                    "mark h4 c4", "mark h6 c6", "mark h7 c7"};

/* ---- the ground ---- */

static void lay_out(struct amdahl_drawing *drawing, double target, double width)
{
    const struct amdahl *amdahl = drawing->amdahl;
    double most = fmax(1.02, target);

    for (uint32_t i = 0; i < amdahl->count && i < CURVES_MOST && amdahl->rows[i].curve; i++) {
        const struct amdahl_row *row = &amdahl->rows[i];
        double last = row->curve[AMDAHL_POINTS - 1].high;

        /* Limits beyond what 64 times faster gives are not worth the room. */
        most = fmax(most, fmin(row->limit.high, 1 + 1.2 * (last - 1)));
        drawing->curves++;
    }
    drawing->right = width - CHART_MARGIN - (width < CHART_WIDTH ? NUMBERS : NAMES);
    drawing->x = (struct axis){.low = 1,
                               .high = amdahl_point(AMDAHL_POINTS - 1),
                               .from = LEFT,
                               .to = drawing->right - LAST_POINT,
                               .is_log = true};
    drawing->y = (struct axis){.low = 1, .high = 1 + 1.06 * (most - 1), .from = HEIGHT};
}

static void write_axes(struct amdahl_drawing *drawing)
{
    struct svg *svg = &drawing->chart.svg;
    const struct svg_box *plot = &drawing->plot;
    double bottom = plot->y + plot->height;
    char text[16];

    axis_write_numbers(svg, &drawing->y, *plot, Y_TICKS, "x");
    for (uint32_t i = 0; i < AMDAHL_POINTS; i += 4) {
        snprintf(text, sizeof(text), "%.0fx", amdahl_point(i));
        axis_write_tick(svg, &drawing->x, *plot, amdahl_point(i), text);
    }
    svg_label(svg, "faint", drawing->right, bottom + AXIS_TEXT_BELOW, ANCHOR_MIDDLE, SPAN("no limit"));
    svg_rectangle(svg, "frame", *plot);
    svg_label(svg, NULL, plot->x + plot->width / 2, bottom + 32, ANCHOR_MIDDLE,
              SPAN("how many times faster the part gets"));
    svg_turned_label(svg, NULL, CHART_MARGIN + 10, plot->y + plot->height / 2, -90, ANCHOR_MIDDLE,
                     SPAN("how much faster the whole gets"));
}

static void write_target(struct amdahl_drawing *drawing, double target)
{
    struct svg *svg = &drawing->chart.svg;
    double y = axis_at(&drawing->y, target);

    if (target <= 1)
        return;
    svg_line(svg, "strong", LEFT, y, drawing->right, y);
    svg_label(svg, NULL, LEFT + 6, y - 5, ANCHOR_START,
              span_of(arena_printf(&drawing->chart.arena, "target: %.4gx", target)));
}

/* ---- curves ---- */

/* Points above the plot end on its upper side. */
static struct svg_point point_of(const struct amdahl_drawing *drawing, double x, double gain)
{
    return (struct svg_point){
        x, fmax(axis_at(&drawing->y, fmin(gain, drawing->y.high)), drawing->plot.y)};
}

static void trace(const struct amdahl_drawing *drawing, const struct amdahl_row *row, bool is_high,
                  struct svg_point *points)
{
    for (uint32_t i = 0; i < AMDAHL_POINTS; i++)
        points[i] = point_of(drawing, axis_at(&drawing->x, amdahl_point(i)),
                             is_high ? row->curve[i].high : row->curve[i].low);
}

static void write_band(struct amdahl_drawing *drawing, uint32_t index)
{
    const struct amdahl_row *row = &drawing->amdahl->rows[index];
    struct svg_point high[AMDAHL_POINTS], low[AMDAHL_POINTS], around[2 * AMDAHL_POINTS];

    if (!(row->limit.high - row->limit.low > 0.002))
        return;
    trace(drawing, row, true, high);
    trace(drawing, row, false, low);
    for (uint32_t i = 0; i < AMDAHL_POINTS; i++) {
        around[i] = high[i];
        around[2 * AMDAHL_POINTS - 1 - i] = low[i];
    }
    svg_path(&drawing->chart.svg, bands[index], around, 2 * AMDAHL_POINTS, true);
    svg_path(&drawing->chart.svg, low_lines[index], low, AMDAHL_POINTS, false);
}

static struct span curve_name(struct amdahl_drawing *drawing, const struct amdahl_row *row)
{
    const struct graph *graph = drawing->report->inputs[0].graph;

    return graph_short_name(graph, row->frame);
}

static void write_curve(struct amdahl_drawing *drawing, uint32_t index)
{
    const struct amdahl_row *row = &drawing->amdahl->rows[index];
    struct svg *svg = &drawing->chart.svg;
    struct svg_point points[AMDAHL_POINTS];
    struct svg_point end = point_of(drawing, drawing->right, row->limit.high);
    struct span name = escape_plain(&drawing->chart.arena, curve_name(drawing, row));

    trace(drawing, row, true, points);
    svg_begin(svg, "g");
    svg_text_attribute(svg, "class", "part");
    svg_tooltip(svg, span_of(arena_printf(&drawing->chart.arena, "%" PRIu32 ": %.*s", index + 1,
                                          (int)name.len, name.at)));
    svg_path(svg, lines[index], points, AMDAHL_POINTS, false);
    if (row->limit.high <= drawing->y.high)
        svg_line(svg, limits[index], LEFT, end.y, drawing->right, end.y);
    svg_end(svg);
}

/* ---- names at the right ---- */

static void write_name(struct amdahl_drawing *drawing, uint32_t index, double y)
{
    const struct amdahl_row *row = &drawing->amdahl->rows[index];
    struct arena *arena = &drawing->chart.arena;
    struct svg *svg = &drawing->chart.svg;
    struct span name = escape_plain(arena, curve_name(drawing, row));
    double end = point_of(drawing, drawing->right, row->limit.high).y;
    double x = drawing->right + ASIDE + 2 * MARK;

    svg_line(svg, limits[index], drawing->right, end, x - MARK, y);
    svg_circle(svg, marks[index], x, y, MARK);
    svg_label(svg, "small", x, y + 3.5, ANCHOR_MIDDLE,
              span_of(arena_printf(arena, "%" PRIu32, index + 1)));
    x += MARK + 4;
    chart_text(&drawing->chart, NULL, (struct svg_point){x, y + 4}, ANCHOR_START,
               drawing->chart.width - CHART_MARGIN - x,
               span_of(arena_printf(arena, "%s %.*s", amdahl_gain_text(&row->limit, arena),
                                    (int)name.len, name.at)));
}

/* Rows come with the largest limit first, so their ends go down. */
static void write_names(struct amdahl_drawing *drawing)
{
    double y[CURVES_MOST];

    for (uint32_t i = 0; i < drawing->curves; i++)
        y[i] = point_of(drawing, drawing->right, drawing->amdahl->rows[i].limit.high).y;
    placement_spread(y, drawing->curves, LABEL, drawing->plot.y + MARK,
                     drawing->plot.y + drawing->plot.height - MARK);
    for (uint32_t i = 0; i < drawing->curves; i++)
        write_name(drawing, i, y[i]);
}

/* ---- the whole ---- */

/* The first table that is for people alone, else the first of all. */
static void write_table(struct amdahl_drawing *drawing, uint32_t rows, double y)
{
    const struct report *report = drawing->report;
    const char **row_marks = arena_array(&drawing->chart.arena, rows, sizeof(*row_marks));
    uint32_t table = 0;

    while (table < report->table_count && report->tables[table]->use != COLUMN_PEOPLE)
        table++;
    for (uint32_t i = 0; i < drawing->curves && i < rows; i++)
        row_marks[i] = marks[i];
    chart_table_write(&drawing->chart, report->tables[table < report->table_count ? table : 0],
                      row_marks, rows, y);
}

struct amdahl_subject {
    const struct amdahl *amdahl;
    double target;
};

static void draw(const void *of, const struct report *report, FILE *out)
{
    const struct amdahl_subject *subject = of;
    const struct amdahl *amdahl = subject->amdahl;
    struct amdahl_drawing drawing = {.amdahl = amdahl, .report = report};
    uint32_t rows = amdahl->count < ROWS_MOST ? amdahl->count : ROWS_MOST;
    double top;

    lay_out(&drawing, subject->target, chart_width(report));
    chart_open(&drawing.chart, out, report, "Amdahl",
               ABOVE + HEIGHT + BELOW + chart_table_height(rows));
    top = drawing.chart.top + ABOVE;
    drawing.plot = (struct svg_box){LEFT, top, drawing.right - LEFT, HEIGHT};
    drawing.y.from += top;
    drawing.y.to += top;
    write_axes(&drawing);
    for (uint32_t i = drawing.curves; i-- > 0;)
        write_band(&drawing, i);
    for (uint32_t i = drawing.curves; i-- > 0;)
        write_curve(&drawing, i);
    write_target(&drawing, subject->target);
    write_names(&drawing);
    write_table(&drawing, rows, top + HEIGHT + BELOW);
    chart_close(&drawing.chart);
}

void amdahl_chart(const struct amdahl *amdahl, const struct amdahl_options *options,
                  struct arena *arena, struct report *report)
{
    struct amdahl_subject *subject = arena_alloc(arena, sizeof(*subject));

    *subject = (struct amdahl_subject){amdahl, options->target};
    report->chart = (struct report_chart){.draw = draw, .subject = subject, .narrow = CHART_NARROW};
}
