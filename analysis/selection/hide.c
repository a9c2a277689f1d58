/* SPDX-License-Identifier: Apache-2.0 */
/* hide.c — taking functions out of a call graph
 *
 * A hidden function m goes one at a time, and what flows through it (call_flow.h) passes from its
 * callers to its callees: a call c → m and a call m → d become one call c → d, with the share of
 * d's figures that comes into m from c. That is exact where m has one caller, and an estimate
 * elsewhere, since a call graph does not know which of m's callers made it call d. Its self time
 * goes to its callers, which is exact where the file knows each call's. A call that leads back to
 * d within a cycle becomes d's call of itself. */
#include <stdlib.h>

#include "analysis/functions/call_flow.h"
#include "analysis/selection/select_parts.h"
#include "base/checked.h"
#include "base/memory/grow.h"
#include "base/memory/idmap.h"

/* Joining in-calls with out-calls may make many: past this a function is dropped unbridged. */
enum { BRIDGES_MAX = 4000000, BRIDGES_EACH_MAX = 200000 };
#define NO_EDGE UINT32_MAX
#define FOLDED INT64_MIN /* leads back to a function on the way */

/* The calls while they are rearranged: lists of the calls into and out of each function. */
struct hiding {
    struct graph *graph;
    uint32_t *first_in, *first_out; /* by function; NO_EDGE ends a list */
    uint32_t *next_in, *next_out;   /* by call */
    bool *is_gone;                  /* by call */
    int64_t *flow;                  /* by call: what comes into its callee; FOLDED */
    const int64_t *outside;         /* by function: what comes in from outside the profile */
    const bool *is_recursive;       /* by function */
    size_t cap;                     /* of those by call */
    struct idmap edge_of;           /* (caller, callee) → call */
    uint32_t bridges, unbridged;
};

static void link_call(struct hiding *hiding, uint32_t edge)
{
    const struct calls *c = &hiding->graph->calls;

    if (edge >= hiding->cap) {
        hiding->cap = grow_cap(hiding->cap, (size_t)edge + 1);
        hiding->next_in = grow_to(hiding->next_in, hiding->cap, sizeof(*hiding->next_in));
        hiding->next_out = grow_to(hiding->next_out, hiding->cap, sizeof(*hiding->next_out));
        hiding->is_gone = grow_to(hiding->is_gone, hiding->cap, sizeof(*hiding->is_gone));
        hiding->flow = grow_to(hiding->flow, hiding->cap, sizeof(*hiding->flow));
    }
    hiding->is_gone[edge] = false;
    hiding->flow[edge] = 0;
    hiding->next_in[edge] = hiding->first_in[c->callee[edge]];
    hiding->first_in[c->callee[edge]] = edge;
    hiding->next_out[edge] = hiding->first_out[c->caller[edge]];
    hiding->first_out[c->caller[edge]] = edge;
    *idmap_at(&hiding->edge_of, idmap_pair(c->caller[edge], c->callee[edge])) = edge;
}

static int64_t sum_known(int64_t a, int64_t b)
{
    return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : checked_add(a, b);
}

/* part / whole of a figure, or all of it when the whole says nothing. */
static int64_t share_figure(int64_t figure, int64_t part, int64_t whole)
{
    if (figure == UNKNOWN || whole <= 0 || part >= whole)
        return figure;
    return part > 0 ? checked_share(figure, part, whole) : 0;
}

/* The call from one function to another, made where there is none. */
static uint32_t edge_between(struct hiding *hiding, uint32_t caller, uint32_t callee)
{
    uint32_t edge = idmap_find(&hiding->edge_of, idmap_pair(caller, callee));

    if (edge == IDMAP_NONE || hiding->is_gone[edge]) {
        edge = calls_add(&hiding->graph->calls, caller, callee);
        link_call(hiding, edge);
        hiding->bridges++;
    }
    return edge;
}

/* Whether something comes into the function over this call. */
static bool is_inlet(const struct hiding *hiding, uint32_t edge)
{
    return !hiding->is_gone[edge] && hiding->flow[edge] != FOLDED;
}

/* Calls that are left, and what comes into the function over them and from outside. Where that is
 * nothing all weigh the same. */
struct ends {
    uint32_t in, out;
    int64_t flow;
    bool is_untimed;
};

static struct ends count_ends(const struct hiding *hiding, uint32_t function)
{
    struct ends ends = {.flow = hiding->outside[function]};

    for (uint32_t e = hiding->first_in[function]; e != NO_EDGE; e = hiding->next_in[e])
        if (is_inlet(hiding, e)) {
            ends.in++;
            ends.flow = checked_add(ends.flow, hiding->flow[e]);
        }
    for (uint32_t e = hiding->first_out[function]; e != NO_EDGE; e = hiding->next_out[e])
        ends.out += !hiding->is_gone[e];
    ends.is_untimed = ends.flow <= 0;
    if (ends.is_untimed)
        ends.flow = ends.in;
    return ends;
}

static int64_t weight_of(const struct hiding *hiding, const struct ends *ends, uint32_t edge)
{
    return ends->is_untimed ? 1 : hiding->flow[edge];
}

/* Takes its part of a figure, so that the parts add up to it. */
static int64_t take(int64_t *left, int64_t weight, int64_t weight_left)
{
    int64_t part = share_figure(*left, weight, weight_left);

    if (part != UNKNOWN)
        *left = checked_sub(*left, part);
    return part;
}

/* The function's own time, call by call, to who made the call. */
static void give_self(struct hiding *hiding, uint32_t function, const struct ends *ends)
{
    struct functions *f = &hiding->graph->functions;
    struct calls *c = &hiding->graph->calls;
    int64_t left = f->self[function], weight_left = ends->flow;

    for (uint32_t e = hiding->first_in[function]; e != NO_EDGE; e = hiding->next_in[e]) {
        uint32_t caller = c->caller[e];
        int64_t given;

        if (!is_inlet(hiding, e))
            continue;
        given = take(&left, weight_of(hiding, ends, e), weight_left);
        weight_left -= weight_of(hiding, ends, e);
        if (c->self[e] != UNKNOWN && !hiding->is_recursive[function])
            given = c->self[e];
        f->self[caller] = checked_add(f->self[caller], given);
        /* and, should the caller be hidden in its turn, to who called it */
        for (uint32_t up = hiding->first_in[caller]; up != NO_EDGE; up = hiding->next_in[up])
            if (is_inlet(hiding, up) && c->self[up] != UNKNOWN)
                c->self[up] =
                    checked_add(c->self[up], share_figure(given, hiding->flow[up], f->cum[caller]));
    }
}

/* One call out, from everybody who called the function. */
static void join_out(struct hiding *hiding, uint32_t function, uint32_t out,
                     const struct ends *ends)
{
    struct calls *c = &hiding->graph->calls;
    uint32_t callee = c->callee[out];
    int64_t weight_left = ends->flow, calls = c->calls[out], primitive = c->primitive_calls[out];
    int64_t self = c->self[out], flow = hiding->flow[out];

    for (uint32_t in = hiding->first_in[function]; in != NO_EDGE; in = hiding->next_in[in]) {
        int64_t weight, part;
        uint32_t edge;

        if (!is_inlet(hiding, in))
            continue;
        weight = weight_of(hiding, ends, in);
        edge = edge_between(hiding, c->caller[in], callee);
        c->calls[edge] = sum_known(c->calls[edge], take(&calls, weight, weight_left));
        c->primitive_calls[edge] =
            sum_known(c->primitive_calls[edge], take(&primitive, weight, weight_left));
        c->self[edge] = sum_known(c->self[edge], take(&self, weight, weight_left));
        part = take(&flow, weight, weight_left);
        c->cum[edge] = sum_known(c->cum[edge], part);
        hiding->flow[edge] = checked_add(hiding->flow[edge], part);
        weight_left -= weight;
    }
}

/* A call that leads back: its callee calls itself, over the function that is hidden. */
static void join_back(struct hiding *hiding, uint32_t out)
{
    struct calls *c = &hiding->graph->calls;
    uint32_t edge = edge_between(hiding, c->callee[out], c->callee[out]);

    if (edge == out)
        return;
    hiding->flow[edge] = FOLDED;
    c->calls[edge] = sum_known(c->calls[edge], c->calls[out]);
    c->primitive_calls[edge] = sum_known(c->primitive_calls[edge], c->primitive_calls[out]);
    c->self[edge] = sum_known(c->self[edge], c->self[out]);
    c->cum[edge] = sum_known(c->cum[edge], c->cum[out]);
}

static void hide_one(struct hiding *hiding, uint32_t function)
{
    struct ends ends = count_ends(hiding, function);
    uint64_t bridges = (uint64_t)ends.in * ends.out;
    bool can_join = bridges <= BRIDGES_EACH_MAX && hiding->bridges + bridges <= BRIDGES_MAX;

    give_self(hiding, function, &ends);
    hiding->unbridged += !can_join;
    for (uint32_t e = hiding->first_out[function]; can_join && e != NO_EDGE;
         e = hiding->next_out[e])
        if (!hiding->is_gone[e] && hiding->flow[e] == FOLDED)
            join_back(hiding, e);
        else if (!hiding->is_gone[e])
            join_out(hiding, function, e, &ends);
    for (uint32_t e = hiding->first_in[function]; e != NO_EDGE; e = hiding->next_in[e])
        hiding->is_gone[e] = true;
    for (uint32_t e = hiding->first_out[function]; e != NO_EDGE; e = hiding->next_out[e])
        hiding->is_gone[e] = true;
}

/* Calls that are gone, and then functions. */
static void close_gaps(struct hiding *hiding, const bool *hides, struct arena *arena)
{
    struct graph *graph = hiding->graph;
    struct calls *c = &graph->calls;
    bool *keeps = arena_array(arena, graph->functions.count, sizeof(*keeps));
    uint32_t kept = 0;

    for (uint32_t i = 0; i < c->count; i++) {
        if (hiding->is_gone[i])
            continue;
        c->caller[kept] = c->caller[i];
        c->callee[kept] = c->callee[i];
        c->calls[kept] = c->calls[i];
        c->primitive_calls[kept] = c->primitive_calls[i];
        c->self[kept] = c->self[i];
        c->cum[kept] = c->cum[i];
        kept++;
    }
    c->count = kept;
    for (uint32_t i = 0; i < graph->functions.count; i++)
        keeps[i] = !hides[i];
    keep_functions(graph, keeps);
}

void hide_functions(struct graph *graph, const bool *hides)
{
    struct arena arena = {0};
    uint32_t count = graph->functions.count;
    struct hiding hiding = {.graph = graph};
    struct call_flow flow;
    int64_t *outside = arena_array(&arena, count, sizeof(*outside));

    call_flow_solve(graph, &arena, &flow);
    hiding.first_in = arena_array(&arena, count, sizeof(uint32_t));
    hiding.first_out = arena_array(&arena, count, sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        hiding.first_in[i] = hiding.first_out[i] = NO_EDGE;
        outside[i] = flow.outside[i].time;
    }
    hiding.outside = outside;
    hiding.is_recursive = flow.is_recursive;
    for (uint32_t i = 0; i < graph->calls.count; i++) {
        link_call(&hiding, i);
        hiding.flow[i] = flow.call[i].is_there ? flow.call[i].time : FOLDED;
    }
    for (uint32_t i = 0; i < count; i++)
        if (hides[i])
            hide_one(&hiding, i);
    close_gaps(&hiding, hides, &arena);
    warning_count_many(&graph->source.warnings, WARNING_LOSS,
                       "hidden functions with so many callers and callees that the calls through "
                       "them are not shown",
                       hiding.unbridged);
    idmap_free(&hiding.edge_of);
    free(hiding.next_in);
    free(hiding.next_out);
    free(hiding.is_gone);
    free(hiding.flow);
    arena_free(&arena);
}
