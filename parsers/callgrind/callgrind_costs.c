/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind_costs.c — costs by line of source, and summed by function and by call */
#include "parsers/callgrind/callgrind.h"

#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/stacks/call_cycles.h"

/* ---- callgrind's costs by line of source, where those are asked for ---- */

/* "12" and "0x1f". */
static bool read_number(struct span text, int64_t *number)
{
    uint64_t hex;

    if (!span_starts(text, SPAN("0x")))
        return span_to_i64(text, number) && *number >= 0;
    if (!span_hex_to_u64(span_after(text, 2), &hex) || hex > INT64_MAX)
        return false;
    *number = (int64_t)hex;
    return true;
}

bool line_position(struct span word, int64_t *position)
{
    char sign = word.len ? word.at[0] : '\0';
    int64_t number;

    if (span_eq(word, SPAN("*")))
        return true;
    if (!read_number(span_after(word, sign == '+' || sign == '-'), &number))
        return false;
    *position = sign == '+'   ? checked_add(*position, number)
                : sign == '-' ? checked_sub(*position, number)
                              : number;
    return true;
}

void line_costs_add(struct line_costs *lines, uint32_t line, int64_t self, int64_t called)
{
    size_t old = lines->cap;

    if (line >= old) {
        lines->cap = grow_cap(old, (size_t)line + 1);
        lines->self = grow_to(lines->self, lines->cap, sizeof(*lines->self));
        lines->called = grow_to(lines->called, lines->cap, sizeof(*lines->called));
        memset(lines->self + old, 0, (lines->cap - old) * sizeof(*lines->self));
        memset(lines->called + old, 0, (lines->cap - old) * sizeof(*lines->called));
    }
    if (line >= lines->count)
        lines->count = line + 1;
    lines->self[line] = checked_add(lines->self[line], self);
    lines->called[line] = checked_add(lines->called[line], called);
    lines->total = checked_add(lines->total, self);
}

void line_costs_finish(const struct line_costs *lines, struct builder *builder)
{
    for (uint32_t i = 0; i < lines->count; i++)
        builder_list(builder_callgraph(builder), i,
                     &(struct call_figures){.calls = UNKNOWN,
                                            .primitive_calls = UNKNOWN,
                                            .self = lines->self[i],
                                            .cum = checked_add(lines->self[i], lines->called[i])});
}

void line_costs_free(struct line_costs *lines)
{
    free(lines->self);
    free(lines->called);
}

/* ---- what callgrind's lines add up to: functions, and the calls between them ---- */

static void know_function(struct costs *costs, uint32_t function)
{
    size_t old = costs->function_cap;

    if (function >= old) {
        costs->function_cap = grow_cap(old, (size_t)function + 1);
        costs->self = grow_to(costs->self, costs->function_cap, sizeof(*costs->self));
        memset(costs->self + old, 0, (costs->function_cap - old) * sizeof(*costs->self));
    }
    if (function >= costs->function_count)
        costs->function_count = function + 1;
}

void costs_add_self(struct costs *costs, uint32_t function, int64_t cost)
{
    know_function(costs, function);
    costs->self[function] = checked_add(costs->self[function], cost);
    costs->total = checked_add(costs->total, cost);
}

static struct cost_edge *edge_of(struct costs *costs, uint32_t caller, uint32_t callee)
{
    uint32_t *known = idmap_at(&costs->edge_of, idmap_pair(caller, callee));

    if (*known == IDMAP_NONE) {
        vector_reserve(&costs->edges);
        costs->edges.list[costs->edges.count] =
            (struct cost_edge){.caller = caller, .callee = callee};
        *known = (uint32_t)costs->edges.count++;
    }
    return &costs->edges.list[*known];
}

void costs_add_call(struct costs *costs, const struct cost_call *call)
{
    struct cost_edge *edge = edge_of(costs, call->caller, call->callee);

    know_function(costs, call->caller);
    know_function(costs, call->callee);
    edge->calls = checked_add(edge->calls, call->calls);
    edge->cost = checked_add(edge->cost, call->cost);
    if (!call->is_nested) {
        edge->outer_calls = checked_add(edge->outer_calls, call->calls);
        edge->outer_cost = checked_add(edge->outer_cost, call->cost);
    }
    costs->has_levels |= call->is_nested;
    costs->has_calls |= call->calls != 0;
}

/* ---- handing over ---- */

/* What the edges say of the functions at their ends. */
struct sums {
    uint32_t *cycle;                  /* by function */
    uint32_t *size;                   /* by cycle: how many functions */
    int64_t *bound;                   /* by cycle: what its members and all that they call cost */
    int64_t *cum;                     /* by function */
    int64_t *calls, *primitive_calls; /* to the function */
    int64_t *outer_cost;              /* of the outermost calls to the function */
    bool *is_called;                  /* by function */
};

static void add_to(int64_t *sum, int64_t amount)
{
    *sum = checked_add(*sum, amount);
}

static void sum_edges(const struct costs *costs, struct sums *sums)
{
    for (uint32_t i = 0; i < costs->function_count; i++) {
        sums->cum[i] = costs->self[i];
        sums->size[sums->cycle[i]]++;
        add_to(&sums->bound[sums->cycle[i]], costs->self[i]);
    }
    for (size_t i = 0; i < costs->edges.count; i++) {
        const struct cost_edge *edge = &costs->edges.list[i];
        uint32_t from = sums->cycle[edge->caller];

        sums->is_called[edge->callee] = true;
        add_to(&sums->calls[edge->callee], edge->calls);
        add_to(&sums->outer_cost[edge->callee], edge->outer_cost);
        if (edge->caller != edge->callee) {
            add_to(&sums->cum[edge->caller], edge->cost);
            add_to(&sums->primitive_calls[edge->callee],
                   costs->has_levels ? edge->outer_calls : edge->calls);
        }
        if (from != sums->cycle[edge->callee])
            add_to(&sums->bound[from], edge->cost);
    }
}

static int64_t at_most(int64_t cost, int64_t bound)
{
    return cost > bound ? bound : cost;
}

static void list_functions(const struct costs *costs, const struct sums *sums,
                           struct builder *builder)
{
    uint64_t vague = 0;

    for (uint32_t i = 0; i < costs->function_count; i++) {
        bool is_vague = sums->size[sums->cycle[i]] > 1 && !costs->has_levels;
        bool is_counted = costs->has_calls && sums->is_called[i];
        struct call_figures figures = {
            .calls = is_counted ? sums->calls[i] : UNKNOWN,
            .primitive_calls = is_counted && !is_vague ? sums->primitive_calls[i] : UNKNOWN,
            .self = costs->self[i],
            .cum = sums->cum[i],
        };

        vague += is_vague;
        builder_list(builder_callgraph(builder), i, &figures);
    }
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "functions that call each other in a circle: their cumulative cost, and "
                       "that of their calls, is at most what is shown",
                       vague);
}

/* A call inside a cycle, or of a function by itself, costs no more than all of them. */
static void list_calls(const struct costs *costs, const struct sums *sums,
                       struct callgraph_builder *builder)
{
    for (size_t i = 0; i < costs->edges.count; i++) {
        const struct cost_edge *edge = &costs->edges.list[i];
        bool is_inside = sums->cycle[edge->caller] == sums->cycle[edge->callee];
        struct call_figures figures = {
            .calls = costs->has_calls ? edge->calls : UNKNOWN,
            .primitive_calls = costs->has_calls ? edge->calls : UNKNOWN,
            .self = UNKNOWN,
            .cum = is_inside ? at_most(edge->cost, sums->cum[edge->callee]) : edge->cost,
        };

        if (edge->caller == edge->callee)
            figures.primitive_calls = costs->has_calls ? 0 : UNKNOWN;
        builder_call(builder, edge->caller, edge->callee, &figures);
    }
}

uint32_t *cycles_find(const struct costs *costs, struct arena *arena)
{
    struct call_pair *calls = arena_array(arena, costs->edges.count + 1, sizeof(*calls));

    for (size_t i = 0; i < costs->edges.count; i++)
        calls[i] = (struct call_pair){costs->edges.list[i].caller, costs->edges.list[i].callee};
    return call_cycles(calls, costs->edges.count, costs->function_count, arena);
}

void costs_finish(const struct costs *costs, struct builder *builder)
{
    struct arena arena = {0};
    uint32_t count = costs->function_count;
    struct sums sums = {
        .cycle = cycles_find(costs, &arena),
        .size = arena_array(&arena, count, sizeof(*sums.size)),
        .bound = arena_array(&arena, count, sizeof(*sums.bound)),
        .cum = arena_array(&arena, count, sizeof(*sums.cum)),
        .calls = arena_array(&arena, count, sizeof(*sums.calls)),
        .primitive_calls = arena_array(&arena, count, sizeof(*sums.primitive_calls)),
        .outer_cost = arena_array(&arena, count, sizeof(*sums.outer_cost)),
        .is_called = arena_array(&arena, count, sizeof(*sums.is_called)),
    };

    sum_edges(costs, &sums);
    for (uint32_t i = 0; i < count; i++)
        if (sums.size[sums.cycle[i]] > 1) /* the calls are in each other's cost */
            sums.cum[i] = at_most(costs->has_levels ? sums.outer_cost[i] : sums.cum[i],
                                  sums.bound[sums.cycle[i]]);
    list_functions(costs, &sums, builder);
    list_calls(costs, &sums, builder_callgraph(builder));
    arena_free(&arena);
}

void costs_free(struct costs *costs)
{
    free(costs->self);
    free(costs->edges.list);
    idmap_free(&costs->edge_of);
}
