/* SPDX-License-Identifier: Apache-2.0 */
/* svg.h — the one drawing vocabulary: every picture is made of these calls, on libxml2's writer
 *
 * Texts are the profile's raw bytes: they are made plain (base/text/escape.h) and escaped here.
 * The same calls give the same bytes. Write errors are found when the output is committed. */
#ifndef PTK_RENDER_PICTURES_SVG_H
#define PTK_RENDER_PICTURES_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "base/memory/arena.h"

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

#endif
