/* SPDX-License-Identifier: Apache-2.0 */
/* text_metrics.h — how wide a text is, and the part of it that fits, without asking a font
 *
 * The widths are those of Helvetica, which Arial, Liberation Sans and Nimbus Sans share. Characters
 * beyond ASCII are taken for wide ones, so that a text is rather too short than too long. */
#ifndef PTK_RENDER_PICTURES_TEXT_METRICS_H
#define PTK_RENDER_PICTURES_TEXT_METRICS_H

#include "base/memory/arena.h"

/* The fonts, as a CSS list, are in render/pictures/picture.css. The width is in units of the font's
 * size. */
double text_width(struct span plain);

/* The text as it is where it fits into `width`; otherwise its two ends with an ellipsis between
 * them; nothing where less than three characters would be left. `plain` is text that
 * escape_plain() has seen. */
struct span text_fit(struct arena *arena, struct span plain, double width, double size);

/* The bytes of the text's beginning that make one line of this width, up to a blank where there is
 * one; at least one character. */
size_t text_line_length(struct span plain, double width, double size);

#endif
