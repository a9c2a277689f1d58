/* SPDX-License-Identifier: Apache-2.0 */
/* label_placement.h — where a text of a picture still has room: none is written over another
 *
 * What must not be covered is taken first; then each text asks for a place. In pixels. */
#ifndef PTK_RENDER_CHARTS_LABEL_PLACEMENT_H
#define PTK_RENDER_CHARTS_LABEL_PLACEMENT_H

#include "render/pictures/svg.h"

struct label_placement {
    struct svg_box within; /* no text leaves this */
    struct svg_box *taken;
    size_t count, capacity;
};

void placement_free(struct label_placement *placement);

void placement_take(struct label_placement *placement, struct svg_box box);

bool placement_is_free(const struct label_placement *placement, struct svg_box box);

/* The box that a line of plain text takes, whose base line is at y. */
struct svg_box placement_text_box(double x, double y, enum svg_anchor anchor, double size,
                                  struct span plain);

/* Takes a place beside a mark of this radius. False where there is none; otherwise where the text's
 * base line begins. */
bool placement_beside(struct label_placement *placement, struct svg_point mark, double radius,
                      double size, struct span plain, struct svg_point *at);

/* Moves lines, sorted by y, apart to at least this distance, and none out of low … high as far as
 * they fit. */
void placement_spread(double *y, uint32_t count, double distance, double low, double high);

#endif
