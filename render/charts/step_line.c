/* SPDX-License-Identifier: Apache-2.0 */
#include "render/charts/chart.h"

#include <math.h>

/* The area's corners, and the first and the last step. */
enum { SPARE = 8 };

void trail_init(struct step_trail *trail, double width, struct arena *arena)
{
    trail->points = arena_array(arena, 2 * (size_t)width + SPARE, sizeof(*trail->points));
    trail->count = 0;
}

void trail_add(struct step_trail *trail, double x, double y)
{
    struct svg_point *last = trail->count ? &trail->points[trail->count - 1] : NULL;

    if (last && x - last->x < 1) {
        last->y = fmin(last->y, y);
        return;
    }
    if (last)
        trail->points[trail->count++] = (struct svg_point){x, last->y};
    trail->points[trail->count++] = (struct svg_point){x, y};
}

void trail_end(struct step_trail *trail, double x)
{
    if (trail->count)
        trail->points[trail->count] = (struct svg_point){x, trail->points[trail->count - 1].y};
    trail->count += trail->count > 0;
}

void trail_write(struct svg *svg, const char *class, const struct step_trail *trail)
{
    svg_path(svg, class, trail->points, trail->count, false);
}

void trail_write_area(struct svg *svg, const char *class, struct step_trail *trail, double bottom)
{
    if (!trail->count)
        return;
    trail->points[trail->count] = (struct svg_point){trail->points[trail->count - 1].x, bottom};
    trail->points[trail->count + 1] = (struct svg_point){trail->points[0].x, bottom};
    svg_path(svg, class, trail->points, trail->count + 2, true);
}
