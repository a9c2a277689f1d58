/* SPDX-License-Identifier: Apache-2.0 */
/* A report as a part of a page: its lines, and its tables */

#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "render/forms/table.h"
#include "render/page/page.h"

enum { TITLE_MAX = 1024 }; /* bytes */
enum { PRINTED = 20 };     /* rows of a table on paper and without scripts: page.css */

/* Keys of columns that say what a row is about, the surest first. */
static const char *const naming[] = {"name", "rule", "what", "track"};

/* Where no column is such, a text at the begin says it: the first column, or the one behind a number. */
enum { AT_BEGIN = 2 };

/* The column that stays in sight where a table is wider than the window, or the table's width. */
static uint32_t name_column(const struct table *table, const struct columns_shown *shown)
{
    uint32_t seen = 0;

    for (uint32_t c = 0; c < table->width; c++)
        if (shown->is_shown[c] && table->columns[c].is_path)
            return c;
    for (size_t i = 0; i < sizeof(naming) / sizeof(*naming); i++)
        for (uint32_t c = 0; c < table->width; c++)
            if (shown->is_shown[c] && strcmp(table->columns[c].key, naming[i]) == 0)
                return c;
    for (uint32_t c = 0; c < table->width && seen < AT_BEGIN; c++) {
        seen += shown->is_shown[c];
        if (shown->is_shown[c] && table->columns[c].kind == CELL_TEXT)
            return c;
    }
    return table->width;
}

struct table_columns {
    struct columns_shown shown;
    uint32_t name; /* which stays in sight */
};

static struct table_columns columns_of(const struct table *table)
{
    struct table_columns columns = {.shown = table_shown(table)};

    columns.name = name_column(table, &columns.shown);
    return columns;
}

enum { SHORT_MOST = 16 }; /* bytes of a text that is never broken: "64 x 1 x 1" */

static bool is_short(const struct column *column, const union cell *cell)
{
    return column->kind == CELL_TEXT && cell->text.len <= SHORT_MOST && cell->text.len &&
           memchr(cell->text.at, ' ', cell->text.len);
}

static void write_class(struct html *html, const struct column *column, bool is_name, bool is_whole)
{
    const char *name = column_is_right(column) ? "right"
                       : column->is_fold       ? "code fold"
                       : column->is_code       ? "code"
                       : is_name               ? "name"
                       : is_whole              ? "whole"
                                               : NULL;

    if (name)
        html_attribute(html, "class", name);
}

/* One without a text heads nothing. */
static void write_heading(struct html *html, const struct column *column, bool is_name)
{
    const char *text = column_heading(column);

    html_begin(html, *text ? "th" : "td");
    if (*text)
        html_attribute(html, "scope", "col");
    html_attribute(html, "data-key", column->key);
    write_class(html, column, is_name, false);
    if (*text) {
        html_begin(html, "button");
        html_attribute(html, "type", "button");
        html_text(html, span_of(text));
        html_end(html);
    }
    html_end(html);
}

static void write_headings(struct html *html, const struct table *table,
                           const struct table_columns *columns)
{
    for (uint32_t c = 0; c < table->width; c++)
        if (columns->shown.is_shown[c])
            write_heading(html, &table->columns[c], c == columns->name);
}

/* What the script sorts by: the figure itself, where a cell shows a rounded one. */
static void write_figure(struct html *html, const struct column *column, union cell cell)
{
    char out[40];

    if (column->kind == CELL_TEXT)
        return;
    if (column->kind != CELL_SHARE && column->kind != CELL_RATIO) {
        if (cell.number != TABLE_NULL)
            html_integer(html, "data-value", cell.number);
    } else if (isfinite(cell.real)) {
        snprintf(out, sizeof(out), "%.17g", cell.real);
        html_attribute(html, "data-value", out);
    }
}

/* Names without the folders that all have in common; the whole one is told where the pointer rests. */
static void write_shown(struct html *html, const struct column *column, union cell cell,
                        size_t common)
{
    struct span text = cell_shown(column, cell, &html->arena), brief = text;

    if (strcmp(column->key, "remedy") == 0)
        text = brief = span_of(page_words(arena_copy(&html->arena, text), &html->arena));
    if (strcmp(column->key, "warning") == 0)
        text = brief = span_of(page_warning(arena_copy(&html->arena, text), &html->arena));
    if (column->is_path && !column->is_branch)
        brief = label_compact(label_short(text, PATHS_SHORT, common), &html->arena);
    if (brief.len < text.len)
        html_attribute(html, "title",
                       arena_copy(&html->arena, escape_shortened(&html->arena, text, TITLE_MAX)));
    html_text(html, brief);
}

/* The lines below the first, for who opens it. */
static void write_folded(struct html *html, struct span text)
{
    html_begin(html, "details");
    html_element(html, "summary", span_split(&text, '\n'));
    html_begin(html, "pre");
    while (text.len) {
        html_text(html, span_split(&text, '\n'));
        html_raw(html, span_of("\n"));
    }
    html_end(html);
    html_end(html);
}

static void write_cells(struct html *html, const struct table *table,
                        const struct table_columns *columns, uint32_t row)
{
    for (uint32_t c = 0; c < table->width; c++) {
        const struct column *column = &table->columns[c];
        const union cell cell = table_cell(table, row, c);

        if (!columns->shown.is_shown[c])
            continue;
        html_begin(html, "td");
        write_class(html, column, c == columns->name, is_short(column, &cell));
        write_figure(html, column, cell);
        if (column->is_fold && cell.text.len && memchr(cell.text.at, '\n', cell.text.len))
            write_folded(html, cell.text);
        else
            write_shown(html, column, cell, columns->shown.common[c]);
        html_end(html);
    }
}

/* Of a table whose rows own others: the only column that people see, or the table's width. */
static uint32_t heading_column(const struct table *table)
{
    uint32_t only = table->width;

    for (uint32_t c = 0; c < table->width; c++)
        if (column_is_for(&table->columns[c], COLUMN_PEOPLE)) {
            if (only < table->width)
                return table->width;
            only = c;
        }
    return only;
}

static bool has_headings(const struct table *table)
{
    return table->inner && heading_column(table) < table->width;
}

/* A row that owns inner ones stands before each of them. */
static void write_rows(struct html *html, const struct table *table, uint32_t limit)
{
    struct table_columns columns = columns_of(table), inner = {0};
    uint32_t row = 0;

    if (table->inner)
        inner = columns_of(table->inner);
    for (uint32_t i = 0; i < limit; i++) {
        while (table->inner && table->first[row + 1] <= i)
            row++;
        html_begin(html, "tr");
        write_cells(html, table, &columns, table->inner ? row : i);
        if (table->inner)
            write_cells(html, table->inner, &inner, i);
        html_end(html);
    }
}

static void begin_table(struct html *html, const struct table *table)
{
    struct table_columns columns = columns_of(table), inner = {0};

    if (table->inner)
        inner = columns_of(table->inner);
    html_begin(html, "div");
    html_attribute(html, "class", "table");
    html_begin(html, "table");
    if (table->key)
        html_attribute(html, "data-key", table->key);
    if (table->title)
        html_element(html, "caption", span_of(table->title));
    html_begin(html, "thead");
    html_begin(html, "tr");
    write_headings(html, table, &columns);
    if (table->inner && !has_headings(table))
        write_headings(html, table->inner, &inner);
    html_end(html);
    html_end(html);
    html_begin(html, "tbody");
}

static void end_table(struct html *html)
{
    html_end(html);
    html_end(html);
    html_end(html);
}

/* Each outer row is the heading of a table of its inner ones. Returns how many rows there are. */
static uint32_t write_headed(struct html *html, const struct table *table, uint32_t limit)
{
    const struct table_columns columns = columns_of(table->inner);
    uint32_t written = 0;

    for (uint32_t row = 0; row < table->height && written < limit; row++) {
        const struct column *column = &table->columns[heading_column(table)];

        html_element(
            html, "h3",
            cell_shown(column, table_cell(table, row, heading_column(table)), &html->arena));
        begin_table(html, table->inner);
        for (uint32_t i = table->first[row]; i < table->first[row + 1] && written < limit; i++) {
            html_begin(html, "tr");
            write_cells(html, table->inner, &columns, i);
            html_end(html);
            written++;
        }
        end_table(html);
    }
    return written;
}

static void write_table(struct html *html, const struct table *table, uint32_t limit)
{
    uint32_t rows = table->inner ? table->first[table->height] : table->height;
    uint32_t shown = limit_rows(rows, limit);

    if (has_headings(table)) {
        shown = write_headed(html, table, shown);
    } else {
        begin_table(html, table);
        write_rows(html, table, shown);
        end_table(html);
    }
    rows += table->omitted;
    if (shown > PRINTED && !has_headings(table)) {
        html_begin(html, "p");
        html_attribute(html, "class", "cut");
        html_text(html, span_of(arena_printf(&html->arena, "the first %d of %s", (int)PRINTED,
                                             format_many(&html->arena, rows, "row"))));
        html_end(html);
    }
    if (shown < rows)
        html_element(html, "p",
                     span_of(arena_printf(&html->arena, "and %s more",
                                          format_many(&html->arena, rows - shown, "row"))));
}

void page_report(struct page *page, const struct report *report, uint32_t limit)
{
    for (uint32_t i = 0; i < report->before_count; i++)
        page_paragraph(page, report->before[i]);
    for (uint32_t i = 0; i < report->table_count; i++)
        if (table_is_for(report->tables[i], COLUMN_PEOPLE) && report->tables[i]->height)
            write_table(&page->html, report->tables[i], limit);
    for (uint32_t i = 0; i < report->after_count; i++)
        page_paragraph(page, report->after[i]);
}
