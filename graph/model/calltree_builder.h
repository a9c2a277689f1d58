/* SPDX-License-Identifier: Apache-2.0 */
/* calltree_builder.h — growing a call tree: the one place that knows (parent, frame) → node */
#ifndef PTK_GRAPH_MODEL_CALLTREE_BUILDER_H
#define PTK_GRAPH_MODEL_CALLTREE_BUILDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "graph/model/graph.h"

/* Which columns a tree has. */
struct tree_shape {
    uint32_t value_count;
    const bool *has_value; /* by value type: has a column; NULL: all have */
    bool has_calls, has_extremes, has_label_sets;
};

struct calltree_builder {
    struct calltree *tree; /* the graph's: see calltree_free() */
    struct idmap children; /* by parent and frame: the nodes that do not follow their parent */
    node_id last;          /* that was asked for */
};

/* Begins a tree that has only its root. */
void calltree_builder_begin(struct calltree_builder *tree_builder, struct calltree *tree,
                            const struct tree_shape *shape);

/* The child of `parent` with that frame, made on first use with all figures 0. */
node_id calltree_builder_child(struct calltree_builder *tree_builder, node_id parent,
                               frame_id frame);

/* The node below the root that stands above all samples with these labels; the root for set 0. */
node_id calltree_builder_labelled(struct calltree_builder *tree_builder, uint32_t set);

/* The node of a whole path below `top`, the leaf first. */
node_id calltree_builder_path(struct calltree_builder *tree_builder, node_id top,
                              const frame_id *frames, uint32_t depth);

/* Adds one node's figures to another's, of a tree of the same shape. */
void calltree_builder_add_self(struct calltree_builder *tree_builder, node_id to,
                               const struct calltree *from_tree, node_id from);
void calltree_builder_add_calls(struct calltree_builder *tree_builder, node_id to,
                                const struct calltree *from_tree, node_id from);

/* Frees what growing needed; the tree stays. */
void calltree_builder_end(struct calltree_builder *tree_builder);

/* The same columns as those of a tree that is there; `has_value` has room for a flag a value. */
struct tree_shape tree_shape_of(const struct calltree *tree, bool *has_value);

#endif
