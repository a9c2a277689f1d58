/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/selection/select.h"

#include "analysis/selection/select_parts.h"
#include "graph/derive/need.h"

static void (*part_for(const struct graph *graph))(struct graph *, enum filter_kind, const bool *)
{
    switch (graph->native) {
    case LEVEL_FLAT:
        return select_rows;
    case LEVEL_CALLGRAPH:
        return select_calls;
    default:
        return select_tree;
    }
}

void select_apply(struct graph *graph, struct filter *filters, uint32_t count)
{
    enum level least = graph->native < LEVEL_CALLGRAPH ? graph->native : LEVEL_CALLGRAPH;
    struct error none = {0};
    struct arena arena = {0};

    /* never more than the format has */
    if (count == 0 || !graph_need(graph, least, "", &none))
        return;
    if (!graph->is_narrowed)
        graph_narrow(graph);
    for (uint32_t i = 0; i < count; i++) {
        const bool *matches = name_pattern_select(graph, &filters[i].pattern, &arena);

        filters[i].has_match = matches != NULL;
        if (!matches)
            matches = arena_array(&arena, graph->frames.count, sizeof(*matches));
        part_for(graph)(graph, filters[i].kind, matches);
    }
    arena_free(&arena);
}
