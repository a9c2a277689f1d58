/* SPDX-License-Identifier: Apache-2.0 */
/* text_form.c — a report for a terminal: aligned columns, one unit a figure */

#include <string.h>

#include "base/text/escape.h"
#include "render/forms/block.h"
#include "render/forms/report.h"
#include "render/forms/table.h"
#include "render/forms/text_layout.h"

enum { INNER_INDENT = 4, HANGING = 2 };

/* ---- writing ---- */

static void pad(FILE *out, uint32_t count)
{
    fprintf(out, "%*s", (int)count, "");
}

static const char *heat_of(const struct text_layout *layout, uint32_t row, uint32_t column)
{
    const struct table *table = layout->table;
    double share;

    if (!layout->style->has_color || !table->columns[column].is_heat)
        return NULL;
    share = table_cell(table, row, column).real;
    return share >= 0.1 ? "\033[1;31m" : share >= 0.02 ? "\033[33m" : NULL;
}

/* Where the last column begins. */
static uint32_t text_indent(const struct text_layout *layout)
{
    uint32_t at = layout->indent;

    for (uint32_t c = 0; c < layout->last; c++)
        at += layout->columns.is_shown[c] ? layout->widths[c] + TEXT_GAP : 0;
    return at;
}

static void write_cell(const struct text_layout *layout, uint32_t column, struct span text,
                       const char *color)
{
    bool is_right = column_is_right(&layout->table->columns[column]);
    uint32_t cells = (uint32_t)escape_cells(text);
    uint32_t blanks = layout->widths[column] > cells ? layout->widths[column] - cells : 0;

    if (column == layout->last && layout->table->columns[column].is_prose &&
        text_indent(layout) + cells > layout->style->columns && layout->style->columns) {
        prose_write(text, text_indent(layout), text_indent(layout), layout->style->columns, layout->out);
        return;
    }
    if (is_right)
        pad(layout->out, blanks);
    if (color)
        fputs(color, layout->out);
    fwrite(text.at, 1, text.len, layout->out);
    if (color)
        fputs("\033[0m", layout->out);
    if (column == layout->last)
        putc('\n', layout->out);
    else
        pad(layout->out, (is_right ? 0 : blanks) + TEXT_GAP);
}

static void write_headings(const struct text_layout *layout)
{
    const struct table *table = layout->table;
    const char *color = layout->style->has_color ? "\033[1m" : NULL;

    if (!column_heading(&table->columns[layout->last])[0])
        return; /* a list of facts has no headings */
    pad(layout->out, layout->indent);
    for (uint32_t c = 0; c < table->width; c++)
        if (layout->columns.is_shown[c])
            write_cell(layout, c, span_of(column_heading(&table->columns[c])), color);
}

static void write_row(const struct text_layout *layout, uint32_t row)
{
    pad(layout->out, layout->indent);
    for (uint32_t c = 0; c < layout->table->width; c++)
        if (layout->columns.is_shown[c])
            write_cell(layout, c, *shown_at(layout, row, c), heat_of(layout, row, c));
}

/* Each outer row on a line of its own, and its inner rows under it. */
static void write_nested(const struct text_layout *outer)
{
    const struct table *table = outer->table;
    struct text_layout inner =
        text_lay_out(table->inner, outer->style, INNER_INDENT, outer->arena, outer->out);

    for (uint32_t row = 0; row < table->height; row++) {
        if (row)
            putc('\n', outer->out);
        write_row(outer, row);
        if (table->first[row] < table->first[row + 1])
            write_headings(&inner);
        for (uint32_t i = table->first[row]; i < table->first[row + 1]; i++)
            write_row(&inner, i);
    }
}

static void write_table(const struct table *table, const struct text_style *style, FILE *out)
{
    struct arena arena = {0};
    struct text_layout layout = text_lay_out(table, style, 0, &arena, out);

    if (table->title)
        fprintf(out, "%s\n", table->title);
    if (table->height && !table->inner)
        write_headings(&layout);
    if (table->inner)
        write_nested(&layout);
    else
        for (uint32_t row = 0; row < table->height; row++)
            write_row(&layout, row);
    arena_free(&arena);
}

/* Prose is wrapped to a terminal; a pipe gets each sentence in a line. */
static void write_line(const char *line, const struct text_style *style, FILE *out)
{
    struct arena arena = {0};
    struct span plain = escape_plain(&arena, span_of(line));

    if (style->columns && escape_cells(plain) > style->columns && strncmp(line, REPORT_NEXT, sizeof(REPORT_NEXT) - 1) != 0) {
        uint32_t blanks = 0;

        while (plain.at[blanks] == ' ')
            blanks++;
        pad(out, blanks);
        prose_write(span_after(plain, blanks), blanks, blanks ? blanks + HANGING : 0, style->columns, out);
    } else {
        fwrite(plain.at, 1, plain.len, out);
        putc('\n', out);
    }
    arena_free(&arena);
}

/* Returns whether there was any. */
static bool write_tables(const struct report *report, const struct text_style *style, FILE *out)
{
    bool is_first = true, is_after_table = false;

    for (uint32_t i = 0; i < report->table_count; i++) {
        const struct table *table = report->tables[i];

        if (!table_is_for(table, COLUMN_PEOPLE) || (table->text ? !*table->text : !table->height))
            continue;
        if (is_first ? report->before_count > 0 : is_after_table && !table->text)
            putc('\n', out);
        if (table->text)
            fputs(table->text, out);
        else if (table->blocks)
            blocks_write(table->blocks, table->height, style->columns, out);
        else
            write_table(table, style, out);
        is_first = false;
        is_after_table = !table->text;
    }
    return !is_first;
}

void report_write_text(const struct report *report, const struct text_style *style, FILE *out)
{
    bool has_tables;

    for (uint32_t i = 0; i < report->before_count; i++)
        write_line(report->before[i], style, out);
    has_tables = write_tables(report, style, out);
    if (report->after_count && (report->before_count || has_tables))
        putc('\n', out);
    for (uint32_t i = 0; i < report->after_count; i++)
        write_line(report->after[i], style, out);
}
