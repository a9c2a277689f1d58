/* SPDX-License-Identifier: Apache-2.0 */
/* calltree_walk.h — depth first through a call tree, without recursion: files choose the depth, not
 * we */
#ifndef PTK_GRAPH_MODEL_CALLTREE_WALK_H
#define PTK_GRAPH_MODEL_CALLTREE_WALK_H

#include <stdbool.h>

#include "base/memory/arena.h"
#include "graph/model/graph.h"

/* The children of each node, in the order in which they were added. */
struct tree_links {
    node_id *first_child; /* 0: none, since the root is nobody's child */
    node_id *next;        /* the next child of the same parent; 0: none */
};

void tree_link(const struct calltree *tree, struct arena *arena, struct tree_links *links);

/* Start zeroed but for `links`. Every node is entered once and left once, children between. */
struct walk {
    const struct calltree *tree;
    const struct tree_links *links;
    node_id node;
    bool is_leaving, has_begun;
};

static inline bool walk_next(struct walk *walk)
{
    const struct tree_links *links = walk->links;

    if (!walk->has_begun) {
        walk->has_begun = true;
    } else if (!walk->is_leaving) {
        if (links->first_child[walk->node])
            walk->node = links->first_child[walk->node];
        else
            walk->is_leaving = true;
    } else if (walk->node == 0) {
        return false;
    } else if (links->next[walk->node]) {
        walk->node = links->next[walk->node];
        walk->is_leaving = false;
    } else {
        walk->node = walk->tree->parent[walk->node];
    }
    return true;
}

/* Sums of subtrees of one value's column: what a node costs with all that is below it. */
int64_t *tree_totals(const struct calltree *tree, const int64_t *self, struct arena *arena);

#endif
