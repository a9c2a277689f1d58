/* SPDX-License-Identifier: Apache-2.0 */
/* Memory over time: allocated and reserved on each place, with the peak marked. */
#include "render/charts/charts.h"

#include <math.h>

#include "analysis/summary/summary.h"
#include "base/text/format.h"
#include "render/charts/chart.h"

enum { PLACES_MOST = 16, KEYS = 2 };

/* Pixels. */
enum { LEFT = 80, HEADING = 34, HEIGHT = 150, AXIS = 30, DOT = 4 };

/* Above the highest value. */
static const double HEADROOM = 1.12;

struct memory_drawing {
    const struct memory_curve *curve;
    struct chart chart;
    struct axis time;
    struct span places[PLACES_MOST];
    uint32_t place_count;
    bool has_more; /* places than are drawn */
};

/* One place's plot. */
struct panel {
    struct span place;
    struct axis bytes;
    struct svg_box plot;
    const struct memory_point *peak;
};

static void plan(struct memory_drawing *drawing, double width)
{
    double low = INFINITY, high = -INFINITY;

    for (uint32_t i = 0; i < drawing->curve->count; i++) {
        const struct memory_point *point = &drawing->curve->rows[i];
        uint32_t place = 0;

        low = fmin(low, (double)point->time);
        high = fmax(high, (double)point->time);
        while (place < drawing->place_count && !span_eq(drawing->places[place], point->place))
            place++;
        if (place < drawing->place_count)
            continue;
        if (drawing->place_count < PLACES_MOST)
            drawing->places[drawing->place_count++] = point->place;
        else
            drawing->has_more = true;
    }
    drawing->time = (struct axis){.low = low,
                                  .high = fmax(high, low + 1 + fabs(low) * 1e-9),
                                  .from = LEFT,
                                  .to = width - CHART_MARGIN};
}

static bool is_of(const struct panel *panel, const struct memory_point *point)
{
    return span_eq(point->place, panel->place);
}

static struct panel panel_of(const struct memory_drawing *drawing, uint32_t place, double y)
{
    struct panel panel = {.place = drawing->places[place]};
    int64_t most = 1;

    for (uint32_t i = 0; i < drawing->curve->count; i++) {
        const struct memory_point *point = &drawing->curve->rows[i];

        if (!is_of(&panel, point))
            continue;
        if (!panel.peak || point->allocated > panel.peak->allocated)
            panel.peak = point;
        most = point->allocated > most ? point->allocated : most;
        most = point->reserved > most ? point->reserved : most;
    }
    panel.plot = (struct svg_box){LEFT, y + HEADING, drawing->time.to - LEFT, HEIGHT};
    panel.bytes = (struct axis){
        .high = (double)most * HEADROOM, .from = panel.plot.y + HEIGHT, .to = panel.plot.y};
    return panel;
}

static double x_of(const struct memory_drawing *drawing, const struct memory_point *point)
{
    return axis_at(&drawing->time, (double)point->time);
}

static double y_of(const struct panel *panel, int64_t bytes)
{
    return axis_at(&panel->bytes, bytes > 0 ? (double)bytes : 0);
}

static void write_curves(struct memory_drawing *drawing, const struct panel *panel)
{
    struct svg *svg = &drawing->chart.svg;
    struct step_trail allocated, reserved;

    trail_init(&allocated, panel->plot.width, &drawing->chart.arena);
    trail_init(&reserved, panel->plot.width, &drawing->chart.arena);
    for (uint32_t i = 0; i < drawing->curve->count; i++) {
        const struct memory_point *point = &drawing->curve->rows[i];

        if (!is_of(panel, point))
            continue;
        if (point->allocated != UNKNOWN)
            trail_add(&allocated, x_of(drawing, point), y_of(panel, point->allocated));
        if (point->reserved != UNKNOWN)
            trail_add(&reserved, x_of(drawing, point), y_of(panel, point->reserved));
    }
    trail_end(&allocated, drawing->time.to);
    trail_end(&reserved, drawing->time.to);
    trail_write_area(svg, "area", &allocated, panel->plot.y + HEIGHT);
    if (reserved.count)
        trail_write(svg, "curve dashed c2", &reserved);
}

static const char *heading_of(struct memory_drawing *drawing, const struct panel *panel)
{
    struct arena *arena = &drawing->chart.arena;
    const char *place = panel->place.len ? arena_copy(arena, panel->place) : "memory";
    char bytes[FORMAT_LEN], time[FORMAT_LEN];

    if (panel->peak->allocated == UNKNOWN)
        return place;
    format_value(bytes, panel->peak->allocated, UNIT_BYTES);
    format_value(time, panel->peak->time, UNIT_NS);
    return arena_printf(arena, "%s: at most %s, at %s", place, bytes, time);
}

static void write_panel(struct memory_drawing *drawing, uint32_t place, double y)
{
    struct panel panel = panel_of(drawing, place, y);
    struct chart *chart = &drawing->chart;

    chart_text(chart, NULL, (struct svg_point){CHART_MARGIN, y + HEADING - 14}, ANCHOR_START,
               chart->width - 2 * CHART_MARGIN, span_of(heading_of(drawing, &panel)));
    axis_write_values(&chart->svg, &panel.bytes, panel.plot, UNIT_BYTES);
    axis_write_values(&chart->svg, &drawing->time, panel.plot, UNIT_NS);
    write_curves(drawing, &panel);
    svg_rectangle(&chart->svg, "frame", panel.plot);
    if (panel.peak->allocated != UNKNOWN)
        svg_circle(&chart->svg, "mark h6 c6", x_of(drawing, panel.peak),
                   y_of(&panel, panel.peak->allocated), DOT);
}

static void draw(const void *of, const struct report *report, FILE *out)
{
    struct memory_drawing drawing = {.curve = of};
    struct legend_key keys[KEYS] = {{.class = "area", .text = SPAN("allocated")},
                                    {.class = "mark hollow c2", .text = SPAN("reserved (dashed)")}};
    double legend, y;

    plan(&drawing, chart_width(report));
    legend = legend_lay_out(keys, KEYS, chart_width(report) - 2 * CHART_MARGIN, &drawing.chart.arena);
    chart_open(&drawing.chart, out, report, "Memory in use",
               drawing.place_count * (HEADING + HEIGHT + AXIS) + legend);
    y = drawing.chart.top;
    for (uint32_t i = 0; i < drawing.place_count; i++, y += HEADING + HEIGHT + AXIS)
        write_panel(&drawing, i, y);
    legend_write(&drawing.chart.svg, keys, KEYS, CHART_MARGIN, y);
    if (drawing.has_more)
        chart_text(&drawing.chart, "faint", (struct svg_point){drawing.chart.width - CHART_MARGIN, y + 10},
                   ANCHOR_END, drawing.chart.width / 2, SPAN("there are more places than these"));
    chart_close(&drawing.chart);
}

void memory_chart(const struct memory_curve *curve, struct report *report)
{
    report->chart = 
        (struct report_chart){.draw = draw, .subject = curve, .narrow = CHART_NARROW};
}
