/* SPDX-License-Identifier: Apache-2.0 */
/* perf_report_levels.c — the rows and trees of perf report as stacks, or as a call graph */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/perf/perf_report.h"
#include "parsers/text/text_end.h"

struct report_edge {
    uint32_t caller, callee;
    int64_t share;
};

static size_t tree_end(const struct perf_report *report, size_t row)
{
    size_t end = row + 1;

    while (end < report->nodes.count && report->nodes.list[end].depth)
        end++;
    return end;
}

/* A step that has no share of its own has that of the one before it, whose only one it is. A branch of
 * more than it hangs on is a share of that: then all of the file's are. */
static void complete_shares(struct perf_report *report)
{
    int64_t *path = grow_zeroed(REPORT_DEPTH_MAX + 1, sizeof(*path));
    struct report_node *nodes = report->nodes.list;

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < report->nodes.count; i++) {
            int64_t share = nodes[i].share, above = nodes[i].depth ? path[nodes[i].depth - 1] : 0;

            if (share == UNKNOWN)
                share = above;
            else if (round && report->is_fractal && nodes[i].depth)
                share = checked_share(above, share, REPORT_WHOLE);
            else if (nodes[i].depth && share > above + 1)
                report->is_fractal = true;
            if (round)
                nodes[i].share = share;
            path[nodes[i].depth] = share;
        }
    free(path);
}

/* A tree from the root down ends with the row's function, one from the function up begins with it. Where
 * rows are with what they call, each begins with the function, but those of what it did itself. */
static void find_order(struct perf_report *report)
{
    const struct report_node *nodes = report->nodes.list;
    uint64_t begin = 0, end = 0, otherwise = 0;

    for (size_t row = 0; row < report->nodes.count; row = tree_end(report, row)) {
        size_t after = tree_end(report, row);

        if (after == row + 1)
            continue;
        begin += nodes[row + 1].name == nodes[row].name;
        end += nodes[after - 1].name == nodes[row].name;
        for (size_t i = row + 1; i < after; i++)
            otherwise += nodes[i].depth == 1 && nodes[i].name != nodes[row].name;
    }
    report->is_caller_order = report->has_children ? otherwise > 0 : end > begin;
}

static int64_t figure_of(const struct perf_report *report, int64_t share)
{
    return checked_share(report->total, share, REPORT_WHOLE);
}

/* ---- rows of what functions did themselves: stacks ---- */

/* What no step below accounts for is a stack that ends there. From the root down it ends in the row's
 * function all the same, through what perf did not show. */
static void add_stack(struct perf_report *report, const struct report_node *row,
                      const frame_id *path, uint32_t depth, int64_t share)
{
    struct builder *builder = report->builder;
    struct frame below = {.name = builder_intern(builder, SPAN("(below threshold)")),
                          .kind = KIND_OTHER};
    frame_id frames[REPORT_DEPTH_MAX + 2];
    int64_t figure = figure_of(report, share);
    uint32_t count = 0;

    frames[count++] = row->frame;
    if (report->is_caller_order) {
        bool is_whole = depth && path[depth] == row->frame;

        if (depth && !is_whole)
            frames[count++] = builder_frame(builder, &below);
        for (uint32_t i = depth - is_whole; i > 0; i--)
            frames[count++] = path[i];
    } else {
        for (uint32_t i = 2; i <= depth; i++)
            frames[count++] = path[i];
    }
    builder_stack(builder_stacks(builder), frames, count, &figure);
}

static void add_stacks(struct perf_report *report)
{
    const struct report_node *nodes = report->nodes.list;
    frame_id path[REPORT_DEPTH_MAX + 1];
    int64_t *below = grow_zeroed(report->nodes.count + 1, sizeof(*below)); /* of each node */
    size_t at[REPORT_DEPTH_MAX + 1];

    for (size_t i = 0; i < report->nodes.count; i++) {
        at[nodes[i].depth] = i;
        if (nodes[i].depth)
            below[at[nodes[i].depth - 1]] += nodes[i].share;
    }
    for (size_t i = 0; i < report->nodes.count; i++) {
        at[nodes[i].depth] = i;
        path[nodes[i].depth] = nodes[i].frame;
        if (nodes[i].share > below[i])
            add_stack(report, &nodes[at[0]], path, nodes[i].depth, nodes[i].share - below[i]);
    }
    free(below);
}

/* ---- rows with what they call: a call graph ---- */

/* A function has a row for each command that ran it. */
static void add_functions(struct perf_report *report)
{
    struct callgraph_builder *graph = builder_callgraph(report->builder);
    struct VECTOR_OF(struct call_figures) functions = {0};

    for (size_t i = 0; i < report->nodes.count; i++) {
        const struct report_node *row = &report->nodes.list[i];
        struct call_figures *figures;
        uint32_t function;

        if (row->depth)
            continue;
        function = builder_function(graph, row->frame);
        while (functions.count <= function)
            vector_add(&functions, (struct call_figures){UNKNOWN, UNKNOWN, 0, 0});
        figures = &functions.list[function];
        figures->self = checked_add(figures->self, figure_of(report, row->self));
        figures->cum = checked_add(figures->cum, figure_of(report, row->share));
        builder_list(graph, function, figures);
    }
    free(functions.list);
}

static void add_calls(struct perf_report *report)
{
    struct callgraph_builder *graph = builder_callgraph(report->builder);
    const struct report_node *nodes = report->nodes.list;
    struct VECTOR_OF(struct report_edge) edges = {0};
    struct idmap edge_of = {0};
    size_t row = 0, first = 0;

    for (size_t i = 0; i < report->nodes.count; i++) {
        struct report_edge edge;
        uint32_t own, other, *known;

        if (nodes[i].depth == 0)
            row = i;
        if (nodes[i].depth == 1)
            first = i;
        if (nodes[i].depth != 2 || nodes[first].name != nodes[row].name)
            continue;
        own = builder_function(graph, nodes[row].frame);
        other = builder_function(graph, nodes[i].frame);
        edge = report->is_caller_order ? (struct report_edge){own, other, 0}
                                       : (struct report_edge){other, own, 0};
        known = idmap_at(&edge_of, idmap_pair(edge.caller, edge.callee));
        if (*known == IDMAP_NONE) {
            *known = (uint32_t)edges.count;
            vector_add(&edges, edge);
        }
        edges.list[*known].share = checked_add(edges.list[*known].share, nodes[i].share);
    }
    for (size_t i = 0; i < edges.count; i++) {
        int64_t share = edges.list[i].share < REPORT_WHOLE ? edges.list[i].share : REPORT_WHOLE;

        builder_call(graph, edges.list[i].caller, edges.list[i].callee,
                     &(struct call_figures){UNKNOWN, UNKNOWN, UNKNOWN, figure_of(report, share)});
    }
    idmap_free(&edge_of);
    free(edges.list);
}

/* ---- the whole ---- */

/* A row left out is less than perf's threshold, or the file is cut. */
static void check_rows(const struct perf_report *report)
{
    uint64_t rows = 0;
    int64_t found = 0;

    for (size_t i = 0; i < report->nodes.count; i++)
        if (report->nodes.list[i].depth == 0) {
            found = checked_add(found, report->nodes.list[i].self);
            rows++;
        }
    text_check_shares(report->builder, "the report", found, rows, 1);
}

bool perf_report_build(struct perf_report *report, struct error *err)
{
    struct builder *builder = report->builder;
    struct span event = builder_text(builder, report->event), name = event;
    struct span clock = span_split(&name, ':');
    bool is_time = span_eq(clock, SPAN("cpu-clock")) || span_eq(clock, SPAN("task-clock"));
    struct value_name value = {event.len ? event : SPAN("events"), is_time ? UNIT_NS : UNIT_COUNT};

    if (!builder_begin(builder, report->has_children ? LEVEL_CALLGRAPH : LEVEL_CALLTREE, &value, 1,
                       0, err))
        return false;
    complete_shares(report);
    find_order(report);
    for (size_t i = 0; i < report->nodes.count; i++) {
        struct report_node *node = &report->nodes.list[i];
        uint32_t known = idmap_find(&report->rows, node->name);
        struct frame frame = {.name = node->name, .kind = KIND_HOST};

        if (node->depth)
            node->frame = known != IDMAP_NONE ? known : builder_frame(builder, &frame);
        builder_inlining(builder, node->frame, node->is_inlined);
    }
    if (report->has_children) {
        add_functions(report);
        add_calls(report);
    } else {
        add_stacks(report);
    }
    check_rows(report);
    builder_producer(builder, "perf report");
    warning_say(builder_warnings(builder), WARNING_NOTE,
                "figures are of shares as printed, to 0.01 %% of the events; perf leaves branches "
                "below its threshold out: perf script has them all");
    if (report->tables > 1)
        warning_count_many(builder_warnings(builder), WARNING_LOSS,
                           "tables of other events, left out", report->tables - 1);
    return true;
}
