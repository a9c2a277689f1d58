/* SPDX-License-Identifier: Apache-2.0 */
/* stacked_columns.h — upright stacks side by side: what each of several steps is made of */
#ifndef PTK_RENDER_CHARTS_STACKED_COLUMNS_H
#define PTK_RENDER_CHARTS_STACKED_COLUMNS_H

#include "render/charts/stacked_bar.h"

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
