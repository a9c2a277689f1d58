/* SPDX-License-Identifier: Apache-2.0 */
/* stacked_bar.h — lengths one after another in one bar, each in its colour: what a whole is made
 * of */
#ifndef PTK_RENDER_CHARTS_STACKED_BAR_H
#define PTK_RENDER_CHARTS_STACKED_BAR_H

#include "base/text/format.h"
#include "render/charts/axis.h"
#include "render/charts/chart.h"
#include "render/charts/legend.h"

enum { STACK_PARTS_MAX = 8 };

struct stack_part {
    const char *name;
    const char *class; /* its colour: "h1" */
};

/* A bar along the axis, from its value 0: `across` is the bar's upper or left side. Each part says
 * its share where there is room, and its length where the pointer rests. */
void stack_write(struct chart *chart, const struct stack_part *parts, const int64_t *lengths,
                 uint32_t count, const struct axis *axis, double across, double thickness,
                 enum unit unit);

/* Keys of the parts, for legend_lay_out(). */
void stack_keys(const struct stack_part *parts, uint32_t count, struct legend_key *keys);

#endif
