/* SPDX-License-Identifier: Apache-2.0 */
/* summary_tables.h — what the files of the tables of `ptk summary` share */
#ifndef PTK_RENDER_REPORTS_SUMMARY_TABLES_H
#define PTK_RENDER_REPORTS_SUMMARY_TABLES_H

#include <stdio.h>

#include "analysis/summary/host_tree.h"
#include "analysis/summary/summary.h"
#include "render/reports/reports.h"

/* What a table is filled from. */
struct view_context {
    const struct summary *summary;
    enum time_unit unit;
    uint32_t limit; /* rows of a table that may be very long; 0: all */
    struct table_context of;
};

/* The tables from VIEW_STEPS on. */
struct table *device_table_of(enum summary_view view, const struct view_context *context);

/* ---- the look of Paddle's text tables, to the character ---- */

/* A column is padded to its width and two blanks; what is longer pushes the rest of its row. */

enum { PADDLE_COLUMNS_MAX = 8 };

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
void paddle_row(const struct paddle_page *page, const char *const *cells);

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
