/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "analysis/functions/call_flow.h"
#include "analysis/functions/entry_points.h"
#include "analysis/selection/select_parts.h"
#include "base/memory/grow.h"
#include "graph/derive/need.h"

/* ---- keeping some functions ---- */

static void move_function(struct functions *f, uint32_t to, uint32_t from)
{
    f->frame[to] = f->frame[from];
    f->calls[to] = f->calls[from];
    f->primitive_calls[to] = f->primitive_calls[from];
    f->self[to] = f->self[from];
    f->cum[to] = f->cum[from];
    if (f->min) {
        f->min[to] = f->min[from];
        f->max[to] = f->max[from];
    }
}

static void move_call(struct calls *c, uint32_t to, uint32_t from)
{
    c->caller[to] = c->caller[from];
    c->callee[to] = c->callee[from];
    c->calls[to] = c->calls[from];
    c->primitive_calls[to] = c->primitive_calls[from];
    c->self[to] = c->self[from];
    c->cum[to] = c->cum[from];
}

void keep_functions(struct graph *graph, const bool *keeps)
{
    struct functions *f = &graph->functions;
    struct calls *c = &graph->calls;
    uint32_t *place = grow_zeroed(f->count, sizeof(*place));
    uint32_t kept = 0, listed = 0, kept_calls = 0;

    for (uint32_t i = 0; i < f->count; i++) {
        if (!keeps[i])
            continue;
        listed += i < f->listed;
        place[i] = kept;
        move_function(f, kept++, i);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        if (!keeps[c->caller[i]] || !keeps[c->callee[i]])
            continue;
        move_call(c, kept_calls, i);
        c->caller[kept_calls] = place[c->caller[kept_calls]];
        c->callee[kept_calls] = place[c->callee[kept_calls]];
        kept_calls++;
    }
    f->count = kept;
    f->listed = listed;
    c->count = kept_calls;
    free(place);
}

/* By function, whether its frame matches. */
static bool *function_matches(const struct graph *graph, const bool *matches, struct arena *arena)
{
    const struct functions *f = &graph->functions;
    bool *result = arena_array(arena, f->count, sizeof(*result));

    for (uint32_t i = 0; i < f->count; i++)
        result[i] = matches[f->frame[i]];
    return result;
}

/* ---- focus and ignore ---- */

/* Marks what can be reached over calls from the functions that are marked already, without going
 * through those that `blocks`, or over calls that lead back in a cycle. */
static void spread(const struct graph *graph, const uint32_t *first, const uint32_t *list,
                   const uint32_t *end, bool *reached, const bool *blocks,
                   const struct inflow *inflow)
{
    uint32_t count = graph->functions.count, used = 0;
    uint32_t *queue = grow_zeroed(count, sizeof(*queue));

    for (uint32_t i = 0; i < count; i++)
        if (reached[i])
            queue[used++] = i;
    for (uint32_t i = 0; i < used; i++)
        for (uint32_t e = first[queue[i]]; e < first[queue[i] + 1]; e++) {
            uint32_t next = end[list[e]];

            if (reached[next] || (blocks && blocks[next]) || (inflow && !inflow[list[e]].is_there))
                continue;
            reached[next] = true;
            queue[used++] = next;
        }
    free(queue);
}

static void focus(struct graph *graph, const bool *is_match, struct arena *arena)
{
    uint32_t count = graph->functions.count;
    struct call_flow flow;
    bool *down = arena_array(arena, count, sizeof(*down));
    bool *up = arena_array(arena, count, sizeof(*up));

    memcpy(down, is_match, count * sizeof(*down));
    memcpy(up, is_match, count * sizeof(*up));
    call_flow_solve(graph, arena, &flow);
    spread(graph, flow.edges.out_first, flow.edges.out, graph->calls.callee, down, NULL, flow.call);
    spread(graph, flow.edges.in_first, flow.edges.in, graph->calls.caller, up, NULL, flow.call);
    for (uint32_t i = 0; i < count; i++)
        down[i] |= up[i];
    keep_functions(graph, down);
}

static void ignore(struct graph *graph, const bool *is_match, struct arena *arena)
{
    struct edges edges;
    struct entries entries;
    struct edge_totals made = {0};
    bool *reached = arena_array(arena, graph->functions.count, sizeof(*reached));

    entries_find(graph, graph_edge_totals(graph, &made), arena, &entries);
    edge_totals_free(&made);
    for (uint32_t i = 0; i < entries.count; i++)
        reached[entries.list[i].function] = !is_match[entries.list[i].function];
    edges_index(graph, arena, &edges);
    spread(graph, edges.out_first, edges.out, graph->calls.callee, reached, is_match, NULL);
    keep_functions(graph, reached);
}

void select_calls(struct graph *graph, enum filter_kind kind, const bool *matches)
{
    struct arena arena = {0};
    bool *is_match = function_matches(graph, matches, &arena);

    if (kind == FILTER_SHOW)
        for (uint32_t i = 0; i < graph->functions.count; i++)
            is_match[i] = !is_match[i];
    if (kind == FILTER_FOCUS)
        focus(graph, is_match, &arena);
    else if (kind == FILTER_IGNORE)
        ignore(graph, is_match, &arena);
    else
        hide_functions(graph, is_match);
    arena_free(&arena);
}

void select_rows(struct graph *graph, enum filter_kind kind, const bool *matches)
{
    struct arena arena = {0};
    bool *keeps = function_matches(graph, matches, &arena);

    if (kind == FILTER_IGNORE || kind == FILTER_HIDE)
        for (uint32_t i = 0; i < graph->functions.count; i++)
            keeps[i] = !keeps[i];
    keep_functions(graph, keeps);
    arena_free(&arena);
}
