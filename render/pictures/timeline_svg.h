/* SPDX-License-Identifier: Apache-2.0 */
/* timeline_svg.h — tracks over time as an SVG picture: analysis/layout/timeline_layout.h with
 * steps, gaps, counters and launches */
#ifndef PTK_RENDER_PICTURES_TIMELINE_SVG_H
#define PTK_RENDER_PICTURES_TIMELINE_SVG_H

#include <stdio.h>

#include "analysis/execution/idle_gaps.h"
#include "analysis/layout/timeline_layout.h"
#include "analysis/timeline/steps.h"

enum { TIMELINE_WIDTH_LEAST = 500, TIMELINE_NAMES = 170, TIMELINE_MARGIN = 12 };

struct timeline_picture {
    const struct graph *graph;
    const struct timeline_layout *layout;
    const struct steps *steps;
    const struct gaps *gaps;
    int64_t origin; /* ns: where the axis says 0 */
    const char *title;
    uint32_t width; /* pixels */
};

void timeline_svg_write(const struct timeline_picture *picture, FILE *out);

#endif
