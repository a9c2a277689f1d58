/* SPDX-License-Identifier: Apache-2.0 */
#include "render/charts/chart.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory/vector.h"
#include "render/pictures/svg.h"

/* Of a font's size: how far letters reach above and below their base line. */
static const double ABOVE = 0.8, BELOW = 0.25;

enum { CLOSE = 2 };

void placement_free(struct label_placement *placement)
{
    free(placement->taken);
    *placement = (struct label_placement){.within = placement->within};
}

void placement_take(struct label_placement *placement, struct svg_box box)
{
    placement->taken = grow_one(placement->taken, placement->count, &placement->capacity,
                                sizeof(*placement->taken));
    placement->taken[placement->count++] = box;
}

static bool meet(const struct svg_box *a, const struct svg_box *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

bool placement_is_free(const struct label_placement *placement, struct svg_box box)
{
    const struct svg_box *within = &placement->within;

    if (box.x < within->x || box.y < within->y || box.x + box.width > within->x + within->width ||
        box.y + box.height > within->y + within->height)
        return false;
    for (size_t i = 0; i < placement->count; i++)
        if (meet(&placement->taken[i], &box))
            return false;
    return true;
}

struct svg_box placement_text_box(double x, double y, enum svg_anchor anchor, double size,
                                  struct span plain)
{
    double width = text_width(plain) * size;

    return (struct svg_box){x - width * (anchor == ANCHOR_END      ? 1
                                         : anchor == ANCHOR_MIDDLE ? 0.5
                                                                   : 0),
                            y - ABOVE * size, width, (ABOVE + BELOW) * size};
}

bool placement_beside(struct label_placement *placement, struct svg_point mark, double radius,
                      double size, struct span plain, struct svg_point *at)
{
    static const struct {
        double x, y;
    } sides[] = {{1, 0},  {0.7, -0.7}, {0, -1}, {-0.7, -0.7},
                 {-1, 0}, {-0.7, 0.7}, {0, 1},  {0.7, 0.7}};
    double width = text_width(plain) * size, height = (ABOVE + BELOW) * size;

    for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
        double x = mark.x + sides[i].x * (radius + CLOSE + width / 2);
        double y = mark.y + sides[i].y * (radius + CLOSE + height / 2);
        struct svg_box box = {x - width / 2, y - height / 2, width, height};

        if (!placement_is_free(placement, box))
            continue;
        placement_take(placement, box);
        *at = (struct svg_point){box.x, box.y + ABOVE * size};
        return true;
    }
    return false;
}

void placement_spread(double *y, uint32_t count, double distance, double low, double high)
{
    for (uint32_t i = 0; i < count; i++)
        y[i] = fmax(y[i], i ? y[i - 1] + distance : low);
    for (uint32_t i = count; i-- > 0;)
        y[i] = fmin(y[i], i + 1 < count ? y[i + 1] - distance : high);
}
