/* SPDX-License-Identifier: Apache-2.0 */
#include "render/charts/stacked_bar.h"

#include <math.h>

#include "base/checked.h"
#include "base/text/format.h"
#include "render/pictures/text_metrics.h"

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

static void write_share(struct chart *chart, const struct svg_box *box, double share)
{
    char text[FORMAT_LEN];
    double width = text_width(span_of(format_share(text, share))) * CHART_TEXT;

    if (width + TEXT_ROOM <= box->width && box->height >= TEXT_HIGH)
        svg_label(&chart->svg, NULL, box->x + box->width / 2, box->y + box->height / 2 + 4,
                  ANCHOR_MIDDLE, span_of(text));
}

static void write_part(struct chart *chart, const struct stack_part *part, int64_t length,
                       int64_t whole, const struct svg_box *box, enum unit unit)
{
    char value[FORMAT_LEN], share[FORMAT_LEN];

    svg_begin(&chart->svg, "g");
    svg_text_attribute(&chart->svg, "class", "part");
    svg_tooltip(&chart->svg, span_of(arena_printf(&chart->arena, "%s: %s, %s", part->name,
                                                  format_value(value, length, unit),
                                                  format_share(share, share_of(length, whole)))));
    svg_rectangle(&chart->svg, part->class, *box);
    write_share(chart, box, share_of(length, whole));
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
