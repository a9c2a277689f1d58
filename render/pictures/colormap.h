/* SPDX-License-Identifier: Apache-2.0 */
/* colormap.h — colours and sizes that grow with a weight */
#ifndef PTK_RENDER_PICTURES_COLORMAP_H
#define PTK_RENDER_PICTURES_COLORMAP_H

struct hsl {
    double hue, saturation, lightness; /* 0 … 1 */
};

/* Between two colours, as gprof2dot draws call graphs. */
struct colormap {
    struct hsl least, most;
    double gamma;
    double font_least, font_most; /* points */
    double pen_least, pen_most;
    int is_outlined; /* nodes have no fill: their text takes the colour */
};

extern const char *const colormap_names[]; /* ends with NULL */
extern const struct colormap colormaps[];  /* in the same order */

enum { COLORMAP_LEN = 8 };

/* "#rrggbb" for a weight from 0 to 1. `skew` 1 is linear; larger keeps the strong colours for the
 * largest weights. */
const char *colormap_color(char out[COLORMAP_LEN], const struct colormap *map, double weight,
                           double skew);

double colormap_font(const struct colormap *map, double weight);
double colormap_pen(const struct colormap *map, double weight);

#endif
