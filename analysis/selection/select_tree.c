/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "analysis/selection/select_parts.h"
#include "base/memory/grow.h"
#include "graph/build/calltree_builder.h"

/* The tree that is left, and where each old node went. */
struct regrowing {
    const struct calltree *old;
    struct calltree tree;
    struct calltree_builder tree_builder;
    node_id *place; /* by old node */
};

/* Parents come before their children, so one sweep knows each node's path. */
static void keep_stacks(struct regrowing *re, enum filter_kind kind, const bool *matches)
{
    const struct calltree *old = re->old;
    bool *has_match = grow_zeroed(old->count, sizeof(*has_match));
    bool *is_wanted = grow_zeroed(old->count, sizeof(*is_wanted));

    for (node_id node = 1; node < old->count; node++) {
        has_match[node] = has_match[old->parent[node]] || matches[old->frame[node]];
        is_wanted[node] = has_match[node] == (kind == FILTER_FOCUS);
    }
    for (node_id node = old->count; node-- > 1;)
        is_wanted[old->parent[node]] |= is_wanted[node];
    for (node_id node = 1; node < old->count; node++) {
        if (!is_wanted[node])
            continue;
        re->place[node] = calltree_builder_child(&re->tree_builder, re->place[old->parent[node]],
                                                 old->frame[node]);
        if (has_match[node] != (kind == FILTER_FOCUS))
            continue; /* only on the way to a stack that is wanted */
        calltree_builder_add_self(&re->tree_builder, re->place[node], old, node);
        calltree_builder_add_calls(&re->tree_builder, re->place[node], old, node);
    }
    free(has_match);
    free(is_wanted);
}

/* A hidden node's time goes to the nearest one above that is shown, or nowhere. */
static void drop_frames(struct regrowing *re, enum filter_kind kind, const bool *matches)
{
    const struct calltree *old = re->old;

    for (node_id node = 1; node < old->count; node++) {
        node_id above = re->place[old->parent[node]];
        bool is_hidden = matches[old->frame[node]] == (kind == FILTER_HIDE);

        re->place[node] =
            is_hidden ? above : calltree_builder_child(&re->tree_builder, above, old->frame[node]);
        if (!is_hidden)
            calltree_builder_add_calls(&re->tree_builder, re->place[node], old, node);
        if (re->place[node])
            calltree_builder_add_self(&re->tree_builder, re->place[node], old, node);
    }
}

static void replace_tree(struct graph *graph, const struct calltree *tree)
{
    calltree_free(&graph->tree, graph->values.count);
    graph->tree = *tree;
    graph->native = LEVEL_CALLTREE;
    functions_free(&graph->functions);
    calls_free(&graph->calls);
    graph->has[LEVEL_TIMELINE] = graph->has[LEVEL_CALLGRAPH] = graph->has[LEVEL_FLAT] = false;
}

static void begin_regrowing(struct regrowing *re, struct graph *graph)
{
    bool *has_value = grow_zeroed(graph->values.count, sizeof(*has_value));
    struct tree_shape shape = tree_shape_of(&graph->tree, graph->values.count, has_value);

    *re = (struct regrowing){.old = &graph->tree};
    calltree_builder_begin(&re->tree_builder, &re->tree, &shape);
    re->place = grow_zeroed(graph->tree.count, sizeof(*re->place));
    free(has_value);
}

static void end_regrowing(struct regrowing *re, struct graph *graph)
{
    calltree_builder_end(&re->tree_builder);
    replace_tree(graph, &re->tree);
    free(re->place);
}

void select_tree(struct graph *graph, enum filter_kind kind, const bool *matches)
{
    struct regrowing re;

    begin_regrowing(&re, graph);
    if (kind == FILTER_FOCUS || kind == FILTER_IGNORE)
        keep_stacks(&re, kind, matches);
    else
        drop_frames(&re, kind, matches);
    end_regrowing(&re, graph);
}

void select_fold_recursion(struct graph *graph)
{
    struct regrowing re;

    begin_regrowing(&re, graph);
    for (node_id node = 1; node < re.old->count; node++) {
        node_id above = re.place[re.old->parent[node]];
        bool calls_itself = above && re.tree.frame[above] == re.old->frame[node];

        re.place[node] = calls_itself
                             ? above
                             : calltree_builder_child(&re.tree_builder, above, re.old->frame[node]);
        calltree_builder_add_self(&re.tree_builder, re.place[node], re.old, node);
        calltree_builder_add_calls(&re.tree_builder, re.place[node], re.old, node);
    }
    end_regrowing(&re, graph);
}
