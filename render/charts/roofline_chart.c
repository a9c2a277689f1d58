/* SPDX-License-Identifier: Apache-2.0 */
/* The roofline chart: kernels as dots below their roofs. */
#include "render/charts/charts.h"

#include <math.h>

#include "analysis/kernels/roofline.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/escape.h"
#include "render/charts/chart.h"

enum { ROWS_MOST = 40, KEYS = 8 };

/* Pixels. */
enum { DOT_LEAST = 5, NUMBER_INSIDE = 8, STEP = 4, ABOVE = 6, BETWEEN = 8 };

/* How much of a circle's box a text may not cover. */
static const double ROUND = 0.95;

struct roofline_drawing {
    const struct roofline *roofline;
    const struct report *report;
    struct roofline_frame frame;
    struct chart chart;
    int64_t time[PLACE_COUNT]; /* ns of all rows there: dots are measured by it */
    uint32_t *order;           /* rows that have a dot, the longest first */
    struct svg_point *points;  /* by row */
    uint32_t dots, rows;
    struct legend_key keys[KEYS];
    uint32_t key_count;
};

/* ---- dots ---- */

static const char *const full_marks[] = {
    [BOUND_UNKNOWN] = "mark h0 c0", [BOUND_MEMORY] = "mark h1 c1", [BOUND_COMPUTE] = "mark h2 c2",
    [BOUND_LATENCY] = "mark h4 c4", [BOUND_LINK] = "mark h0 c0",   [BOUND_L2] = "mark h3 c3",
    [BOUND_L1] = "mark h5 c5",
};

static const char *const hollow_marks[] = {
    [BOUND_UNKNOWN] = "mark hollow c0", [BOUND_MEMORY] = "mark hollow c1",
    [BOUND_COMPUTE] = "mark hollow c2", [BOUND_LATENCY] = "mark hollow c4",
    [BOUND_LINK] = "mark hollow c0",    [BOUND_L2] = "mark hollow c3",
    [BOUND_L1] = "mark hollow c5",
};

static const char *mark_of(const struct roofline_row *row)
{
    return (work_is_from_shapes(row->source) ? hollow_marks : full_marks)[row->bound];
}

static double radius_of(const struct roofline_drawing *drawing, const struct roofline_row *row)
{
    return fmax(DOT_LEAST,
                ROOFLINE_DOT_MOST * sqrt(share_of(row->time, drawing->time[roofline_place(row)])));
}

static const char *figure(struct arena *arena, double value, const char *unit)
{
    return isfinite(value) ? arena_printf(arena, "\n%.3g %s", value, unit) : "";
}

static const char *tooltip(struct roofline_drawing *drawing, uint32_t index)
{
    const struct roofline_row *row = &drawing->roofline->rows[index];
    const struct graph *graph = drawing->report->inputs[0].graph;
    struct arena *arena = &drawing->chart.arena;
    struct span name = escape_plain(arena, graph_text(graph, graph_frame(graph, row->frame)->name));
    const char *bound = bound_name(row->bound);

    return arena_printf(arena, "%u: %.*s%s%s%s%s", index + 1, (int)name.len, name.at,
                        figure(arena, row->achieved / 1e12, "TFLOP/s"),
                        figure(arena, row->intensity, "FLOP/byte"),
                        figure(arena, row->bandwidth / 1e9, "GB/s"),
                        bound ? arena_printf(arena, "\nbound by %s", bound) : "");
}

/* How far it could rise. */
static void write_room(struct roofline_drawing *drawing, uint32_t index)
{
    const struct roofline_row *row = &drawing->roofline->rows[index];
    struct svg_point at = drawing->points[index];

    if (roofline_place(row) == PLACE_PLOT && row->attainable > row->achieved)
        svg_line(&drawing->chart.svg, "fine dotted", at.x, at.y, at.x,
                 axis_at(&drawing->frame.y, row->attainable));
}

static void write_dot(struct roofline_drawing *drawing, uint32_t index)
{
    const struct roofline_row *row = &drawing->roofline->rows[index];
    struct svg *svg = &drawing->chart.svg;
    struct svg_point at = drawing->points[index];

    svg_begin(svg, "g");
    svg_text_attribute(svg, "class", "dot");
    svg_tooltip(svg, span_of(tooltip(drawing, index)));
    svg_circle(svg, mark_of(row), at.x, at.y, radius_of(drawing, row));
    svg_end(svg);
}

static struct span number_of(struct roofline_drawing *drawing, uint32_t index)
{
    return span_of(arena_printf(&drawing->chart.arena, "%u", index + 1));
}

/* Its row in the table, in a dot that is large enough. From then on the dot is not covered. */
static bool write_inside(struct roofline_drawing *drawing, uint32_t index)
{
    const struct roofline_row *row = &drawing->roofline->rows[index];
    struct chart *chart = &drawing->chart;
    struct svg_point at = drawing->points[index];
    struct span text = number_of(drawing, index);
    double radius = radius_of(drawing, row), y = at.y + 4;
    bool is_inside = radius >= NUMBER_INSIDE &&
                     placement_is_free(&chart->placement, placement_text_box(at.x, y, ANCHOR_MIDDLE,
                                                                             CHART_TEXT, text));

    if (is_inside)
        svg_label(&chart->svg, NULL, at.x, y, ANCHOR_MIDDLE, text);
    radius *= ROUND;
    placement_take(&chart->placement,
                   (struct svg_box){at.x - radius, at.y - radius, 2 * radius, 2 * radius});
    return is_inside;
}

/* Small dots first: what is written where they are is theirs. Numbers that have no place inside
 * come last, so that they cover no dot, further off where larger dots lie around theirs. */
static void write_numbers(struct roofline_drawing *drawing)
{
    uint32_t *left = arena_array(&drawing->chart.arena, drawing->dots, sizeof(*left)), count = 0;

    for (uint32_t i = drawing->dots; i-- > 0;)
        if (drawing->order[i] < drawing->rows && !write_inside(drawing, drawing->order[i]))
            left[count++] = drawing->order[i];
    for (uint32_t i = 0; i < count; i++) {
        double radius = radius_of(drawing, &drawing->roofline->rows[left[i]]);
        double most = radius + ROOFLINE_DOT_MOST;

        while (radius <= most && !chart_beside(&drawing->chart, NULL, drawing->points[left[i]],
                                               radius, number_of(drawing, left[i])))
            radius += STEP;
    }
}

/* In a cache that has a roof, work is of another intensity: a ring at the same height. */
static void write_rings(struct roofline_drawing *drawing, const struct ceilings *ceilings,
                        uint32_t index)
{
    static const char *const names[CACHE_COUNT] = {[CACHE_L2] = "L2", [CACHE_L1] = "L1"};
    static const enum bound marks[CACHE_COUNT] = {[CACHE_L2] = BOUND_L2, [CACHE_L1] = BOUND_L1};
    const struct roofline_row *row = &drawing->roofline->rows[index];
    struct svg *svg = &drawing->chart.svg;

    for (int i = 0; i < CACHE_COUNT && roofline_place(row) == PLACE_PLOT; i++) {
        double intensity = row->cache_intensity[i];

        if (!(ceilings->cache[i] > 0 && intensity > 0))
            continue;
        svg_begin(svg, "g");
        svg_tooltip(svg,
                    span_of(arena_printf(&drawing->chart.arena, "%u in %s%s", index + 1, names[i],
                                         figure(&drawing->chart.arena, intensity, "FLOP/byte"))));
        svg_circle(svg, hollow_marks[marks[i]], axis_at(&drawing->frame.x, intensity),
                   drawing->points[index].y, DOT_LEAST);
        svg_end(svg);
    }
}

static bool is_longer(const void *context, uint32_t a, uint32_t b)
{
    const struct roofline_row *rows = context;

    return rows[a].time > rows[b].time;
}

static void collect_dots(struct roofline_drawing *drawing)
{
    const struct roofline *roofline = drawing->roofline;
    uint32_t placed[PLACE_COUNT] = {0};

    drawing->order = arena_array(&drawing->chart.arena, roofline->count, sizeof(*drawing->order));
    for (uint32_t i = 0; i < roofline->count; i++) {
        enum roofline_place place = roofline_place(&roofline->rows[i]);

        drawing->time[place] = checked_add(drawing->time[place], roofline->rows[i].time);
        if (place != PLACE_NONE)
            drawing->order[drawing->dots++] = i;
    }
    sort_stable(drawing->order, drawing->dots, is_longer, roofline->rows);
    drawing->points = arena_array(&drawing->chart.arena, roofline->count, sizeof(*drawing->points));
    for (uint32_t i = 0; i < drawing->dots; i++) {
        const struct roofline_row *row = &roofline->rows[drawing->order[i]];

        drawing->points[drawing->order[i]] =
            roofline_point(&drawing->frame, row, placed[roofline_place(row)]++);
    }
}

/* ---- the whole ---- */

static bool has_bound(const struct roofline_drawing *drawing, enum bound bound)
{
    const struct roofline *roofline = drawing->roofline;

    if (roofline_has_zones(&drawing->frame) && bound != BOUND_UNKNOWN && bound <= BOUND_LATENCY)
        return true; /* it has a zone */
    for (uint32_t i = 0; i < roofline->count; i++)
        if (roofline->rows[i].bound == bound && roofline_place(&roofline->rows[i]) != PLACE_NONE)
            return true;
    return false;
}

static double plan_legend(struct roofline_drawing *drawing, const struct ceilings *ceilings)
{
    static const char *const texts[] = {
        [BOUND_UNKNOWN] = "not known what holds it up",
        [BOUND_MEMORY] = "memory: at 60 % or more of its bandwidth",
        [BOUND_COMPUTE] = "compute: at 60 % or more of its peak",
        [BOUND_LATENCY] = "latency: below 60 % of both",
        [BOUND_L2] = "L2: at 60 % or more of its bandwidth",
        [BOUND_L1] = "L1: at 60 % or more of its bandwidth",
    };

    bool has_hollow = false, has_ring = false;

    for (uint32_t i = 0; i < drawing->roofline->count; i++) {
        const struct roofline_row *row = &drawing->roofline->rows[i];

        has_hollow |= work_is_from_shapes(row->source) && roofline_place(row) != PLACE_NONE;
        for (int cache = 0; cache < CACHE_COUNT; cache++)
            has_ring |= ceilings->cache[cache] > 0 && row->cache_intensity[cache] > 0;
    }
    for (uint32_t bound = 0; bound < COUNT_OF(texts); bound++)
        if (texts[bound] && has_bound(drawing, (enum bound)bound))
            drawing->keys[drawing->key_count++] =
                (struct legend_key){.class = full_marks[bound], .text = span_of(texts[bound])};
    if (has_hollow)
        drawing->keys[drawing->key_count++] = (struct legend_key){
            .class = hollow_marks[BOUND_UNKNOWN], .text = SPAN("hollow: work from shapes")};
    if (has_ring)
        drawing->keys[drawing->key_count++] =
            (struct legend_key){.class = hollow_marks[BOUND_L2],
                                .text = SPAN("ring: the same work's FLOP/byte in a cache")};
    return legend_lay_out(drawing->keys, drawing->key_count,
                          chart_width(drawing->report) - 2 * CHART_MARGIN, &drawing->chart.arena);
}

static void write_frame(struct roofline_drawing *drawing, const struct ceilings *ceilings)
{
    struct label_placement dots = {.within = drawing->chart.placement.within};

    for (uint32_t i = 0; i < drawing->dots; i++) {
        const struct roofline_row *row = &drawing->roofline->rows[drawing->order[i]];
        struct svg_point at = drawing->points[drawing->order[i]];
        double radius = radius_of(drawing, row);

        placement_take(&dots,
                       (struct svg_box){at.x - radius, at.y - radius, 2 * radius, 2 * radius});
    }
    roofline_frame_write(&drawing->frame, ceilings, &dots, &drawing->chart);
    placement_free(&dots);
}

static void write_table(struct roofline_drawing *drawing, double y)
{
    const char **marks = arena_array(&drawing->chart.arena, drawing->rows, sizeof(*marks));

    for (uint32_t i = 0; i < drawing->rows; i++)
        marks[i] = roofline_place(&drawing->roofline->rows[i]) != PLACE_NONE
                       ? mark_of(&drawing->roofline->rows[i])
                       : NULL;
    chart_table_write(&drawing->chart, drawing->report->tables[0], marks, drawing->rows, y);
}

struct roofline_subject {
    const struct roofline *roofline;
    const struct ceilings *ceilings;
};

static void draw(const void *of, const struct report *report, FILE *out)
{
    const struct roofline_subject *subject = of;
    const struct roofline *roofline = subject->roofline;
    const struct ceilings *ceilings = subject->ceilings;
    struct roofline_drawing drawing = {.roofline = roofline, .report = report};
    double plot, legend, top;

    drawing.rows = roofline->count < ROWS_MOST ? roofline->count : ROWS_MOST;
    roofline_frame_lay_out(&drawing.frame, roofline, ceilings, chart_width(report));
    plot = ABOVE + roofline_frame_height(&drawing.frame) + BETWEEN;
    legend = plan_legend(&drawing, ceilings);
    chart_open(&drawing.chart, out, report, "Roofline",
               plot + legend + chart_table_height(drawing.rows) + BETWEEN);
    top = drawing.chart.top + ABOVE;
    roofline_frame_put(&drawing.frame, top);
    collect_dots(&drawing);
    write_frame(&drawing, ceilings);
    for (uint32_t i = 0; i < drawing.dots; i++)
        write_rings(&drawing, ceilings, drawing.order[i]);
    for (uint32_t i = 0; i < drawing.dots; i++)
        write_room(&drawing, drawing.order[i]);
    for (uint32_t i = 0; i < drawing.dots; i++)
        write_dot(&drawing, drawing.order[i]);
    write_numbers(&drawing);
    legend_write(&drawing.chart.svg, drawing.keys, drawing.key_count, CHART_MARGIN,
                 drawing.chart.top + plot);
    write_table(&drawing, drawing.chart.top + plot + legend);
    chart_close(&drawing.chart);
}

void roofline_chart(const struct roofline *roofline, const struct roofline_options *options,
                    struct arena *arena, struct report *report)
{
    struct roofline_subject *subject = arena_alloc(arena, sizeof(*subject));

    *subject = (struct roofline_subject){roofline, &options->ceilings};
    report->chart = 
        (struct report_chart){.draw = draw, .subject = subject, .narrow = CHART_NARROW};
}
