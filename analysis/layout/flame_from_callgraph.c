/* SPDX-License-Identifier: Apache-2.0 */
/* flame_from_callgraph.c — functions at every place where they are called, their sums exact
 *
 * A function that is drawn in several places is taken apart piece by piece: each place takes its
 * part of what the places before it left. So the parts add up to it, to the last nanosecond. */
#include "analysis/functions/call_edges.h"
#include "analysis/layout/flame.h"
#include "base/checked.h"

struct flame_split {
    struct flame_source source;
    struct call_flow flow;
    int64_t *self_left, *amount_left; /* by function: not yet drawn */
    int64_t *calls_left;              /* by call */
};

/* The part of `piece` that a place of width `*width` takes, of a function with `*left` to draw. */
static int64_t take_share(int64_t *piece, int64_t *width, int64_t *left)
{
    int64_t part = *left > 0 && *piece <= *left ? checked_share(*piece, *width, *left) : *width;

    *left = checked_sub(*left, *piece);
    *width = checked_sub(*width, part);
    *piece = checked_sub(*piece, part);
    return part;
}

static void add_child(struct flame_split *split, struct flame_items *above, uint32_t function,
                      int64_t total, bool is_estimate)
{
    const struct functions *f = &split->source.graph->functions;
    struct flame_item *child = flame_items_add(above);

    child->ref = function;
    child->box.frame = f->frame[function];
    child->box.total = total;
    child->box.is_estimate = is_estimate;
    child->box.calls = split->flow.is_sole[function] ? f->calls[function] : UNKNOWN;
}

static void add_roots(struct flame_split *split, struct flame_items *above)
{
    const struct call_flow *flow = &split->flow;

    for (uint32_t i = 0; i < split->source.graph->functions.count; i++)
        if (flow->outside[i].amount > 0)
            add_child(split, above, i, flow->outside[i].amount, flow->outside[i].is_estimate);
}

static void expand(struct flame_source *source, struct flame_item *item, struct flame_items *above)
{
    struct flame_split *split = (struct flame_split *)source;
    const struct call_flow *flow = &split->flow;
    uint32_t function = item->ref;
    int64_t width = item->box.total, left;

    if (function == source->ground) {
        add_roots(split, above);
        return;
    }
    left = split->amount_left[function];
    split->amount_left[function] -= width;
    item->box.self = take_share(&split->self_left[function], &width, &left);
    for (uint32_t i = flow->edges.out_first[function]; i < flow->edges.out_first[function + 1];
         i++) {
        uint32_t edge = flow->edges.out[i];
        int64_t part = take_share(&split->calls_left[edge], &width, &left);

        if (part > 0)
            add_child(split, above, source->graph->calls.callee[edge], part,
                      !flow->is_sole[function] || flow->call[edge].is_estimate);
    }
}

struct flame_source *flame_from_callgraph(const struct graph *graph, struct arena *arena)
{
    struct flame_split *split = arena_alloc(arena, sizeof(*split));
    uint32_t functions = graph->functions.count;

    call_flow_solve(graph, arena, &split->flow);
    split->self_left = arena_array(arena, functions, sizeof(*split->self_left));
    split->amount_left = arena_array(arena, functions, sizeof(*split->amount_left));
    split->calls_left = arena_array(arena, graph->calls.count, sizeof(*split->calls_left));
    for (uint32_t i = 0; i < functions; i++) {
        split->self_left[i] = split->flow.self[i];
        split->amount_left[i] = split->flow.amount[i];
    }
    for (uint32_t i = 0; i < graph->calls.count; i++)
        split->calls_left[i] = split->flow.call[i].amount;
    split->source = (struct flame_source){
        .graph = graph, .expand = expand, .ground = functions, .whole = split->flow.whole};
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        split->source.has_negative |= graph->functions.self[i] < 0;
    return &split->source;
}
