/* SPDX-License-Identifier: Apache-2.0 */
/* residual_edges.c — what passes from function to function when those between them are left out */
#include <stdlib.h>

#include "analysis/functions/call_edges.h"
#include "analysis/selection/prune.h"
#include "base/checked.h"
#include "base/memory/hash_index.h"
#include "base/memory/vector.h"
#include "graph/model/calltree_walk.h"

#define NONE UINT32_MAX

/* A node on the way from the root to where the walk is. */
struct residual_step {
    uint32_t function; /* kept: of this node, or the nearest below it */
    uint32_t call;     /* that this node is a part of; NONE */
    bool is_gap;       /* the node itself was left out */
};

struct crossing {
    struct residual_edges *residual;
    const bool *keeps;
    size_t cap, open_cap;
    uint32_t *open; /* by call: how often it is on the way */
    struct idmap known;
    struct residual_step *way;
    size_t depth, way_cap;
};

static uint32_t call_between(struct crossing *crossing, uint32_t caller, uint32_t callee)
{
    struct residual_edges *residual = crossing->residual;
    uint32_t *at = idmap_at(&crossing->known, idmap_pair(caller, callee));

    if (*at == IDMAP_NONE) {
        *at = residual->count;
        residual->calls =
            grow_one(residual->calls, residual->count, &crossing->cap, sizeof(*residual->calls));
        crossing->open =
            grow_one(crossing->open, residual->count, &crossing->open_cap, sizeof(*crossing->open));
        crossing->open[residual->count] = 0;
        residual->calls[residual->count++] =
            (struct trimmed_call){.caller = caller, .callee = callee};
    }
    return *at;
}

static void enter(struct crossing *crossing, uint32_t function, int64_t total)
{
    struct residual_step below = crossing->depth ? crossing->way[crossing->depth - 1]
                                                 : (struct residual_step){.function = NONE};
    struct residual_step step = {below.function, NONE, true};

    if (crossing->keeps[function]) {
        step = (struct residual_step){function, NONE, false};
        if (below.function != NONE && below.function != function && total != 0)
            step.call = call_between(crossing, below.function, function);
    }
    if (step.call != NONE && crossing->open[step.call]++ == 0) {
        struct trimmed_call *call = &crossing->residual->calls[step.call];

        call->cum = checked_add(call->cum, total);
        call->is_residual |= below.is_gap;
    }
    crossing->way = grow_one(crossing->way, crossing->depth, &crossing->way_cap, sizeof(step));
    crossing->way[crossing->depth++] = step;
}

static void leave(struct crossing *crossing)
{
    const struct residual_step *step = &crossing->way[--crossing->depth];

    if (step->call != NONE)
        crossing->open[step->call]--;
}

static uint32_t *functions_by_frame(const struct graph *graph, struct arena *arena)
{
    uint32_t *of = arena_array(arena, graph->frames.count, sizeof(*of));

    for (uint32_t i = 0; i < graph->functions.count; i++)
        of[graph->functions.frame[i]] = i;
    return of;
}

static void cross_tree(struct crossing *crossing, const struct graph *graph)
{
    const struct calltree *tree = &graph->tree;
    struct arena arena = {0};
    const uint32_t *function_of = functions_by_frame(graph, &arena);
    const int64_t *total = tree_totals(tree, tree->self[graph->values.selected], &arena);
    struct tree_links links;
    struct walk walk = {.tree = tree, .links = &links};

    tree_link(tree, &arena, &links);
    while (walk_next(&walk))
        if (walk.node && walk.is_leaving)
            leave(crossing);
        else if (walk.node)
            enter(crossing, function_of[tree->frame[walk.node]], total[walk.node]);
    arena_free(&arena);
}

static void add_kept_calls(struct crossing *crossing, const struct graph *graph)
{
    const struct calls *c = &graph->calls;
    struct residual_edges *residual = crossing->residual;
    struct arena arena = {0};
    struct edge_times times;

    edges_times(graph, &arena, &times);
    for (uint32_t i = 0; i < c->count; i++) {
        if (!crossing->keeps[c->caller[i]] || !crossing->keeps[c->callee[i]] ||
            c->caller[i] == c->callee[i])
            continue;
        residual->calls =
            grow_one(residual->calls, residual->count, &crossing->cap, sizeof(*residual->calls));
        residual->calls[residual->count++] = (struct trimmed_call){
            c->caller[i], c->callee[i], times.cum[i], false, times.cum_is_estimate[i]};
    }
    arena_free(&arena);
}

void residual_edges_find(const struct graph *graph, const bool *keeps,
                         struct residual_edges *residual)
{
    struct crossing crossing = {.residual = residual, .keeps = keeps};

    *residual = (struct residual_edges){0};
    if (graph->has[LEVEL_CALLTREE])
        cross_tree(&crossing, graph);
    else
        add_kept_calls(&crossing, graph);
    idmap_free(&crossing.known);
    free(crossing.open);
    free(crossing.way);
}
