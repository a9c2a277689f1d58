/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/call_edges.h"

#include "base/checked.h"

/* Counting sort of the edges by one end. */
static void index_end(const uint32_t *end, uint32_t edge_count, uint32_t function_count,
                      struct arena *arena, uint32_t **first, uint32_t **list)
{
    *first = arena_array(arena, (size_t)function_count + 1, sizeof(**first));
    *list = arena_array(arena, edge_count, sizeof(**list));
    for (uint32_t i = 0; i < edge_count; i++)
        (*first)[end[i] + 1]++;
    for (uint32_t i = 0; i < function_count; i++)
        (*first)[i + 1] += (*first)[i];

    uint32_t *next = arena_array(arena, function_count, sizeof(*next));

    for (uint32_t i = 0; i < edge_count; i++)
        (*list)[(*first)[end[i]] + next[end[i]]++] = i;
}

void edges_index(const struct graph *graph, struct arena *arena, struct edges *edges)
{
    const struct calls *c = &graph->calls;
    uint32_t functions = graph->functions.count;

    index_end(c->caller, c->count, functions, arena, &edges->out_first, &edges->out);
    index_end(c->callee, c->count, functions, arena, &edges->in_first, &edges->in);
}

/* The callee's figure times calls of the edge / calls of the callee, at most all of it. */
static int64_t by_calls(const struct graph *graph, uint32_t edge, int64_t figure)
{
    int64_t calls = graph->calls.calls[edge];
    int64_t all = graph->functions.calls[graph->calls.callee[edge]];

    if (calls == UNKNOWN || all == UNKNOWN || calls <= 0 || all <= 0)
        return 0;
    return calls < all ? checked_share(figure, calls, all) : figure;
}

void edges_times(const struct graph *graph, struct arena *arena, struct edge_times *times)
{
    const struct calls *c = &graph->calls;

    times->self = arena_array(arena, c->count, sizeof(*times->self));
    times->cum = arena_array(arena, c->count, sizeof(*times->cum));
    times->self_is_estimate = arena_array(arena, c->count, sizeof(*times->self_is_estimate));
    times->cum_is_estimate = arena_array(arena, c->count, sizeof(*times->cum_is_estimate));
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t callee = c->callee[i];

        times->self_is_estimate[i] = c->self[i] == UNKNOWN;
        times->cum_is_estimate[i] = c->cum[i] == UNKNOWN;
        times->self[i] =
            c->self[i] != UNKNOWN ? c->self[i] : by_calls(graph, i, graph->functions.self[callee]);
        times->cum[i] =
            c->cum[i] != UNKNOWN ? c->cum[i] : by_calls(graph, i, graph->functions.cum[callee]);
    }
}
