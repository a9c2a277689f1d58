/* SPDX-License-Identifier: Apache-2.0 */
/* Adds calling contexts to a call tree in any order, each once, and puts them in order at the
 * end. */
#include "graph/model/calltree_builder.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"

enum { FIRST_CAP = 256 };

/* Every column that the tree has gets room for `cap` nodes. */
static void set_cap(struct calltree *tree, uint32_t cap)
{
    tree->cap = cap;
    tree->frame = grow_to(tree->frame, cap, sizeof(*tree->frame));
    if (tree->calls)
        tree->calls = grow_to(tree->calls, cap, sizeof(*tree->calls));
    if (tree->min) {
        tree->min = grow_to(tree->min, cap, sizeof(*tree->min));
        tree->max = grow_to(tree->max, cap, sizeof(*tree->max));
    }
}

/* The parent is the node before it, unless calltree.above is told. */
static node_id add_node(struct calltree *tree, frame_id frame)
{
    node_id node = tree->count;

    if (node == tree->cap) {
        if (tree->cap > UINT32_MAX / 2)
            oom(); /* ids have 32 bits */
        set_cap(tree, tree->cap * 2);
    }
    tree->count++;
    tree->frame[node] = frame;
    if (tree->calls)
        tree->calls[node] = 0;
    if (tree->min) {
        tree->min[node] = INT64_MAX;
        tree->max[node] = INT64_MIN;
    }
    return node;
}

static node_id add_apart(struct calltree *tree, node_id parent, frame_id frame)
{
    node_id node = add_node(tree, frame);
    uint32_t place = sparse_add(&tree->above, node);

    tree->above.columns[0][place] = parent;
    return node;
}

void calltree_builder_begin(struct calltree_builder *tree_builder, struct calltree *tree,
                            const struct tree_shape *shape)
{
    *tree_builder = (struct calltree_builder){.tree = tree};
    *tree = (struct calltree){.has_sets = shape->has_label_sets};
    if (shape->has_calls)
        tree->calls = grow_to(NULL, 1, sizeof(*tree->calls));
    if (shape->has_extremes) {
        tree->min = grow_to(NULL, 1, sizeof(*tree->min));
        tree->max = grow_to(NULL, 1, sizeof(*tree->max));
    }
    sparse_begin(&tree->above, 1, NULL);
    sparse_begin(&tree->own, shape->value_count, shape->has_value);
    sparse_begin(&tree->sets, 1, NULL);
    set_cap(tree, FIRST_CAP);
    add_apart(tree, 0, 0);
}

static bool is_child(const struct calltree *tree, node_id node, node_id parent, frame_id frame)
{
    return node < tree->count && tree->frame[node] == frame &&
           calltree_parent(tree, node) == parent;
}

/* What a stack adds to the tree is a chain of nodes, each the parent of the next: these follow their
 * parents, where they are found without the map. It has the nodes that chains begin with. What ran once
 * often runs again in the same order, in which the nodes are: then that is not asked, either. */
node_id calltree_builder_child(struct calltree_builder *tree_builder, node_id parent,
                               frame_id frame)
{
    struct calltree *tree = tree_builder->tree;
    node_id next = tree_builder->last + 1;
    uint32_t *known;

    if (parent + 1 == tree->count)
        next = add_node(tree, frame);
    else if (tree->frame[parent + 1] == frame && !sparse_has(&tree->above, parent + 1))
        next = parent + 1;
    else if (!is_child(tree, next, parent, frame)) {
        known = idmap_at(&tree_builder->children, idmap_pair(parent, frame));
        if (*known == IDMAP_NONE)
            *known = add_apart(tree, parent, frame);
        next = *known;
    }
    return tree_builder->last = next;
}

/* What samples with labels stand below has no frame: the number of the set, counted from the last id there
 * can be, is the root's child in the map. */
node_id calltree_builder_labelled(struct calltree_builder *tree_builder, uint32_t set)
{
    struct calltree *tree = tree_builder->tree;
    uint32_t *known, at;

    if (!set)
        return 0;
    known = idmap_at(&tree_builder->children, idmap_pair(0, UINT32_MAX - set));
    if (*known == IDMAP_NONE) {
        *known = add_apart(tree, 0, 0);
        at = sparse_add(&tree->sets, *known);
        tree->sets.columns[0][at] = set;
    }
    return *known;
}

node_id calltree_builder_path(struct calltree_builder *tree_builder, node_id top,
                              const frame_id *frames, uint32_t depth)
{
    node_id node = top;

    for (uint32_t i = depth; i-- > 0;)
        node = node + 1 == tree_builder->tree->count
                   ? add_node(tree_builder->tree, frames[i])
                   : calltree_builder_child(tree_builder, node, frames[i]);
    return node;
}

void calltree_builder_add_self(struct calltree_builder *tree_builder, node_id to,
                               const struct calltree *from_tree, node_id from)
{
    if (!sparse_has(&from_tree->own, from))
        return;
    for (uint32_t v = 0; v < from_tree->own.column_count; v++)
        if (calltree_has_value(from_tree, v))
            calltree_add(tree_builder->tree, to, v, calltree_self(from_tree, v, from));
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
    idmap_free(&tree_builder->children);
}

struct tree_shape tree_shape_of(const struct calltree *tree, bool *has_value)
{
    for (uint32_t v = 0; v < tree->own.column_count; v++)
        has_value[v] = calltree_has_value(tree, v);
    return (struct tree_shape){.value_count = tree->own.column_count,
                               .has_value = has_value,
                               .has_calls = tree->calls != NULL,
                               .has_label_sets = tree->has_sets,
                               .has_extremes = tree->min != NULL};
}
