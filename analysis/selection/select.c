/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/selection/select.h"

#include "analysis/selection/select_parts.h"
#include "graph/classify/own_code.h"
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

static const bool *find_own(const struct graph *graph, struct arena *arena)
{
    bool *is_own = arena_array(arena, graph->frames.count, sizeof(*is_own));
    bool any = false;

    for (frame_id id = 1; id < graph->frames.count; id++)
        any |= is_own[id] = is_own_code(graph, id);
    return any ? is_own : NULL;
}

void select_apply(struct graph *graph, struct filter *filters, uint32_t count)
{
    enum level least = graph->native < LEVEL_CALLGRAPH ? graph->native : LEVEL_CALLGRAPH;
    struct error none = {0};
    struct arena arena = {0};

    /* never more than the format has */
    if (count == 0 || !graph_need(graph, least, "", &none))
        return;
    if (!graph->selection.is_narrowed)
        graph_narrow(graph);
    for (uint32_t i = 0; i < count; i++) {
        const bool *matches = filters[i].pattern.text
                                  ? name_pattern_select(graph, &filters[i].pattern, &arena)
                                  : find_own(graph, &arena);
        enum filter_kind kind = filters[i].kind == FILTER_MINE ? FILTER_SHOW : filters[i].kind;

        filters[i].has_match = matches != NULL;
        if (!matches)
            matches = arena_array(&arena, graph->frames.count, sizeof(*matches));
        part_for(graph)(graph, kind, matches);
    }
    arena_free(&arena);
}
