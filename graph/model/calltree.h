/* SPDX-License-Identifier: Apache-2.0 */
/* calltree.h — calling contexts: every path from the root once */
#ifndef PTK_GRAPH_MODEL_CALLTREE_H
#define PTK_GRAPH_MODEL_CALLTREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/sparse.h"
#include "graph/model/frame.h"

typedef uint32_t node_id;

/* Node 0 is the root, which is no function. A parent's id is lower than its children's, so one
 * sweep from the last node to the first sums every subtree.
 *
 * Stacks of samples differ near their ends. So most nodes follow their parents, and have no figure of their
 * own: only what is otherwise is kept. */
struct calltree {
    uint32_t count, cap;
    frame_id *frame;
    int64_t *calls;      /* NULL when the format does not count calls */
    int64_t *min, *max;  /* of one call; NULL when calls were not distinguished */
    struct sparse above; /* one column: the parent of a node that does not follow it */
    struct sparse own;   /* one column a value type: self, by node */
    struct sparse
        sets;      /* one column: by node below the root, the labels of the samples below it, and
                          * then its frame is 0 */
    bool has_sets; /* somebody asked for them */
};

/* The root's own parent is the root. */
static inline node_id calltree_parent(const struct calltree *tree, node_id node)
{
    return sparse_has(&tree->above, node)
               ? (node_id)tree->above.columns[0][sparse_place(&tree->above, node)]
               : node - 1;
}

/* The first of the nodes of which each is the parent of the next, and the last is this one. */
static inline node_id calltree_run_first(const struct calltree *tree, node_id node)
{
    return sparse_last(&tree->above, 0, node);
}

static inline bool calltree_has_value(const struct calltree *tree, uint32_t value)
{
    return value < tree->own.column_count && tree->own.columns[value] != NULL;
}

/* Of a value that the tree has. */
static inline int64_t calltree_self(const struct calltree *tree, uint32_t value, node_id node)
{
    return sparse_get(&tree->own, value, node);
}

/* The labels of the samples below a node; 0: none. */
static inline uint32_t calltree_set(const struct calltree *tree, node_id node)
{
    return tree->has_sets ? (uint32_t)sparse_get(&tree->sets, 0, node) : 0;
}

/* Adds to a node's self; nothing where the tree does not have the value. */
void calltree_add(struct calltree *tree, node_id node, uint32_t value, int64_t amount);

/* All of a value's self below 0 instead of above. */
void calltree_negate(struct calltree *tree, uint32_t value);

/* The tree does not have the value any more. */
void calltree_drop_value(struct calltree *tree, uint32_t value);

void calltree_free(struct calltree *tree);

#endif
