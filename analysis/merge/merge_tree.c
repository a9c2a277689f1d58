/* SPDX-License-Identifier: Apache-2.0 */
/* merge_tree.c — paths of one call tree onto those of another */
#include <stdlib.h>

#include "analysis/merge/merge.h"
#include "base/checked.h"
#include "base/memory/grow.h"
#include "graph/model/label_set.h"

/* Numbers of calls, and their extremes, only where all profiles have them. */
static void keep_columns(struct calltree *merged, const struct calltree *tree)
{
    if (!tree->calls) {
        free(merged->calls);
        merged->calls = NULL;
    }
    if (!tree->min) {
        free(merged->min);
        free(merged->max);
        merged->min = merged->max = NULL;
    }
}

static void add_values(struct graph *merged, node_id to, const struct calltree *tree, node_id from,
                       const uint32_t *value_of)
{
    for (uint32_t v = 0; v < merged->values.count; v++)
        if (merged->tree.self[v])
            merged->tree.self[v][to] =
                checked_add(merged->tree.self[v][to], tree->self[value_of[v]][from]);
}

/* Stacks of a profile without labels stand below an empty set of them. */
static node_id root_of(struct merge *merge, const struct graph *graph)
{
    struct frame none;

    if (!merge->graph.selection.roots_are_label_sets || graph->selection.roots_are_label_sets)
        return 0;
    none = label_set_frame(&merge->graph.strings, NULL, 0);
    return calltree_builder_child(&merge->tree_builder, 0,
                                  frame_intern(&merge->graph.frames, &none));
}

void merge_tree(struct merge *merge, const struct graph *graph, const frame_id *frame_of,
                const uint32_t *value_of)
{
    const struct calltree *tree = &graph->tree;
    node_id *place = grow_zeroed(tree->count, sizeof(*place));

    keep_columns(&merge->graph.tree, tree);
    add_values(&merge->graph, 0, tree, 0, value_of);
    place[0] = root_of(merge, graph);
    for (node_id node = 1; node < tree->count; node++) {
        place[node] = calltree_builder_child(&merge->tree_builder, place[tree->parent[node]],
                                             frame_of[tree->frame[node]]);
        add_values(&merge->graph, place[node], tree, node, value_of);
        calltree_builder_add_calls(&merge->tree_builder, place[node], tree, node);
    }
    free(place);
}
