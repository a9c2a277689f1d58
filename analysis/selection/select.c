#include "analysis/selection/select.h"

#include "analysis/selection/select_parts.h"
#include "graph/derive/need.h"

static bool frame_matches(const struct graph *graph, const struct frame *frame,
                          const struct pattern *pattern)
{
    return pattern_matches(pattern, graph_text(graph, frame->name)) ||
           (frame->file && pattern_matches(pattern, graph_text(graph, frame->file))) ||
           (frame->module && pattern_matches(pattern, graph_text(graph, frame->module)));
}

static const bool *match_frames(const struct graph *graph, const struct pattern *pattern,
                                struct arena *arena)
{
    bool *matches = arena_array(arena, graph->frames.count, sizeof(*matches));

    for (frame_id id = 1; id < graph->frames.count; id++)
        matches[id] = frame_matches(graph, graph_frame(graph, id), pattern);
    return matches;
}

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

void select_apply(struct graph *graph, const struct filter *filters, uint32_t count)
{
    enum level least = graph->native < LEVEL_CALLGRAPH ? graph->native : LEVEL_CALLGRAPH;
    struct error none = {0};
    struct arena arena = {0};

    /* never more than the format has */
    if (count == 0 || !graph_need(graph, least, "", &none))
        return;
    if (!graph->is_narrowed)
        graph_narrow(graph);
    for (uint32_t i = 0; i < count; i++)
        part_for(graph)(graph, filters[i].kind, match_frames(graph, &filters[i].pattern, &arena));
    arena_free(&arena);
}
