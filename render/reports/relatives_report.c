/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with their callers, their callees, or both around them. */
#include "render/reports/reports.h"

#include "analysis/functions/hotspots.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/model/graph.h"
#include "graph/names/names.h"
#include "render/reports/report_columns.h"

/* Where a function is: for machines, before its figures. */
#define PLACE_AT(member)                                                                           \
    TEXT_BY(cell_frame_name, "name", member, FOR_MACHINES),                                        \
        TEXT_BY(cell_frame_file, "file", member, FOR_MACHINES),                                    \
        COUNT_BY(cell_frame_line, "line", member, FOR_MACHINES)

struct outer_row {
    frame_id frame;
    struct span heading;
};

/* The functions that were asked for; each owns rows of `inner`. */
static struct table *begin_outer(const struct table_context *context, uint32_t room,
                                 struct table *inner)
{
    typedef struct outer_row row;
    static const struct column columns[] = {
        PLACE_AT(frame), SHORT_AT(frame),
        TEXT_AT("function", heading, FOR_PEOPLE, .is_path = true, .is_label = true, .per = offsetof(row, frame))};
    struct table *table = TABLE_BEGIN(context, columns, room, "rows", NULL);

    table->inner = inner;
    table->first = arena_array(context->arena, (size_t)room + 1, sizeof(*table->first));
    return table;
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
    struct span label = graph_short_name(graph, f->frame[row->function]);
    char self[FORMAT_LEN], cum[FORMAT_LEN];
    uint32_t all = row->count + row->left_out;
    const char *verb = relatives->direction == CALLERS ? "called by" : "calls";
    uint8_t estimates = f->estimates ? f->estimates[row->function] : 0;
    const char *tail = arena_printf(
        arena, ": self %s%s, cum %s%s, %s %s", estimates & ESTIMATE_SELF ? "~" : "",
        format_value(self, f->self[row->function], graph_unit(graph)),
        estimates & ESTIMATE_CUM ? "~" : "",
        format_value(cum, f->cum[row->function], graph_unit(graph)), verb,
        all == 0 ? "nobody that was profiled"
                 : arena_printf(arena, "%u%s", all,
                                row->left_out ? arena_printf(arena, ", of which %u are not shown",
                                                             row->left_out)
                                              : ""));

    return label_with(label, tail, arena);
}

struct edge_row {
    frame_id other;
    int64_t calls, primitive_calls, self, cum; /* or UNKNOWN */
};

static struct edge_row edge_of(const struct relatives *relatives, const struct graph *graph,
                               uint32_t edge)
{
    const struct calls *c = &graph->calls;

    return (struct edge_row){.other = graph->functions.frame[relative_of(relatives, graph, edge)],
                             .calls = c->calls[edge],
                             .primitive_calls = c->primitive_calls[edge],
                             .self = c->self[edge],
                             .cum = c->cum[edge]};
}

/* The calls from or to functions. */
static struct table *begin_edges(const struct table_context *context, uint32_t room)
{
    typedef struct edge_row row;
    static const struct column columns[] = {
        PLACE_AT(other),
        COUNT_AT("calls", calls, FOR_MACHINES),
        COUNT_AT("primitive_calls", primitive_calls, FOR_MACHINES),
        VALUE_AT("self", self, FOR_MACHINES),
        VALUE_AT("cum", cum, FOR_MACHINES),
        CALLS_AT("ncalls", calls, primitive_calls, FOR_PEOPLE),
        VALUE_AT("self", self, FOR_PEOPLE),
        VALUE_AT("cum", cum, FOR_PEOPLE),
        SHARE_OF_WHOLE("%", cum, FOR_PEOPLE, .is_heat = true),
        SHORT_AT(other),
        LABEL_AT("other", other, FOR_PEOPLE, .is_path = true),
    };
    struct table *table = TABLE_BEGIN(context, columns, room, "edges", NULL);

    table->row = "edge";
    return table;
}

/* "parse is called most by load, for 4.1 ms of 6 ms.": of the function with the most time. The rows are in any order. */
static void say_first(const struct relatives *relatives, const struct graph *graph, struct arena *arena,
                      struct report *report)
{
    const struct relatives_row *row = relatives->rows;
    uint32_t edge = UINT32_MAX;
    struct span name, other;
    char part[FORMAT_LEN], whole[FORMAT_LEN];
    int64_t most = 0;

    if (relatives->count == 0)
        return;
    name = graph_short_name(graph, graph->functions.frame[row->function]);
    for (uint32_t i = 0; i < row->count; i++) {
        uint32_t at = relatives->edges[row->first + i];

        if (graph->calls.cum[at] != UNKNOWN && graph->calls.cum[at] > most) {
            most = graph->calls.cum[at];
            edge = at;
        }
    }
    if (edge == UINT32_MAX) {
        report_beforef(report, arena, "%.*s %s %s.", (int)name.len, name.at,
                       relatives->direction == CALLERS ? "is called by" : "calls",
                       row->count + row->left_out == 0
                           ? (relatives->direction == CALLERS ? "nobody that was profiled" : "nothing that was profiled")
                           : format_many(arena, row->count + row->left_out, "function"));
        return;
    }
    other = graph_short_name(graph, graph->functions.frame[relative_of(relatives, graph, edge)]);
    report_beforef(report, arena, "%.*s %s %.*s: for %s of its %s.", (int)name.len, name.at,
                   relatives->direction == CALLERS ? "is called most by" : "spends most in", (int)other.len, other.at,
                   format_value(part, most, graph_unit(graph)), format_value(whole, graph->functions.cum[row->function], graph_unit(graph)));
}

void relatives_report(const struct relatives *relatives, struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table_context context = graph_context(graph, arena);
    struct table *outer, *inner;
    uint32_t edges = 0;

    context.whole = relatives->whole;
    for (uint32_t i = 0; i < relatives->count; i++)
        edges += relatives->rows[i].count;
    inner = begin_edges(&context, edges);
    outer = begin_outer(&context, relatives->count, inner);
    for (uint32_t i = 0; i < relatives->count; i++) {
        const struct relatives_row *from = &relatives->rows[i];

        table_add(outer, &(struct outer_row){graph->functions.frame[from->function],
                                             describe(relatives, from, graph, arena)});
        for (uint32_t e = 0; e < from->count; e++) {
            struct edge_row edge = edge_of(relatives, graph, relatives->edges[from->first + e]);

            table_add(inner, &edge);
        }
        outer->first[i + 1] = inner->height;
    }
    report->has_value = true;
    say_first(relatives, graph, arena, report);
    report_table(report, outer);
    if (relatives->left_out)
        report_afterf(report, arena, "%s; -n 0 shows all",
                      format_many(arena, relatives->left_out, "more function"));
}

/* ---- peek ---- */

/* The function itself, or a call from or to it. */
struct around_row {
    const char *relation;
    struct edge_row of;
    int64_t part, whole; /* of the function's cum */
};

static struct table *begin_around(const struct table_context *context, uint32_t room)
{
    typedef struct around_row row;
    static const struct column columns[] = {
        TEXT_AT("relation", relation, .heading = ""),
        PLACE_AT(of.other),
        COUNT_AT("calls", of.calls, FOR_MACHINES),
        COUNT_AT("primitive_calls", of.primitive_calls, FOR_MACHINES),
        CALLS_AT("ncalls", of.calls, of.primitive_calls, FOR_PEOPLE),
        VALUE_AT("self", of.self),
        VALUE_AT("cum", of.cum),
        SHARE_OF("share", part, whole, .heading = "% of it", .is_heat = true),
        SHORT_AT(of.other),
        LABEL_AT("function", of.other, FOR_PEOPLE, .is_path = true),
    };
    struct table *table = TABLE_BEGIN(context, columns, room, "around", NULL);

    table->row = "row";
    return table;
}

static void add_calls(struct table *table, const struct relatives *relatives, uint32_t at)
{
    const struct graph *graph = table->context.graph;
    const struct relatives_row *from = &relatives->rows[at];

    for (uint32_t i = 0; i < from->count; i++) {
        struct edge_row edge = edge_of(relatives, graph, relatives->edges[from->first + i]);

        table_add(table,
                  &(struct around_row){relatives->direction == CALLERS ? "caller" : "callee", edge,
                                       edge.cum, graph->functions.cum[from->function]});
    }
}

static void add_function(struct table *table, uint32_t function)
{
    const struct functions *f = &table->context.graph->functions;

    table_add(table, &(struct around_row){"function",
                                          {f->frame[function], f->calls[function],
                                           f->primitive_calls[function], f->self[function],
                                           f->cum[function]},
                                          f->self[function],
                                          f->cum[function]});
}

/* "json/decoder.py:332(decode): 12.30% of the whole; not shown: 2 callers, 0 callees" */
static struct span describe_around(const struct relatives *callers, const struct relatives *callees,
                                   uint32_t row, const struct graph *graph, struct arena *arena)
{
    uint32_t function = callers->rows[row].function;
    uint32_t up = callers->rows[row].left_out, down = callees->rows[row].left_out;
    struct span label = graph_short_name(graph, graph->functions.frame[function]);
    const char *left_out =
        up || down ? arena_printf(arena, "; not shown: %s, %s", format_many(arena, up, "caller"),
                                  format_many(arena, down, "callee"))
                   : "";
    const char *tail =
        arena_printf(arena, ": %.2f%% of the whole%s",
                     100 * share_of(graph->functions.cum[function], callers->whole), left_out);

    return label_with(label, tail, arena);
}

/* "parse takes 47.47% of the whole, 12.30% by itself." */
static const char *around_sentence(const struct graph *graph, const struct relatives *callers, struct arena *arena)
{
    uint32_t function = callers->rows[0].function;
    struct span name = graph_short_name(graph, graph->functions.frame[function]);
    char cum[FORMAT_LEN], self[FORMAT_LEN];

    return arena_printf(arena, "%.*s takes %s of the whole, %s by itself.", (int)name.len, name.at,
                        format_share(cum, share_of(graph->functions.cum[function], callers->whole)),
                        format_share(self, share_of(graph->functions.self[function], callers->whole)));
}

void peek_report(const struct relatives *callers, const struct relatives *callees,
                 struct arena *arena, struct report *report)
{
    const struct graph *graph = report->inputs[0].graph;
    struct table_context context = graph_context(graph, arena);
    uint32_t count = callers->count, height = count;
    struct table *outer, *inner;

    for (uint32_t i = 0; i < count; i++)
        height += callers->rows[i].count + callees->rows[i].count;
    inner = begin_around(&context, height);
    outer = begin_outer(&context, count, inner);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t function = callers->rows[i].function;

        table_add(outer, &(struct outer_row){graph->functions.frame[function],
                                             describe_around(callers, callees, i, graph, arena)});
        add_calls(inner, callers, i);
        add_function(inner, function);
        add_calls(inner, callees, i);
        outer->first[i + 1] = inner->height;
    }
    report->has_value = true;
    if (count)
        report_before(report, around_sentence(graph, callers, arena));
    report_table(report, outer);
    if (callers->left_out)
        report_afterf(report, arena, "%s; -n 0 shows all",
                      format_many(arena, callers->left_out, "more function"));
}
