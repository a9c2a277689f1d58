/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/hotspots.h"

#include "base/checked.h"
#include "graph/derive/derive.h"

#define NO_ROW UINT32_MAX

/* The functions that are wanted, sorted and limited. */
static void find_functions(const struct graph *graph, const struct relatives_options *options,
                           struct arena *arena, struct relatives *relatives)
{
    const struct functions *f = &graph->functions;
    const struct order_items items = order_items_of(graph);
    uint32_t *found = arena_array(arena, f->count, sizeof(*found));
    uint32_t count = 0;

    for (uint32_t i = 0; i < f->count; i++)
        if (options->is_wanted[f->frame[i]])
            found[count++] = i;
    order_sort(&options->order, &items, found, count);
    relatives->count = options->limit && options->limit < count ? options->limit : count;
    relatives->left_out = count - relatives->count;
    relatives->rows = arena_array(arena, relatives->count, sizeof(*relatives->rows));
    for (uint32_t i = 0; i < relatives->count; i++)
        relatives->rows[i].function = found[i];
}

/* The row to which an edge belongs, by the function at its own end. */
static uint32_t row_of(const struct graph *graph, enum direction direction, const uint32_t *rows,
                       uint32_t edge)
{
    return rows[direction == CALLERS ? graph->calls.callee[edge] : graph->calls.caller[edge]];
}

static void gather_edges(const struct graph *graph, struct arena *arena,
                         struct relatives *relatives)
{
    const struct calls *c = &graph->calls;
    uint32_t *rows = arena_array(arena, graph->functions.count, sizeof(*rows));
    uint32_t first = 0;

    for (uint32_t i = 0; i < graph->functions.count; i++)
        rows[i] = NO_ROW;
    for (uint32_t i = 0; i < relatives->count; i++)
        rows[relatives->rows[i].function] = i;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t row = row_of(graph, relatives->direction, rows, i);

        if (row != NO_ROW)
            relatives->rows[row].count++;
    }
    for (uint32_t i = 0; i < relatives->count; i++) {
        relatives->rows[i].first = first;
        first += relatives->rows[i].count;
        relatives->rows[i].count = 0;
    }
    relatives->edges = arena_array(arena, first, sizeof(*relatives->edges));
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t row = row_of(graph, relatives->direction, rows, i);

        if (row != NO_ROW)
            relatives->edges[relatives->rows[row].first + relatives->rows[row].count++] = i;
    }
}

static void rank_edges(const struct graph *graph, const struct relatives_options *options,
                       const struct relatives *relatives, struct relatives_row *row)
{
    const struct calls *c = &graph->calls;
    struct order_items items = {
        .graph = graph,
        .function = options->direction == CALLERS ? c->caller : c->callee,
        .calls = c->calls,
        .primitive_calls = c->primitive_calls,
        .self = c->self,
        .cum = c->cum,
    };
    uint32_t *edges = relatives->edges + row->first, kept = 0, all = row->count;

    for (uint32_t i = 0; i < all; i++)
        if (options->min_percent <= 0 ||
            share_of(c->cum[edges[i]], relatives->whole) * 100 >= options->min_percent)
            edges[kept++] = edges[i];
    order_sort(&options->order, &items, edges, kept);
    row->count = options->limit && options->limit < kept ? options->limit : kept;
    row->left_out = all - row->count;
}

void relatives_find(const struct graph *graph, const struct relatives_options *options,
                    struct arena *arena, struct relatives *relatives)
{
    *relatives = (struct relatives){.direction = options->direction, .whole = graph_whole(graph)};
    find_functions(graph, options, arena, relatives);
    gather_edges(graph, arena, relatives);
    for (uint32_t i = 0; i < relatives->count; i++)
        rank_edges(graph, options, relatives, &relatives->rows[i]);
}
