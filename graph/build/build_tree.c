/* SPDX-License-Identifier: Apache-2.0 */
/* build_tree.c — gathers the nodes of a call tree */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/grow.h"
#include "graph/build/builder_state.h"

void build_tree_begin(struct stack_builder *builder)
{
    struct graph *graph = &builder->shared->graph;
    bool *wanted = grow_zeroed(graph->values.count, sizeof(*wanted));
    struct tree_shape shape = {.value_count = graph->values.count, .has_value = wanted};

    for (uint32_t v = 0; v < graph->values.count; v++)
        wanted[v] = v == graph->values.selected || builder->shared->options.all_values;
    calltree_builder_begin(&builder->tree, &graph->tree, &shape);
    free(wanted);
}

node_id builder_child(struct stack_builder *builder, node_id parent, frame_id frame)
{
    return calltree_builder_child(&builder->tree, parent, frame);
}

void builder_add(struct stack_builder *builder, node_id node, uint32_t value, int64_t amount)
{
    int64_t *self = builder->shared->graph.tree.self[value];

    if (self)
        self[node] = checked_add(self[node], amount);
}
