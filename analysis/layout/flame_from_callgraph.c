/* flame_from_callgraph.c — functions at every place where they are called, their sums exact
 *
 * A node that is drawn in several places is taken apart piece by piece: each place takes its part
 * of what the places before it left. So the parts add up to the node, to the last nanosecond. */
#include "analysis/layout/flame_source.h"
#include "analysis/layout/flow.h"
#include "base/checked.h"

struct split {
    struct flame_source source;
    struct flow flow;
    int64_t *self_left, *total_left; /* by node: not yet drawn */
    int64_t *link_left;              /* by link */
};

/* The part of `piece` that a place of width `*width` takes, of a node with `*left` to draw. */
static int64_t take(int64_t *piece, int64_t *width, int64_t *left)
{
    int64_t part = *left > 0 && *piece <= *left ? checked_share(*piece, *width, *left) : *width;

    *left = checked_sub(*left, *piece);
    *width = checked_sub(*width, part);
    *piece = checked_sub(*piece, part);
    return part;
}

static uint32_t function_of(const struct split *split, uint32_t node)
{
    const struct flow *flow = &split->flow;
    uint32_t best = node;
    int64_t most = -1;

    if (node < split->source.graph->functions.count)
        return node;
    for (uint32_t i = flow->first[node]; i < flow->first[node + 1]; i++)
        if (flow->links[i].amount > most) {
            most = flow->links[i].amount;
            best = flow->links[i].node;
        }
    return best;
}

static void add_child(struct split *split, struct flame_items *above, uint32_t node, int64_t total,
                      bool is_estimate)
{
    const struct functions *f = &split->source.graph->functions;
    uint32_t function = function_of(split, node);
    struct flame_item *child = flame_items_add(above);
    bool is_whole = total == split->flow.total[node] && !is_estimate;

    child->ref = node;
    child->box.frame = f->frame[function];
    child->box.members = node == function ? 1 : split->flow.members[node];
    child->box.total = total;
    child->box.is_estimate = !is_whole;
    child->box.calls = is_whole && node == function ? f->calls[function] : UNKNOWN;
}

static void expand(struct flame_source *source, struct flame_item *item, struct flame_items *above)
{
    struct split *split = (struct split *)source;
    const struct flow *flow = &split->flow;
    uint32_t node = item->ref;
    int64_t width = item->box.total, left = split->total_left[node];

    split->total_left[node] -= width;
    item->box.self = take(&split->self_left[node], &width, &left);
    for (uint32_t i = flow->first[node]; i < flow->first[node + 1]; i++) {
        int64_t part = take(&split->link_left[i], &width, &left);

        if (part > 0)
            add_child(split, above, flow->links[i].node, part, item->box.is_estimate);
    }
}

struct flame_source *flame_from_callgraph(const struct graph *graph, struct arena *arena)
{
    struct split *split = arena_alloc(arena, sizeof(*split));
    struct flow *flow = &split->flow;
    uint32_t links;

    flow_compute(graph, arena, flow);
    links = flow->first[flow->count];
    split->self_left = arena_array(arena, flow->count, sizeof(*split->self_left));
    split->total_left = arena_array(arena, flow->count, sizeof(*split->total_left));
    split->link_left = arena_array(arena, links, sizeof(*split->link_left));
    for (uint32_t i = 0; i < flow->count; i++) {
        split->self_left[i] = flow->self[i];
        split->total_left[i] = flow->total[i];
    }
    for (uint32_t i = 0; i < links; i++)
        split->link_left[i] = flow->links[i].amount;
    split->source = (struct flame_source){
        .graph = graph, .expand = expand, .ground = flow->root, .whole = flow->total[flow->root]};
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        split->source.has_negative |= graph->functions.self[i] < 0;
    return &split->source;
}
