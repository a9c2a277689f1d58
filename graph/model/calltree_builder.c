/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/model/calltree_builder.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"

enum { FIRST_CAP = 256 };

/* Every column that the tree has gets room for `cap` nodes. */
static void set_cap(struct calltree *tree, uint32_t value_count, uint32_t cap)
{
    tree->cap = cap;
    tree->parent = grow_to(tree->parent, cap, sizeof(*tree->parent));
    tree->frame = grow_to(tree->frame, cap, sizeof(*tree->frame));
    if (tree->label_set)
        tree->label_set = grow_to(tree->label_set, cap, sizeof(*tree->label_set));
    if (tree->calls)
        tree->calls = grow_to(tree->calls, cap, sizeof(*tree->calls));
    if (tree->min) {
        tree->min = grow_to(tree->min, cap, sizeof(*tree->min));
        tree->max = grow_to(tree->max, cap, sizeof(*tree->max));
    }
    for (uint32_t v = 0; v < value_count; v++)
        if (tree->self[v])
            tree->self[v] = grow_to(tree->self[v], cap, sizeof(*tree->self[v]));
}

static node_id add_node(struct calltree_builder *tree_builder, node_id parent, frame_id frame)
{
    struct calltree *tree = tree_builder->tree;
    node_id node = tree->count;

    if (node == tree->cap) {
        if (tree->cap > UINT32_MAX / 2)
            oom(); /* ids have 32 bits */
        set_cap(tree, tree_builder->value_count, tree->cap * 2);
    }
    tree->count++;
    tree->parent[node] = parent;
    tree->frame[node] = frame;
    if (tree->label_set)
        tree->label_set[node] = 0;
    if (tree->calls)
        tree->calls[node] = 0;
    if (tree->min) {
        tree->min[node] = INT64_MAX;
        tree->max[node] = INT64_MIN;
    }
    for (uint32_t v = 0; v < tree_builder->value_count; v++)
        if (tree->self[v])
            tree->self[v][node] = 0;
    return node;
}

void calltree_builder_begin(struct calltree_builder *tree_builder, struct calltree *tree,
                            const struct tree_shape *shape)
{
    *tree_builder = (struct calltree_builder){.tree = tree, .value_count = shape->value_count};
    *tree = (struct calltree){0};
    tree->self = grow_zeroed(shape->value_count, sizeof(*tree->self));
    if (shape->has_label_sets)
        tree->label_set = grow_to(NULL, 1, sizeof(*tree->label_set));
    if (shape->has_calls)
        tree->calls = grow_to(NULL, 1, sizeof(*tree->calls));
    if (shape->has_extremes) {
        tree->min = grow_to(NULL, 1, sizeof(*tree->min));
        tree->max = grow_to(NULL, 1, sizeof(*tree->max));
    }
    for (uint32_t v = 0; v < shape->value_count; v++)
        if (!shape->has_value || shape->has_value[v])
            tree->self[v] = grow_to(NULL, 1, sizeof(*tree->self[v]));
    set_cap(tree, shape->value_count, FIRST_CAP);
    index_reserve(&tree_builder->children);
    add_node(tree_builder, 0, 0);
}

static uint32_t hash_of(const struct calltree_builder *tree_builder, node_id parent, uint32_t below)
{
    uint64_t pair = tree_builder->children.key ^ ((uint64_t)parent << 32 | below);

    pair = (pair ^ pair >> 30) * 0xbf58476d1ce4e5b9u;
    pair = (pair ^ pair >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(pair ^ pair >> 31);
}

static node_id add_indexed(struct calltree_builder *tree_builder, const struct index_place *place,
                           node_id parent, frame_id frame)
{
    node_id node = add_node(tree_builder, parent, frame);

    index_add(&tree_builder->children, place);
    vector_add(&tree_builder->nodes, node);
    return node;
}

/* What a stack adds to the tree is a chain of nodes, each the parent of the next: these follow their
 * parents, where they are found without the index. It has the nodes that chains begin with. */
node_id calltree_builder_child(struct calltree_builder *tree_builder, node_id parent,
                               frame_id frame)
{
    const struct calltree *tree = tree_builder->tree;
    struct index_place place;
    uint32_t known;

    if (parent + 1 == tree->count)
        return add_node(tree_builder, parent, frame);
    if (tree->frame[parent + 1] == frame && tree->parent[parent + 1] == parent)
        return parent + 1;
    index_reserve(&tree_builder->children);
    place = index_start(&tree_builder->children, hash_of(tree_builder, parent, frame));
    while ((known = index_next(&tree_builder->children, &place))) {
        node_id node = tree_builder->nodes.list[known - 1];

        if (tree->frame[node] == frame && tree->parent[node] == parent)
            return node;
    }
    return add_indexed(tree_builder, &place, parent, frame);
}

node_id calltree_builder_labelled(struct calltree_builder *tree_builder, uint32_t set)
{
    const struct calltree *tree = tree_builder->tree;
    struct index_place place;
    uint32_t known;
    node_id node;

    if (!set)
        return 0;
    index_reserve(&tree_builder->children);
    place = index_start(&tree_builder->children, hash_of(tree_builder, 0, UINT32_MAX - set));
    while ((known = index_next(&tree_builder->children, &place)))
        if (tree->label_set[tree_builder->nodes.list[known - 1]] == set)
            return tree_builder->nodes.list[known - 1];
    node = add_indexed(tree_builder, &place, 0, 0);
    tree->label_set[node] = set;
    return node;
}

node_id calltree_builder_path(struct calltree_builder *tree_builder, node_id top,
                              const frame_id *frames, uint32_t depth)
{
    node_id node = top;

    for (uint32_t i = depth; i-- > 0;)
        node = calltree_builder_child(tree_builder, node, frames[i]);
    return node;
}

void calltree_builder_add_self(struct calltree_builder *tree_builder, node_id to,
                               const struct calltree *from_tree, node_id from)
{
    struct calltree *tree = tree_builder->tree;

    for (uint32_t v = 0; v < tree_builder->value_count; v++)
        if (tree->self[v])
            tree->self[v][to] = checked_add(tree->self[v][to], from_tree->self[v][from]);
}

void calltree_builder_add_calls(struct calltree_builder *tree_builder, node_id to,
                                const struct calltree *from_tree, node_id from)
{
    struct calltree *tree = tree_builder->tree;

    if (tree->calls)
        tree->calls[to] = checked_add(tree->calls[to], from_tree->calls[from]);
    if (tree->min && from_tree->min[from] < tree->min[to])
        tree->min[to] = from_tree->min[from];
    if (tree->max && from_tree->max[from] > tree->max[to])
        tree->max[to] = from_tree->max[from];
}

void calltree_builder_end(struct calltree_builder *tree_builder)
{
    index_free(&tree_builder->children);
    free(tree_builder->nodes.list);
    tree_builder->nodes.list = NULL;
}

struct tree_shape tree_shape_of(const struct calltree *tree, uint32_t value_count, bool *has_value)
{
    for (uint32_t v = 0; v < value_count; v++)
        has_value[v] = tree->self[v] != NULL;
    return (struct tree_shape){.value_count = value_count,
                               .has_value = has_value,
                               .has_calls = tree->calls != NULL,
                               .has_label_sets = tree->label_set != NULL,
                               .has_extremes = tree->min != NULL};
}
