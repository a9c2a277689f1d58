#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/grow.h"
#include "base/memory/idmap.h"
#include "graph/derive/derive.h"
#include "graph/model/calltree_walk.h"

/* What is known while the tree is walked; `edges` mirrors the stack of open nodes. */
struct merging {
    const struct calltree *tree;
    const int64_t *self, *total;
    struct functions *functions;
    struct calls *calls;   /* NULL: no edges are wanted */
    uint32_t *function_of; /* by frame, index + 1 */
    uint32_t *open;        /* by function: how often it is on the stack */
    struct idmap edge_of;
    uint32_t *edge_open; /* by edge */
    size_t edge_open_cap;
    uint32_t *edges; /* of the open nodes, outermost first; NO_EDGE for a root's */
    size_t depth, depth_cap;
};

#define NO_EDGE UINT32_MAX

static uint32_t function_at(struct merging *merging, node_id node)
{
    uint32_t *known = &merging->function_of[merging->tree->frame[node]];

    if (*known == 0)
        *known = functions_add(merging->functions, merging->tree->frame[node]) + 1;
    return *known - 1;
}

static int64_t calls_of(const struct merging *merging, node_id node)
{
    return merging->tree->calls ? merging->tree->calls[node] : 0;
}

static void enter_function(struct merging *merging, node_id node)
{
    struct functions *f = merging->functions;
    uint32_t at = function_at(merging, node);

    f->self[at] = checked_add(f->self[at], merging->self[node]);
    f->calls[at] = checked_add(f->calls[at], calls_of(merging, node));
    if (merging->open[at]++ == 0) {
        f->cum[at] = checked_add(f->cum[at], merging->total[node]);
        f->primitive_calls[at] = checked_add(f->primitive_calls[at], calls_of(merging, node));
    }
}

static uint32_t edge_at(struct merging *merging, uint32_t caller, uint32_t callee)
{
    uint32_t *known = idmap_at(&merging->edge_of, idmap_pair(caller, callee));

    if (*known == IDMAP_NONE) {
        *known = calls_add(merging->calls, caller, callee);
        merging->edge_open = grow_one(merging->edge_open, *known, &merging->edge_open_cap,
                                      sizeof(*merging->edge_open));
        merging->edge_open[*known] = 0;
    }
    return *known;
}

static uint32_t enter_edge(struct merging *merging, node_id node)
{
    node_id parent = merging->tree->parent[node];
    struct calls *c = merging->calls;

    if (parent == 0)
        return NO_EDGE;

    uint32_t at = edge_at(merging, function_at(merging, parent), function_at(merging, node));

    c->self[at] = checked_add(c->self[at], merging->self[node]);
    c->calls[at] = checked_add(c->calls[at], calls_of(merging, node));
    if (merging->edge_open[at]++ == 0) {
        c->cum[at] = checked_add(c->cum[at], merging->total[node]);
        c->primitive_calls[at] = checked_add(c->primitive_calls[at], calls_of(merging, node));
    }
    return at;
}

static void enter(struct merging *merging, node_id node)
{
    enter_function(merging, node);
    if (!merging->calls)
        return;
    merging->edges =
        grow_one(merging->edges, merging->depth, &merging->depth_cap, sizeof(*merging->edges));
    merging->edges[merging->depth++] = enter_edge(merging, node);
}

static void leave(struct merging *merging, node_id node)
{
    merging->open[function_at(merging, node)]--;
    if (!merging->calls)
        return;

    uint32_t edge = merging->edges[--merging->depth];

    if (edge != NO_EDGE)
        merging->edge_open[edge]--;
}

static void forget_call_counts(struct graph *graph)
{
    for (uint32_t i = 0; i < graph->functions.count; i++)
        graph->functions.calls[i] = graph->functions.primitive_calls[i] = UNKNOWN;
    for (uint32_t i = 0; i < graph->calls.count; i++)
        graph->calls.calls[i] = graph->calls.primitive_calls[i] = UNKNOWN;
}

/* The shortest and the longest call of each function over all its contexts. */
static void merge_extremes(struct graph *graph, const uint32_t *function_of)
{
    const struct calltree *tree = &graph->tree;
    struct functions *f = &graph->functions;

    f->min = grow_to(NULL, (size_t)f->count + 1, sizeof(*f->min));
    f->max = grow_to(NULL, (size_t)f->count + 1, sizeof(*f->max));
    for (uint32_t i = 0; i < f->count; i++) {
        f->min[i] = INT64_MAX;
        f->max[i] = INT64_MIN;
    }
    for (node_id node = 1; node < tree->count; node++) {
        uint32_t at = function_of[tree->frame[node]] - 1;

        f->min[at] = tree->min[node] < f->min[at] ? tree->min[node] : f->min[at];
        f->max[at] = tree->max[node] > f->max[at] ? tree->max[node] : f->max[at];
    }
    for (uint32_t i = 0; i < f->count; i++)
        if (f->min[i] > f->max[i])
            f->min[i] = f->max[i] = UNKNOWN;
}

static void merge(struct graph *graph, struct calls *calls)
{
    const struct calltree *tree = &graph->tree;
    struct arena arena = {0};
    struct tree_links links;
    struct merging merging = {.tree = tree,
                              .self = tree->self[graph->value],
                              .functions = &graph->functions,
                              .calls = calls};

    functions_free(&graph->functions); /* a sweep for the flat level alone may have come before */
    tree_link(tree, &arena, &links);
    merging.total = tree_totals(tree, merging.self, &arena);
    merging.function_of = arena_array(&arena, graph->frames.count, sizeof(uint32_t));
    merging.open = arena_array(&arena, graph->frames.count, sizeof(uint32_t));

    struct walk walk = {.tree = tree, .links = &links};

    while (walk_next(&walk)) {
        if (walk.node == 0)
            continue;
        if (walk.is_leaving)
            leave(&merging, walk.node);
        else
            enter(&merging, walk.node);
    }
    graph->functions.listed = graph->functions.count;
    if (!tree->calls)
        forget_call_counts(graph);
    if (tree->min)
        merge_extremes(graph, merging.function_of);
    graph->has[LEVEL_FLAT] = true;
    idmap_free(&merging.edge_of);
    free(merging.edge_open);
    free(merging.edges);
    arena_free(&arena);
}

void derive_calls(struct graph *graph)
{
    merge(graph, &graph->calls);
    graph->has[LEVEL_CALLGRAPH] = true;
}

void derive_functions(struct graph *graph)
{
    merge(graph, NULL);
}
