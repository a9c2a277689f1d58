/* SPDX-License-Identifier: Apache-2.0 */
/* paddle_page.h — the look of Paddle's text tables, to the character
 *
 * A column is padded to its width and two blanks; what is longer pushes the rest of its row. */
#ifndef PTK_RENDER_SUMMARY_PADDLE_PAGE_H
#define PTK_RENDER_SUMMARY_PADDLE_PAGE_H

#include <stdio.h>

#include "analysis/summary/items.h"

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

#endif
