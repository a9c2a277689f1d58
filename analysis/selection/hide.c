/* SPDX-License-Identifier: Apache-2.0 */
/* hide.c — taking functions out of a call graph
 *
 * A hidden function m goes one at a time, and what flows through it (call_edges.h) passes from its
 * callers to its callees: a call c → m and a call m → d become one call c → d, with the share of
 * d's figures that comes into m from c. That is exact where m has one caller, and an estimate
 * elsewhere, since a call graph does not know which of m's callers made it call d. Its self time
 * goes to its callers, which is exact where the file knows each call's, and no caller gets more than
 * its cumulative time. A call that leads back to d within a cycle becomes d's call of itself. */
#include <stdlib.h>

#include "analysis/functions/call_edges.h"
#include "analysis/selection/select.h"
#include "base/checked.h"
#include "base/memory/memory.h"

/* Takes a weight's part of a figure, all of it where the weights say nothing: parts add up to it. */
static int64_t take_share(int64_t *left, int64_t weight, int64_t weight_left)
{
    int64_t part = *left;

    if (part == UNKNOWN)
        return UNKNOWN;
    if (weight_left > 0 && weight < weight_left)
        part = weight > 0 ? checked_share(part, weight, weight_left) : 0;
    *left = checked_sub(*left, part);
    return part;
}

/* ---- own time ---- */

/* What of a hidden function's time is its own goes to who made the calls, which is exact where the
 * file knows it of each call. What it was given itself goes there by what else the calls took: no
 * caller is given more than its calls took. Returns what came from outside the profile. `own` has
 * room for each call. */
static int64_t give_up(struct graph *graph, const struct call_flow *flow, uint32_t function,
                       int64_t *own, int64_t *received, bool *is_estimate)
{
    const struct calls *c = &graph->calls;
    const uint32_t *first = &flow->edges.in[flow->edges.in_first[function]];
    const uint32_t *end = &flow->edges.in[flow->edges.in_first[function + 1]];
    bool is_exact = !flow->is_recursive[function];
    int64_t own_left = not_negative(graph->functions.self[function]), left = received[function];
    int64_t time_left = flow->time[function], rest = 0;

    for (const uint32_t *edge = first; edge < end; edge++) {
        int64_t time = flow->call[*edge].time;

        if (!flow->call[*edge].is_there)
            continue;
        if (is_exact && c->self[*edge] != UNKNOWN) {
            own[*edge] = not_negative(c->self[*edge]);
            own_left = checked_sub(own_left, own[*edge]);
        } else {
            own[*edge] = take_share(&own_left, time, time_left);
        }
        time_left = checked_sub(time_left, time);
        rest = checked_add(rest, not_negative(checked_sub(time, own[*edge])));
    }
    rest = checked_add(rest, not_negative(checked_sub(flow->outside[function].time, own_left)));
    for (const uint32_t *edge = first; edge < end; edge++) {
        int64_t time = not_negative(checked_sub(flow->call[*edge].time, own[*edge]));
        int64_t *to = &received[c->caller[*edge]], given;
        bool is_known = is_exact && c->self[*edge] != UNKNOWN;

        if (!flow->call[*edge].is_there)
            continue;
        given = take_share(&left, time, rest);
        is_estimate[c->caller[*edge]] |=
            is_estimate[function] || (!flow->is_sole[function] && (given || !is_known));
        *to = checked_add(*to, checked_add(own[*edge], given));
        rest = checked_sub(rest, time);
    }
    return checked_add(own_left, left);
}

/* A shown function takes what it was given, and never more than its cumulative time: what a cycle's
 * estimate is too much goes on to its callers. */
static void take_self(struct graph *graph, const struct call_flow *flow, uint32_t function,
                      int64_t *received, bool *is_estimate)
{
    struct functions *f = &graph->functions;
    struct calls *c = &graph->calls;
    int64_t room = not_negative(checked_sub(f->cum[function], f->self[function]));
    int64_t time_left = flow->time[function], taken = received[function], left, excess = 0;

    if (function < f->listed && taken > room && !flow->outside[function].is_there) {
        excess = checked_sub(taken, room);
        taken = room;
    }
    left = taken;
    f->self[function] = checked_add(f->self[function], taken);
    if (function < f->listed && f->cum[function] < f->self[function])
        f->cum[function] = f->self[function];
    for (uint32_t i = flow->edges.in_first[function]; i < flow->edges.in_first[function + 1]; i++) {
        uint32_t edge = flow->edges.in[i];
        int64_t *above = &received[c->caller[edge]], time = flow->call[edge].time, part;

        if (!flow->call[edge].is_there)
            continue;
        part = take_share(&left, time, time_left);
        if (c->self[edge] != UNKNOWN)
            c->self[edge] = checked_add(c->self[edge], part);
        is_estimate[c->caller[edge]] |= excess > 0;
        *above = checked_add(*above, take_share(&excess, time, time_left));
        time_left = checked_sub(time_left, time);
    }
}

/* Callees come before their callers. Returns what is nobody's who is shown. */
static int64_t give_self(struct graph *graph, const struct call_flow *flow, const bool *hides,
                         struct arena *arena)
{
    uint32_t count = graph->functions.count;
    int64_t *received = arena_array(arena, count, sizeof(*received));
    int64_t *own = arena_array(arena, graph->calls.count, sizeof(*own));
    bool *is_estimate = arena_array(arena, count, sizeof(*is_estimate));
    int64_t lost = 0;

    for (uint32_t at = 0; at < count; at++) {
        uint32_t function = flow->order[at];

        if (hides[function])
            lost = checked_add(lost, give_up(graph, flow, function, own, received, is_estimate));
        else if (received[function])
            take_self(graph, flow, function, received, is_estimate);
        functions_mark(&graph->functions, function, ESTIMATE_SELF,
                       is_estimate[function] && !hides[function] && received[function]);
    }
    return lost;
}

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

/* Parts of calls add up to estimates: none has more than either of its ends. */
static int64_t cum_within(const struct graph *graph, uint32_t call, int64_t cum)
{
    const struct calls *c = &graph->calls;
    const struct functions *f = &graph->functions;

    for (int end = 0; end < 2 && cum != UNKNOWN; end++) {
        uint32_t function = end ? c->callee[call] : c->caller[call];

        if (function < f->listed && f->cum[function] < cum)
            cum = f->cum[function];
    }
    return cum;
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
        weight = ends->is_untimed ? 1 : hiding->flow[in];
        edge = edge_between(hiding, c->caller[in], callee);
        c->calls[edge] = sum_known(c->calls[edge], take_share(&calls, weight, weight_left));
        c->primitive_calls[edge] =
            sum_known(c->primitive_calls[edge], take_share(&primitive, weight, weight_left));
        c->self[edge] = sum_known(c->self[edge], take_share(&self, weight, weight_left));
        part = take_share(&flow, weight, weight_left);
        c->cum[edge] = cum_within(hiding->graph, edge, sum_known(c->cum[edge], part));
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
    calls_sum(c, edge, c, out);
}

static void hide_one(struct hiding *hiding, uint32_t function)
{
    struct ends ends = count_ends(hiding, function);
    uint64_t bridges = (uint64_t)ends.in * ends.out;
    bool can_join = bridges <= BRIDGES_EACH_MAX && hiding->bridges + bridges <= BRIDGES_MAX;

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

/* What of a function's cumulative time is neither its own nor that of the calls that it makes. */
static int64_t gap_of(const struct hiding *hiding, uint32_t function)
{
    const struct functions *f = &hiding->graph->functions;
    int64_t gap = checked_sub(f->cum[function], f->self[function]);

    for (uint32_t e = hiding->first_out[function]; e != NO_EDGE; e = hiding->next_out[e])
        if (is_inlet(hiding, e))
            gap = checked_sub(gap, hiding->flow[e]);
    return not_negative(gap);
}

/* Calls that lead back are folded, so what an inner call of a hidden function did stands below its
 * outer one, and not with who made the inner one: the functions whose time shows a gap. What was
 * lost while none of them ran stays so: that is at most what is not in the longest of them. */
static void fill_gaps(struct hiding *hiding, const bool *hides, int64_t lost, int64_t whole)
{
    struct functions *f = &hiding->graph->functions;
    int64_t gaps = 0, longest = 0;

    for (uint32_t i = 0; i < f->listed; i++) {
        gaps = checked_add(gaps, hides[i] ? 0 : gap_of(hiding, i));
        longest = !hides[i] && f->cum[i] > longest ? f->cum[i] : longest;
    }
    lost = not_negative(checked_sub(lost, not_negative(checked_sub(whole, longest))));
    if (lost > gaps)
        lost = gaps;
    for (uint32_t i = 0; i < f->listed && lost; i++) {
        int64_t gap = hides[i] ? 0 : gap_of(hiding, i);

        functions_mark(f, i, ESTIMATE_SELF, gap > 0);
        f->self[i] = checked_add(f->self[i], take_share(&lost, gap, gaps));
        gaps = checked_sub(gaps, gap);
    }
}

/* Calls that are gone, and then functions. */
static void close_gaps(struct hiding *hiding, const bool *hides, struct arena *arena)
{
    struct graph *graph = hiding->graph;
    struct calls *c = &graph->calls;
    bool *keeps = arena_array(arena, graph->functions.count, sizeof(*keeps));
    uint32_t kept = 0;

    for (uint32_t i = 0; i < c->count; i++)
        if (!hiding->is_gone[i])
            move_call(c, kept++, i);
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
    int64_t *outside = arena_array(&arena, count, sizeof(*outside)), lost;

    call_flow_solve(graph, &arena, &flow);
    hiding.first_in = arena_array(&arena, count, sizeof(uint32_t));
    hiding.first_out = arena_array(&arena, count, sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        hiding.first_in[i] = hiding.first_out[i] = NO_EDGE;
        outside[i] = flow.outside[i].time;
    }
    hiding.outside = outside;
    for (uint32_t i = 0; i < graph->calls.count; i++) {
        link_call(&hiding, i);
        hiding.flow[i] = flow.call[i].is_there ? flow.call[i].time : FOLDED;
    }
    lost = give_self(graph, &flow, hides, &arena);
    for (uint32_t i = 0; i < count; i++)
        if (hides[i])
            hide_one(&hiding, i);
    fill_gaps(&hiding, hides, lost, flow.whole);
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
