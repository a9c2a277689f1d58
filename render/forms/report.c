/* SPDX-License-Identifier: Apache-2.0 */
#include "render/forms/report.h"

#include <assert.h>

static struct report_field *add_field(struct report *report, const char *key, enum cell_kind kind)
{
    assert(report->field_count < REPORT_FIELDS_MAX);
    struct report_field *field = &report->fields[report->field_count++];

    *field = (struct report_field){.key = key, .kind = kind};
    return field;
}

void report_number(struct report *report, const char *key, int64_t number)
{
    add_field(report, key, CELL_COUNT)->cell.number = number;
}

void report_real(struct report *report, const char *key, double real)
{
    add_field(report, key, CELL_RATIO)->cell.real = real;
}

void report_text(struct report *report, const char *key, struct span text)
{
    add_field(report, key, CELL_TEXT)->cell.text = text;
}

void report_table(struct report *report, const struct table *table)
{
    assert(report->table_count < REPORT_TABLES_MAX);
    report->tables[report->table_count++] = table;
}

void report_before(struct report *report, const char *line)
{
    assert(report->before_count < REPORT_LINES_MAX);
    report->before[report->before_count++] = line;
}

void report_after(struct report *report, const char *line)
{
    assert(report->after_count < REPORT_LINES_MAX);
    report->after[report->after_count++] = line;
}

const char *const report_format_names[] = {"text", "csv", "json", "md", NULL};
const char *const report_chart_names[] = {"text", "csv", "json", "md", "svg", NULL};

bool report_is_for_people(enum report_format format)
{
    return format == REPORT_TEXT || format == REPORT_MARKDOWN || format == REPORT_SVG;
}

static void report_write_svg(const struct report *report, const struct text_style *style, FILE *out)
{
    (void)style;
    report->chart.draw(report->chart.subject, report, out);
}

void report_write(const struct report *report, enum report_format format,
                  const struct text_style *style, FILE *out)
{
    static void (*const writers[])(const struct report *, const struct text_style *, FILE *) = {
        [REPORT_TEXT] = report_write_text, [REPORT_CSV] = report_write_csv,
        [REPORT_JSON] = report_write_json, [REPORT_MARKDOWN] = report_write_markdown,
        [REPORT_SVG] = report_write_svg,
    };

    writers[format](report, style, out);
}
