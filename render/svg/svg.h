/* SPDX-License-Identifier: Apache-2.0 */
/* svg.h — SVG: elements, texts that fit, colours */
#ifndef PTK_RENDER_SVG_SVG_H
#define PTK_RENDER_SVG_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error/error.h"
#include "base/memory/memory.h"

/* The one drawing vocabulary: every picture is made of these calls, on libxml2's writer.
 *
 * Texts are the profile's raw bytes: they are made plain (base/text/escape.h) and escaped here.
 * The same calls give the same bytes. Write errors are found when the output is committed. */

struct _xmlTextWriter;

/* Bytes of a name in a picture: longer ones are shown by their ends. */
enum { PICTURE_NAME_MAX = 8192 };

struct svg {
    struct _xmlTextWriter *xml;
    struct arena arena; /* of texts on their way out; emptied as elements close */
};

/* Begins a document of this size in pixels; `title` is what a reader is told it shows. */
void svg_open(struct svg *svg, FILE *out, double width, double height, const char *title);
void svg_close(struct svg *svg);

/* Elements, and the attributes of the one that was begun last. */
void svg_begin(struct svg *svg, const char *element);
void svg_end(struct svg *svg);
void svg_text_attribute(struct svg *svg, const char *name, const char *value);
void svg_number(struct svg *svg, const char *name, double value); /* to 1/100 */
void svg_integer(struct svg *svg, const char *name, int64_t value);

/* <title>: what a browser shows where the pointer rests. */
void svg_tooltip(struct svg *svg, struct span text);

/* Trusted lines of a style sheet or a script: files of this repository. End with NULL. */
void svg_style(struct svg *svg, const char *const *lines);
void svg_script(struct svg *svg, const char *const *lines);

struct svg_box {
    double x, y, width, height;
};

void svg_rectangle(struct svg *svg, const char *class, struct svg_box box);

void svg_line(struct svg *svg, const char *class, double x1, double y1, double x2, double y2);
void svg_circle(struct svg *svg, const char *class, double x, double y, double radius);

/* Points that a line joins, in pixels. */
struct svg_point {
    double x, y;
};

/* An open line, or with `is_closed` the area within it. */
void svg_path(struct svg *svg, const char *class, const struct svg_point *points, size_t count,
              bool is_closed);

enum svg_anchor { ANCHOR_START, ANCHOR_MIDDLE, ANCHOR_END };

/* One line of text whose base line is at y; `class` may be NULL. */
void svg_label(struct svg *svg, const char *class, double x, double y, enum svg_anchor anchor,
               struct span text);

/* As svg_label(), turned about (x, y) by so many degrees, clockwise. */
void svg_turned_label(struct svg *svg, const char *class, double x, double y, double degrees,
                      enum svg_anchor anchor, struct span text);

/* ---- a figure over time as a line of steps, with at most one step a pixel ---- */

/* Of several values within a pixel the highest is drawn: peaks are what one looks for. */

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

/* False with a word where libxml2 is not there, which writes pictures and pages: to be asked before
 * an output is opened. */
MUST_CHECK bool xml_stream_check(struct error *err);

/* ---- how wide a text is, and the part of it that fits, without asking a font ---- */

/* The widths are those of Helvetica, which Arial, Liberation Sans and Nimbus Sans share. Characters
 * beyond ASCII are taken for wide ones, so that a text is rather too short than too long. */

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
