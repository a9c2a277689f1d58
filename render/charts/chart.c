/* SPDX-License-Identifier: Apache-2.0 */
/* What charts share: their frame, titles, scales and legend. */
#include "render/charts/chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/text/escape.h"
#include "render/forms/table.h"
#include "render/svg/assets.h"
#include "render/svg/svg.h"

/* Of a font's size: how far letters reach above and below their base line. */
static const double ASCENT = 0.8, DESCENT = 0.25;

enum { CLOSE = 2 };

void placement_free(struct label_placement *placement)
{
    free(placement->list);
    *placement = (struct label_placement){.within = placement->within};
}

void placement_take(struct label_placement *placement, struct svg_box box)
{
    vector_add(placement, box);
}

bool placement_is_free(const struct label_placement *placement, struct svg_box box)
{
    const struct svg_box *within = &placement->within;

    if (box.x < within->x || box.y < within->y || box.x + box.width > within->x + within->width ||
        box.y + box.height > within->y + within->height)
        return false;
    for (size_t i = 0; i < placement->count; i++) {
        const struct svg_box *taken = &placement->list[i];

        if (box.x < taken->x + taken->width && taken->x < box.x + box.width &&
            box.y < taken->y + taken->height && taken->y < box.y + box.height)
            return false;
    }
    return true;
}

struct svg_box placement_text_box(double x, double y, enum svg_anchor anchor, double size,
                                  struct span plain)
{
    double width = text_width(plain) * size;

    return (struct svg_box){x - width * (anchor == ANCHOR_END      ? 1
                                         : anchor == ANCHOR_MIDDLE ? 0.5
                                                                   : 0),
                            y - ASCENT * size, width, (ASCENT + DESCENT) * size};
}

bool placement_beside(struct label_placement *placement, struct svg_point mark, double radius,
                      double size, struct span plain, struct svg_point *at)
{
    static const struct {
        double x, y;
    } sides[] = {{1, 0},  {0.7, -0.7}, {0, -1}, {-0.7, -0.7},
                 {-1, 0}, {-0.7, 0.7}, {0, 1},  {0.7, 0.7}};
    double width = text_width(plain) * size, height = (ASCENT + DESCENT) * size;

    for (size_t i = 0; i < sizeof(sides) / sizeof(*sides); i++) {
        double x = mark.x + sides[i].x * (radius + CLOSE + width / 2);
        double y = mark.y + sides[i].y * (radius + CLOSE + height / 2);
        struct svg_box box = {x - width / 2, y - height / 2, width, height};

        if (!placement_is_free(placement, box))
            continue;
        placement_take(placement, box);
        *at = (struct svg_point){box.x, box.y + ASCENT * size};
        return true;
    }
    return false;
}

void placement_spread(double *y, uint32_t count, double distance, double low, double high)
{
    for (uint32_t i = 0; i < count; i++)
        y[i] = fmax(y[i], i ? y[i - 1] + distance : low);
    for (uint32_t i = count; i-- > 0;)
        y[i] = fmin(y[i], i + 1 < count ? y[i + 1] - distance : high);
}

enum { TITLE_SIZE = 15, TITLE_AT = 24, LINES_AT = 30, LINE = 15, BELOW_LINES = 10 };

/* Of bold letters, which are wider. */
static const double BOLD = 1.1;

double chart_width(const struct report *report)
{
    return report->chart.width > 0 ? report->chart.width : CHART_WIDTH;
}

/* Pixels between the margins. */
static double room_of(const struct chart *chart)
{
    return chart->width - 2 * CHART_MARGIN;
}

static struct span shorten(struct chart *chart, struct span text, double room, double size)
{
    return text_fit(&chart->arena, escape_plain(&chart->arena, text), room, size);
}

/* ---- the report's lines, broken where they are too long ---- */

/* The height of the text; it is written where `y` is not negative. */
static double lay_line(struct chart *chart, struct span text, double y)
{
    struct span plain = escape_plain(&chart->arena, text);
    double height = 0;

    while (plain.len) {
        size_t len = text_line_length(plain, room_of(chart), CHART_TEXT);

        if (y >= 0)
            svg_label(&chart->svg, "faint", CHART_MARGIN, y + height + CHART_TEXT, ANCHOR_START,
                      (struct span){plain.at, len});
        plain = span_after(plain, len < plain.len && plain.at[len] == ' ' ? len + 1 : len);
        height += LINE;
    }
    return height;
}

static double lay_lines(struct chart *chart, const char *const *lines, uint32_t count, double y)
{
    double height = 0;

    for (uint32_t i = 0; i < count; i++)
        height += lay_line(chart, span_of(lines[i]), y < 0 ? y : y + height);
    return height;
}

static double height_of_lines(struct chart *chart, const char *const *lines, uint32_t count)
{
    return count ? lay_lines(chart, lines, count, -1) + BELOW_LINES : 0;
}

/* ---- the whole ---- */

static const char *title_of(struct chart *chart, const struct report *report, const char *heading)
{
    const struct report_input *inputs = report->inputs;

    if (report->input_count == 0)
        return heading;
    if (report->input_count == 1)
        return arena_printf(&chart->arena, "%s: %s", heading, inputs[0].path);
    if (report->input_count == 2)
        return arena_printf(&chart->arena, "%s: %s, %s", heading, inputs[0].path, inputs[1].path);
    return arena_printf(&chart->arena, "%s: %s and %" PRIu32 " more", heading, inputs[0].path,
                        report->input_count - 1);
}

void chart_open(struct chart *chart, FILE *out, const struct report *report, const char *heading,
                double body)
{
    const char *title;
    double height;

    chart->width = chart_width(report);
    title = title_of(chart, report, heading);
    chart->top = LINES_AT + height_of_lines(chart, report->before, report->before_count);
    height = chart->top + body + height_of_lines(chart, report->after, report->after_count);
    chart->placement.within = (struct svg_box){0, 0, chart->width, height};
    svg_open(&chart->svg, out, chart->width, height, title);
    svg_style(&chart->svg, asset_picture_css);
    svg_rectangle(&chart->svg, "paper", chart->placement.within);
    svg_label(&chart->svg, "title", CHART_MARGIN, TITLE_AT, ANCHOR_START,
              shorten(chart, span_of(title), room_of(chart) / BOLD, TITLE_SIZE));
    lay_lines(chart, report->before, report->before_count, LINES_AT);
    lay_lines(chart, report->after, report->after_count, chart->top + body);
}

void chart_close(struct chart *chart)
{
    svg_close(&chart->svg);
    placement_free(&chart->placement);
    arena_free(&chart->arena);
}

void chart_text(struct chart *chart, const char *class, struct svg_point at, enum svg_anchor anchor,
                double room, struct span text)
{
    struct span fit = shorten(chart, text, room, CHART_TEXT);

    if (fit.len)
        svg_label(&chart->svg, class, at.x, at.y, anchor, fit);
}

void chart_fixed_text(struct chart *chart, const char *class, struct svg_point at,
                      enum svg_anchor anchor, double room, struct span text)
{
    struct span fit = shorten(chart, text, room, CHART_TEXT);

    if (!fit.len)
        return;
    placement_take(&chart->placement, placement_text_box(at.x, at.y, anchor, CHART_TEXT, fit));
    svg_label(&chart->svg, class, at.x, at.y, anchor, fit);
}

bool chart_beside(struct chart *chart, const char *class, struct svg_point mark, double radius,
                  struct span text)
{
    struct span plain = escape_plain(&chart->arena, text);
    struct svg_point at;

    if (!placement_beside(&chart->placement, mark, radius, CHART_TEXT, plain, &at))
        return false;
    svg_label(&chart->svg, class, at.x, at.y, ANCHOR_START, plain);
    return true;
}

/* Pixels. */
enum { ROW = 17, BETWEEN = 16, NUMBER = 26, SPACE = 6, MARK = 8, TEXT_LEAST = 60, TEXT_NARROW = 140 };

struct chart_layout {
    struct chart *chart;
    const struct table *table;
    uint32_t rows, flexible; /* the column that gives way */
    double width[TABLE_MAX_WIDTH];
    bool is_left_out[TABLE_MAX_WIDTH];
};

static bool is_shown(const struct chart_layout *layout, uint32_t column)
{
    return !layout->is_left_out[column] &&
           column_is_for(&layout->table->columns[column], COLUMN_PEOPLE);
}

static struct span shown(const struct chart_layout *layout, uint32_t row, uint32_t column)
{
    const struct table *table = layout->table;
    struct arena *arena = &layout->chart->arena;

    return escape_plain(arena, cell_shown(&table->columns[column],
                                          table_cell(table, row, column), arena));
}

/* In a narrow chart the last columns have no room. False where none is left but the one that gives way. */
static bool leave_out_last(struct chart_layout *layout, double *used)
{
    uint32_t last = layout->table->width;

    while (last-- > 0)
        if (is_shown(layout, last) && last != layout->flexible) {
            *used -= layout->width[last] + BETWEEN;
            layout->is_left_out[last] = true;
            return true;
        }
    return false;
}

static void measure(struct chart_layout *layout)
{
    double used = NUMBER - BETWEEN, room = room_of(layout->chart);
    double widest = 0, least = layout->chart->width < CHART_WIDTH ? TEXT_NARROW : TEXT_LEAST;

    for (uint32_t i = 0; i < layout->table->width; i++) {
        const struct column *column = &layout->table->columns[i];
        double width = text_width(span_of(column_heading(column)));

        if (!is_shown(layout, i))
            continue;
        for (uint32_t row = 0; row < layout->rows; row++)
            width = fmax(width, text_width(shown(layout, row, i)));
        layout->width[i] = width * CHART_TEXT;
        used += layout->width[i] + BETWEEN;
        if (column->kind == CELL_TEXT && layout->width[i] >= widest) {
            widest = layout->width[i];
            layout->flexible = i;
        }
    }
    while (used - fmax(0, widest - least) > room && leave_out_last(layout, &used))
        continue;
    if (used > room)
        layout->width[layout->flexible] = fmax(widest - (used - room), least);
}

static void write_row(const struct chart_layout *layout, uint32_t row, bool is_head, double y)
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

static void write_mark(const struct chart_layout *layout, uint32_t row, const char *class, double y)
{
    struct svg *svg = &layout->chart->svg;
    const char *number = arena_printf(&layout->chart->arena, "%u", row + 1);

    if (class)
        svg_circle(svg, class, CHART_MARGIN + MARK, y - 4, MARK);
    svg_label(svg, "small", CHART_MARGIN + MARK, y - 0.5, ANCHOR_MIDDLE, span_of(number));
}

double chart_table_height(uint32_t rows)
{
    return rows ? (rows + 1) * ROW + SPACE : 0;
}

void chart_table_write(struct chart *chart, const struct table *table, const char *const *marks,
                       uint32_t rows, double y)
{
    struct chart_layout layout = {.chart = chart, .table = table, .rows = rows};

    measure(&layout);
    if (rows)
        write_row(&layout, 0, true, y + ROW - 4);
    for (uint32_t row = 0; row < rows; row++) {
        double line = y + (row + 2) * ROW - 4;

        write_mark(&layout, row, marks[row], line);
        write_row(&layout, row, false, line);
    }
}
