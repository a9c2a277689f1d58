/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/model/walks.h"

#include "base/checked.h"

/* Backwards, so that each child goes in front and the lists end up in order. */
void tree_link(const struct calltree *tree, struct arena *arena, struct tree_links *links)
{
    links->first_child = arena_array(arena, tree->count, sizeof(*links->first_child));
    links->next = arena_array(arena, tree->count, sizeof(*links->next));
    for (node_id node = tree->count; node-- > 1;) {
        node_id parent = tree->parent[node];

        links->next[node] = links->first_child[parent];
        links->first_child[parent] = node;
    }
}

int64_t *tree_totals(const struct calltree *tree, const int64_t *self, struct arena *arena)
{
    int64_t *total = arena_array(arena, tree->count, sizeof(*total));

    for (node_id node = tree->count; node-- > 0;) {
        total[node] = checked_add(total[node], self[node]);
        if (node)
            total[tree->parent[node]] = checked_add(total[tree->parent[node]], total[node]);
    }
    return total;
}
