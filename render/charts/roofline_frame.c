/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of the roofline chart: its axes, roofs and their labels. */
#include "render/charts/chart.h"

#include <math.h>

#include "render/svg/svg.h"

/* Pixels. */
enum { LEFT = 62, HEIGHT_LEAST = 320, HEIGHT_MOST = 460, DECADE_MOST = 130, BELOW = 36 };
enum { LABEL_ABOVE = 6, LABEL_ASIDE = 8, LABEL_BELOW = 14, LABEL_STEP = 60 };
enum { LANE_LEAST = 60, LANE_NARROW = 84, LANE_MOST = 180, LANE_GAP = 6, DOT = 30, TRIES = 6 };
enum { BAND_LEAST = 100 /* pixels of a decade: a text fits into the band below a roof */ };

/* How far a step along a line of 45 degrees goes to either side. */
static const double DIAGONAL = 0.70710678118654752;

static bool is_positive(double value)
{
    return isfinite(value) && value > 0;
}

enum roofline_place roofline_place(const struct roofline_row *row)
{
    if (is_positive(row->achieved))
        return is_positive(row->intensity) ? PLACE_PLOT : PLACE_FLOPS;
    return is_positive(row->bandwidth) && is_positive(row->efficiency) ? PLACE_BYTES : PLACE_NONE;
}

/* What the strip of rows without FLOPs has for its roof. */
static double roof_height(const struct roofline_frame *frame)
{
    return frame->roof.flops > 0 ? frame->roof.flops : 1e12;
}

static double height_of(const struct roofline_frame *frame, const struct roofline_row *row)
{
    return roofline_place(row) == PLACE_BYTES ? row->efficiency * roof_height(frame)
                                              : row->achieved;
}

/* Dots of a strip stand beside each other, and none of them leaves it. */
static double lane_x(const struct svg_box *lane, uint32_t order, uint32_t count)
{
    double room = lane->width - 2 * ROOFLINE_DOT_MOST;
    uint32_t abreast = 1 + (uint32_t)(room / DOT);

    if (abreast > count)
        abreast = count;
    return lane->x + ROOFLINE_DOT_MOST + room * (order % abreast + 0.5) / abreast;
}

struct svg_point roofline_point(const struct roofline_frame *frame, const struct roofline_row *row,
                                uint32_t order)
{
    enum roofline_place place = roofline_place(row);
    const struct svg_box *lane = &frame->layout[place];
    double y = axis_at(&frame->y, height_of(frame, row));

    if (place == PLACE_PLOT)
        return (struct svg_point){axis_at(&frame->x, row->intensity), y};
    return (struct svg_point){lane_x(lane, order, frame->rows[place]), y};
}

/* ---- ranges ---- */

enum { POWER_MOST = 30 };

/* Of decimal logarithms. */
struct axis_range {
    double low, high;
};

/* Nothing real is further out; what is absurd must not make an axis without end. */
static void range_include(struct axis_range *range, double value)
{
    double power = fmax(-POWER_MOST, fmin(POWER_MOST, log10(value)));

    range->low = fmin(range->low, power);
    range->high = fmax(range->high, power);
}

static void find_ranges(const struct roofline_frame *frame, const struct roofline *roofline,
                        const struct ceilings *ceilings, struct axis_range *x, struct axis_range *y)
{
    *x = *y = (struct axis_range){INFINITY, -INFINITY};
    for (uint32_t i = 0; i < roofline->count; i++) {
        const struct roofline_row *row = &roofline->rows[i];
        enum roofline_place place = roofline_place(row);

        if (place == PLACE_PLOT)
            range_include(x, row->intensity);
        for (int cache = 0; cache < CACHE_COUNT && place == PLACE_PLOT; cache++)
            if (ceilings->cache[cache] > 0 && row->cache_intensity[cache] > 0)
                range_include(x, row->cache_intensity[cache]);
        if (place != PLACE_NONE)
            range_include(y, height_of(frame, row));
    }
    for (uint32_t i = 0; i < PRECISION_COUNT; i++)
        if (ceilings->flops[i] > 0) {
            range_include(y, ceilings->flops[i]);
            if (frame->roof.bytes > 0)
                range_include(x, ceilings->flops[i] / frame->roof.bytes);
        }
    if (x->low > x->high)
        *x = (struct axis_range){0, 2};
    if (y->low > y->high)
        *y = (struct axis_range){9, 12};
}

/* The width that is left for the plot. */
static double lay_out_lanes(struct roofline_frame *frame, const struct roofline *roofline,
                            double chart)
{
    double right = chart - CHART_MARGIN, most = chart < CHART_WIDTH ? LANE_NARROW : LANE_MOST;

    for (uint32_t i = 0; i < roofline->count; i++)
        frame->rows[roofline_place(&roofline->rows[i])]++;
    for (uint32_t place = PLACE_FLOPS; place <= PLACE_BYTES; place++)
        if (frame->rows[place])
            frame->layout[place].width = fmin(LANE_LEAST + DOT * frame->rows[place], most);
    for (uint32_t place = PLACE_BYTES; place >= PLACE_FLOPS; place--)
        if (frame->layout[place].width > 0) {
            right -= frame->layout[place].width;
            frame->layout[place].x = right;
            right -= LANE_GAP;
        }
    return right - LEFT - CHART_MARGIN;
}

void roofline_frame_lay_out(struct roofline_frame *frame, const struct roofline *roofline,
                            const struct ceilings *ceilings, double chart)
{
    double width = lay_out_lanes(frame, roofline, chart), decade, lack;
    struct axis_range x, y;

    frame->busy = roofline->limits.busy;
    frame->roof = (struct roof){ceilings->flops[PRECISION_FP32], ceilings->memory};
    find_ranges(frame, roofline, ceilings, &x, &y);
    x = (struct axis_range){x.low - 0.5, x.high + 1.25};
    y = (struct axis_range){y.low - 0.5, y.high + 0.4};
    decade = fmin(DECADE_MOST, fmin(width / (x.high - x.low), HEIGHT_MOST / (y.high - y.low)));
    lack = fmax(0, width / decade - (x.high - x.low));
    x.low -= lack / 2;
    x.high += lack / 2;
    y.low = fmin(y.low, y.high - fmin(HEIGHT_LEAST, width) / decade);
    frame->plot = (struct svg_box){LEFT + CHART_MARGIN, 0, width, round((y.high - y.low) * decade)};
    frame->x = (struct axis){.low = pow(10, x.low),
                             .high = pow(10, x.high),
                             .from = frame->plot.x,
                             .to = frame->plot.x + width,
                             .is_log = true};
    frame->y = (struct axis){
        .low = pow(10, y.low), .high = pow(10, y.high), .from = frame->plot.height, .is_log = true};
}

double roofline_frame_height(const struct roofline_frame *frame)
{
    return frame->plot.height + BELOW;
}

void roofline_frame_put(struct roofline_frame *frame, double top)
{
    frame->plot.y = top;
    for (uint32_t place = PLACE_FLOPS; place <= PLACE_BYTES; place++) {
        frame->layout[place].y = top;
        frame->layout[place].height = frame->plot.height;
    }
    frame->y.from += top;
    frame->y.to += top;
}

/* ---- roofs ---- */

static struct svg_point point_at(const struct roofline_frame *frame, double intensity, double flops)
{
    return (struct svg_point){axis_at(&frame->x, intensity), axis_at(&frame->y, flops)};
}

/* Where a memory's roof of so many bytes a second enters the plot: at its left side, or at its
 * bottom. */
static double enters_at(const struct roofline_frame *frame, double bytes)
{
    return fmax(frame->x.low, frame->y.low / bytes);
}

/* Where it ends: at the highest peak, or where it leaves the plot. */
static double leaves_at(const struct roofline_frame *frame, const struct ceilings *ceilings,
                        double bytes)
{
    double most = 0;

    for (uint32_t i = 0; i < PRECISION_COUNT; i++)
        most = fmax(most, ceilings->flops[i]);
    return fmin((most > 0 ? most : frame->y.high) / bytes, frame->x.high);
}

/* A text of this width that rises by 45 degrees from here on is off all that is taken. */
static bool is_free_along(const struct label_placement *taken, struct svg_point start, double width)
{
    double end = width * DIAGONAL;

    for (double at = 0; at <= end; at += CHART_TEXT / 2.0)
        if (!placement_is_free(taken, (struct svg_box){start.x + at - CHART_TEXT / 2.0,
                                                       start.y - at - CHART_TEXT / 2.0, CHART_TEXT,
                                                       CHART_TEXT}))
            return false;
    return true;
}

/* Near this part of the way along the line, where it covers no dot; else nowhere. */
static bool write_along(struct chart *chart, const struct label_placement *dots, const char *class,
                        const struct svg_point line[2], double part, struct span text)
{
    static const double shifts[] = {0, -0.12, 0.12, -0.24, 0.24, -0.36, 0.36, -0.48, 0.48};
    double width = text_width(text) * CHART_TEXT;
    double room = hypot(line[1].x - line[0].x, line[1].y - line[0].y) - width;

    for (size_t i = 0; i < sizeof(shifts) / sizeof(*shifts) && room > 0; i++) {
        double at = (part + shifts[i]) * room * DIAGONAL;
        struct svg_point start = {line[0].x + at, line[0].y - at};

        if (part + shifts[i] < 0 || part + shifts[i] > 1 || !is_free_along(dots, start, width))
            continue;
        svg_turned_label(&chart->svg, class, start.x, start.y, -45, ANCHOR_START, text);
        return true;
    }
    return false;
}

struct slope {
    const char *name, *class;
    double bytes; /* a second */
};

static void write_slope(const struct roofline_frame *frame, const struct ceilings *ceilings,
                        const struct slope *slope, const struct label_placement *dots,
                        struct chart *chart)
{
    double first = enters_at(frame, slope->bytes), last = leaves_at(frame, ceilings, slope->bytes);
    struct svg_point from, to;
    struct span text =
        span_of(arena_printf(&chart->arena, "%s: %.4g GB/s", slope->name, slope->bytes / 1e9));

    if (!(slope->bytes > 0) || first >= last)
        return;
    from = point_at(frame, first, first * slope->bytes);
    to = point_at(frame, last, last * slope->bytes);
    svg_line(&chart->svg, slope->class, from.x, from.y, to.x, to.y);
    write_along(chart, dots, NULL,
                (struct svg_point[]){{from.x - LABEL_ABOVE, from.y - LABEL_ABOVE},
                                     {to.x - LABEL_ABOVE, to.y - LABEL_ABOVE}},
                0.5, text);
}

static void write_slopes(const struct roofline_frame *frame, const struct ceilings *ceilings,
                         const struct label_placement *dots, struct chart *chart)
{
    const struct slope slopes[] = {{"memory", "strong", frame->roof.bytes},
                                   {"L2", "fine dashed", ceilings->cache[CACHE_L2]},
                                   {"L1", "fine dashed", ceilings->cache[CACHE_L1]}};

    for (size_t i = 0; i < sizeof(slopes) / sizeof(*slopes); i++)
        write_slope(frame, ceilings, &slopes[i], dots, chart);
}

/* The names of the precisions whose peak this is; NULL where an earlier one was of the same. */
static const char *peak_name(const struct ceilings *ceilings, uint32_t index, struct arena *arena)
{
    const char *name = precision_names[index];
    uint32_t others = 0;

    for (uint32_t i = 0; i < PRECISION_COUNT; i++) {
        if (i == index || ceilings->flops[i] != ceilings->flops[index])
            continue;
        if (i < index)
            return NULL;
        name = arena_printf(arena, "%s, %s", name, precision_names[i]);
        others++;
    }
    return others == PRECISION_COUNT - 1 ? "peak" : name;
}

/* Where the peak meets memory's roof, or the plot's side. */
static double peak_from(const struct roofline_frame *frame, double flops)
{
    double meets = frame->roof.bytes > 0 ? flops / frame->roof.bytes : 0;

    return axis_at(&frame->x, fmin(fmax(meets, frame->x.low), frame->x.high));
}

static void write_peak_lines(const struct roofline_frame *frame, const struct ceilings *ceilings,
                             struct chart *chart)
{
    double right = frame->plot.x + frame->plot.width;

    for (uint32_t i = 0; i < PRECISION_COUNT; i++) {
        double flops = ceilings->flops[i], y = axis_at(&frame->y, flops);

        if (flops > 0 && peak_name(ceilings, i, &chart->arena)) {
            double from = peak_from(frame, flops);

            svg_line(&chart->svg, flops == frame->roof.flops ? "strong" : "fine dashed", from, y,
                     right, y);
            placement_take(&chart->placement, (struct svg_box){from, y - 1, right - from, 2});
        }
    }
}

/* Above the line at its right end, else below it, else further left; where lines are too near for
 * that, on it, where it interrupts nothing but that. Nowhere over a dot. */
static void write_peak_label(const struct roofline_frame *frame, const struct ceilings *ceilings,
                             const struct label_placement *dots, uint32_t index,
                             struct chart *chart)
{
    double y = axis_at(&frame->y, ceilings->flops[index]);
    double from = peak_from(frame, ceilings->flops[index]);
    const char *name = peak_name(ceilings, index, &chart->arena);
    struct span text;

    if (!name)
        return;
    text = span_of(
        arena_printf(&chart->arena, "%s: %.4g TFLOP/s", name, ceilings->flops[index] / 1e12));
    for (double x = frame->plot.x + frame->plot.width - LABEL_ASIDE; x > from; x -= LABEL_STEP)
        for (int side = 0; side < 2; side++) {
            struct svg_point at = {x, side ? y + LABEL_BELOW : y - LABEL_ABOVE};
            struct svg_box box = placement_text_box(at.x, at.y, ANCHOR_END, CHART_TEXT, text);

            if (box.x >= from && placement_is_free(dots, box) &&
                placement_is_free(&chart->placement, box)) {
                chart_fixed_text(chart, NULL, at, ANCHOR_END, frame->plot.width, text);
                return;
            }
        }
    for (double x = frame->plot.x + frame->plot.width - LABEL_ASIDE; x > from; x -= LABEL_STEP) {
        struct svg_point at = {x, y + CHART_TEXT / 3.0};
        struct svg_box box = placement_text_box(at.x, at.y, ANCHOR_END, CHART_TEXT, text);
        struct svg_box above = {box.x, box.y, box.width, y - 2 - box.y};
        struct svg_box below = {box.x, y + 2, box.width, box.y + box.height - (y + 2)};

        if (box.x < from || !placement_is_free(dots, box) ||
            !placement_is_free(&chart->placement, above) ||
            !placement_is_free(&chart->placement, below))
            continue;
        svg_rectangle(&chart->svg, "paper", box);
        chart_fixed_text(chart, NULL, at, ANCHOR_END, frame->plot.width, text);
        return;
    }
}

/* ---- zones ---- */

bool roofline_has_zones(const struct roofline_frame *frame)
{
    double ridge = roof_ridge(&frame->roof);

    return ridge > 0 && frame->busy > 0 && frame->busy < 1 &&
           enters_at(frame, frame->busy * frame->roof.bytes) < ridge;
}

static void write_zones(const struct roofline_frame *frame, struct chart *chart)
{
    const struct roof *roof = &frame->roof;
    double ridge = roof_ridge(roof), busy = frame->busy;
    double low = enters_at(frame, roof->bytes), under = enters_at(frame, busy * roof->bytes);
    struct svg_point memory[5], compute[4];

    if (!roofline_has_zones(frame))
        return;
    memory[0] = point_at(frame, low, low * roof->bytes);
    memory[1] = point_at(frame, ridge, roof->flops);
    memory[2] = point_at(frame, ridge, busy * roof->flops);
    memory[3] = point_at(frame, under, under * busy * roof->bytes);
    memory[4] = (struct svg_point){memory[0].x, memory[3].y};
    compute[0] = memory[1];
    compute[1] = point_at(frame, frame->x.high, roof->flops);
    compute[2] = point_at(frame, frame->x.high, busy * roof->flops);
    compute[3] = memory[2];
    svg_path(&chart->svg, "h1 tint", memory, 5, true);
    svg_path(&chart->svg, "h2 tint", compute, 4, true);
}

/* Ends here, or lower where it would cover something; nowhere after so many tries. */
static void write_where_free(struct chart *chart, const struct label_placement *dots,
                             struct svg_point at, uint32_t tries, struct span text)
{
    for (; tries > 0; tries--, at.y += LABEL_BELOW) {
        struct svg_box box = placement_text_box(at.x, at.y, ANCHOR_END, CHART_TEXT, text);

        if (!placement_is_free(&chart->placement, box) || !placement_is_free(dots, box))
            continue;
        chart_fixed_text(chart, "faint", at, ANCHOR_END, chart->width, text);
        return;
    }
}

/* In the bands below the roofs, and below both. */
static void write_zone_names(const struct roofline_frame *frame, const struct label_placement *dots,
                             struct chart *chart)
{
    double decade = frame->plot.height / log10(frame->y.high / frame->y.low);
    double band = decade * -log10(frame->busy) / 2, right = frame->plot.x + frame->plot.width;
    double first = enters_at(frame, frame->roof.bytes);
    struct svg_point ridge, low;

    if (!roofline_has_zones(frame))
        return;
    low = point_at(frame, first, first * frame->roof.bytes);
    ridge = point_at(frame, roof_ridge(&frame->roof), frame->roof.flops);
    write_where_free(chart, dots,
                     (struct svg_point){right - LABEL_ASIDE, ridge.y + 2 * band + LABEL_BELOW},
                     TRIES, SPAN("latency-bound"));
    if (decade < BAND_LEAST)
        return;
    write_where_free(chart, dots, (struct svg_point){right - LABEL_ASIDE, ridge.y + band + 4}, 1,
                     SPAN("compute-bound"));
    write_along(chart, dots, "faint",
                (struct svg_point[]){{low.x, low.y + band + 3}, {ridge.x, ridge.y + band + 3}},
                0.95, SPAN("memory-bound"));
}

static void write_ridge(const struct roofline_frame *frame, struct chart *chart)
{
    double ridge = roof_ridge(&frame->roof), bottom = frame->plot.y + frame->plot.height;
    struct svg_point at;
    struct span text;
    bool has_room; /* at the right of its line */

    if (!roofline_has_zones(frame))
        return;
    at = point_at(frame, ridge, frame->roof.flops);
    svg_line(&chart->svg, "fine dashed", at.x, at.y, at.x, bottom);
    text = span_of(arena_printf(&chart->arena, "ridge: %.3g FLOP/byte", ridge));
    if (2 * (text_width(text) * CHART_TEXT + 2 * LABEL_ASIDE) > frame->plot.width)
        text = span_of(arena_printf(&chart->arena, "ridge: %.3g", ridge)); /* as the axis says */
    has_room = at.x + 2 * LABEL_ASIDE + text_width(text) * CHART_TEXT <=
               frame->plot.x + frame->plot.width;
    at = (struct svg_point){at.x + (has_room ? LABEL_ASIDE : -LABEL_ASIDE), bottom - LABEL_ABOVE};
    chart_fixed_text(chart, "faint", at, has_room ? ANCHOR_START : ANCHOR_END, frame->plot.width,
                     text);
}

/* Each with the lines that go for it: the plot's, or one for its own roof. */
static void write_lanes(const struct roofline_frame *frame, struct chart *chart)
{
    static const char *const names[][2] = {
        [PLACE_FLOPS] = {"bytes", "not known"},
        [PLACE_BYTES] = {"no FLOPs: as", "far off its roof"},
    };

    for (uint32_t place = PLACE_FLOPS; place <= PLACE_BYTES; place++) {
        const struct svg_box *lane = &frame->layout[place];
        double roof = axis_at(&frame->y, roof_height(frame));
        double middle = lane->x + lane->width / 2, below = lane->y + lane->height;

        if (lane->width <= 0)
            continue;
        svg_rectangle(&chart->svg, "frame", *lane);
        svg_line(&chart->svg, "strong", lane->x, roof, lane->x + lane->width, roof);
        for (uint32_t line = 0; line < 2; line++)
            svg_label(&chart->svg, "faint", middle, below + LABEL_BELOW + line * LABEL_BELOW,
                      ANCHOR_MIDDLE, span_of(names[place][line]));
    }
}

static void write_axes(const struct roofline_frame *frame, struct chart *chart)
{
    const struct svg_box *plot = &frame->plot;

    axis_write_powers(&chart->svg, &frame->x, *plot);
    axis_write_powers(&chart->svg, &frame->y, *plot);
    svg_rectangle(&chart->svg, "frame", *plot);
    svg_label(&chart->svg, NULL, plot->x + plot->width / 2, plot->y + plot->height + BELOW - 6,
              ANCHOR_MIDDLE, SPAN("work for each byte moved: FLOP/byte"));
    svg_turned_label(&chart->svg, NULL, CHART_MARGIN + 10, plot->y + plot->height / 2, -90,
                     ANCHOR_MIDDLE, SPAN("attained: FLOP/s"));
}

void roofline_frame_write(const struct roofline_frame *frame, const struct ceilings *ceilings,
                          const struct label_placement *dots, struct chart *chart)
{
    write_zones(frame, chart);
    write_axes(frame, chart);
    write_lanes(frame, chart);
    write_ridge(frame, chart);
    write_slopes(frame, ceilings, dots, chart);
    write_peak_lines(frame, ceilings, chart);
    for (uint32_t i = 0; i < PRECISION_COUNT; i++)
        if (ceilings->flops[i] > 0)
            write_peak_label(frame, ceilings, dots, i, chart);
    write_zone_names(frame, dots, chart);
}
