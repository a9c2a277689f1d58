/* SPDX-License-Identifier: Apache-2.0 */
/* text_layout.h — a table for a terminal: which columns there is room for, and what each cell says */
#ifndef PTK_RENDER_FORMS_TEXT_LAYOUT_H
#define PTK_RENDER_FORMS_TEXT_LAYOUT_H

#include "render/forms/report.h"
#include "render/forms/table.h"

enum { TEXT_GAP = 2 };

/* One table laid out: what each cell says, and how wide each column is. */
struct text_layout {
    const struct table *table;
    const struct text_style *style;
    struct arena *arena;
    struct span *shown; /* by row and column; escaped */
    uint32_t widths[TABLE_MAX_WIDTH];
    struct columns_shown columns;
    uint32_t first, last; /* the last column for people: it is not padded */
    uint32_t name_min; /* cells that the last column needs, where it is a text */
    uint32_t indent;
    FILE *out;
};

/* Within the style's columns: less important columns are left out, and names and texts shortened. */
struct text_layout text_lay_out(const struct table *table, const struct text_style *style, uint32_t indent,
                                struct arena *arena, FILE *out);

static inline struct span *shown_at(const struct text_layout *layout, uint32_t row, uint32_t column)
{
    return &layout->shown[(size_t)row * layout->table->width + column];
}

#endif
