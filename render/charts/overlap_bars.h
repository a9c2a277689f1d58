/* SPDX-License-Identifier: Apache-2.0 */
/* overlap_bars.h — what each of several devices spent its time on, as bars below each other */
#ifndef PTK_RENDER_CHARTS_OVERLAP_BARS_H
#define PTK_RENDER_CHARTS_OVERLAP_BARS_H

#include "analysis/timeline/overlap.h"
#include "render/charts/stack.h"

/* Compute, what no compute hides, and idleness: together a device's span. */
enum { OVERLAP_PARTS = 4 };

extern const struct stack_part overlap_parts[OVERLAP_PARTS];

void overlap_lengths(const struct overlap_figures *all, int64_t lengths[OVERLAP_PARTS]);

struct overlap_bar {
    const char *label;
    const struct overlap_figures *all;
};

/* Pixels that so many bars take, with their axis. */
double overlap_bars_height(uint32_t count);

/* Below each bar, a line is as long as the communication that compute hides. */
void overlap_bars_write(struct chart *chart, const struct overlap_bar *bars, uint32_t count,
                        double top);

/* Pixels that the keys of the parts take, and the keys themselves. */
enum { OVERLAP_KEYS = OVERLAP_PARTS + 1 };
double overlap_legend_height(struct legend_key keys[OVERLAP_KEYS], struct chart *chart);

#endif
