/* SPDX-License-Identifier: Apache-2.0 */
/* hotspots_values_report.c — functions with every value that the profile measures side by side */
#include "render/reports/reports.h"

#include <ctype.h>
#include <math.h>

#include "analysis/functions/hotspots.h"
#include "analysis/functions/value_columns.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/derive/derive.h"
#include "render/reports/report_columns.h"

enum { VALUES_SHOWN = 13, NAME_LEN = 24 };

static const struct column frame_columns[] = {FRAME_COLUMNS(COLUMN_MACHINES)};

/* A value's name, which the file chose, as a field's. */
static const char *key_of(const struct graph *graph, uint32_t value, struct arena *arena)
{
    struct span name = graph_text(graph, graph->values.list[value].name);
    char *key = arena_alloc(arena, NAME_LEN + 1);
    size_t len = name.len < NAME_LEN ? name.len : NAME_LEN;

    for (size_t i = 0; i < len; i++)
        key[i] = isalnum((unsigned char)name.at[i]) ? name.at[i] : '_';
    key[len] = '\0';
    return key;
}

static struct table *make_table(const struct graph *graph, uint32_t values, uint32_t rows,
                                struct arena *arena)
{
    uint32_t width = 0;
    struct column *columns = arena_array(arena, TABLE_MAX_WIDTH, sizeof(*columns));
    struct table *table = arena_alloc(arena, sizeof(*table));

    for (; width < COUNT_OF(frame_columns); width++)
        columns[width] = frame_columns[width];
    for (uint32_t v = 0; v < values; v++) {
        columns[width++] = (struct column){.key = key_of(graph, v, arena),
                                           .kind = CELL_VALUE,
                                           .use = COLUMN_ALL,
                                           .unit = graph->values.list[v].unit};
        columns[width++] =
            (struct column){.key = "%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_heat = true};
    }
    columns[width++] = (struct column){
        .key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true};
    table_init(table, arena, columns, width, rows);
    return table;
}

void hotspots_values_report(const struct hotspots *hotspots, const struct value_columns *columns,
                            struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    uint32_t values = graph->values.count < VALUES_SHOWN ? graph->values.count : VALUES_SHOWN;
    struct table *table = make_table(graph, values, hotspots->count, arena);

    for (uint32_t i = 0; i < hotspots->count; i++) {
        uint32_t function = hotspots->rows[i].function;
        const int64_t *self = columns->self + (size_t)function * graph->values.count;
        bool is_idle = graph_is_idle(graph, graph->functions.frame[function]);
        struct row_writer row = table_row(table, i);

        row_frame(&row, graph, graph->functions.frame[function]);
        for (uint32_t v = 0; v < values; v++) {
            row_number(&row, self[v]);
            row_real(&row, is_idle ? NAN : share_of(self[v], columns->total[v]));
        }
        row_label(&row, graph, graph->functions.frame[function], arena);
    }
    for (uint32_t v = 0; v < values; v++) {
        char total[FORMAT_LEN];

        report_before(report, arena_printf(arena, "%s: %s", key_of(graph, v, arena),
                                           format_value(total, columns->total[v],
                                                        graph->values.list[v].unit)));
    }
    if (hotspots->left_out)
        report_after(report, arena_printf(arena, "%s; -n 0 shows all",
                                          format_many(arena, hotspots->left_out, "more function")));
    if (values < graph->values.count)
        report_after(report,
                     arena_printf(arena, "%s not shown",
                                  format_many(arena, graph->values.count - values, "more value")));
    report_table(report, table);
}
