/* SPDX-License-Identifier: Apache-2.0 */
/* csv_form.c — the first table of a report, after RFC 4180 */
#include <inttypes.h>
#include <math.h>

#include "base/text/escape.h"
#include "render/forms/report.h"

/* Where the row goes, and whether a comma comes next. */
struct csv_line {
    FILE *out;
    bool has_cells;
    struct csv_readers readers;
};

static void begin_cell(struct csv_line *line)
{
    if (line->has_cells)
        putc(',', line->out);
    line->has_cells = true;
}

static void end_line(struct csv_line *line)
{
    putc('\n', line->out);
    line->has_cells = false;
}

static void write_cell(const struct csv_line *line, enum cell_kind kind, union cell cell)
{
    switch (kind) {
    case CELL_TEXT:
        if (cell.text.len)
            escape_csv(line->out, cell.text, line->readers);
        break;
    case CELL_SHARE:
    case CELL_RATIO:
        if (isfinite(cell.real))
            fprintf(line->out, "%.17g", cell.real);
        break;
    case CELL_FLAG:
        fputs(cell.number ? "true" : "false", line->out);
        break;
    case CELL_COUNT:
    case CELL_VALUE:
        if (cell.number != TABLE_NULL)
            fprintf(line->out, "%" PRId64, cell.number);
        break;
    }
}

static void write_names(struct csv_line *line, const struct table *table)
{
    for (uint32_t c = 0; c < table->width; c++) {
        if (!column_is_for(&table->columns[c], COLUMN_MACHINES))
            continue;
        begin_cell(line);
        fprintf(line->out, "%s%s%s", table->row ? table->row : "", table->row ? "_" : "",
                table->columns[c].key);
    }
}

static void write_cells(struct csv_line *line, const struct table *table, uint32_t row)
{
    for (uint32_t c = 0; c < table->width; c++) {
        if (!column_is_for(&table->columns[c], COLUMN_MACHINES))
            continue;
        begin_cell(line);
        write_cell(line, table->columns[c].kind, table_cell(table, row, c));
    }
}

void report_write_csv(const struct report *report, const struct text_style *style, FILE *out)
{
    struct csv_line line = {.out = out, .readers = {style->is_terminal, style->is_csv_safe}};

    const struct table *table = NULL;

    for (uint32_t i = 0; i < report->table_count && !table; i++)
        if (table_is_for(report->tables[i], COLUMN_MACHINES))
            table = report->tables[i];
    if (!table)
        return;
    write_names(&line, table);
    if (table->inner)
        write_names(&line, table->inner);
    end_line(&line);
    for (uint32_t row = 0; row < table->height; row++) {
        uint32_t from = table->inner ? table->first[row] : 0;
        uint32_t to = table->inner ? table->first[row + 1] : 1;

        for (uint32_t i = from; i < to; i++) {
            write_cells(&line, table, row);
            if (table->inner)
                write_cells(&line, table->inner, i);
            end_line(&line);
        }
    }
}
