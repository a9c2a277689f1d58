/* SPDX-License-Identifier: Apache-2.0 */
/* Draws several ranks: what each did, how they waited, and how far apart they are. */
#include "render/charts/charts.h"

#include <inttypes.h>
#include <math.h>

#include "analysis/ranks/rank_overlap.h"
#include "base/text/format.h"
#include "render/charts/chart.h"

enum { RANKS_MOST = 128, WAIT_KEYS = 2 };

/* Pixels. */
enum { HEADING = 34, BELOW = 14, ROW = 22, BAR = 14, AXIS = 26, LABELS = 190, ENDS = 64, DOT = 4 };
enum { ABOVE_TEXT = 14, FIGURES = 150 };

struct ranks_drawing {
    const struct ranks *ranks;
    struct chart chart;
    struct legend_key keys[OVERLAP_KEYS], wait_keys[WAIT_KEYS];
    double legend, wait_legend; /* their heights */
    uint32_t devices, late;     /* rows */
};

static const char *rank_text(struct ranks_drawing *drawing, uint32_t rank)
{
    return arena_printf(&drawing->chart.arena, "rank %" PRId64, drawing->ranks->list[rank].number);
}

static void write_heading(struct ranks_drawing *drawing, const char *text, uint32_t shown,
                          uint32_t count, double y)
{
    if (shown < count)
        text = arena_printf(&drawing->chart.arena, "%s: the first %" PRIu32 " of %" PRIu32, text,
                            shown, count);
    svg_label(&drawing->chart.svg, NULL, CHART_MARGIN, y + HEADING - ABOVE_TEXT, ANCHOR_START,
              span_of(text));
}

static void write_name(struct ranks_drawing *drawing, const char *name, double y)
{
    chart_text(&drawing->chart, NULL, (struct svg_point){CHART_MARGIN, y + ROW / 2.0 + 4},
               ANCHOR_START, LABELS - 8, span_of(name));
}

static struct axis axis_to(double most, double from, double to)
{
    return (struct axis){.high = fmax(most, 1), .from = from, .to = to};
}

static void write_ground(struct ranks_drawing *drawing, const struct axis *axis, uint32_t rows,
                         double y)
{
    axis_write_values(&drawing->chart.svg, axis,
                      (struct svg_box){axis->from, y, axis->to - axis->from, rows * ROW}, UNIT_NS);
}

/* ---- what each did ---- */

static double devices_height(const struct ranks_drawing *drawing)
{
    return HEADING + overlap_bars_height(drawing->devices) + BELOW + drawing->legend;
}

static void write_devices(struct ranks_drawing *drawing, double y)
{
    const struct ranks *ranks = drawing->ranks;
    struct arena *arena = &drawing->chart.arena;
    struct overlap_bar *bars = arena_array(arena, drawing->devices, sizeof(*bars));

    for (uint32_t i = 0; i < drawing->devices; i++) {
        const struct rank_device *device = &ranks->devices[i];
        const char *rank = rank_text(drawing, device->rank);

        bars[i].all = &device->of->all;
        bars[i].label = device->of->device < 0
                            ? rank
                            : arena_printf(arena, "%s, device %" PRId32, rank, device->of->device);
    }
    write_heading(drawing, "what each device did", drawing->devices, ranks->device_count, y);
    overlap_bars_write(&drawing->chart, bars, drawing->devices, y + HEADING);
    legend_write(&drawing->chart.svg, drawing->keys, OVERLAP_KEYS, CHART_MARGIN,
                 y + HEADING + overlap_bars_height(drawing->devices) + BELOW);
}

/* ---- who waited for whom ---- */

static double lateness_height(const struct ranks_drawing *drawing)
{
    return drawing->late ? HEADING + drawing->late * ROW + AXIS + drawing->wait_legend : 0;
}

static void write_wait(struct ranks_drawing *drawing, const struct axis *axis, const char *class,
                       int64_t time, double y)
{
    if (time > 0)
        svg_rectangle(
            &drawing->chart.svg, class,
            (struct svg_box){axis->from, y, axis_at(axis, (double)time) - axis->from, BAR / 2.0});
}

static void write_rank(struct ranks_drawing *drawing, const struct axis *axis, uint32_t rank,
                       double y)
{
    const struct rank_lateness *late = &drawing->ranks->lateness[rank];
    struct arena *arena = &drawing->chart.arena;
    char text[FORMAT_LEN];

    write_name(drawing, rank_text(drawing, rank), y);
    write_wait(drawing, axis, "h6", late->made_wait, y + (ROW - BAR) / 2.0);
    write_wait(drawing, axis, "h0", late->waited, y + ROW / 2.0);
    format_value(text, late->made_wait, UNIT_NS);
    chart_text(&drawing->chart, NULL,
               (struct svg_point){CHART_WIDTH - CHART_MARGIN, y + ROW / 2.0 + 4}, ANCHOR_END,
               FIGURES - 6,
               span_of(late->is_waited_for ? arena_printf(arena, "came last: %s", text) : text));
}

static void write_lateness(struct ranks_drawing *drawing, double y)
{
    const struct ranks *ranks = drawing->ranks;
    int64_t most = 0;

    for (uint32_t i = 0; i < drawing->late; i++) {
        most = ranks->lateness[i].made_wait > most ? ranks->lateness[i].made_wait : most;
        most = ranks->lateness[i].waited > most ? ranks->lateness[i].waited : most;
    }
    if (!drawing->late)
        return;
    struct axis axis =
        axis_to((double)most, CHART_MARGIN + LABELS, CHART_WIDTH - CHART_MARGIN - FIGURES);

    write_heading(drawing, "waiting between ranks in collectives", drawing->late, ranks->count, y);
    write_ground(drawing, &axis, drawing->late, y + HEADING);
    for (uint32_t i = 0; i < drawing->late; i++)
        write_rank(drawing, &axis, i, y + HEADING + i * ROW);
    legend_write(&drawing->chart.svg, drawing->wait_keys, WAIT_KEYS, CHART_MARGIN,
                 y + HEADING + drawing->late * ROW + AXIS);
}

/* ---- how far apart they are ---- */

static void write_end(struct ranks_drawing *drawing, double x, double y, enum svg_anchor anchor,
                      size_t device)
{
    double at = anchor == ANCHOR_END ? x - 2 * DOT : x + 2 * DOT;

    svg_circle(&drawing->chart.svg, "mark h1 c1", x, y, DOT);
    chart_text(&drawing->chart, "small faint", (struct svg_point){at, y + 4}, anchor, ENDS,
               span_of(rank_text(drawing, drawing->ranks->devices[device].rank)));
}

/* From the least to the most, with a tick at the median. */
static void write_spread(struct ranks_drawing *drawing, const struct axis *axis,
                         const struct rank_spread *spread, double y)
{
    struct svg *svg = &drawing->chart.svg;
    const struct extremes *over = &spread->over;
    double least = axis_at(axis, (double)over->least), most = axis_at(axis, (double)over->most);
    double median = axis_at(axis, (double)over->median), middle = y + ROW / 2.0;
    char low[FORMAT_LEN], high[FORMAT_LEN];

    format_value(low, over->least, UNIT_NS);
    format_value(high, over->most, UNIT_NS);
    write_name(drawing, spread->figure, y);
    svg_begin(svg, "g");
    svg_tooltip(svg, span_of(arena_printf(&drawing->chart.arena, "%s: %s to %s", spread->figure,
                                          low, high)));
    svg_line(svg, "strong", least, middle, most, middle);
    svg_line(svg, "strong", median, middle - 2 * DOT, median, middle + 2 * DOT);
    if (over->least < over->most) {
        write_end(drawing, least, middle, ANCHOR_END, over->least_at);
        write_end(drawing, most, middle, ANCHOR_START, over->most_at);
    }
    svg_end(svg);
}

static void write_spreads(struct ranks_drawing *drawing, double y)
{
    const struct ranks *ranks = drawing->ranks;
    struct axis axis;
    int64_t most = 0;

    if (!ranks->spread_count)
        return;
    for (uint32_t i = 0; i < ranks->spread_count; i++)
        most = ranks->spreads[i].over.most > most ? ranks->spreads[i].over.most : most;
    axis = axis_to((double)most, CHART_MARGIN + LABELS + ENDS, CHART_WIDTH - CHART_MARGIN - ENDS);
    write_heading(drawing, "how far apart devices are: least, median and most", 0, 0, y);
    write_ground(drawing, &axis, ranks->spread_count, y + HEADING);
    for (uint32_t i = 0; i < ranks->spread_count; i++)
        write_spread(drawing, &axis, &ranks->spreads[i], y + HEADING + i * ROW);
}

/* ---- the whole ---- */

static double plan(struct ranks_drawing *drawing)
{
    const struct ranks *ranks = drawing->ranks;

    drawing->devices = ranks->device_count < RANKS_MOST ? ranks->device_count : RANKS_MOST;
    if (ranks->meeting_count)
        drawing->late = ranks->count < RANKS_MOST ? ranks->count : RANKS_MOST;
    drawing->legend = overlap_legend_height(drawing->keys, CHART_WIDTH, &drawing->chart.arena);
    drawing->wait_keys[0] =
        (struct legend_key){.class = "h6", .text = SPAN("others waited for it")};
    drawing->wait_keys[1] = (struct legend_key){.class = "h0", .text = SPAN("it waited itself")};
    drawing->wait_legend = legend_lay_out(drawing->wait_keys, WAIT_KEYS,
                                          CHART_WIDTH - 2 * CHART_MARGIN, &drawing->chart.arena);
    return devices_height(drawing) + lateness_height(drawing) +
           (ranks->spread_count ? HEADING + ranks->spread_count * ROW + AXIS : 0);
}

static void draw(const void *ranks, const struct report *report, FILE *out)
{
    struct ranks_drawing drawing = {.ranks = ranks};
    double y;

    chart_open(&drawing.chart, out, report, "Ranks", plan(&drawing));
    y = drawing.chart.top;
    write_devices(&drawing, y);
    y += devices_height(&drawing);
    write_lateness(&drawing, y);
    write_spreads(&drawing, y + lateness_height(&drawing));
    chart_close(&drawing.chart);
}

void ranks_chart(const struct ranks *ranks, struct report *report)
{
    if (ranks->device_count)
        report->chart = (struct report_chart){.draw = draw, .subject = ranks};
}
