/* SPDX-License-Identifier: Apache-2.0 */
/* chart.h — what every chart has: a title, a report's lines above and below, and texts that keep
 * out of each other's way; and the report's table below it
 *
 * Texts are raw bytes; they are made plain and shortened to the room that there is. */
#ifndef PTK_RENDER_CHARTS_CHART_H
#define PTK_RENDER_CHARTS_CHART_H

#include "render/charts/label_placement.h"
#include "render/forms/report.h"
#include "render/forms/table.h"

/* Pixels. */
enum { CHART_WIDTH = 900, CHART_MARGIN = 12, CHART_TEXT = 11 };

struct chart {
    struct svg svg;
    struct arena arena; /* what lasts as long as the picture */
    struct label_placement placement;
    double top; /* where the body begins: below the title and the lines */
};

/* Begins with a zeroed chart. Writes the title, "HEADING: FILE", and the report's lines around a
 * body of this height. */
void chart_open(struct chart *chart, FILE *out, const struct report *report, const char *heading,
                double body);
void chart_close(struct chart *chart);

/* A text with this much room. Nothing where it holds less than three characters. */
void chart_text(struct chart *chart, const char *class, struct svg_point at, enum svg_anchor anchor,
                double room, struct span text);

/* As chart_text(), and no later text of chart_beside() covers it. */
void chart_fixed_text(struct chart *chart, const char *class, struct svg_point at,
                      enum svg_anchor anchor, double room, struct span text);

/* Beside a mark, on the side where no other text is. False where there is none. */
bool chart_beside(struct chart *chart, const char *class, struct svg_point mark, double radius,
                  struct span text);

/* Pixels that so many rows take, with their headings. */
double chart_table_height(uint32_t rows);

/* The columns for people; the longest text is shortened to what room is left. Each row begins with
 * its number, on a mark of the class that `marks` has for it. At most `rows` rows. */
void chart_table_write(struct chart *chart, const struct table *table, const char *const *marks,
                       uint32_t rows, double y);

#endif
