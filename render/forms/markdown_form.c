/* SPDX-License-Identifier: Apache-2.0 */
/* markdown_form.c — a report for a pull request or a wiki page */
#include "base/text/escape.h"
#include "render/forms/report.h"
#include "render/forms/table.h"

static void write_row(const struct table *table, const struct columns_shown *shown, uint32_t row,
                      struct arena *arena, FILE *out)
{
    for (uint32_t c = 0; c < table->width; c++) {
        const struct column *column = &table->columns[c];
        struct span text;

        if (!shown->is_shown[c])
            continue;
        text = cell_shown(column, table_cell(table, row, c), arena);
        fputs("| ", out);
        escape_markdown(out, column->is_path ? label_compact(text, arena) : text);
        putc(' ', out);
    }
}

static void write_headings(const struct table *table, const struct columns_shown *shown, FILE *out)
{
    for (uint32_t c = 0; c < table->width; c++)
        if (shown->is_shown[c])
            fprintf(out, "| %s ", column_heading(&table->columns[c]));
}

static void write_rulers(const struct table *table, const struct columns_shown *shown, FILE *out)
{
    for (uint32_t c = 0; c < table->width; c++)
        if (shown->is_shown[c])
            fputs(column_is_right(&table->columns[c]) ? "|---:" : "|:---", out);
}

static void write_table(const struct table *table, FILE *out)
{
    struct arena arena = {0};
    struct columns_shown shown = table_shown(table), inner = {0};

    if (table->inner)
        inner = table_shown(table->inner);
    if (table->title)
        fprintf(out, "### %s\n\n", table->title);
    write_headings(table, &shown, out);
    if (table->inner)
        write_headings(table->inner, &inner, out);
    fputs("|\n", out);
    write_rulers(table, &shown, out);
    if (table->inner)
        write_rulers(table->inner, &inner, out);
    fputs("|\n", out);
    for (uint32_t row = 0; row < table->height; row++) {
        uint32_t from = table->inner ? table->first[row] : 0;
        uint32_t to = table->inner ? table->first[row + 1] : 1;

        for (uint32_t i = from; i < to; i++) {
            write_row(table, &shown, row, &arena, out);
            if (table->inner)
                write_row(table->inner, &inner, i, &arena, out);
            fputs("|\n", out);
        }
        arena_free(&arena);
    }
    putc('\n', out);
}

void report_write_markdown(const struct report *report, const struct text_style *style, FILE *out)
{
    (void)style;
    for (uint32_t i = 0; i < report->before_count; i++) {
        escape_markdown(out, span_of(report->before[i]));
        fputs("\n\n", out);
    }
    for (uint32_t i = 0; i < report->table_count; i++)
        if (table_is_for(report->tables[i], COLUMN_PEOPLE))
            write_table(report->tables[i], out);
    for (uint32_t i = 0; i < report->after_count; i++) {
        escape_markdown(out, span_of(report->after[i]));
        fputs("\n\n", out);
    }
}
