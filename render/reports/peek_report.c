/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/functions/relatives.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/model/frame_label.h"
#include "render/reports/report_columns.h"

#include <math.h>

static const struct column outer_columns[] = {
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "file", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "line", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

static const struct column inner_columns[] = {
    {.key = "relation", .heading = "", .kind = CELL_TEXT, .use = COLUMN_ALL},
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "file", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "line", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "calls", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "primitive_calls", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "ncalls", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "self", .kind = CELL_VALUE, .use = COLUMN_ALL},
    {.key = "cum", .kind = CELL_VALUE, .use = COLUMN_ALL},
    {.key = "share", .heading = "% of it", .kind = CELL_SHARE, .use = COLUMN_ALL, .is_heat = true},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

/* One row: the function itself, or a call from or to it. */
struct peek_row {
    const char *relation;
    frame_id frame;
    int64_t calls, primitive_calls, self, cum;
    int64_t part, whole; /* of the function's cum */
};

static void fill_place(struct row_writer *row, const struct graph *graph, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);

    row_text(row, graph_text(graph, frame->name));
    if (frame->file)
        row_text(row, graph_text(graph, frame->file));
    else
        row_no_text(row);
    row_number(row, frame->line);
}

static void fill_row(const struct table *table, uint32_t at, const struct graph *graph,
                     const struct peek_row *from, struct arena *arena)
{
    struct row_writer row = table_row(table, at);

    row_text(&row, span_of(from->relation));
    fill_place(&row, graph, from->frame);
    row_figure(&row, from->calls);
    row_figure(&row, from->primitive_calls);
    row_call_counts(&row, from->calls, from->primitive_calls, arena);
    row_figure(&row, from->self);
    row_figure(&row, from->cum);
    row_real(&row, from->part == UNKNOWN ? NAN : share_of(from->part, from->whole));
    row_label(&row, graph, from->frame, arena);
}

static uint32_t fill_calls(const struct table *table, uint32_t at, const struct graph *graph,
                           const struct relatives *relatives, uint32_t row, struct arena *arena)
{
    const struct relatives_row *of = &relatives->rows[row];
    const struct calls *c = &graph->calls;

    for (uint32_t i = 0; i < of->count; i++) {
        uint32_t edge = relatives->edges[of->first + i];
        const struct peek_row call = {
            .relation = relatives->direction == CALLERS ? "caller" : "callee",
            .frame = graph->functions.frame[relative_of(relatives, graph, edge)],
            .calls = c->calls[edge],
            .primitive_calls = c->primitive_calls[edge],
            .self = c->self[edge],
            .cum = c->cum[edge],
            .part = c->cum[edge],
            .whole = graph->functions.cum[of->function]};

        fill_row(table, at++, graph, &call, arena);
    }
    return at;
}

static uint32_t fill_function(const struct table *table, uint32_t at, const struct graph *graph,
                              uint32_t function, struct arena *arena)
{
    const struct functions *f = &graph->functions;
    const struct peek_row itself = {.relation = "function",
                                    .frame = f->frame[function],
                                    .calls = f->calls[function],
                                    .primitive_calls = f->primitive_calls[function],
                                    .self = f->self[function],
                                    .cum = f->cum[function],
                                    .part = f->self[function],
                                    .whole = f->cum[function]};

    fill_row(table, at, graph, &itself, arena);
    return at + 1;
}

/* "json/decoder.py:332(decode): 12.30% of the whole; not shown: 2 callers, 0 callees" */
static struct span describe(const struct relatives *callers, const struct relatives *callees,
                            uint32_t row, const struct graph *graph, struct arena *arena)
{
    uint32_t function = callers->rows[row].function;
    uint32_t up = callers->rows[row].left_out, down = callees->rows[row].left_out;
    struct span label = frame_label(graph, graph->functions.frame[function], arena);
    const char *left_out =
        up || down ? arena_printf(arena, "; not shown: %s, %s", format_many(arena, up, "caller"),
                                  format_many(arena, down, "callee"))
                   : "";
    const char *tail =
        arena_printf(arena, ": %.2f%% of the whole%s",
                     100 * share_of(graph->functions.cum[function], callers->whole), left_out);
    char *text = arena_array(arena, label.len + strlen(tail), 1);

    memcpy(text, label.at, label.len);
    memcpy(text + label.len, tail, strlen(tail));
    return (struct span){text, label.len + strlen(tail)};
}

void peek_report(const struct relatives *callers, const struct relatives *callees,
                 struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table *outer = arena_alloc(arena, sizeof(*outer));
    uint32_t count = callers->count, height = count, at = 0;
    struct table *inner;

    for (uint32_t i = 0; i < count; i++)
        height += callers->rows[i].count + callees->rows[i].count;
    table_init(outer, arena, outer_columns, COUNT_OF(outer_columns), count);
    inner = table_new(
        arena, columns_in_unit(arena, inner_columns, COUNT_OF(inner_columns), graph_unit(graph)),
        COUNT_OF(inner_columns), height, "around", NULL);
    inner->row = "row";
    outer->inner = inner;
    outer->first = arena_array(arena, (size_t)count + 1, sizeof(*outer->first));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t function = callers->rows[i].function;
        struct row_writer row = table_row(outer, i);

        fill_place(&row, graph, graph->functions.frame[function]);
        row_text(&row, describe(callers, callees, i, graph, arena));
        outer->first[i] = at;
        at = fill_calls(inner, at, graph, callers, i, arena);
        at = fill_function(inner, at, graph, function, arena);
        at = fill_calls(inner, at, graph, callees, i, arena);
    }
    outer->first[count] = at;
    report->has_value = true;
    report_table(report, outer);
    if (callers->left_out)
        report_after(report, arena_printf(arena, "%s; -n 0 shows all",
                                          format_many(arena, callers->left_out, "more function")));
}
