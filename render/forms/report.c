/* SPDX-License-Identifier: Apache-2.0 */
#include "render/forms/report.h"

#include <string.h>

/* Room for one more item: a list is full when it holds none or a power of two. */
static void *with_room(struct arena *arena, void *list, uint32_t count, size_t size)
{
    void *grown;

    if (count & (count - 1))
        return list;
    grown = arena_array(arena, count ? 2 * (size_t)count : 1, size);
    if (count)
        memcpy(grown, list, count * size);
    return grown;
}

static struct report_field *add_field(struct report *report, const char *key, enum cell_kind kind)
{
    struct report_field *field;

    report->fields = with_room(report->arena, report->fields, report->field_count, sizeof(*field));
    field = &report->fields[report->field_count++];
    *field = (struct report_field){.key = key, .kind = kind};
    return field;
}

void report_number(struct report *report, const char *key, int64_t number)
{
    add_field(report, key, CELL_COUNT)->cell.number = number;
}

void report_value(struct report *report, const char *key, int64_t number, enum unit unit)
{
    struct report_field *field = add_field(report, key, CELL_VALUE);

    field->cell.number = number;
    field->unit = unit;
}

void report_time(struct report *report, const char *key, int64_t ns)
{
    report_value(report, key, ns, UNIT_NS);
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
    report->tables =
        with_room(report->arena, report->tables, report->table_count, sizeof(*report->tables));
    report->tables[report->table_count++] = table;
}

void report_before(struct report *report, const char *line)
{
    report->before =
        with_room(report->arena, report->before, report->before_count, sizeof(*report->before));
    report->before[report->before_count++] = line;
}

void report_after(struct report *report, const char *line)
{
    report->after =
        with_room(report->arena, report->after, report->after_count, sizeof(*report->after));
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
        [REPORT_SVG] = report_write_svg,   [REPORT_SCHEMA] = report_write_schema,
    };

    writers[format](report, style, out);
}
