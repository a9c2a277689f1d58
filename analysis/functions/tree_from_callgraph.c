/* tree_from_callgraph.c — trees split by edge: what a path's share of a function must be guessed
 *
 * Top-down, the time w on the path to a function of cumulative time C is passed on to its callees
 * as w/C of each call's time. Bottom-up, the first step is exact, because a call knows its
 * callee's self time; further up a function's part is passed on in proportion to its callers'
 * cumulative times. */
#include "analysis/functions/call_edges.h"
#include "analysis/functions/entry_points.h"
#include "analysis/functions/tree_source.h"
#include "base/checked.h"
#include "graph/derive/need.h"

struct split {
    struct tree_source source;
    struct edges edges;
    struct edge_times times;
    int64_t *incoming, *outgoing; /* by function: cum of the calls from others, and to them */
};

/* figure · part / whole, at most the figure. */
static int64_t scaled(int64_t figure, int64_t part, int64_t whole)
{
    if (whole <= 0 || part >= whole)
        return figure;
    return part > 0 ? checked_share(figure, part, whole) : 0;
}

static bool is_open(const struct split *split, uint32_t function)
{
    const struct graph *graph = split->source.graph;

    return split->source.open[graph->functions.frame[function]] > 0;
}

/* ---- top-down ---- */

static void add_down(struct split *split, struct tree_items *children, uint32_t function,
                     int64_t total, bool is_estimate)
{
    const struct functions *f = &split->source.graph->functions;
    struct tree_item *child = tree_items_add(children);
    bool is_whole = total >= f->cum[function];

    child->ref = function;
    child->row.frame = f->frame[function];
    child->row.total = total;
    child->row.is_recursive = is_open(split, function);
    child->row.is_estimate = is_estimate;
    child->row.self =
        child->row.is_recursive ? 0 : scaled(f->self[function], total, f->cum[function]);
    child->row.calls = is_whole ? f->calls[function] : UNKNOWN;
}

static void roots_down(struct split *split, struct tree_items *children)
{
    struct entries entries;

    struct edge_totals made = {0};

    entries_find(split->source.graph, graph_edge_totals(split->source.graph, &made),
                 split->source.arena, &entries);
    edge_totals_free(&made);
    for (uint32_t i = 0; i < entries.count; i++)
        add_down(split, children, entries.list[i].function, entries.list[i].cum, false);
}

static void expand_down(struct tree_source *source, const struct tree_item *item,
                        struct tree_items *children)
{
    struct split *split = (struct split *)source;
    const struct graph *graph = source->graph;

    if (!item) {
        roots_down(split, children);
        return;
    }
    uint32_t function = (uint32_t)item->ref;
    int64_t cum = graph->functions.cum[function];
    int64_t below = checked_sub(cum, graph->functions.self[function]);
    int64_t calls = split->outgoing[function];
    bool is_part = item->row.is_estimate || item->row.total < cum || calls > below;

    for (uint32_t i = split->edges.out_first[function]; i < split->edges.out_first[function + 1];
         i++) {
        uint32_t edge = split->edges.out[i], callee = graph->calls.callee[edge];

        if (callee == function)
            continue; /* direct recursion is inside this row already */
        /* where the function is below itself its calls add up to more than it has */
        add_down(split, children, callee,
                 scaled(scaled(split->times.cum[edge], below, calls), item->row.total, cum),
                 is_part || split->times.is_estimate[edge]);
        children->list[children->count - 1].row.calls =
            is_part ? UNKNOWN : graph->calls.calls[edge];
    }
}

/* ---- bottom-up ---- */

static void leaves_up(struct split *split, struct tree_items *children)
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
    struct split *split = (struct split *)source;
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
        struct tree_item *child;

        if (caller == function && !is_first)
            continue;
        child = tree_items_add(children);
        child->ref = caller;
        child->row = (struct tree_row){.frame = graph->functions.frame[caller],
                                       .calls = is_first ? graph->calls.calls[edge] : UNKNOWN,
                                       .is_recursive = is_open(split, caller)};
        child->row.total =
            is_first ? split->times.self[edge]
                     : scaled(item->row.total, split->times.cum[edge], split->incoming[function]);
        child->row.is_estimate = split->times.is_estimate[edge] || item->row.is_estimate ||
                                 (!is_first && child->row.total < item->row.total);
    }
}

static void sum_ends(struct split *split, const struct graph *graph, struct arena *arena)
{
    const struct calls *c = &graph->calls;

    split->incoming = arena_array(arena, graph->functions.count, sizeof(*split->incoming));
    split->outgoing = arena_array(arena, graph->functions.count, sizeof(*split->outgoing));
    for (uint32_t i = 0; i < c->count; i++) {
        int64_t *in = &split->incoming[c->callee[i]], *out = &split->outgoing[c->caller[i]];

        if (c->caller[i] == c->callee[i])
            continue;
        *in = checked_add(*in, split->times.cum[i]);
        *out = checked_add(*out, split->times.cum[i]);
    }
}

struct tree_source *tree_from_callgraph(const struct graph *graph,
                                        const struct tree_options *options, struct arena *arena)
{
    struct split *split = arena_alloc(arena, sizeof(*split));

    split->source = (struct tree_source){.graph = graph,
                                         .options = options,
                                         .arena = arena,
                                         .expand = options->is_bottom_up ? expand_up : expand_down};
    edges_index(graph, arena, &split->edges);
    edges_times(graph, arena, &split->times);
    sum_ends(split, graph, arena);
    return &split->source;
}
