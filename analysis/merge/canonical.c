/* SPDX-License-Identifier: Apache-2.0 */
/* A call tree or a call graph in an order of its own content, the same whatever it was merged
 * from. */
#include "analysis/merge/merge.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "graph/model/calltree_builder.h"

/* ---- frames ---- */

static bool frame_is_before(const void *context, uint32_t left, uint32_t right)
{
    const struct graph *graph = context;
    const struct frame *a = graph_frame(graph, left), *b = graph_frame(graph, right);
    int order = span_cmp(graph_text(graph, a->name), graph_text(graph, b->name));

    if (order == 0)
        order = span_cmp(graph_text(graph, a->file), graph_text(graph, b->file));
    if (order == 0 && a->line != b->line)
        order = a->line < b->line ? -1 : 1;
    if (order == 0 && a->column != b->column)
        order = a->column < b->column ? -1 : 1;
    if (order == 0)
        order = span_cmp(graph_text(graph, a->module), graph_text(graph, b->module));
    if (order == 0 && a->address != b->address)
        order = a->address < b->address ? -1 : 1;
    return order < 0 || (order == 0 && a->kind < b->kind);
}

/* The place of each frame among all; the caller frees it. */
static uint32_t *canonical_ranks(const struct graph *graph)
{
    uint32_t count = (uint32_t)graph->frames.count;
    uint32_t *order = sorted_order(count, frame_is_before, graph);
    uint32_t *rank = permute_places(order, count);

    free(order);
    return rank;
}

/* Puts a column that may not be there into this order. */
static void rearrange(void *column, size_t size, const uint32_t *order, uint32_t count)
{
    void *scratch;

    if (!column || !count)
        return;
    scratch = grow_to(NULL, count, size);
    permute(column, size, order, count, scratch);
    free(scratch);
}

/* ---- call tree ---- */

struct ranked_nodes {
    const struct graph *graph;
    const uint32_t *rank; /* by frame */
};

static int compare_labels(const struct graph *graph, uint32_t a, uint32_t b)
{
    size_t of_a, of_b;
    const struct sample_label *x = label_set_labels(&graph->label_sets, a, &of_a);
    const struct sample_label *y = label_set_labels(&graph->label_sets, b, &of_b);
    int order = 0;

    for (size_t i = 0; i < of_a && i < of_b && order == 0; i++) {
        order = span_cmp(graph_text(graph, x[i].key), graph_text(graph, y[i].key));
        if (order == 0)
            order = span_cmp(graph_text(graph, x[i].text), graph_text(graph, y[i].text));
        if (order == 0)
            order = span_cmp(graph_text(graph, x[i].unit), graph_text(graph, y[i].unit));
        if (order == 0)
            order = y[i].is_number - x[i].is_number;
    }
    return order ? order : (of_a > of_b) - (of_a < of_b);
}

static bool node_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct ranked_nodes *ranked = context;
    const struct calltree *tree = &ranked->graph->tree;

    uint32_t of_a = calltree_set(tree, a), of_b = calltree_set(tree, b);

    if (of_a != of_b)
        return compare_labels(ranked->graph, of_a, of_b) < 0;
    return ranked->rank[tree->frame[a]] < ranked->rank[tree->frame[b]];
}

/* Every node before what is below it, children in the order of their labels and frames: what comes last is put
 * in front first. The caller frees it. */
static node_id *canonical_order(const struct graph *graph, const uint32_t *rank)
{
    const struct calltree *tree = &graph->tree;
    struct ranked_nodes ranked = {graph, rank};
    uint32_t *by_rank = sorted_order(tree->count, node_is_before, &ranked), count = 0;
    node_id *first_child = grow_zeroed(tree->count, sizeof(*first_child));
    node_id *next = grow_zeroed(tree->count, sizeof(*next)), node = 0;

    for (uint32_t i = tree->count; i-- > 0;) {
        node_id parent = calltree_parent(tree, by_rank[i]);

        if (by_rank[i] == 0)
            continue;
        next[by_rank[i]] = first_child[parent];
        first_child[parent] = by_rank[i];
    }
    while (count < tree->count) {
        by_rank[count++] = node;
        if (first_child[node]) {
            node = first_child[node];
            continue;
        }
        while (node && !next[node])
            node = calltree_parent(tree, node);
        node = next[node];
    }
    free(first_child);
    free(next);
    return by_rank;
}

void canonical_tree(struct graph *graph)
{
    struct calltree old = graph->tree;
    uint32_t *rank = canonical_ranks(graph);
    node_id *order = canonical_order(graph, rank);
    node_id *place = grow_zeroed(old.count, sizeof(*place));
    bool *has_value = grow_zeroed(old.own.column_count, sizeof(*has_value));
    struct tree_shape shape = tree_shape_of(&old, has_value);
    struct calltree_builder tree_builder;

    calltree_builder_begin(&tree_builder, &graph->tree, &shape);
    for (uint32_t i = 0; i < old.count; i++) {
        node_id node = order[i];
        uint32_t set = calltree_set(&old, node);

        if (node)
            place[node] =
                set ? calltree_builder_labelled(&tree_builder, set)
                    : calltree_builder_child(&tree_builder, place[calltree_parent(&old, node)],
                                             old.frame[node]);
        calltree_builder_add_self(&tree_builder, place[node], &old, node);
        calltree_builder_add_calls(&tree_builder, place[node], &old, node);
    }
    calltree_builder_end(&tree_builder);
    calltree_free(&old);
    free(has_value);
    free(place);
    free(order);
    free(rank);
}

/* ---- call graph ---- */

struct listing {
    const uint32_t *rank;  /* by frame */
    const uint32_t *frame; /* by function */
    const bool *is_listed;
};

static bool function_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct listing *listing = context;

    if (listing->is_listed[a] != listing->is_listed[b])
        return listing->is_listed[a];
    return listing->rank[listing->frame[a]] < listing->rank[listing->frame[b]];
}

static bool call_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct calls *calls = context;

    if (calls->caller[a] != calls->caller[b])
        return calls->caller[a] < calls->caller[b];
    return calls->callee[a] < calls->callee[b];
}

static void sort_calls(struct calls *c, const uint32_t *place)
{
    uint32_t *order;

    for (uint32_t i = 0; i < c->count; i++) {
        c->caller[i] = place[c->caller[i]];
        c->callee[i] = place[c->callee[i]];
    }
    order = sorted_order(c->count, call_is_before, c);
    rearrange(c->caller, sizeof(*c->caller), order, c->count);
    rearrange(c->callee, sizeof(*c->callee), order, c->count);
    rearrange(c->calls, sizeof(*c->calls), order, c->count);
    rearrange(c->primitive_calls, sizeof(*c->primitive_calls), order, c->count);
    rearrange(c->self, sizeof(*c->self), order, c->count);
    rearrange(c->cum, sizeof(*c->cum), order, c->count);
    free(order);
}

void canonical_calls(struct graph *graph, const bool *is_listed)
{
    struct functions *functions = &graph->functions;
    uint32_t *rank = canonical_ranks(graph), *order, *place;
    struct listing listing = {rank, functions->frame, is_listed};

    functions->listed = 0;
    for (uint32_t i = 0; i < functions->count; i++)
        functions->listed += is_listed[i];
    order = sorted_order(functions->count, function_is_before, &listing);
    place = permute_places(order, functions->count);
    rearrange(functions->frame, sizeof(*functions->frame), order, functions->count);
    rearrange(functions->calls, sizeof(*functions->calls), order, functions->count);
    rearrange(functions->primitive_calls, sizeof(*functions->primitive_calls), order,
              functions->count);
    rearrange(functions->self, sizeof(*functions->self), order, functions->count);
    rearrange(functions->cum, sizeof(*functions->cum), order, functions->count);
    rearrange(functions->min, sizeof(*functions->min), order, functions->count);
    rearrange(functions->max, sizeof(*functions->max), order, functions->count);
    sort_calls(&graph->calls, place);
    free(place);
    free(order);
    free(rank);
}
