/* SPDX-License-Identifier: Apache-2.0 */
/* The part of a call graph worth drawing: by share, by number, around functions that match. */
#include "analysis/selection/prune.h"

#include "analysis/functions/call_edges.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"

struct pruning {
    const struct graph *graph;
    const struct prune_options *options;
    struct arena *arena;
    struct edges edges;
    struct edge_times times;
    int64_t whole;
    bool *keeps; /* by function */
};

double prune_weight(int64_t part, int64_t whole)
{
    double weight;

    if (whole <= 0)
        return part <= 0 ? 1 : 0;
    weight = (double)part / (double)whole;
    return weight < 0 ? 0 : weight > 1 ? 1 : weight;
}

static bool keeps_edge(const struct pruning *pruning, uint32_t edge)
{
    const struct calls *c = &pruning->graph->calls;

    return pruning->keeps[c->caller[edge]] && pruning->keeps[c->callee[edge]] &&
           prune_weight(pruning->times.cum[edge], pruning->whole) >=
               pruning->options->edge_percent / 100;
}

/* ---- what can be reached, breadth first over calls that are kept ---- */

struct reach {
    uint32_t *depth; /* by function, + 1; 0: not reached */
    uint32_t *queue;
    uint32_t count;
};

static struct reach reach_begin(const struct pruning *pruning)
{
    uint32_t count = pruning->graph->functions.count;

    return (struct reach){.depth = arena_array(pruning->arena, count, sizeof(uint32_t)),
                          .queue = arena_array(pruning->arena, count, sizeof(uint32_t))};
}

static void reach_add(struct reach *reach, uint32_t function, uint32_t depth)
{
    if (reach->depth[function])
        return;
    reach->depth[function] = depth + 1;
    reach->queue[reach->count++] = function;
}

enum way { DOWN, UP };

static void reach_run(const struct pruning *pruning, struct reach *reach, enum way way,
                      uint32_t max_depth)
{
    const struct edges *edges = &pruning->edges;
    const uint32_t *first = way == DOWN ? edges->out_first : edges->in_first;
    const uint32_t *list = way == DOWN ? edges->out : edges->in;
    const uint32_t *end = way == DOWN ? pruning->graph->calls.callee : pruning->graph->calls.caller;

    for (uint32_t i = 0; i < reach->count; i++) {
        uint32_t function = reach->queue[i], depth = reach->depth[function];

        if (max_depth && depth > max_depth)
            continue;
        for (uint32_t e = first[function]; e < first[function + 1]; e++)
            if (keeps_edge(pruning, list[e]))
                reach_add(reach, end[list[e]], depth);
    }
}

static void keep_reached(struct pruning *pruning, const struct reach *reach)
{
    for (uint32_t i = 0; i < pruning->graph->functions.count; i++)
        pruning->keeps[i] &= reach->depth[i] > 0;
}

/* Starts from the kept functions that match. */
static bool keep_from(struct pruning *pruning, const struct pattern *pattern, enum way way,
                      uint32_t depth, struct error *err)
{
    const struct graph *graph = pruning->graph;
    struct reach reach = reach_begin(pruning);

    for (uint32_t i = 0; i < graph->functions.count; i++) {
        const struct frame *frame = graph_frame(graph, graph->functions.frame[i]);

        if (pruning->keeps[i] && pattern_matches(pattern, graph_text(graph, frame->name)))
            reach_add(&reach, i, 0);
    }
    if (reach.count == 0) {
        error_set(err, ERROR_NO, "--%s: no function that is drawn matches",
                  way == DOWN ? "root" : "leaf");
        return error_hint(err, "with --node-percent 0 every function is drawn");
    }
    reach_run(pruning, &reach, way, depth);
    keep_reached(pruning, &reach);
    return true;
}

/* Without a root pattern, depth counts from where the profile is entered. */
static void keep_depth(struct pruning *pruning)
{
    struct reach reach = reach_begin(pruning);
    struct entries entries;
    struct edge_totals made = {0};

    entries_find(pruning->graph, graph_edge_totals(pruning->graph, &made), pruning->arena,
                 &entries);
    edge_totals_free(&made);
    for (uint32_t i = 0; i < entries.count; i++)
        if (pruning->keeps[entries.list[i].function])
            reach_add(&reach, entries.list[i].function, 0);
    reach_run(pruning, &reach, DOWN, pruning->options->depth);
    keep_reached(pruning, &reach);
}

static bool narrow(struct pruning *pruning, struct error *err)
{
    const struct prune_options *options = pruning->options;

    if (options->root && !keep_from(pruning, options->root, DOWN, options->depth, err))
        return false;
    if (options->leaf && !keep_from(pruning, options->leaf, UP, 0, err))
        return false;
    if (!options->root && options->depth)
        keep_depth(pruning);
    return true;
}

/* ---- the result ---- */

static bool edge_is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct calls *c = context;

    if (c->caller[a] != c->caller[b])
        return c->caller[a] < c->caller[b];
    return c->callee[a] < c->callee[b];
}

static void collect(const struct pruning *pruning, struct pruned *pruned)
{
    const struct graph *graph = pruning->graph;

    pruned->functions = arena_array(pruning->arena, graph->functions.count, sizeof(uint32_t));
    pruned->edges = arena_array(pruning->arena, graph->calls.count, sizeof(uint32_t));
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        if (pruning->keeps[i])
            pruned->functions[pruned->function_count++] = i;
    for (uint32_t i = 0; i < graph->calls.count; i++)
        if (keeps_edge(pruning, i))
            pruned->edges[pruned->edge_count++] = i;
    sort_stable(pruned->edges, pruned->edge_count, edge_is_before, &graph->calls);
    pruned->edge_cum = pruning->times.cum;
    pruned->edge_estimate = pruning->times.cum_is_estimate;
}

bool prune(const struct graph *graph, const struct prune_options *options, struct arena *arena,
           struct pruned *pruned, struct error *err)
{
    struct pruning pruning = {
        .graph = graph, .options = options, .arena = arena, .whole = graph_whole(graph)};

    *pruned = (struct pruned){.total = checked_sub(graph_total(graph), graph_idle(graph)), .whole = pruning.whole};
    pruning.keeps = arena_array(arena, graph->functions.count, sizeof(*pruning.keeps));
    edges_index(graph, arena, &pruning.edges);
    edges_times(graph, arena, &pruning.times);
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        pruning.keeps[i] =
            !graph_is_idle(graph, graph->functions.frame[i]) &&
            prune_weight(graph->functions.cum[i], pruning.whole) >= options->node_percent / 100;
    if (!narrow(&pruning, err))
        return false;
    collect(&pruning, pruned);
    return true;
}
