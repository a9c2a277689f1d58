/* SPDX-License-Identifier: Apache-2.0 */
/* flame_svg.h — a flame graph or an icicle as SVG: a picture anywhere, a tool in a browser */
#ifndef PTK_RENDER_PICTURES_FLAME_SVG_H
#define PTK_RENDER_PICTURES_FLAME_SVG_H

#include <stdio.h>

#include "analysis/layout/flame.h"
#include "analysis/layout/flame_colors.h"

struct flame_style {
    const char *title; /* raw bytes */
    const char *culprit; /* who has most of it, where that is the question; or NULL; raw bytes */
    double width;      /* pixels, at least FLAME_WIDTH_LEAST */
    bool is_icicle;    /* callers above their callees */
};

enum { FLAME_WIDTH_LEAST = 300, FLAME_WIDTH_MOST = 100000 };

void flame_svg_write(const struct graph *graph, const struct flame *flame,
                     const struct coloring *coloring, const struct flame_style *style, FILE *out);

#endif
