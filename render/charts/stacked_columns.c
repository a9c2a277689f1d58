/* SPDX-License-Identifier: Apache-2.0 */
#include "render/charts/stacked_columns.h"

#include <inttypes.h>
#include <math.h>

#include "base/checked.h"
#include "render/pictures/text_metrics.h"

enum { COLUMNS_MOST = 360 };

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

static double whole_of(const struct columns *columns, uint32_t index)
{
    int64_t whole = 0;

    for (uint32_t i = 0; i < columns->part_count; i++)
        whole = checked_add(whole, lengths_of(columns, index)[i]);
    return (double)whole;
}

/* Every so manieth label has room. */
static uint32_t label_step(const struct columns *columns, uint32_t shown, double pitch)
{
    double widest = 0;

    for (uint32_t i = 0; i < shown; i++)
        widest = fmax(widest, text_width(span_of(columns->labels[i])) * CHART_TEXT);
    return (uint32_t)fmax(1, ceil((fmin(widest, LEFT) + LABEL_APART) / pitch));
}

void columns_write(struct chart *chart, const struct columns *columns, const char *heading,
                   double y)
{
    uint32_t shown = columns->count < COLUMNS_MOST ? columns->count : COLUMNS_MOST;
    struct svg_box plot = {LEFT, y + HEADING, CHART_WIDTH - CHART_MARGIN - LEFT, HEIGHT};
    struct axis axis = {.high = 1, .from = plot.y + HEIGHT, .to = plot.y};
    double pitch = plot.width / (shown ? shown : 1), width = fmin(pitch * FILLED, WIDTH_MOST);
    uint32_t each = label_step(columns, shown, pitch);

    if (shown < columns->count)
        heading = arena_printf(&chart->arena, "%s: the first %" PRIu32 " of %" PRIu32, heading,
                               shown, columns->count);
    chart_text(chart, NULL, (struct svg_point){CHART_MARGIN, y + HEADING - 14}, ANCHOR_START,
               CHART_WIDTH - 2 * CHART_MARGIN, span_of(heading));
    for (uint32_t i = 0; i < shown; i++)
        axis.high = fmax(axis.high, whole_of(columns, i));
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
