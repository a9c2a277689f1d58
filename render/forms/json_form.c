/* SPDX-License-Identifier: Apache-2.0 */
/* json_form.c — one object a report: the contract that other programs rely on */
#include <inttypes.h>
#include <math.h>

#include "base/text/escape.h"
#include "base/text/format.h"
#include "render/forms/report.h"

static void write_cell(enum cell_kind kind, union cell cell, FILE *out)
{
    switch (kind) {
    case CELL_TEXT:
        if (cell.text.at)
            escape_json(out, cell.text);
        else
            fputs("null", out);
        break;
    case CELL_COUNT:
    case CELL_VALUE:
        if (cell.number == TABLE_NULL)
            fputs("null", out);
        else
            fprintf(out, "%" PRId64, cell.number);
        break;
    case CELL_FLAG:
        fputs(cell.number ? "true" : "false", out);
        break;
    case CELL_SHARE:
    case CELL_RATIO:
        if (isfinite(cell.real))
            fprintf(out, "%.17g", cell.real);
        else
            fputs("null", out);
        break;
    }
}

static void write_string(const char *text, FILE *out)
{
    if (text)
        escape_json(out, span_of(text));
    else
        fputs("null", out);
}

static void write_array(const struct table *table, uint32_t from, uint32_t to, FILE *out);

static void write_row(const struct table *table, uint32_t row, FILE *out)
{
    const char *comma = "";

    if (table->is_list) {
        write_cell(table->columns[0].kind, table_cell(table, row, 0), out);
        return;
    }
    putc('{', out);
    for (uint32_t c = 0; c < table->width; c++) {
        if (!column_is_for(&table->columns[c], COLUMN_MACHINES))
            continue;
        fprintf(out, "%s\"%s\":", comma, table->columns[c].key);
        write_cell(table->columns[c].kind, table_cell(table, row, c), out);
        comma = ",";
    }
    if (table->inner) {
        fprintf(out, "%s\"%s\":", comma, table->inner->key);
        write_array(table->inner, table->first[row], table->first[row + 1], out);
    }
    putc('}', out);
}

/* Tables nest one level deep, so this does too. */
static void write_array(const struct table *table, uint32_t from, uint32_t to, FILE *out)
{
    putc('[', out);
    for (uint32_t row = from; row < to; row++) {
        fputs(row > from ? ",\n  " : "\n  ", out);
        write_row(table, row, out);
    }
    fputs(to > from ? "\n]" : "]", out);
}

static void write_inputs(const struct report *report, FILE *out)
{
    fputs(",\n\"inputs\":[", out);
    for (uint32_t i = 0; i < report->input_count; i++) {
        const struct report_input *input = &report->inputs[i];

        fputs(i ? ",\n  {\"path\":" : "{\"path\":", out);
        write_string(input->path, out);
        fputs(",\"format\":", out);
        write_string(input->graph->source.format, out);
        fputs(",\"producer\":", out);
        write_string(input->graph->source.producer, out);
        putc('}', out);
    }
    putc(']', out);
}

static void write_warning(const struct warning *warning, FILE *out)
{
    fputs("{\"message\":", out);
    write_string(warning->text, out);
    fprintf(out, ",\"count\":%" PRIu64 ",\"offset\":", warning->count);
    if (warning->has_offset)
        fprintf(out, "%" PRIu64, warning->offset);
    else
        fputs("null", out);
    fprintf(out, ",\"severity\":\"%s\"}", warning->severity == WARNING_LOSS ? "loss" : "note");
}

static void write_warnings(const struct report *report, FILE *out)
{
    const char *comma = "\n  ";

    fputs(",\n\"warnings\":[", out);
    for (uint32_t i = 0; i < report->input_count; i++) {
        const struct warnings *warnings = &report->inputs[i].graph->source.warnings;

        for (size_t w = 0; w < warnings->count; w++) {
            fputs(comma, out);
            write_warning(&warnings->list[w], out);
            comma = ",\n  ";
        }
    }
    if (report->rows_left_out)
        fprintf(out, "%s{\"message\":\"rows left out for the budget\",\"count\":%" PRIu32 ",\"offset\":null,\"severity\":\"note\"}",
                comma, report->rows_left_out);
    putc(']', out);
}

void report_write_json(const struct report *report, const struct text_style *style, FILE *out)
{
    (void)style;
    fprintf(out, "{\"schema\":\"ptk.%s/1\"", report->command);
    write_inputs(report, out);
    if (report->has_value) {
        const struct graph *graph = report->inputs[0].graph;

        fputs(",\n\"value\":{\"name\":", out);
        escape_json(out, graph_text(graph, graph->values.list[graph->values.selected].name));
        fprintf(out, ",\"unit\":\"%s\"}", format_unit(graph_unit(graph)));
    }
    write_warnings(report, out);
    for (uint32_t i = 0; i < report->field_count; i++) {
        fprintf(out, ",\n\"%s\":", report->fields[i].key);
        write_cell(report->fields[i].kind, report->fields[i].cell, out);
    }
    for (uint32_t i = 0; i < report->table_count; i++) {
        if (!report->tables[i]->key || !table_is_for(report->tables[i], COLUMN_MACHINES))
            continue;
        fprintf(out, ",\n\"%s\":", report->tables[i]->key);
        write_array(report->tables[i], 0, report->tables[i]->height, out);
    }
    fputs("}\n", out);
}
