/* SPDX-License-Identifier: Apache-2.0 */
/* The call graph from the call tree, in one walk: the functions, and who calls whom, recursion
 * counted once. */
#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"
#include "graph/model/function_totals.h"
#include "graph/model/walks.h"

/* What is open while the tree is walked. */
struct merging_node {
    uint32_t function; /* its index in the flat level */
    uint32_t edge;     /* NO_EDGE: a root's, or none are wanted */
    int64_t total;     /* of what has been left below it, and of itself */
};

/* What the walk touches of a call at each node, in one place of memory. */
struct merging_edge {
    uint64_t functions; /* idmap_pair() of caller and callee */
    int64_t cum;
    uint32_t open; /* how often it is around the walk */
};

struct merging {
    const struct calltree *tree;
    uint32_t value;
    struct function_totals totals;
    struct calls *calls; /* NULL: no edges are wanted */
    struct index edge_index;
    struct VECTOR_OF(struct merging_edge) edges; /* as those of calls */
    struct VECTOR_OF(struct merging_node) open;
};

#define NO_EDGE UINT32_MAX

static uint32_t hash_of(const struct merging *merging, uint64_t functions)
{
    return (uint32_t)XXH3_64bits_withSeed(&functions, sizeof(functions), merging->edge_index.key);
}

static uint32_t edge_at(struct merging *merging, uint32_t caller, uint32_t callee)
{
    uint64_t functions = idmap_pair(caller, callee);
    struct index_place place;
    uint32_t known;

    index_reserve(&merging->edge_index);
    place = index_start(&merging->edge_index, hash_of(merging, functions));
    while ((known = index_next(&merging->edge_index, &place)))
        if (merging->edges.list[known - 1].functions == functions)
            return known - 1;
    index_add(&merging->edge_index, &place);
    vector_add(&merging->edges, (struct merging_edge){.functions = functions});
    return calls_add(merging->calls, caller, callee);
}

/* A walk goes mostly to the node that follows, whose caller is the function before it: what some nodes on will be
 * looked for, a large profile does not have in the cache. */
static void fetch_ahead(const struct merging *merging, node_id node)
{
    enum { EDGES_AHEAD = 4, ROWS_AHEAD = 8 };
    const struct function_total *rows = merging->totals.rows;
    const frame_id *frame = merging->tree->frame;
    uint64_t functions;

    if (merging->tree->count - node <= ROWS_AHEAD)
        return;
    __builtin_prefetch(&rows[frame[node + ROWS_AHEAD]], 1);
    functions = idmap_pair(rows[frame[node + EDGES_AHEAD - 1]].number - 1,
                           rows[frame[node + EDGES_AHEAD]].number - 1);
    if (merging->calls)
        hash_index_prefetch(&merging->edge_index, hash_of(merging, functions));
}

/* From the innermost open node to a function. Stacks of samples have no calls, and most nodes no self. */
static uint32_t enter_edge(struct merging *merging, uint32_t callee, int64_t calls, int64_t self)
{
    struct calls *c = merging->calls;
    uint32_t at;

    if (!c || !merging->open.count)
        return NO_EDGE;
    at = edge_at(merging, merging->open.list[merging->open.count - 1].function, callee);
    if (self)
        c->self[at] = checked_add(c->self[at], self);
    if (calls)
        c->calls[at] = checked_add(c->calls[at], calls);
    if (merging->edges.list[at].open++ == 0 && calls)
        c->primitive_calls[at] = checked_add(c->primitive_calls[at], calls);
    return at;
}

static void enter(struct merging *merging, node_id node)
{
    const struct calltree *tree = merging->tree;
    frame_id frame = tree->frame[node];
    int64_t self = calltree_self(tree, merging->value, node);
    const struct function_calls calls = {.all = tree->calls ? tree->calls[node] : 0,
                                         .min = tree->min ? tree->min[node] : INT64_MAX,
                                         .max = tree->max ? tree->max[node] : INT64_MIN};
    struct merging_node here = {.total = self};

    fetch_ahead(merging, node);
    function_totals_enter(&merging->totals, frame, &calls, self, 0);
    here.function = merging->totals.rows[frame].number - 1;
    here.edge = enter_edge(merging, here.function, calls.all, self);
    vector_add(&merging->open, here);
}

/* What a node comes to is known when all below it has been left. */
static void leave(struct merging *merging, node_id node)
{
    struct merging_node left = merging->open.list[--merging->open.count];
    struct function_total *row = &merging->totals.rows[merging->tree->frame[node]];
    struct merging_edge *edge;

    if (merging->open.count) {
        int64_t *above = &merging->open.list[merging->open.count - 1].total;

        *above = checked_add(*above, left.total);
    }
    function_totals_leave(&merging->totals, merging->tree->frame[node]);
    if (row->open == 0)
        row->cum = checked_add(row->cum, left.total);
    if (left.edge == NO_EDGE)
        return;
    edge = &merging->edges.list[left.edge];
    if (--edge->open == 0)
        edge->cum = checked_add(edge->cum, left.total);
}

static void merge(struct graph *graph, struct calls *calls)
{
    const struct calltree *tree = &graph->tree;
    struct tree_links links;
    struct merging merging = {.tree = tree, .value = graph->values.selected, .calls = calls};
    struct walk walk = {.links = &links};

    functions_free(&graph->functions); /* a sweep for the flat level alone may have come before */
    tree_link(tree, &links);
    merging.totals.rows = grow_zeroed(graph->frames.count, sizeof(*merging.totals.rows));
    if (tree->calls)
        merging.totals.calls = grow_zeroed(graph->frames.count, sizeof(*merging.totals.calls));

    while (walk_next(&walk))
        if (tree->frame[walk.node] && walk.is_leaving)
            leave(&merging, walk.node);
        else if (tree->frame[walk.node])
            enter(&merging, walk.node);
    for (uint32_t i = 0; calls && i < calls->count; i++)
        calls->cum[i] = merging.edges.list[i].cum;
    if (calls && !tree->calls)
        for (uint32_t i = 0; i < calls->count; i++)
            calls->calls[i] = calls->primitive_calls[i] = UNKNOWN;
    function_totals_finish(&merging.totals, tree->calls && tree->min, &graph->functions);
    graph->has[LEVEL_FLAT] = true;
    index_free(&merging.edge_index);
    free(merging.edges.list);
    free(merging.open.list);
    tree_unlink(&links);
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
