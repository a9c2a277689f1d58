/* SPDX-License-Identifier: Apache-2.0 */
/* legend.h — what the colours of a picture mean, in lines below it */
#ifndef PTK_RENDER_SVG_LEGEND_H
#define PTK_RENDER_SVG_LEGEND_H

#include <stdint.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "render/svg/svg.h"

struct legend_key {
    const char *class; /* of the square */
    struct span text;  /* plain; without one the next square follows closely */
    double x, y;       /* within the legend; set by legend_lay_out() */
};

/* Shortens and places the keys in lines of `width` pixels. The height that they take. */
double legend_lay_out(struct legend_key *keys, uint32_t count, double width, struct arena *arena);

void legend_write(struct svg *svg, const struct legend_key *keys, uint32_t count, double x,
                  double y);

#endif
