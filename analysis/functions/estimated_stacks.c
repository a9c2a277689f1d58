/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/tree.h"

#include "base/checked.h"
#include "graph/build/builder_state.h"

/* Rows come depth first, so the path to a row is the rows before it that are less deep. */
static void add_rows(const struct tree *rows, uint32_t value, struct calltree_builder *builder,
                     struct calltree *tree, struct arena *arena)
{
    node_id *path = arena_array(arena, (size_t)rows->count + 1, sizeof(*path));

    for (uint32_t i = 0; i < rows->count; i++) {
        const struct tree_row *row = &rows->rows[i];
        node_id node =
            calltree_builder_child(builder, row->depth ? path[row->depth - 1] : 0, row->frame);

        path[row->depth] = node;
        tree->self[value][node] = checked_add(tree->self[value][node], row->self);
    }
}

void estimate_stacks(struct graph *graph)
{
    struct arena arena = {0};
    struct tree rows;
    struct calltree tree;
    struct calltree_builder builder;
    bool *has_value = arena_array(&arena, graph->values.count, sizeof(*has_value));
    const struct tree_shape shape = {graph->values.count, has_value, false, false};

    tree_grow(graph, &(struct tree_options){0}, &arena, &rows);
    has_value[graph->values.selected] = true;
    calltree_builder_begin(&builder, &tree, &shape);
    add_rows(&rows, graph->values.selected, &builder, &tree, &arena);
    calltree_builder_end(&builder);
    graph->tree = tree;
    graph->native = LEVEL_CALLTREE;
    graph->has[LEVEL_CALLTREE] = true;
    functions_free(&graph->functions);
    calls_free(&graph->calls);
    graph->has[LEVEL_CALLGRAPH] = graph->has[LEVEL_FLAT] = false;
    warning_count_many(
        &graph->source.warnings, WARNING_LOSS,
        "the profile knows calls, not stacks: where a function has several callers its "
        "stacks are estimates",
        1);
    if (rows.hidden)
        warning_count_many(&graph->source.warnings, WARNING_LOSS,
                           "stacks left out, of less than a part of the whole: there are millions",
                           rows.hidden);
    arena_free(&arena);
}
