/* SPDX-License-Identifier: Apache-2.0 */
/* hotspots_values_report.c — a row a function: every value that the profile measures, side by side */
#include "render/reports/reports.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "analysis/functions/hotspots.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/derive/derive.h"
#include "render/reports/report_columns.h"

enum { VALUES_SHOWN = 13, NAME_LEN = 24 };

struct valued_function {
    frame_id frame;
    int64_t value[VALUES_SHOWN];
    double share[VALUES_SHOWN];
};

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

/* Two columns a value: it, and its share of the whole. */
static struct table *begin_valued(const struct graph *graph, uint32_t values, uint32_t room,
                                  struct arena *arena)
{
    typedef struct valued_function row;
    static const struct column first[] = {FRAME_AT(frame, COLUMN_MACHINES)};
    static const struct column of_value[] = {VALUE_AT("", value[0]),
                                             SHARE_AT("%", share[0], FOR_PEOPLE, .is_heat = true, .yields = 1)};
    static const struct column last[] = {SHORT_AT(frame),
                                         LABEL_AT("function", frame, FOR_PEOPLE, .is_path = true)};
    struct table_context context = {.arena = arena, .graph = graph};
    struct column columns[TABLE_MAX_WIDTH];
    uint32_t width = COUNT_OF(first);

    memcpy(columns, first, sizeof(first));
    for (uint32_t v = 0; v < values; v++, width += COUNT_OF(of_value)) {
        memcpy(&columns[width], of_value, sizeof(of_value));
        columns[width].key = key_of(graph, v, arena);
        columns[width].unit = graph->values.list[v].unit;
        columns[width].field = (uint16_t)offsetof(row, value[v]);
        columns[width + 1].field = (uint16_t)offsetof(row, share[v]);
    }
    memcpy(&columns[width], last, sizeof(last));
    return table_begin(&context, columns, width + COUNT_OF(last), room, "rows", NULL);
}

void hotspots_values_report(const struct hotspots *hotspots, const struct value_columns *columns,
                            struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    uint32_t values = graph->values.count < VALUES_SHOWN ? graph->values.count : VALUES_SHOWN;
    struct table *table = begin_valued(graph, values, hotspots->count, arena);

    for (uint32_t i = 0; i < hotspots->count; i++) {
        uint32_t function = hotspots->rows[i].function;
        const int64_t *self = columns->self + (size_t)function * graph->values.count;
        struct valued_function valued = {.frame = graph->functions.frame[function]};

        for (uint32_t v = 0; v < values; v++) {
            valued.value[v] = self[v];
            valued.share[v] =
                graph_is_idle(graph, valued.frame) ? NAN : share_of(self[v], columns->total[v]);
        }
        table_add(table, &valued);
    }
    for (uint32_t v = 0; v < values; v++) {
        char total[FORMAT_LEN];

        report_beforef(report, arena, "%s: %s", key_of(graph, v, arena),
                       format_value(total, columns->total[v], graph->values.list[v].unit));
    }
    if (hotspots->left_out)
        report_afterf(report, arena, "%s; -n 0 shows all",
                      format_many(arena, hotspots->left_out, "more function"));
    if (values < graph->values.count)
        report_afterf(report, arena, "%s not shown",
                      format_many(arena, graph->values.count - values, "more value"));
    report_table(report, table);
}
