/* SPDX-License-Identifier: Apache-2.0 */
/* stack.h — lengths one after another, each in its colour: what a whole is made of, as a bar, or
 * what each of several steps is made of, as columns side by side */
#ifndef PTK_RENDER_CHARTS_STACK_H
#define PTK_RENDER_CHARTS_STACK_H

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

/* Of times. */
struct columns {
    const struct stack_part *parts;
    uint32_t part_count;
    uint32_t count;
    const int64_t *lengths;    /* part_count of each column, in ns */
    const char *const *labels; /* below each column */
};

/* Pixels that columns take, with their heading and labels. */
double columns_height(void);

/* The first columns, as many as there is room for: the heading says when there are more. */
void columns_write(struct chart *chart, const struct columns *columns, const char *heading,
                   double y);

#endif
