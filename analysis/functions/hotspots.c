/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that cost most, every value in a column, and the callers and callees of some. */
#include <math.h>

#include "analysis/functions/hotspots.h"
#include "analysis/functions/tree.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"

static int64_t sum_column(const int64_t *column, uint32_t count)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (column[i] == UNKNOWN)
            return UNKNOWN;
        sum = checked_add(sum, column[i]);
    }
    return sum;
}

static uint32_t pick(const struct graph *graph, const struct hotspots_options *options,
                     const struct hotspots *hotspots, uint32_t *picked)
{
    const struct functions *f = &graph->functions;
    const struct order_items items = order_items_of(graph);
    double least = options->min_percent;
    uint32_t count = 0;

    for (uint32_t i = 0; i < f->listed; i++)
        if (!graph_is_idle(graph, f->frame[i]) &&
            (least <= 0 || share_of(f->self[i], hotspots->total) * 100 >= least ||
             share_of(f->cum[i], hotspots->whole) * 100 >= least))
            picked[count++] = i;
    count = order_top(&options->order, &items, picked, count, options->limit);
    for (uint32_t i = 0; i < f->listed; i++)
        if (graph_is_idle(graph, f->frame[i]))
            picked[count++] = i;
    return count;
}

static int64_t nameless_self(const struct graph *graph)
{
    const struct functions *f = &graph->functions;
    int64_t sum = 0;

    for (uint32_t i = 0; i < f->listed; i++)
        if (graph_frame(graph, f->frame[i])->is_nameless)
            sum = checked_add(sum, f->self[i]);
    return sum;
}

void hotspots_compute(const struct graph *graph, const struct hotspots_options *options,
                      struct arena *arena, struct hotspots *hotspots)
{
    const struct functions *f = &graph->functions;
    uint32_t *picked = arena_array(arena, f->listed, sizeof(*picked));
    int64_t running = 0, listed = sum_column(f->self, f->listed);

    *hotspots = (struct hotspots){.idle = graph_idle(graph), .whole = graph_whole(graph)};
    hotspots->total = checked_sub(graph_total(graph), hotspots->idle);
    hotspots->nameless = nameless_self(graph);
    hotspots->calls = sum_column(f->calls, f->listed);
    hotspots->primitive_calls = sum_column(f->primitive_calls, f->listed);
    hotspots->count = pick(graph, options, hotspots, picked);
    hotspots->rows = arena_array(arena, hotspots->count, sizeof(*hotspots->rows));
    for (uint32_t i = 0; i < hotspots->count; i++) {
        running = checked_add(running, f->self[picked[i]]);
        if (graph_is_idle(graph, f->frame[picked[i]])) {
            hotspots->rows[i] = (struct hotspots_row){picked[i], NAN, NAN, NAN};
            continue;
        }
        hotspots->rows[i] = (struct hotspots_row){
            .function = picked[i],
            .self_share = share_of(f->self[picked[i]], hotspots->total),
            .cum_share = f->cum[picked[i]] == UNKNOWN
                             ? (double)NAN
                             : share_of(f->cum[picked[i]], hotspots->whole),
            .running_share = share_of(running, hotspots->total),
        };
    }
    hotspots->left_out = f->listed - hotspots->count;
    hotspots->left_out_self = checked_sub(listed, running);
    if (graph->has[LEVEL_TIMELINE] && graph->values.are_of_timeline &&
        (graph->values.selected == TIMELINE_TIME || graph->values.selected == TIMELINE_HOST) &&
        listed == hotspots->total)
        hotspots->wait_only = wait_only_sum(graph);
}

/* ---- every value in a column of its own ---- */

/* A part of a timeline becomes a tree of the selected value alone. */
static bool tree_has_all(const struct graph *graph)
{
    bool has_all = graph->native == LEVEL_CALLTREE;

    for (uint32_t v = 0; v < graph->values.count && has_all; v++)
        has_all = calltree_has_value(&graph->tree, v);
    return has_all;
}

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
            row[v] = checked_add(row[v], calltree_self(&graph->tree, v, node));
    }
    return self;
}

bool value_columns_find(const struct graph *graph, struct arena *arena,
                        struct value_columns *columns)
{
    uint32_t values = graph->values.count;

    columns->self = tree_has_all(graph) ? sum_nodes(graph, arena) : graph->functions.each;
    if (!columns->self)
        return false;
    columns->total = arena_array(arena, values, sizeof(*columns->total));
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        for (uint32_t v = 0; v < values && !graph_is_idle(graph, graph->functions.frame[i]); v++)
            columns->total[v] =
                checked_add(columns->total[v], columns->self[(size_t)i * values + v]);
    return true;
}

/* ---- callers and callees ---- */

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
    relatives->count = limit_rows(count, options->limit);
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
    row->count = limit_rows(kept, options->limit);
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

/* ---- what samples were labelled with ---- */

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct graph *graph = context;
    const struct sample_labels *labels = &graph->labels;
    const struct sample_label *x = &labels->list[a], *y = &labels->list[b];

    if (x->key != y->key)
        return span_cmp(graph_text(graph, x->key), graph_text(graph, y->key)) < 0;
    if (labels->value[a] != labels->value[b])
        return labels->value[a] > labels->value[b];
    return span_cmp(graph_text(graph, x->text), graph_text(graph, y->text)) < 0;
}

void labels_rank(const struct graph *graph, struct arena *arena, struct labels *labels)
{
    const struct sample_labels *all = &graph->labels;
    uint32_t *places = arena_array(arena, all->count, sizeof(*places));

    *labels = (struct labels){.rows = arena_array(arena, all->count, sizeof(*labels->rows)),
                              .total = all->total};
    for (uint32_t i = 0; i < all->count; i++)
        if (all->samples[i]) /* none: filters dropped them */
            places[labels->count++] = i;
    sort_stable(places, labels->count, is_before, graph);
    for (uint32_t i = 0; i < labels->count; i++) {
        uint32_t at = places[i];

        labels->keys += i == 0 || labels->rows[i - 1].label.key != all->list[at].key;
        labels->rows[i] = (struct labels_row){.label = all->list[at],
                                              .samples = all->samples[at],
                                              .value = all->value[at],
                                              .share = share_of(all->value[at], labels->total)};
        if (labels->rows[i].value > labels->rows[labels->most].value)
            labels->most = i;
    }
}

/* ---- calling contexts ---- */

/* Of differences the largest come first, up or down. */
static int64_t size_of(int64_t figure)
{
    return figure < 0 ? checked_sub(0, figure) : figure;
}

static bool costs_more(const void *context, uint32_t a, uint32_t b)
{
    const struct graph *graph = context;

    return size_of(calltree_self(&graph->tree, graph->values.selected, a)) >
           size_of(calltree_self(&graph->tree, graph->values.selected, b));
}

/* Every node with a cost of its own, the costliest first. */
static uint32_t *rank_nodes(const struct graph *graph, struct arena *arena, uint32_t *count)
{
    const struct calltree *tree = &graph->tree;
    uint32_t *nodes = arena_array(arena, (size_t)tree->own.used + 1, sizeof(*nodes));

    *count = 0;
    for (node_id node = 1; node < tree->count; node++)
        if (calltree_self(tree, graph->values.selected, node) &&
            !graph_is_idle(graph, tree->frame[node]))
            nodes[(*count)++] = node;
    sort_stable(nodes, *count, costs_more, graph);
    return nodes;
}

enum { FRAME_BYTES = 100 }; /* of a frame as JSON, but for its name */

/* Counts its frames; about as many bytes as it takes to show it. */
static int64_t size_of_stack(const struct graph *graph, struct stacks_row *row)
{
    const struct calltree *tree = &graph->tree;
    int64_t size = 0;

    for (node_id node = row->leaf; tree->frame[node]; node = calltree_parent(tree, node)) {
        row->depth++;
        size += FRAME_BYTES +
                (int64_t)graph_text(graph, graph_frame(graph, tree->frame[node])->name).len;
    }
    return size;
}

void stacks_rank(const struct graph *graph, const struct stacks_options *options,
                 struct arena *arena, struct stacks *stacks)
{
    int64_t shown = 0;
    uint32_t count;
    uint32_t *nodes = rank_nodes(graph, arena, &count);

    *stacks = (struct stacks){.rows = arena_array(arena, count, sizeof(*stacks->rows)),
                              .whole = checked_sub(graph_total(graph), graph_idle(graph))};
    for (uint32_t i = 0; i < count; i++) {
        int64_t self = calltree_self(&graph->tree, graph->values.selected, nodes[i]);
        struct stacks_row row = {
            .leaf = nodes[i], .self = self, .share = share_of(self, stacks->whole)};
        bool is_wanted =
            !stacks->is_cut && (!options->limit || stacks->count < options->limit) &&
            (options->min_percent <= 0 || fabs(row.share) * 100 >= options->min_percent);

        if (is_wanted) {
            shown = checked_add(shown, size_of_stack(graph, &row));
            stacks->is_cut = shown > options->most_bytes;
        }
        if (is_wanted && !stacks->is_cut) {
            stacks->rows[stacks->count++] = row;
        } else {
            stacks->left_out++;
            stacks->left_out_self = checked_add(stacks->left_out_self, row.self);
        }
    }
}
