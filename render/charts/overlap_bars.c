/* SPDX-License-Identifier: Apache-2.0 */
#include "render/charts/chart.h"

#include <math.h>

#include "base/checked.h"
#include "base/text/format.h"

/* Pixels. */
enum { LABELS = 150, SHARES = 110, ROW = 30, BAR = 18, LINE = 4, AXIS = 22 };

const struct stack_part overlap_parts[OVERLAP_PARTS] = {
    {"compute", "h1"},
    {"communication that nothing hides", "h2"},
    {"copies that nothing hides", "h3"},
    {"idle", "h0"},
};

void overlap_lengths(const struct overlap_figures *all, int64_t lengths[OVERLAP_PARTS])
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
    chart_text(chart, NULL, (struct svg_point){CHART_MARGIN, y + 13}, ANCHOR_START, LABELS - 8,
               span_of(bar->label));
    stack_write(chart, overlap_parts, lengths, OVERLAP_PARTS, axis, y, BAR, UNIT_NS);
    write_hidden(chart, bar->all, axis, y + BAR + 1);
    chart_text(chart, NULL, (struct svg_point){CHART_WIDTH - CHART_MARGIN, y + 13}, ANCHOR_END,
               SHARES,
               span_of(arena_printf(&chart->arena, "busy %s",
                                    format_share(busy, share_of(bar->all->busy, bar->all->span)))));
}

void overlap_bars_write(struct chart *chart, const struct overlap_bar *bars, uint32_t count,
                        double top)
{
    struct axis axis = {
        .high = 1, .from = CHART_MARGIN + LABELS, .to = CHART_WIDTH - CHART_MARGIN - SHARES};

    if (!count)
        return;
    for (uint32_t i = 0; i < count; i++)
        axis.high = fmax(axis.high, (double)bars[i].all->span);
    axis_write_values(&chart->svg, &axis,
                      (struct svg_box){axis.from, top, axis.to - axis.from, count * ROW}, UNIT_NS);
    for (uint32_t i = 0; i < count; i++)
        write_bar(chart, &bars[i], &axis, top + i * ROW + (ROW - BAR) / 2.0);
}

double overlap_legend_height(struct legend_key keys[OVERLAP_KEYS], struct chart *chart)
{
    stack_keys(overlap_parts, OVERLAP_PARTS, keys);
    keys[OVERLAP_PARTS] =
        (struct legend_key){.class = "h2", .text = SPAN("thin: communication that compute hides")};
    return legend_lay_out(keys, OVERLAP_KEYS, CHART_WIDTH - 2 * CHART_MARGIN, &chart->arena);
}
