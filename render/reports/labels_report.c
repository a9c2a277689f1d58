/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/functions/label_values.h"
#include "base/text/format.h"
#include "render/forms/table.h"

static const struct column columns[] = {
    {.key = "key", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "label", .heading = "value", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "unit", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "samples", .kind = CELL_COUNT, .use = COLUMN_ALL},
    {.key = "sum", .kind = CELL_VALUE, .use = COLUMN_ALL},
    {.key = "share", .heading = "%", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
};

enum { WIDTH = sizeof(columns) / sizeof(*columns) };

static void row_of(struct row_writer *row, const struct graph *graph,
                   const struct labels_row *label)
{
    row_text(row, graph_text(graph, label->label.key));
    row_text(row, graph_text(graph, label->label.text));
    if (label->label.unit)
        row_text(row, graph_text(graph, label->label.unit));
    else
        row_no_text(row);
    row_number(row, label->samples);
    row_number(row, label->value);
    row_real(row, label->share);
}

static const char *headline(const struct graph *graph, const struct labels *labels,
                            struct arena *arena)
{
    char total[FORMAT_LEN];

    if (labels->count == 0)
        return "no sample has a label";
    return arena_printf(arena, "%s of %s in %s", format_many(arena, labels->count, "value"),
                        format_many(arena, labels->keys, "label"),
                        format_value(total, labels->total, graph_unit(graph)));
}

void labels_report(const struct labels *labels, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table *table = arena_alloc(arena, sizeof(*table));

    table_init(table, arena, columns_in_unit(arena, columns, WIDTH, graph_unit(graph)), WIDTH,
               labels->count);
    for (uint32_t i = 0; i < labels->count; i++) {
        struct row_writer row = table_row(table, i);

        row_of(&row, graph, &labels->rows[i]);
    }
    report->has_value = true;
    report_number(report, "total", labels->total);
    report_before(report, headline(graph, labels, arena));
    report_table(report, table);
}
