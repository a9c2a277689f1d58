/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include <math.h>

#include "analysis/functions/hotspots.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "render/reports/report_columns.h"

static const struct column outer_columns[] = {
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "file", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "line", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "function", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

static const struct column inner_columns[] = {
    {.key = "name", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "file", .kind = CELL_TEXT, .use = COLUMN_MACHINES},
    {.key = "line", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "calls", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "primitive_calls", .kind = CELL_COUNT, .use = COLUMN_MACHINES},
    {.key = "self", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "cum", .kind = CELL_VALUE, .use = COLUMN_MACHINES},
    {.key = "ncalls", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_right = true},
    {.key = "self", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "cum", .kind = CELL_VALUE, .use = COLUMN_PEOPLE},
    {.key = "%", .kind = CELL_SHARE, .use = COLUMN_PEOPLE, .is_heat = true},
    {.key = "other", .kind = CELL_TEXT, .use = COLUMN_PEOPLE, .is_path = true},
};

static void fill_place(struct row_writer *row, const struct graph *graph, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);

    row_text(row, graph_text(graph, frame->name));
    row_text(row, frame->file ? graph_text(graph, frame->file) : NO_TEXT);
    row_number(row, frame->line);
}

static void fill_edge(const struct table *table, uint32_t at, const struct relatives *relatives,
                      const struct graph *graph, uint32_t edge, struct arena *arena)
{
    const struct calls *c = &graph->calls;
    frame_id other = graph->functions.frame[relative_of(relatives, graph, edge)];
    struct row_writer row = table_row(table, at);

    fill_place(&row, graph, other);
    row_figure(&row, c->calls[edge]);
    row_figure(&row, c->primitive_calls[edge]);
    row_figure(&row, c->self[edge]);
    row_figure(&row, c->cum[edge]);
    row_call_counts(&row, c->calls[edge], c->primitive_calls[edge], arena);
    row_figure(&row, c->self[edge]);
    row_figure(&row, c->cum[edge]);
    row_real(&row, c->cum[edge] == UNKNOWN ? NAN : share_of(c->cum[edge], relatives->whole));
    row_label(&row, graph, other, arena);
}

/* A name may hold any bytes. */
static struct span label_with(struct span label, const char *tail, struct arena *arena)
{
    size_t size = strlen(tail);
    char *text = arena_array(arena, label.len + size, 1);

    memcpy(text, label.at, label.len);
    memcpy(text + label.len, tail, size);
    return (struct span){text, label.len + size};
}

/* "json/decoder.py:332(decode): self 1.2 ms, cum 3.4 ms, called by 3:" */
static struct span describe(const struct relatives *relatives, const struct relatives_row *row,
                            const struct graph *graph, struct arena *arena)
{
    const struct functions *f = &graph->functions;
    struct span label = frame_label(graph, f->frame[row->function], arena);
    char self[FORMAT_LEN], cum[FORMAT_LEN];
    uint32_t all = row->count + row->left_out;
    const char *verb = relatives->direction == CALLERS ? "called by" : "calls";
    const char *tail = arena_printf(
        arena, ": self %s, cum %s, %s %s",
        format_value(self, f->self[row->function], graph_unit(graph)),
        format_value(cum, f->cum[row->function], graph_unit(graph)), verb,
        all == 0 ? "nobody that was profiled"
                 : arena_printf(arena, "%u%s", all,
                                row->left_out ? arena_printf(arena, ", of which %u are not shown",
                                                             row->left_out)
                                              : ""));

    return label_with(label, tail, arena);
}

void relatives_report(const struct relatives *relatives, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table *outer =
        table_new(arena, outer_columns, COUNT_OF(outer_columns), relatives->count, "rows", NULL);
    struct table *inner;
    uint32_t edges = 0;

    for (uint32_t i = 0; i < relatives->count; i++)
        edges += relatives->rows[i].count;
    inner = table_new(
        arena, columns_in_unit(arena, inner_columns, COUNT_OF(inner_columns), graph_unit(graph)),
        COUNT_OF(inner_columns), edges, "edges", NULL);
    inner->row = "edge";
    outer->inner = inner;
    outer->first = arena_array(arena, (size_t)relatives->count + 1, sizeof(*outer->first));
    for (uint32_t i = 0; i < relatives->count; i++) {
        const struct relatives_row *from = &relatives->rows[i];
        struct row_writer row = table_row(outer, i);

        fill_place(&row, graph, graph->functions.frame[from->function]);
        row_text(&row, describe(relatives, from, graph, arena));
        for (uint32_t e = 0; e < from->count; e++)
            fill_edge(inner, outer->first[i] + e, relatives, graph,
                      relatives->edges[from->first + e], arena);
        outer->first[i + 1] = outer->first[i] + from->count;
    }
    report->has_value = true;
    report_table(report, outer);
    if (relatives->left_out)
        report_afterf(report, arena, "%s; -n 0 shows all",
                      format_many(arena, relatives->left_out, "more function"));
}

/* ---- peek ---- */

static const struct column around_columns[] = {
    TEXT_COLUMN("relation", ""),
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
static struct span describe_around(const struct relatives *callers, const struct relatives *callees,
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

    return label_with(label, tail, arena);
}

void peek_report(const struct relatives *callers, const struct relatives *callees,
                 struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    uint32_t count = callers->count, height = count, at = 0;
    struct table *outer =
        table_new(arena, outer_columns, COUNT_OF(outer_columns), count, "rows", NULL);
    struct table *inner;

    for (uint32_t i = 0; i < count; i++)
        height += callers->rows[i].count + callees->rows[i].count;
    inner = table_new(
        arena, columns_in_unit(arena, around_columns, COUNT_OF(around_columns), graph_unit(graph)),
        COUNT_OF(around_columns), height, "around", NULL);
    inner->row = "row";
    outer->inner = inner;
    outer->first = arena_array(arena, (size_t)count + 1, sizeof(*outer->first));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t function = callers->rows[i].function;
        struct row_writer row = table_row(outer, i);

        fill_place(&row, graph, graph->functions.frame[function]);
        row_text(&row, describe_around(callers, callees, i, graph, arena));
        outer->first[i] = at;
        at = fill_calls(inner, at, graph, callers, i, arena);
        at = fill_function(inner, at, graph, function, arena);
        at = fill_calls(inner, at, graph, callees, i, arena);
    }
    outer->first[count] = at;
    report->has_value = true;
    report_table(report, outer);
    if (callers->left_out)
        report_afterf(report, arena, "%s; -n 0 shows all",
                      format_many(arena, callers->left_out, "more function"));
}
