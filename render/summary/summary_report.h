/* SPDX-License-Identifier: Apache-2.0 */
/* summary_report.h — the summary's tables, in ptk's manner and in Paddle's */
#ifndef PTK_RENDER_SUMMARY_SUMMARY_REPORT_H
#define PTK_RENDER_SUMMARY_SUMMARY_REPORT_H

#include <stdio.h>

#include "analysis/summary/host_tree.h"
#include "analysis/summary/summary.h"
#include "render/forms/report.h"

/* ---- the look of Paddle's text tables, to the character ---- */

/* A column is padded to its width and two blanks; what is longer pushes the rest of its row. */

enum { PADDLE_COLUMNS_MAX = 8 };

enum time_unit { TIME_UNIT_MS, TIME_UNIT_S, TIME_UNIT_US, TIME_UNIT_NS };

extern const char *const time_unit_names[]; /* ends with NULL */

struct paddle_page {
    struct arena *arena;
    enum time_unit unit;
    FILE *out; /* into memory */
    char *text;
    size_t size;
    uint32_t widths[PADDLE_COLUMNS_MAX];
    uint32_t columns;
};

void paddle_page_begin(struct paddle_page *page, struct arena *arena, enum time_unit unit);

/* What was written, in the arena. */
const char *paddle_page_end(struct paddle_page *page);

/* "1.25", in the page's unit. */
const char *paddle_time(const struct paddle_page *page, int64_t ns);

/* "12.50", a percentage. */
const char *paddle_ratio(const struct paddle_page *page, double share);

/* "12.50 / 1.25 / 2.00 / 1.00 / 3.12": total, average, most, least, percent. */
const char *paddle_spread(const struct paddle_page *page, const struct spread *spread,
                          int64_t calls, double share);

/* A name from the profile, made safe; when it has more than `most` characters it is cut to that
 * many less three, and dots. 0: never cut. */
const char *paddle_name(const struct paddle_page *page, struct span name, uint32_t most);

/* Characters, as Python counts them. */
uint32_t paddle_length(const char *text);

/* Makes a column at least as wide as this. */
void paddle_widen(struct paddle_page *page, uint32_t column, const char *cell);

void paddle_title(const struct paddle_page *page, const char *title); /* and the time unit */
void paddle_banner(const struct paddle_page *page, const char *text); /* centred in dashes */
void paddle_rule(const struct paddle_page *page);                     /* dashes under each column */
void paddle_bar(const struct paddle_page *page); /* dashes over the whole width */
void paddle_row(const struct paddle_page *page, const char *const *cells);

/* ---- the tables of the summary for every output form ---- */

extern const char *const summary_view_names[]; /* "device", …; ends with NULL */

/* Gives the report the chart of a view that is filled. False where it has none: the curve of memory
 * does if an allocator was recorded, the steps always, and no other does. */
bool summary_chart(enum summary_view view, const struct summary *summary, struct report *report);

/* Adds the tables of `views` that are filled to the report; one that has nothing to show is left
 * out unless it is in `asked_for`. Both are sets of summary_view_bit(). */
void summary_report(const struct summary *summary, uint32_t views, uint32_t asked_for,
                    enum time_unit unit, struct arena *arena, struct report *report);

/* ---- what the files that fill the summary's tables share ---- */

/* Columns that every form shows, by their key. */
/* clang-format off */
#define COUNT(name) {.key = name, .kind = CELL_COUNT, .use = COLUMN_ALL}
#define TIME(name) {.key = name, .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_NS}
#define BYTES(name) {.key = name, .kind = CELL_VALUE, .use = COLUMN_ALL, .unit = UNIT_BYTES}
#define SHARE(name) {.key = name, .kind = CELL_SHARE, .use = COLUMN_ALL}
#define REAL(name) {.key = name, .kind = CELL_RATIO, .use = COLUMN_ALL}
#define TEXT(name) {.key = name, .kind = CELL_TEXT, .use = COLUMN_ALL}
#define FLAG(name) {.key = name, .kind = CELL_FLAG, .use = COLUMN_ALL}
#define SHOWN_TEXT(name) {.key = name, .kind = CELL_TEXT, .use = COLUMN_PEOPLE}
#define SPREAD(of) TIME(of "_total"), TIME(of "_max"), TIME(of "_min"), SHARE(of "_share")
#define WIDTH_OF(columns) (sizeof(columns) / sizeof((columns)[0]))
/* clang-format on */

/* What a table is filled from. */
struct view_context {
    const struct summary *summary;
    enum time_unit unit;
    struct arena *arena;
};

/* An empty table in the arena. */
struct table *view_table(const struct view_context *context, const char *key, const char *title,
                         const struct column *columns, uint32_t width, uint32_t height);

/* The tables of devices, shapes, launches and memory. */
struct table *device_view_table(enum summary_view view, const struct view_context *context);

/* ---- the summary's tables as Paddle prints them; the texts live in the arena ---- */

const char *paddle_devices(const struct summary_devices *devices, struct arena *arena);
const char *paddle_overview(const struct summary_overview *overview, struct arena *arena,
                            enum time_unit unit);
const char *paddle_model(const struct summary_model *model, struct arena *arena,
                         enum time_unit unit);
const char *paddle_distribution(const struct summary_distribution *distribution,
                                struct arena *arena, enum time_unit unit);
const char *paddle_operators(const struct summary_operators *operators, struct arena *arena,
                             enum time_unit unit);
const char *paddle_kernels(const struct summary_list *kernels, struct arena *arena,
                           enum time_unit unit);
const char *paddle_manipulations(const struct summary_list *list, struct arena *arena,
                                 enum time_unit unit);
const char *paddle_user_defined(const struct summary_list *list, struct arena *arena,
                                enum time_unit unit);
const char *paddle_memory(const struct summary_memory *memory, struct arena *arena);
const char *paddle_benchmark(const struct summary_benchmark *benchmark, struct arena *arena);

#endif
