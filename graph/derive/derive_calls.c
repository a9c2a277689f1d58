/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"
#include "graph/model/function_totals.h"
#include "graph/model/walks.h"

/* What is known while the tree is walked; `edges` mirrors the stack of open nodes. */
struct merging {
    const struct calltree *tree;
    const int64_t *self, *total;
    struct function_totals totals;
    struct calls *calls; /* NULL: no edges are wanted */
    struct idmap edge_of;
    uint32_t *edge_open; /* by edge */
    size_t edge_open_cap;
    struct VECTOR_OF(uint32_t) edges; /* of the open nodes; NO_EDGE for a root's */
};

#define NO_EDGE UINT32_MAX

/* The function's index in the flat level. */
static uint32_t function_at(struct merging *merging, node_id node)
{
    return function_totals_at(&merging->totals, merging->tree->frame[node])->number - 1;
}

static int64_t calls_of(const struct merging *merging, node_id node)
{
    return merging->tree->calls ? merging->tree->calls[node] : 0;
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

    if (merging->tree->frame[parent] == 0)
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
    const struct calltree *tree = merging->tree;
    const struct function_calls calls = {.all = calls_of(merging, node),
                                         .min = tree->min ? tree->min[node] : INT64_MAX,
                                         .max = tree->max ? tree->max[node] : INT64_MIN};

    function_totals_enter(&merging->totals, tree->frame[node], &calls, merging->self[node],
                          merging->total[node]);
    if (merging->calls)
        vector_add(&merging->edges, enter_edge(merging, node));
}

static void merge(struct graph *graph, struct calls *calls)
{
    const struct calltree *tree = &graph->tree;
    struct arena arena = {0};
    struct tree_links links;
    struct merging merging = {
        .tree = tree, .self = tree->self[graph->values.selected], .calls = calls};

    functions_free(&graph->functions); /* a sweep for the flat level alone may have come before */
    tree_link(tree, &arena, &links);
    merging.total = tree_totals(tree, merging.self, &arena);
    merging.totals.rows = grow_zeroed(graph->frames.count, sizeof(*merging.totals.rows));
    if (tree->calls)
        merging.totals.calls = grow_zeroed(graph->frames.count, sizeof(*merging.totals.calls));

    struct walk walk = {.tree = tree, .links = &links};

    while (walk_next(&walk)) {
        if (tree->frame[walk.node] == 0)
            continue;
        if (!walk.is_leaving) {
            enter(&merging, walk.node);
            continue;
        }
        function_totals_leave(&merging.totals, tree->frame[walk.node]);
        if (calls) {
            uint32_t edge = merging.edges.list[--merging.edges.count];

            if (edge != NO_EDGE)
                merging.edge_open[edge]--;
        }
    }
    if (calls && !tree->calls)
        for (uint32_t i = 0; i < calls->count; i++)
            calls->calls[i] = calls->primitive_calls[i] = UNKNOWN;
    function_totals_finish(&merging.totals, tree->calls && tree->min, &graph->functions);
    graph->has[LEVEL_FLAT] = true;
    idmap_free(&merging.edge_of);
    free(merging.edge_open);
    free(merging.edges.list);
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
