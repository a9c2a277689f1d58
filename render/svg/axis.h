/* SPDX-License-Identifier: Apache-2.0 */
/* axis.h — round numbers along a side of a picture, and where they stand */
#ifndef PTK_RENDER_SVG_AXIS_H
#define PTK_RENDER_SVG_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/unit.h"
#include "render/svg/svg.h"

/* Positions are in pixels. A linear axis has ticks at 1, 2 or 5 times a power of ten; a logarithmic
 * one at the powers of ten. */

enum { AXIS_TEXT_BELOW = 16 /* pixels from a plot's lower side to the base line of its numbers */ };

struct axis {
    double low, high; /* values at both ends; a logarithmic one's are above 0 */
    double from, to;  /* pixels; a vertical axis runs up, so `from` is the larger */
    bool is_log;
};

double axis_at(const struct axis *axis, double value);

/* The distance of the ticks, so that there are at most `most` of them. */
double axis_step(const struct axis *axis, uint32_t most);

/* Across `plot`, a fine line and a number at each power of ten of a logarithmic axis: "0.1",
 * "100", "1 k". Left of the plot for an axis that runs up, else below it. */
void axis_write_powers(struct svg *svg, const struct axis *axis, struct svg_box plot);

/* A fine line across `plot` at this value, and its text. */
void axis_write_tick(struct svg *svg, const struct axis *axis, struct svg_box plot, double value,
                     const char *text);

/* At most `most` such ticks of a linear axis, at round numbers followed by the unit: "1.5x". */
void axis_write_numbers(struct svg *svg, const struct axis *axis, struct svg_box plot,
                        uint32_t most, const char *unit);

/* Such ticks at values of the unit ("1.2 ms"; all of one size) of a linear axis. */
void axis_write_values(struct svg *svg, const struct axis *axis, struct svg_box plot,
                       enum unit unit);

#endif
