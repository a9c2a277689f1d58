/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/hotspots.h"

#include "base/checked.h"
#include "graph/derive/derive.h"

/* Of a tree, which has each value by node. */
static const int64_t *sum_nodes(const struct graph *graph, struct arena *arena)
{
    const struct functions *f = &graph->functions;
    uint32_t values = graph->values.count;
    uint32_t *function_of = arena_array(arena, graph->frames.count, sizeof(*function_of));
    int64_t *self = arena_array(arena, (size_t)f->count * values, sizeof(*self));

    for (uint32_t i = 0; i < f->count; i++)
        function_of[f->frame[i]] = i;
    for (node_id node = 1; node < graph->tree.count; node++) {
        int64_t *row = self + (size_t)function_of[graph->tree.frame[node]] * values;

        for (uint32_t v = 0; v < values; v++)
            row[v] = checked_add(row[v], graph->tree.self[v][node]);
    }
    return self;
}

bool value_columns_find(const struct graph *graph, struct arena *arena,
                        struct value_columns *columns)
{
    uint32_t values = graph->values.count;

    if (graph->native == LEVEL_CALLTREE)
        columns->self = sum_nodes(graph, arena);
    else
        columns->self = graph->native < LEVEL_CALLTREE ? graph->functions.each : NULL;
    if (!columns->self)
        return false;
    columns->total = arena_array(arena, values, sizeof(*columns->total));
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        for (uint32_t v = 0; v < values && !graph_is_idle(graph, graph->functions.frame[i]); v++)
            columns->total[v] =
                checked_add(columns->total[v], columns->self[(size_t)i * values + v]);
    return true;
}
