/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of SVG as they are written. */
#include "render/svg/svg.h"

#include <math.h>

#include "base/text/escape.h"
#include "render/svg/xml_stream.h"

/* A picture has many numbers, so they are written without printf(): from the end. */
enum { NUMBER_LEN = 40 };

static char *write_digits(char *at, uint64_t value)
{
    do
        *--at = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    return at;
}

/* "12.5", never "12.50" or "-0": short, and the same on every machine. */
static const char *short_number(char out[NUMBER_LEN], double value)
{
    uint64_t hundredths = fabs(value) < 1e15 ? (uint64_t)llrint(fabs(value) * 100) : 0;
    char *at = out + NUMBER_LEN - 1;

    *at = '\0';
    if (hundredths % 10)
        at = write_digits(at, hundredths % 10);
    if (hundredths % 100) {
        at = write_digits(at, hundredths / 10 % 10);
        *--at = '.';
    }
    at = write_digits(at, hundredths / 100);
    if (value < 0 && hundredths)
        *--at = '-';
    return at;
}

static const char *whole_number(char out[NUMBER_LEN], int64_t value)
{
    char *at = out + NUMBER_LEN - 1;

    *at = '\0';
    at = write_digits(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
    if (value < 0)
        *--at = '-';
    return at;
}

void svg_begin(struct svg *svg, const char *element)
{
    xml_ignore(libxml()->xmlTextWriterStartElement(svg->xml, xml_text(element)));
}

void svg_end(struct svg *svg)
{
    xml_ignore(libxml()->xmlTextWriterEndElement(svg->xml));
    arena_clear(&svg->arena);
}

void svg_text_attribute(struct svg *svg, const char *name, const char *value)
{
    struct span plain = escape_plain(&svg->arena, span_of(value));
    const char *text = plain.at == value ? value : arena_copy(&svg->arena, plain);

    xml_ignore(libxml()->xmlTextWriterWriteAttribute(svg->xml, xml_text(name), xml_text(text)));
}

void svg_number(struct svg *svg, const char *name, double value)
{
    char text[NUMBER_LEN];

    xml_ignore(libxml()->xmlTextWriterWriteAttribute(svg->xml, xml_text(name),
                                                     xml_text(short_number(text, value))));
}

void svg_integer(struct svg *svg, const char *name, int64_t value)
{
    char text[NUMBER_LEN];

    xml_ignore(libxml()->xmlTextWriterWriteAttribute(svg->xml, xml_text(name),
                                                     xml_text(whole_number(text, value))));
}

/* Text inside the element that was begun last. Line ends stay: in tooltips they are ours, and
 * escape_plain() shows those of names as \n. */
static void svg_write(struct svg *svg, struct span text)
{
    struct span plain = escape_plain(&svg->arena, text);

    xml_ignore(
        libxml()->xmlTextWriterWriteString(svg->xml, xml_text(arena_copy(&svg->arena, plain))));
}

void svg_tooltip(struct svg *svg, struct span text)
{
    svg_begin(svg, "title");
    while (text.len) {
        svg_write(svg, span_split(&text, '\n'));
        if (text.len)
            xml_ignore(libxml()->xmlTextWriterWriteRaw(svg->xml, xml_text("\n")));
    }
    svg_end(svg);
}

static void write_raw(struct svg *svg, const char *element, const char *const *lines)
{
    svg_begin(svg, element);
    xml_ignore(libxml()->xmlTextWriterWriteRaw(svg->xml, xml_text("<![CDATA[\n")));
    for (; *lines; lines++)
        xml_ignore(libxml()->xmlTextWriterWriteRaw(svg->xml, xml_text(*lines)));
    xml_ignore(libxml()->xmlTextWriterWriteRaw(svg->xml, xml_text("]]>")));
    svg_end(svg);
}

void svg_style(struct svg *svg, const char *const *lines)
{
    write_raw(svg, "style", lines);
}

void svg_script(struct svg *svg, const char *const *lines)
{
    write_raw(svg, "script", lines);
}

void svg_rectangle(struct svg *svg, const char *class, struct svg_box box)
{
    svg_begin(svg, "rect");
    if (class)
        svg_text_attribute(svg, "class", class);
    svg_number(svg, "x", box.x);
    svg_number(svg, "y", box.y);
    svg_number(svg, "width", box.width);
    svg_number(svg, "height", box.height);
    svg_end(svg);
}

void svg_line(struct svg *svg, const char *class, double x1, double y1, double x2, double y2)
{
    svg_begin(svg, "line");
    svg_text_attribute(svg, "class", class);
    svg_number(svg, "x1", x1);
    svg_number(svg, "y1", y1);
    svg_number(svg, "x2", x2);
    svg_number(svg, "y2", y2);
    svg_end(svg);
}

void svg_circle(struct svg *svg, const char *class, double x, double y, double radius)
{
    svg_begin(svg, "circle");
    svg_text_attribute(svg, "class", class);
    svg_number(svg, "cx", x);
    svg_number(svg, "cy", y);
    svg_number(svg, "r", radius);
    svg_end(svg);
}

void svg_path(struct svg *svg, const char *class, const struct svg_point *points, size_t count,
              bool is_closed)
{
    char x[NUMBER_LEN], y[NUMBER_LEN];

    svg_begin(svg, "path");
    svg_text_attribute(svg, "class", class);
    xml_ignore(libxml()->xmlTextWriterStartAttribute(svg->xml, xml_text("d")));
    for (size_t i = 0; i < count; i++)
        xml_ignore(libxml()->xmlTextWriterWriteFormatString(svg->xml, "%c%s %s", i ? 'L' : 'M',
                                                            short_number(x, points[i].x),
                                                            short_number(y, points[i].y)));
    if (is_closed)
        xml_ignore(libxml()->xmlTextWriterWriteString(svg->xml, xml_text("Z")));
    xml_ignore(libxml()->xmlTextWriterEndAttribute(svg->xml));
    svg_end(svg);
}

static void begin_label(struct svg *svg, const char *class, double x, double y,
                        enum svg_anchor anchor)
{
    static const char *const anchors[] = {NULL, "middle", "end"};

    svg_begin(svg, "text");
    if (class)
        svg_text_attribute(svg, "class", class);
    svg_number(svg, "x", x);
    svg_number(svg, "y", y);
    if (anchors[anchor])
        svg_text_attribute(svg, "text-anchor", anchors[anchor]);
}

void svg_label(struct svg *svg, const char *class, double x, double y, enum svg_anchor anchor,
               struct span text)
{
    begin_label(svg, class, x, y, anchor);
    svg_write(svg, text);
    svg_end(svg);
}

void svg_turned_label(struct svg *svg, const char *class, double x, double y, double degrees,
                      enum svg_anchor anchor, struct span text)
{
    char angle[40], turn[140], x_text[40], y_text[40];

    snprintf(turn, sizeof(turn), "rotate(%s %s %s)", short_number(angle, degrees),
             short_number(x_text, x), short_number(y_text, y));
    begin_label(svg, class, x, y, anchor);
    svg_text_attribute(svg, "transform", turn);
    svg_write(svg, text);
    svg_end(svg);
}

void svg_open(struct svg *svg, FILE *out, double width, double height, const char *title)
{
    *svg = (struct svg){.xml = xml_stream_open(out)};
    xml_ignore(libxml()->xmlTextWriterStartDocument(svg->xml, NULL, "UTF-8", NULL));
    svg_begin(svg, "svg");
    svg_text_attribute(svg, "xmlns", "http://www.w3.org/2000/svg");
    svg_number(svg, "width", width);
    svg_number(svg, "height", height);
    xml_ignore(libxml()->xmlTextWriterWriteFormatAttribute(svg->xml, xml_text("viewBox"),
                                                           "0 0 %.0f %.0f", width, height));
    svg_text_attribute(svg, "role", "img");
    svg_text_attribute(svg, "aria-label", title);
}

void svg_close(struct svg *svg)
{
    xml_ignore(libxml()->xmlTextWriterEndDocument(svg->xml));
    libxml()->xmlFreeTextWriter(svg->xml);
    arena_free(&svg->arena);
}

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
