/* SPDX-License-Identifier: Apache-2.0 */
/* flame_from_calltree.c — exact: paths are known. Idle time of a sampled profile is in none. */
#include "analysis/layout/flame.h"
#include "graph/derive/derive.h"
#include "graph/model/calltree_walk.h"

struct calltree_source {
    struct flame_source source;
    int64_t *self, *total; /* by node, not negative */
    struct tree_links links;
};

static void expand(struct flame_source *source, struct flame_item *item, struct flame_items *above)
{
    const struct calltree_source *known = (const struct calltree_source *)source;
    const struct calltree *tree = &source->graph->tree;

    for (node_id node = known->links.first_child[item->ref]; node; node = known->links.next[node]) {
        struct flame_item *child;

        if (known->total[node] == 0)
            continue;
        child = flame_items_add(above);
        child->ref = node;
        child->box.frame = tree->frame[node];
        child->box.total = known->total[node];
        child->box.calls = tree->calls ? tree->calls[node] : UNKNOWN;
    }
    item->box.self = known->self[item->ref];
}

struct flame_source *flame_from_calltree(const struct graph *graph, struct arena *arena)
{
    struct calltree_source *known = arena_alloc(arena, sizeof(*known));
    const int64_t *self = graph->tree.self[graph->values.selected];

    known->source = (struct flame_source){.graph = graph, .expand = expand};
    known->self = arena_array(arena, graph->tree.count, sizeof(*known->self));
    for (node_id node = 0; node < graph->tree.count; node++) {
        bool is_shown = self[node] > 0 && !graph_is_idle(graph, graph->tree.frame[node]);

        known->self[node] = is_shown ? self[node] : 0;
        known->source.has_negative |= self[node] < 0;
    }
    known->total = tree_totals(&graph->tree, known->self, arena);
    known->source.whole = known->total[0];
    tree_link(&graph->tree, arena, &known->links);
    return &known->source;
}
