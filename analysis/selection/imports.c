/* SPDX-License-Identifier: Apache-2.0 */
/* A run apart from what it spent on importing modules. */
#include "analysis/selection/select.h"

#include "base/checked.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"

static int64_t self_of(const struct graph *graph)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < graph->functions.count; i++)
        sum = checked_add(sum, graph->functions.self[i]);
    return sum;
}

static const int64_t *imports_of_nodes(const struct graph *graph, struct arena *arena)
{
    const struct calltree *tree = &graph->tree;
    const struct functions *f = &graph->functions;
    const bool *is_imported = imported_nodes_find(graph, own_code_find(graph, arena), arena);
    int64_t *of_frame = arena_array(arena, graph->frames.count + 1, sizeof(*of_frame));
    int64_t *own = arena_array(arena, (size_t)f->count + 1, sizeof(*own)), sum = 0;

    for (node_id node = 1; node < tree->count; node++)
        if (is_imported[node])
            of_frame[tree->frame[node]] = checked_add(of_frame[tree->frame[node]],
                                                      calltree_self(tree, graph->values.selected, node));
    for (uint32_t i = 0; i < f->count; i++)
        sum = checked_add(sum, own[i] = of_frame[f->frame[i]]);
    return sum ? own : NULL;
}

const int64_t *imports_of_functions(const struct graph *graph, struct arena *arena)
{
    if (graph->has[LEVEL_CALLTREE])
        return imports_of_nodes(graph, arena);
    return graph->has[LEVEL_CALLGRAPH] ? imports_of_calls(graph, arena) : NULL;
}

int64_t select_no_imports(struct graph *graph)
{
    enum level least = graph->native < LEVEL_CALLGRAPH ? graph->native : LEVEL_CALLGRAPH;
    struct error none = {0};
    struct arena arena = {0};
    int64_t before;

    if (!graph_need(graph, least, "", &none) || !graph_need(graph, LEVEL_FLAT, "", &none))
        return 0;
    before = self_of(graph);
    if (!graph->selection.is_narrowed)
        graph_narrow(graph);
    if (graph->native >= LEVEL_CALLTREE) {
        bool *keeps = imported_nodes_find(graph, own_code_find(graph, &arena), &arena);

        for (node_id node = 0; node < graph->tree.count; node++)
            keeps[node] = !keeps[node];
        select_nodes(graph, keeps);
    } else {
        take_imports(graph, &arena);
    }
    arena_free(&arena);
    return graph_need(graph, LEVEL_FLAT, "", &none) ? before - self_of(graph) : 0;
}
