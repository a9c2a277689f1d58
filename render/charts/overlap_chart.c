/* SPDX-License-Identifier: Apache-2.0 */
/* Bars: what each device did, why it was idle, and what its steps are made of. */
#include "render/charts/charts.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/execution/overlap.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "render/charts/chart.h"

/* ---- bars: compute, what no compute hides, and idleness: together a device's span ---- */

/* Pixels. */
enum { LABELS_MOST = 150, SHARES_MOST = 110, ROW = 30, BAR = 18, LINE = 4, AXIS = 22 };

/* What share of a narrow chart's width they take at most. */
static const double LABELS_SHARE = 0.2, SHARES_SHARE = 0.23;

static double labels_width(const struct chart *chart)
{
    return fmin(LABELS_MOST, LABELS_SHARE * chart->width);
}

static double shares_width(const struct chart *chart)
{
    return fmin(SHARES_MOST, SHARES_SHARE * chart->width);
}

static const struct stack_part overlap_parts[OVERLAP_PARTS] = {
    {"compute", "h1"},
    {"communication that nothing hides", "h2"},
    {"copies that nothing hides", "h3"},
    {"idle", "h0"},
};

static void overlap_lengths(const struct overlap_figures *all, int64_t lengths[OVERLAP_PARTS])
{
    lengths[0] = all->compute;
    lengths[1] = all->exposed_communication;
    lengths[2] = all->exposed_memory;
    lengths[3] = all->idle;
}

double overlap_bars_height(uint32_t count)
{
    return count ? count * ROW + AXIS : 0;
}

/* At the end of the compute that hides it. */
static void write_hidden(struct chart *chart, const struct overlap_figures *all,
                         const struct axis *axis, double y)
{
    char value[FORMAT_LEN];
    double end = axis_at(axis, (double)all->compute);
    double start = axis_at(axis, (double)checked_sub(all->compute, all->hidden_communication));

    if (all->hidden_communication <= 0)
        return;
    svg_begin(&chart->svg, "g");
    svg_tooltip(&chart->svg,
                span_of(arena_printf(&chart->arena, "communication hidden by compute: %s",
                                     format_value(value, all->hidden_communication, UNIT_NS))));
    svg_rectangle(&chart->svg, "h2", (struct svg_box){start, y, end - start, LINE});
    svg_end(&chart->svg);
}

static void write_bar(struct chart *chart, const struct overlap_bar *bar, const struct axis *axis,
                      double y)
{
    int64_t lengths[OVERLAP_PARTS];
    char busy[FORMAT_LEN];

    overlap_lengths(bar->all, lengths);
    chart_text(chart, NULL, (struct svg_point){CHART_MARGIN, y + 13}, ANCHOR_START,
               labels_width(chart) - 8,
               span_of(bar->label));
    stack_write(chart, overlap_parts, lengths, OVERLAP_PARTS, axis, y, BAR, UNIT_NS);
    write_hidden(chart, bar->all, axis, y + BAR + 1);
    chart_text(chart, NULL, (struct svg_point){chart->width - CHART_MARGIN, y + 13}, ANCHOR_END,
               shares_width(chart),
               span_of(arena_printf(&chart->arena, "busy %s",
                                    format_share(busy, share_of(bar->all->busy, bar->all->span)))));
}

void overlap_bars_write(struct chart *chart, const struct overlap_bar *bars, uint32_t count,
                        double top)
{
    struct axis axis = {
        .high = 1,
                        .from = CHART_MARGIN + labels_width(chart),
                        .to = chart->width - CHART_MARGIN - shares_width(chart)};

    if (!count)
        return;
    for (uint32_t i = 0; i < count; i++)
        axis.high = fmax(axis.high, (double)bars[i].all->span);
    axis_write_values(&chart->svg, &axis,
                      (struct svg_box){axis.from, top, axis.to - axis.from, count * ROW}, UNIT_NS);
    for (uint32_t i = 0; i < count; i++)
        write_bar(chart, &bars[i], &axis, top + i * ROW + (ROW - BAR) / 2.0);
}

double overlap_legend_height(struct legend_key keys[OVERLAP_KEYS], double width,
                             struct arena *arena)
{
    stack_keys(overlap_parts, OVERLAP_PARTS, keys);
    keys[OVERLAP_PARTS] =
        (struct legend_key){.class = "h2", .text = SPAN("thin: communication that compute hides")};
    return legend_lay_out(keys, OVERLAP_KEYS, width - 2 * CHART_MARGIN, arena);
}

/* ---- the chart ---- */

enum { DEVICES_MOST = 64, PANELS_MOST = 8 };

/* Pixels. */
enum { HEADING = 30, BELOW = 14, CAUSE = 20 };

struct overlap_drawing {
    const struct overlap *overlap;
    const struct report *report;
    struct chart chart;
    struct legend_key keys[OVERLAP_KEYS], cause_keys[GAP_CAUSE_COUNT];
    double legend, cause_legend; /* their heights */
    uint32_t devices, panels;    /* that are drawn */
};

/* ---- devices ---- */

static double write_devices(struct overlap_drawing *drawing, double y)
{
    struct overlap_bar bars[DEVICES_MOST];

    for (uint32_t i = 0; i < drawing->devices; i++) {
        const struct overlap_device *device = &drawing->overlap->devices[i];

        bars[i].all = &device->all;
        bars[i].label = device->device < 0 ? "device"
                                           : arena_printf(&drawing->chart.arena, "device %" PRId32,
                                                          device->device);
    }
    overlap_bars_write(&drawing->chart, bars, drawing->devices, y);
    y += overlap_bars_height(drawing->devices) + BELOW;
    legend_write(&drawing->chart.svg, drawing->keys, OVERLAP_KEYS, CHART_MARGIN, y);
    return y + drawing->legend;
}

/* ---- why they were idle ---- */

static const struct stack_part causes[GAP_CAUSE_COUNT] = {
    [GAP_HOST_LATE] = {"host late", "h6"},   [GAP_SYNC] = {"sync", "h7"},
    [GAP_DEPENDENCY] = {"dependency", "h4"}, [GAP_LAUNCH_QUEUE] = {"launch queue", "h5"},
    [GAP_OTHER] = {"other", "h3"},           [GAP_UNKNOWN] = {"unknown", "h0"},
};

static int64_t idle_of(const struct overlap *overlap)
{
    int64_t idle = 0;

    for (uint32_t i = 0; i < GAP_CAUSE_COUNT; i++)
        idle = checked_add(idle, overlap->gaps.by_cause[i].time);
    return idle;
}

static double write_causes(struct overlap_drawing *drawing, double y)
{
    struct axis axis = {.high = (double)idle_of(drawing->overlap),
                        .from = CHART_MARGIN,
                        .to = drawing->chart.width - CHART_MARGIN};
    int64_t lengths[GAP_CAUSE_COUNT];
    char idle[FORMAT_LEN];

    if (axis.high <= 0)
        return y;
    for (uint32_t i = 0; i < GAP_CAUSE_COUNT; i++)
        lengths[i] = drawing->overlap->gaps.by_cause[i].time;
    format_value(idle, idle_of(drawing->overlap), UNIT_NS);
    svg_label(&drawing->chart.svg, NULL, CHART_MARGIN, y + HEADING - 13, ANCHOR_START,
              span_of(arena_printf(&drawing->chart.arena, "why devices were idle for %s", idle)));
    stack_write(&drawing->chart, causes, lengths, GAP_CAUSE_COUNT, &axis, y + HEADING, CAUSE,
                UNIT_NS);
    y += HEADING + CAUSE + BELOW;
    legend_write(&drawing->chart.svg, drawing->cause_keys, GAP_CAUSE_COUNT, CHART_MARGIN, y);
    return y + drawing->cause_legend;
}

/* ---- steps ---- */

/* They come by step, each for every device. */
static void write_steps(struct overlap_drawing *drawing, uint32_t device, double y)
{
    const struct overlap *overlap = drawing->overlap;
    struct arena *arena = &drawing->chart.arena;
    int32_t number = overlap->devices[device].device;
    uint32_t count = overlap->step_count / overlap->device_count;
    int64_t(*lengths)[OVERLAP_PARTS] = arena_array(arena, count, sizeof(*lengths));
    const char **labels = arena_array(arena, count, sizeof(*labels));
    struct columns columns = {overlap_parts, OVERLAP_PARTS, count, *lengths, labels};

    for (uint32_t i = 0; i < count; i++) {
        const struct overlap_step *step = &overlap->steps[i * overlap->device_count + device];

        overlap_lengths(&step->all, lengths[i]);
        labels[i] = arena_printf(arena, "%" PRId64, step->step);
    }
    columns_write(&drawing->chart, &columns,
                  number < 0
                      ? "the device while each step ran"
                      : arena_printf(arena, "device %" PRId32 " while each step ran", number),
                  y);
}

/* ---- the whole ---- */

static double plan(struct overlap_drawing *drawing)
{
    const struct overlap *overlap = drawing->overlap;

    drawing->devices = overlap->device_count < DEVICES_MOST ? overlap->device_count : DEVICES_MOST;
    if (overlap->step_count)
        drawing->panels = overlap->device_count < PANELS_MOST ? overlap->device_count : PANELS_MOST;
    drawing->legend = overlap_legend_height(drawing->keys, chart_width(drawing->report),
                                            &drawing->chart.arena);
    stack_keys(causes, GAP_CAUSE_COUNT, drawing->cause_keys);
    drawing->cause_legend = legend_lay_out(drawing->cause_keys, GAP_CAUSE_COUNT,
                                           chart_width(drawing->report) - 2 * CHART_MARGIN,
                                           &drawing->chart.arena);
    return overlap_bars_height(drawing->devices) + BELOW + drawing->legend +
           (idle_of(overlap) ? HEADING + CAUSE + BELOW + drawing->cause_legend : 0) +
           drawing->panels * columns_height();
}

static void draw(const void *overlap, const struct report *report, FILE *out)
{
    struct overlap_drawing drawing = {.overlap = overlap, .report = report};
    double y;

    chart_open(&drawing.chart, out, report, "Overlap", plan(&drawing));
    y = write_devices(&drawing, drawing.chart.top);
    y = write_causes(&drawing, y);
    for (uint32_t i = 0; i < drawing.panels; i++)
        write_steps(&drawing, i, y + i * columns_height());
    chart_close(&drawing.chart);
}

void overlap_chart(const struct overlap *overlap, struct report *report)
{
    if (overlap->device_count)
        report->chart = 
            (struct report_chart){.draw = draw, .subject = overlap, .narrow = CHART_NARROW};
}
