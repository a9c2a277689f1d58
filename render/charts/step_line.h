/* SPDX-License-Identifier: Apache-2.0 */
/* step_line.h — a figure over time as a line of steps, with at most one step a pixel
 *
 * Of several values within a pixel the highest is drawn: peaks are what one looks for. */
#ifndef PTK_RENDER_CHARTS_STEP_LINE_H
#define PTK_RENDER_CHARTS_STEP_LINE_H

#include <stdint.h>

#include "render/pictures/svg.h"

struct step_trail {
    struct svg_point *points; /* in the arena */
    uint32_t count;
};

/* Room for a trail over so many pixels. */
void trail_init(struct step_trail *trail, double width, struct arena *arena);

/* The figure is at y from x on. x never falls, and stays within the width given. */
void trail_add(struct step_trail *trail, double x, double y);

/* Keeps the last value up to x. */
void trail_end(struct step_trail *trail, double x);

/* As an open line; or the area down to `bottom`, which ends the trail. */
void trail_write(struct svg *svg, const char *class, const struct step_trail *trail);
void trail_write_area(struct svg *svg, const char *class, struct step_trail *trail, double bottom);

#endif
