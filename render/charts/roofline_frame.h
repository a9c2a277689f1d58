/* SPDX-License-Identifier: Apache-2.0 */
/* roofline_frame.h — the ground of a roofline chart: axes, roofs and the zones below them */
#ifndef PTK_RENDER_CHARTS_ROOFLINE_FRAME_H
#define PTK_RENDER_CHARTS_ROOFLINE_FRAME_H

#include "analysis/roofline/roofline.h"
#include "render/charts/axis.h"
#include "render/charts/chart.h"

enum { ROOFLINE_DOT_MOST = 26 /* pixels: the radius of the largest dot */ };

/* Where a row's dot stands. What lacks one of the coordinates stands in a strip at the right. */
enum roofline_place {
    PLACE_NONE,  /* nothing is known of its work */
    PLACE_PLOT,  /* both are known, and above 0 */
    PLACE_FLOPS, /* its bytes are not known: at its FLOP a second */
    PLACE_BYTES, /* it has no FLOPs: as far below the roof as its bandwidth is below its own */
    PLACE_COUNT,
};

struct roofline_frame {
    struct axis x, y; /* FLOP a byte, FLOP a second */
    struct svg_box plot;
    struct svg_box layout[PLACE_COUNT]; /* of the last two; without a width where there is no row */
    uint32_t rows[PLACE_COUNT];
    struct roof roof; /* that the zones are of: single precision, or what was given */
};

enum roofline_place roofline_place(const struct roofline_row *row);

/* Of a row that has a place; `order` is the row's among those of its place. */
struct svg_point roofline_point(const struct roofline_frame *frame, const struct roofline_row *row,
                                uint32_t order);

/* Ranges that hold all dots and the ridge; both axes' decades are of one length. The plot's top is
 * at 0 until roofline_frame_put(). */
void roofline_frame_lay_out(struct roofline_frame *frame, const struct roofline *roofline,
                            const struct ceilings *ceilings);

/* Pixels from the plot's top to below the axis' title. */
double roofline_frame_height(const struct roofline_frame *frame);

void roofline_frame_put(struct roofline_frame *frame, double top);

/* Whether both roofs are known, so that memory, compute and latency have their zones. */
bool roofline_has_zones(const struct roofline_frame *frame);

/* All but the dots. Labels keep off what is taken in `dots`. */
void roofline_frame_write(const struct roofline_frame *frame, const struct ceilings *ceilings,
                          const struct label_placement *dots, struct chart *chart);

#endif
