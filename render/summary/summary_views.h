/* SPDX-License-Identifier: Apache-2.0 */
/* summary_views.h — what the files that fill the summary's tables share */
#ifndef PTK_RENDER_SUMMARY_SUMMARY_VIEWS_H
#define PTK_RENDER_SUMMARY_SUMMARY_VIEWS_H

#include "render/summary/summary_report.h"

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

/* The tables of device_use.h, shapes.h, launches.h and memory_curve.h. */
struct table *device_view_table(enum summary_view view, const struct view_context *context);

#endif
