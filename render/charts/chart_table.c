/* SPDX-License-Identifier: Apache-2.0 */
#include "render/charts/chart_table.h"

#include <math.h>

#include "base/text/escape.h"
#include "render/forms/cell.h"
#include "render/pictures/text_metrics.h"

/* Pixels. */
enum { ROW = 17, BETWEEN = 16, NUMBER = 26, ABOVE = 6, MARK = 8, TEXT_LEAST = 60 };

struct layout {
    struct chart *chart;
    const struct table *table;
    uint32_t rows, flexible; /* the column that gives way */
    double width[TABLE_MAX_WIDTH];
};

static bool is_shown(const struct layout *layout, uint32_t column)
{
    return layout->table->columns[column].use & COLUMN_PEOPLE;
}

static struct span shown(const struct layout *layout, uint32_t row, uint32_t column)
{
    const struct table *table = layout->table;
    struct arena *arena = &layout->chart->arena;

    return escape_plain(arena, cell_shown(&table->columns[column],
                                          &table->cells[row * table->width + column], arena));
}

static double natural_width(const struct layout *layout, uint32_t column)
{
    double width = text_width(span_of(column_heading(&layout->table->columns[column])));

    for (uint32_t row = 0; row < layout->rows; row++)
        width = fmax(width, text_width(shown(layout, row, column)));
    return width * CHART_TEXT;
}

static void measure(struct layout *layout)
{
    double used = NUMBER - BETWEEN, room = CHART_WIDTH - 2 * CHART_MARGIN;
    double widest = 0;

    for (uint32_t i = 0; i < layout->table->width; i++) {
        if (!is_shown(layout, i))
            continue;
        layout->width[i] = natural_width(layout, i);
        used += layout->width[i] + BETWEEN;
        if (layout->table->columns[i].kind == CELL_TEXT && layout->width[i] >= widest) {
            widest = layout->width[i];
            layout->flexible = i;
        }
    }
    if (used > room)
        layout->width[layout->flexible] = fmax(widest - (used - room), TEXT_LEAST);
}

static void write_row(const struct layout *layout, uint32_t row, bool is_head, double y)
{
    double x = CHART_MARGIN + NUMBER;

    for (uint32_t i = 0; i < layout->table->width; i++) {
        const struct column *column = &layout->table->columns[i];
        bool is_right = column_is_right(column);
        double width = layout->width[i];

        if (!is_shown(layout, i))
            continue;
        chart_text(layout->chart, is_head ? "faint" : NULL,
                   (struct svg_point){is_right ? x + width : x, y},
                   is_right ? ANCHOR_END : ANCHOR_START, width + 0.5,
                   is_head ? span_of(column_heading(column)) : shown(layout, row, i));
        x += width + BETWEEN;
    }
}

static void write_mark(const struct layout *layout, uint32_t row, const char *class, double y)
{
    struct svg *svg = &layout->chart->svg;
    const char *number = arena_printf(&layout->chart->arena, "%u", row + 1);

    if (class)
        svg_circle(svg, class, CHART_MARGIN + MARK, y - 4, MARK);
    svg_label(svg, "small", CHART_MARGIN + MARK, y - 0.5, ANCHOR_MIDDLE, span_of(number));
}

double chart_table_height(uint32_t rows)
{
    return rows ? (rows + 1) * ROW + ABOVE : 0;
}

void chart_table_write(struct chart *chart, const struct table *table, const char *const *marks,
                       uint32_t rows, double y)
{
    struct layout layout = {.chart = chart, .table = table, .rows = rows};

    measure(&layout);
    if (rows)
        write_row(&layout, 0, true, y + ROW - 4);
    for (uint32_t row = 0; row < rows; row++) {
        double line = y + (row + 2) * ROW - 4;

        write_mark(&layout, row, marks[row], line);
        write_row(&layout, row, false, line);
    }
}
