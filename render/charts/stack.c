/* SPDX-License-Identifier: Apache-2.0 */
/* stack.c — columns of parts on top of each other, one a step or a rank */
#include "render/charts/chart.h"

#include <inttypes.h>
#include <math.h>

#include "base/checked.h"
#include "base/text/format.h"

/* Pixels. */
enum { TEXT_ROOM = 6, TEXT_HIGH = 14 };

/* A part's place between two values of the axis. */
static struct svg_box box_of(const struct axis *axis, double from, double to, double across,
                             double thickness)
{
    double low = axis_at(axis, from), high = axis_at(axis, to);

    if (axis->from > axis->to)
        return (struct svg_box){across, high, thickness, low - high};
    return (struct svg_box){low, across, high - low, thickness};
}

static void write_part(struct chart *chart, const struct stack_part *part, int64_t length,
                       int64_t whole, const struct svg_box *box, enum unit unit)
{
    char value[FORMAT_LEN], share[FORMAT_LEN];
    double width = text_width(span_of(format_share(share, share_of(length, whole)))) * CHART_TEXT;

    svg_begin(&chart->svg, "g");
    svg_text_attribute(&chart->svg, "class", "part");
    svg_tooltip(&chart->svg, span_of(arena_printf(&chart->arena, "%s: %s, %s", part->name,
                                                  format_value(value, length, unit), share)));
    svg_rectangle(&chart->svg, part->class, *box);
    if (width + TEXT_ROOM <= box->width && box->height >= TEXT_HIGH)
        svg_label(&chart->svg, NULL, box->x + box->width / 2, box->y + box->height / 2 + 4,
                  ANCHOR_MIDDLE, span_of(share));
    svg_end(&chart->svg);
}

void stack_write(struct chart *chart, const struct stack_part *parts, const int64_t *lengths,
                 uint32_t count, const struct axis *axis, double across, double thickness,
                 enum unit unit)
{
    int64_t whole = 0, at = 0;

    for (uint32_t i = 0; i < count; i++)
        whole = checked_add(whole, lengths[i]);
    for (uint32_t i = 0; i < count; i++) {
        int64_t end = checked_add(at, lengths[i]);
        struct svg_box box = box_of(axis, (double)at, (double)end, across, thickness);

        if (lengths[i] > 0)
            write_part(chart, &parts[i], lengths[i], whole, &box, unit);
        at = end;
    }
}

void stack_keys(const struct stack_part *parts, uint32_t count, struct legend_key *keys)
{
    for (uint32_t i = 0; i < count; i++)
        keys[i] = (struct legend_key){.class = parts[i].class, .text = span_of(parts[i].name)};
}

static const double COLUMNS_MOST = 0.4; /* a pixel of the chart's width */

/* Pixels. */
enum { LEFT = 70, HEADING = 34, HEIGHT = 150, LABELS = 26, WIDTH_MOST = 60, LABEL_APART = 10 };

static const double FILLED = 0.8; /* of a column's place */

double columns_height(void)
{
    return HEADING + HEIGHT + LABELS;
}

static const int64_t *lengths_of(const struct columns *columns, uint32_t index)
{
    return &columns->lengths[(size_t)index * columns->part_count];
}

void columns_write(struct chart *chart, const struct columns *columns, const char *heading,
                   double y)
{
    uint32_t shown = (uint32_t)fmin(columns->count, COLUMNS_MOST * chart->width);
    struct svg_box plot = {LEFT, y + HEADING, chart->width - CHART_MARGIN - LEFT, HEIGHT};
    struct axis axis = {.high = 1, .from = plot.y + HEIGHT, .to = plot.y};
    double pitch = plot.width / (shown ? shown : 1), width = fmin(pitch * FILLED, WIDTH_MOST);
    double widest = 0; /* label */
    uint32_t each;     /* so manieth label has room */

    if (shown < columns->count)
        heading = arena_printf(&chart->arena, "%s: the first %" PRIu32 " of %" PRIu32, heading,
                               shown, columns->count);
    chart_text(chart, NULL, (struct svg_point){CHART_MARGIN, y + HEADING - 14}, ANCHOR_START,
               chart->width - 2 * CHART_MARGIN, span_of(heading));
    for (uint32_t i = 0; i < shown; i++) {
        int64_t whole = 0;

        for (uint32_t part = 0; part < columns->part_count; part++)
            whole = checked_add(whole, lengths_of(columns, i)[part]);
        axis.high = fmax(axis.high, (double)whole);
        widest = fmax(widest, text_width(span_of(columns->labels[i])) * CHART_TEXT);
    }
    each = (uint32_t)fmax(1, ceil((fmin(widest, LEFT) + LABEL_APART) / pitch));
    axis_write_values(&chart->svg, &axis, plot, UNIT_NS);
    for (uint32_t i = 0; i < shown; i++) {
        double x = plot.x + pitch * (i + 0.5);

        stack_write(chart, columns->parts, lengths_of(columns, i), columns->part_count, &axis,
                    x - width / 2, width, UNIT_NS);
        if (i % each == 0)
            chart_text(chart, "faint", (struct svg_point){x, plot.y + HEIGHT + AXIS_TEXT_BELOW},
                       ANCHOR_MIDDLE, fmin(LEFT, each * pitch), span_of(columns->labels[i]));
    }
}
