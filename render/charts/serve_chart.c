/* SPDX-License-Identifier: Apache-2.0 */
/* serve_chart.c — the steps of a server over time, and the time of decode steps over their batch */
#include "render/charts/charts.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/serving/serve.h"
#include "base/text/format.h"
#include "render/charts/chart.h"

/* Pixels. */
enum { LEFT = 80, RIGHT = 20, HEIGHT = 240, GAP = 70, BELOW = 44, DOT = 3 };

/* By enum serving_stage. */
static const char *const dots[STAGE_COUNT] = {
    [STAGE_PREFILL] = "mark h2 c2", [STAGE_DECODE] = "mark h1 c1", [STAGE_MIXED] = "mark h3 c3",
    [STAGE_DRAFT] = "mark h4 c4",   [STAGE_DUMMY] = "mark h7 c7",  [STAGE_OTHER] = "mark h6 c6"};
static const char *const squares[STAGE_COUNT] = {
    [STAGE_PREFILL] = "h2", [STAGE_DECODE] = "h1", [STAGE_MIXED] = "h3",
    [STAGE_DRAFT] = "h4",   [STAGE_DUMMY] = "h7",  [STAGE_OTHER] = "h6"};

struct serve_drawing {
    const struct serve *serve;
    struct chart chart;
    struct svg_box plot;
    struct axis x, y;
};

static void begin_plot(struct serve_drawing *drawing, double top)
{
    drawing->plot = (struct svg_box){LEFT, top, drawing->chart.width - RIGHT - LEFT, HEIGHT};
    drawing->x.from = LEFT;
    drawing->x.to = drawing->chart.width - RIGHT;
    drawing->y.from = top + HEIGHT;
    drawing->y.to = top;
}

static void write_titles(struct serve_drawing *drawing, struct span below)
{
    struct svg *svg = &drawing->chart.svg;
    const struct svg_box *plot = &drawing->plot;

    svg_rectangle(svg, "frame", *plot);
    svg_label(svg, NULL, plot->x + plot->width / 2, plot->y + plot->height + 32, ANCHOR_MIDDLE,
              below);
    svg_turned_label(svg, NULL, CHART_MARGIN + 6, plot->y + plot->height / 2, -90, ANCHOR_MIDDLE,
                     SPAN("device time of a step"));
}

static void write_dot(struct serve_drawing *drawing, const struct serving_step *step, double x)
{
    struct svg *svg = &drawing->chart.svg;
    struct span stage = serving_step_stage(step);
    char time[FORMAT_LEN];

    svg_begin(svg, "g");
    svg_tooltip(svg, span_of(arena_printf(&drawing->chart.arena, "%.*s: %s", (int)stage.len,
                                          stage.at, format_value(time, step->busy, UNIT_NS))));
    svg_circle(svg, dots[step->label->stage], axis_at(&drawing->x, x),
               axis_at(&drawing->y, (double)step->busy), DOT);
    svg_end(svg);
}

/* ---- over time ---- */

static void draw_over_time(struct serve_drawing *drawing)
{
    const struct serving_steps *steps = &drawing->serve->steps;
    int64_t first = INT64_MAX, last = INT64_MIN, most = 1;

    for (uint32_t i = 0; i < steps->count; i++) {
        const struct serving_step *step = &steps->list[i];

        if (step->first == UNKNOWN)
            continue;
        first = step->first < first ? step->first : first;
        last = step->first > last ? step->first : last;
        most = step->busy > most ? step->busy : most;
    }
    drawing->x.low = 0;
    drawing->x.high = last > first ? (double)(last - first) : 1;
    drawing->y.low = 0;
    drawing->y.high = 1.05 * (double)most;
    axis_write_values(&drawing->chart.svg, &drawing->x, drawing->plot, UNIT_NS);
    axis_write_values(&drawing->chart.svg, &drawing->y, drawing->plot, UNIT_NS);
    write_titles(drawing, SPAN("when its device work began"));
    for (uint32_t i = 0; i < steps->count; i++)
        if (steps->list[i].first != UNKNOWN)
            write_dot(drawing, &steps->list[i], (double)(steps->list[i].first - first));
}

/* ---- decode steps over their batch ---- */

static bool has_batch(const struct serving_step *step)
{
    return step->label->stage == STAGE_DECODE && step->label->generation_tokens != UNKNOWN &&
           step->first != UNKNOWN && !step->is_recomputing;
}

/* The line over tokens alone. */
static void write_fit(struct serve_drawing *drawing)
{
    for (uint32_t i = 0; i < drawing->serve->fit_count; i++) {
        const struct serve_fit *fit = &drawing->serve->fits[i];
        double low = fit->fixed + fit->each * (double)fit->from;
        double high = fit->fixed + fit->each * (double)fit->to;

        if (fit->by == FIT_TOKENS && !fit->has_recomputing)
            svg_line(&drawing->chart.svg, "strong", axis_at(&drawing->x, (double)fit->from),
                     axis_at(&drawing->y, fmax(low, 0)), axis_at(&drawing->x, (double)fit->to),
                     axis_at(&drawing->y, fmax(high, 0)));
    }
}

static bool find_batches(struct serve_drawing *drawing)
{
    const struct serving_steps *steps = &drawing->serve->steps;
    int64_t most = 0, tokens = 0;

    for (uint32_t i = 0; i < steps->count; i++) {
        const struct serving_step *step = &steps->list[i];

        if (!has_batch(step))
            continue;
        most = step->busy > most ? step->busy : most;
        tokens = step->label->generation_tokens > tokens ? step->label->generation_tokens : tokens;
    }
    drawing->x.low = drawing->y.low = 0;
    drawing->x.high = 1.05 * (double)tokens;
    drawing->y.high = 1.05 * (double)most;
    return tokens > 0 && most > 0;
}

static void draw_batches(struct serve_drawing *drawing)
{
    const struct serving_steps *steps = &drawing->serve->steps;

    axis_write_numbers(&drawing->chart.svg, &drawing->x, drawing->plot, 10, "");
    axis_write_values(&drawing->chart.svg, &drawing->y, drawing->plot, UNIT_NS);
    write_titles(drawing, SPAN("tokens of a decode step"));
    write_fit(drawing);
    for (uint32_t i = 0; i < steps->count; i++)
        if (has_batch(&steps->list[i]))
            write_dot(drawing, &steps->list[i], (double)steps->list[i].label->generation_tokens);
}

/* ---- both ---- */

static uint32_t find_keys(const struct serve *serve, struct legend_key *keys)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < serve->stage_count && count < STAGE_COUNT; i++)
        if (!i || serve->stages[i].stage != serve->stages[i - 1].stage)
            keys[count++] =
                (struct legend_key){.class = squares[serve->stages[i].stage],
                                    .text = span_of(serving_stage_name(serve->stages[i].stage))};
    return count;
}

static void draw(const void *subject, const struct report *report, FILE *out)
{
    struct serve_drawing drawing = {.serve = subject};
    struct legend_key keys[STAGE_COUNT];
    uint32_t count = find_keys(drawing.serve, keys);
    double legend =
        legend_lay_out(keys, count, chart_width(report) - 2 * CHART_MARGIN, &drawing.chart.arena);
    bool has_batches = find_batches(&drawing);
    double body = HEIGHT + BELOW + legend + (has_batches ? HEIGHT + GAP : 0);

    chart_open(&drawing.chart, out, report, "Steps of serving", body);
    begin_plot(&drawing, drawing.chart.top);
    draw_over_time(&drawing);
    if (has_batches) {
        begin_plot(&drawing, drawing.chart.top + HEIGHT + GAP);
        (void)find_batches(&drawing);
        draw_batches(&drawing);
    }
    legend_write(&drawing.chart.svg, keys, count, CHART_MARGIN, drawing.chart.top + body - legend);
    chart_close(&drawing.chart);
}

void serve_chart(const struct serve *serve, struct report *report)
{
    if (serve->steps.count)
        report->chart = 
            (struct report_chart){.draw = draw, .subject = serve, .narrow = CHART_NARROW};
}
