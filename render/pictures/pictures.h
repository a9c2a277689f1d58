/* SPDX-License-Identifier: Apache-2.0 */
/* pictures.h — flame graphs and timelines as SVG, and what they carry with them */
#ifndef PTK_RENDER_PICTURES_PICTURES_H
#define PTK_RENDER_PICTURES_PICTURES_H

#include <stdio.h>

#include "analysis/execution/idle_gaps.h"
#include "analysis/layout/flame.h"
#include "analysis/layout/timeline_layout.h"
#include "analysis/timeline/inventory.h"

/* ---- a flame graph or an icicle as SVG: a picture anywhere, a tool in a browser ---- */

struct flame_style {
    const char *title;   /* raw bytes */
    const char *culprit; /* who has most of it, where that is the question; or NULL; raw bytes */
    double width;        /* pixels, at least FLAME_WIDTH_LEAST */
    bool is_icicle;      /* callers above their callees */
};

enum { FLAME_WIDTH_LEAST = 300, FLAME_WIDTH_MOST = 100000 };

void flame_svg_write(const struct graph *graph, const struct flame *flame,
                     const struct coloring *coloring, const struct flame_style *style, FILE *out);

/* ---- tracks over time as an SVG picture, with steps, gaps, counters and launches ---- */

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
