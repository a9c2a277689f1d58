/* SPDX-License-Identifier: Apache-2.0 */
/* tree_from_callgraph.c — trees from calls without paths
 *
 * Top-down, the call graph's flow says what comes into a function over each call; where the
 * function stands at several places each takes its part of what the places before it left, so the
 * parts add up to the whole. Bottom-up, the first step is exact, because a call knows its callee's
 * self time; further up a function's part is passed on in proportion to its callers' cumulative
 * times. */
#include "analysis/functions/call_edges.h"
#include "analysis/functions/tree.h"
#include "base/checked.h"
#include "graph/model/calltree_builder.h"

struct tree_split {
    struct tree_source source;
    const struct calls *calls;
    /* top-down */
    struct call_flow flow;
    int64_t *self_left;              /* by function: not in a row yet, */
    int64_t *time_left;              /* of what its rows take, */
    int64_t *open_left, *calls_left; /* of rows that are not expanded; by call: not in a row */
    /* bottom-up */
    struct edges edges;
    struct edge_times times;
    int64_t *incoming; /* by function: cum of the calls from others */
};

/* ---- top-down ---- */

/* figure · part / whole, at most the figure. */
static int64_t scaled(int64_t figure, int64_t part, int64_t whole)
{
    if (whole <= 0 || part >= whole)
        return figure;
    return part > 0 ? checked_share(figure, part, whole) : 0;
}

static void add_down(struct tree_split *split, struct tree_items *children, uint32_t function,
                     int64_t total, bool is_estimate)
{
    const struct functions *f = &split->source.graph->functions;
    struct tree_item *child = tree_items_add(children);
    int64_t self = scaled(split->self_left[function], total, split->time_left[function]);

    split->self_left[function] = checked_sub(split->self_left[function], self);
    split->time_left[function] = checked_sub(split->time_left[function], total);
    child->ref = function;
    child->row = (struct tree_row){.frame = f->frame[function],
                                   .total = total,
                                   .self = self,
                                   .calls = UNKNOWN,
                                   .is_estimate = is_estimate,
                                   .is_folded = split->flow.is_recursive[function]};
    if (split->flow.is_sole[function]) {
        child->row.self = f->self[function];
        child->row.calls = f->calls[function];
    }
}

static void expand_down(struct tree_source *source, const struct tree_item *item,
                        struct tree_items *children)
{
    struct tree_split *split = (struct tree_split *)source;
    const struct call_flow *flow = &split->flow;

    if (!item) {
        for (uint32_t i = 0; i < source->graph->functions.count; i++)
            if (flow->outside[i].is_there)
                add_down(split, children, i, flow->outside[i].time, flow->outside[i].is_estimate);
        return;
    }
    uint32_t function = (uint32_t)item->ref;
    bool is_sole = flow->is_sole[function];
    int64_t left = split->open_left[function];

    for (uint32_t i = flow->edges.out_first[function]; i < flow->edges.out_first[function + 1];
         i++) {
        uint32_t edge = flow->edges.out[i], callee = split->calls->callee[edge];
        int64_t time = scaled(split->calls_left[edge], item->row.total, left);

        if (!flow->call[edge].is_there || (!is_sole && time == 0))
            continue;
        split->calls_left[edge] = checked_sub(split->calls_left[edge], time);
        add_down(split, children, callee, time, !is_sole || flow->call[edge].is_estimate);
        if (is_sole && !flow->call[edge].is_estimate)
            children->list[children->count - 1].row.calls = split->calls->calls[edge];
    }
    split->open_left[function] = checked_sub(left, item->row.total);
}

static void open_down(struct tree_split *split, const struct graph *graph, struct arena *arena)
{
    const struct call_flow *flow = &split->flow;
    uint32_t count = graph->functions.count;

    call_flow_solve(graph, arena, &split->flow);
    split->self_left = arena_array(arena, count, sizeof(*split->self_left));
    split->time_left = arena_array(arena, count, sizeof(*split->time_left));
    split->open_left = arena_array(arena, count, sizeof(*split->open_left));
    split->calls_left = arena_array(arena, graph->calls.count, sizeof(*split->calls_left));
    for (uint32_t i = 0; i < count; i++) {
        split->self_left[i] = i < graph->functions.listed ? graph->functions.self[i] : 0;
        split->time_left[i] = split->open_left[i] = flow->time[i];
    }
    for (uint32_t i = 0; i < graph->calls.count; i++)
        split->calls_left[i] = flow->call[i].time;
}

/* ---- bottom-up ---- */

static void leaves_up(struct tree_split *split, struct tree_items *children)
{
    const struct functions *f = &split->source.graph->functions;

    for (uint32_t i = 0; i < f->listed; i++) {
        struct tree_item *child;

        if (f->self[i] == 0)
            continue;
        child = tree_items_add(children);
        child->ref = i;
        child->row = (struct tree_row){
            .frame = f->frame[i], .total = f->self[i], .self = f->self[i], .calls = f->calls[i]};
    }
}

static void expand_up(struct tree_source *source, const struct tree_item *item,
                      struct tree_items *children)
{
    struct tree_split *split = (struct tree_split *)source;
    const struct graph *graph = source->graph;

    if (!item) {
        leaves_up(split, children);
        return;
    }
    uint32_t function = (uint32_t)item->ref;
    bool is_first = item->row.depth == 0;

    for (uint32_t i = split->edges.in_first[function]; i < split->edges.in_first[function + 1];
         i++) {
        uint32_t edge = split->edges.in[i], caller = graph->calls.caller[edge];
        frame_id frame = graph->functions.frame[caller];
        struct tree_item *child;

        if (caller == function && !is_first)
            continue;
        child = tree_items_add(children);
        child->ref = caller;
        child->row = (struct tree_row){.frame = frame,
                                       .calls = is_first ? graph->calls.calls[edge] : UNKNOWN,
                                       .is_recursive = source->open[frame] > 0};
        child->row.total =
            is_first ? split->times.self[edge]
                     : scaled(item->row.total, split->times.cum[edge], split->incoming[function]);
        child->row.is_estimate =
            item->row.is_estimate ||
            (is_first ? split->times.self_is_estimate[edge] : split->times.cum_is_estimate[edge]) ||
            (!is_first && child->row.total < item->row.total);
    }
}

static void open_up(struct tree_split *split, const struct graph *graph, struct arena *arena)
{
    const struct calls *c = &graph->calls;

    edges_index(graph, arena, &split->edges);
    edges_times(graph, arena, &split->times);
    split->incoming = arena_array(arena, graph->functions.count, sizeof(*split->incoming));
    for (uint32_t i = 0; i < c->count; i++) {
        int64_t *in = &split->incoming[c->callee[i]];

        if (c->caller[i] != c->callee[i])
            *in = checked_add(*in, split->times.cum[i]);
    }
}

struct tree_source *tree_from_callgraph(const struct graph *graph,
                                        const struct tree_options *options, struct arena *arena)
{
    struct tree_split *split = arena_alloc(arena, sizeof(*split));

    split->calls = &graph->calls;
    split->source = (struct tree_source){.graph = graph,
                                         .options = options,
                                         .arena = arena,
                                         .expand = options->is_bottom_up ? expand_up : expand_down};
    if (options->is_bottom_up)
        open_up(split, graph, arena);
    else
        open_down(split, graph, arena);
    return &split->source;
}

/* ---- stacks of a call graph, estimated ---- */

/* What is in no row, because rows were left out: the part of each row that lacks some of its children,
 * in proportion to what these take. What is left over is of roots. */
struct cut_time {
    int64_t amount, weight;
};

static struct cut_time find_cut(const struct graph *graph, const struct tree *rows)
{
    struct cut_time cut = {0, rows->cut};

    for (uint32_t i = 0; i < graph->functions.listed; i++)
        cut.amount = checked_add(cut.amount, graph->functions.self[i]);
    for (uint32_t i = 0; i < rows->count; i++) {
        cut.amount = checked_sub(cut.amount, rows->rows[i].self);
        cut.weight = checked_add(cut.weight, not_negative(rows->rows[i].cut));
    }
    return cut.amount > 0 && rows->hidden ? cut : (struct cut_time){0};
}

static int64_t part_of(struct cut_time *cut, int64_t weight)
{
    int64_t part = scaled(cut->amount, weight, cut->weight);

    if (weight <= 0 || cut->weight <= 0)
        return 0;
    cut->amount -= part;
    cut->weight -= weight;
    return part;
}

/* Rows come depth first, so the path to a row is the rows before it that are less deep. */
static void add_rows(const struct tree *rows, uint32_t value, struct cut_time *cut,
                     struct calltree_builder *builder, struct calltree *tree, struct arena *arena)
{
    node_id *path = arena_array(arena, (size_t)rows->count + 1, sizeof(*path));

    for (uint32_t i = 0; i < rows->count; i++) {
        const struct tree_row *row = &rows->rows[i];
        node_id node =
            calltree_builder_child(builder, row->depth ? path[row->depth - 1] : 0, row->frame);
        int64_t own = checked_add(row->self, part_of(cut, row->cut));

        path[row->depth] = node;
        calltree_add(tree, node, value, own);
    }
}

static void warn_of_cut(struct graph *graph, int64_t moved, int64_t lost, int64_t whole)
{
    if (moved)
        warning_say(&graph->source.warnings, WARNING_LOSS,
                    "stacks cut short, because there are millions: the last function kept has the "
                    "time of what it calls, %.1f %% of the whole",
                    100 * share_of(moved, whole));
    if (lost)
        warning_say(&graph->source.warnings, WARNING_LOSS,
                    "stacks left out, because there are millions: %.1f %% of the whole",
                    100 * share_of(lost, whole));
}

void estimate_stacks(struct graph *graph)
{
    struct arena arena = {0};
    struct tree rows;
    struct calltree tree;
    struct calltree_builder builder;
    struct cut_time cut;
    int64_t missing;
    bool *has_value = arena_array(&arena, graph->values.count, sizeof(*has_value));
    const struct tree_shape shape = {.value_count = graph->values.count, .has_value = has_value};

    tree_grow(graph, &(struct tree_options){0}, &arena, &rows);
    has_value[graph->values.selected] = true;
    calltree_builder_begin(&builder, &tree, &shape);
    cut = find_cut(graph, &rows);
    missing = cut.amount;
    add_rows(&rows, graph->values.selected, &cut, &builder, &tree, &arena);
    calltree_builder_end(&builder);
    graph->tree = tree;
    graph->native = LEVEL_CALLTREE;
    graph->has[LEVEL_CALLTREE] = true;
    functions_free(&graph->functions);
    calls_free(&graph->calls);
    graph->has[LEVEL_CALLGRAPH] = graph->has[LEVEL_FLAT] = false;
    warning_count_many(
        &graph->source.warnings, WARNING_LOSS,
        "the profile knows calls, not stacks: where a function has several callers its "
        "stacks are estimates",
        1);
    warn_of_cut(graph, missing - cut.amount, cut.amount, rows.whole);
    arena_free(&arena);
}
