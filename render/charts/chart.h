/* SPDX-License-Identifier: Apache-2.0 */
/* chart.h — what charts are drawn with: a frame of texts around a body, axes, legends, stacked bars and labels */
#ifndef PTK_RENDER_CHARTS_CHART_H
#define PTK_RENDER_CHARTS_CHART_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/execution/overlap.h"
#include "analysis/kernels/roofline.h"
#include "base/memory/memory.h"
#include "base/text/unit.h"
#include "render/forms/report.h"
#include "render/forms/table.h"
#include "render/svg/axis.h"
#include "render/svg/legend.h"
#include "render/svg/svg.h"

/* ---- where a text of a picture still has room: none is written over another ---- */

/* What must not be covered is taken first; then each text asks for a place. In pixels. */

struct label_placement {
    VECTOR(struct svg_box); /* that are taken */
    struct svg_box within;  /* no text leaves this */
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

/* What every chart has: a title, a report's lines above and below, and texts that keep
 * out of each other's way; and the report's table below it.
 *
 * Texts are raw bytes; they are made plain and shortened to the room that there is. */

/* Pixels. */
enum {
    CHART_WIDTH = 900,
    CHART_NARROW = 376 /* in a window of 400 */,
    CHART_MARGIN = 12,
    CHART_TEXT = 11
};

struct chart {
    struct svg svg;
    struct arena arena; /* what lasts as long as the picture */
    struct label_placement placement;
    double width; /* pixels */
    double top;   /* where the body begins: below the title and the lines */
};

/* Pixels that the report's chart is wide. */
double chart_width(const struct report *report);

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

/* Lengths one after another, each in its colour: what a whole is made of, as a bar, or
 * what each of several steps is made of, as columns side by side. */

struct stack_part {
    const char *name;
    const char *class; /* its colour: "h1" */
};

/* A bar along the axis, from its value 0: `across` is the bar's upper or left side. Each part says
 * its share where there is room, and its length where the pointer rests. */
void stack_write(struct chart *chart, const struct stack_part *parts, const int64_t *lengths,
                 uint32_t count, const struct axis *axis, double across, double thickness,
                 enum unit unit);

/* Keys of the parts, for legend_lay_out(). */
void stack_keys(const struct stack_part *parts, uint32_t count, struct legend_key *keys);

/* Of times. */
struct columns {
    const struct stack_part *parts;
    uint32_t part_count;
    uint32_t count;
    const int64_t *lengths;    /* part_count of each column, in ns */
    const char *const *labels; /* below each column */
};

/* Pixels that columns take, with their heading and labels. */
double columns_height(void);

/* The first columns, as many as there is room for: the heading says when there are more. */
void columns_write(struct chart *chart, const struct columns *columns, const char *heading,
                   double y);

/* ---- what each of several devices spent its time on, as bars below each other ---- */

struct overlap_bar {
    const char *label;
    const struct overlap_figures *all;
};

/* Pixels that so many bars take, with their axis. */
double overlap_bars_height(uint32_t count);

/* Below each bar, a line is as long as the communication that compute hides. */
void overlap_bars_write(struct chart *chart, const struct overlap_bar *bars, uint32_t count,
                        double top);

/* Pixels that the keys of the parts take in a chart of this width, and the keys themselves. */
enum { OVERLAP_PARTS = 4, OVERLAP_KEYS = OVERLAP_PARTS + 1 };
double overlap_legend_height(struct legend_key keys[OVERLAP_KEYS], double width,
                             struct arena *arena);

/* ---- the ground of a roofline chart: axes, roofs and the zones below them ---- */

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
    double busy;      /* the share of a roof from which on it limits work */
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
                            const struct ceilings *ceilings, double chart);

/* Pixels from the plot's top to below the axis' title. */
double roofline_frame_height(const struct roofline_frame *frame);

void roofline_frame_put(struct roofline_frame *frame, double top);

/* Whether both roofs are known, so that memory, compute and latency have their zones. */
bool roofline_has_zones(const struct roofline_frame *frame);

/* All but the dots. Labels keep off what is taken in `dots`. */
void roofline_frame_write(const struct roofline_frame *frame, const struct ceilings *ceilings,
                          const struct label_placement *dots, struct chart *chart);

#endif
