/* SPDX-License-Identifier: Apache-2.0 */
/* schema_form.c — the JSON Schema (2020-12) of what the JSON form writes of a report: from the same columns, with
 * their units, and whether a cell can be unknown */
#include <inttypes.h>

#include "base/text/escape.h"
#include "base/text/format.h"
#include "render/forms/report.h"

static const char text_type[] = "{\"type\":[\"string\",\"null\"]}";

/* Shares may be negative, and above 1: of differences, and of loads. */
static void write_cell_schema(enum cell_kind kind, const char *unit, FILE *out)
{
    switch (kind) {
    case CELL_TEXT:
        fputs(text_type, out);
        break;
    case CELL_COUNT:
        fputs("{\"type\":[\"integer\",\"null\"]}", out);
        break;
    case CELL_VALUE:
        fprintf(out, "{\"type\":[\"integer\",\"null\"],\"description\":\"unit: %s\"}", unit);
        break;
    case CELL_SHARE:
        fputs("{\"type\":[\"number\",\"null\"],\"description\":\"a share of 1\"}", out);
        break;
    case CELL_RATIO:
        fputs("{\"type\":[\"number\",\"null\"]}", out);
        break;
    case CELL_FLAG:
        fputs("{\"type\":\"boolean\"}", out);
        break;
    }
}

static const char *unit_of(const struct column *column)
{
    return column->has_table_unit ? "that of value" : format_unit(column->unit);
}

static void write_array_schema(const struct table *table, FILE *out);

/* A row has all of its columns, known or not. */
static void write_row_schema(const struct table *table, FILE *out)
{
    const char *comma = "";

    fputs("{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{", out);
    for (uint32_t c = 0; c < table->width; c++) {
        const struct column *column = &table->columns[c];

        if (!column_is_for(column, COLUMN_MACHINES))
            continue;
        fprintf(out, "%s\n    \"%s\":", comma, column->key);
        write_cell_schema(column->kind, unit_of(column), out);
        comma = ",";
    }
    if (table->inner) {
        fprintf(out, "%s\n    \"%s\":", comma, table->inner->key);
        write_array_schema(table->inner, out);
    }
    fputs("}}", out);
}

static void write_array_schema(const struct table *table, FILE *out)
{
    fputs("{\"type\":\"array\",\"items\":", out);
    if (table->is_list)
        write_cell_schema(table->columns[0].kind, unit_of(&table->columns[0]), out);
    else
        write_row_schema(table, out);
    putc('}', out);
}

/* What every answer has. */
static void write_common(const struct report *report, FILE *out)
{
    fprintf(out, "\n  \"schema\":{\"const\":\"ptk.%s/1\",\"description\":\"fields are added in a version, and never "
                 "renamed or removed\"},\n", report->command);
    fprintf(out,
            "  \"inputs\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"additionalProperties\":false,"
            "\"properties\":{\"path\":{\"type\":\"string\"},\"format\":%s,\"producer\":%s}}},\n",
            text_type, text_type);
    fputs("  \"warnings\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"additionalProperties\":false,"
          "\"properties\":{\"message\":{\"type\":\"string\"},\"count\":{\"type\":\"integer\"},"
          "\"offset\":{\"type\":[\"integer\",\"null\"],\"description\":\"bytes from the begin of what was read\"},"
          "\"severity\":{\"enum\":[\"loss\",\"note\"]}}}}",
          out);
    if (report->has_value)
        fputs(",\n  \"value\":{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
              "\"name\":{\"type\":\"string\"},\"unit\":{\"type\":\"string\"}},"
              "\"description\":\"what the figures are of\"}",
              out);
}

void report_write_schema(const struct report *report, const struct text_style *style, FILE *out)
{
    (void)style;
    fprintf(out,
            "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\n"
            "\"$id\":\"urn:ptk:%s:1\",\n\"title\":\"ptk %s -f json\",\n"
            "\"type\":\"object\",\"additionalProperties\":false,\"properties\":{",
            report->command, report->command);
    write_common(report, out);
    for (uint32_t i = 0; i < report->field_count; i++) {
        fprintf(out, ",\n  \"%s\":", report->fields[i].key);
        write_cell_schema(report->fields[i].kind, format_unit(report->fields[i].unit), out);
    }
    for (uint32_t i = 0; i < report->table_count; i++) {
        if (!report->tables[i]->key || !table_is_for(report->tables[i], COLUMN_MACHINES))
            continue;
        fprintf(out, ",\n  \"%s\":", report->tables[i]->key);
        write_array_schema(report->tables[i], out);
    }
    fputs("}}\n", out);
}
