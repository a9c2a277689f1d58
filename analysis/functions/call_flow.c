/* SPDX-License-Identifier: Apache-2.0 */
/* How time flows through a call graph whose cycles are cut open, as far as its edges account for
 * it. */
#include "analysis/functions/call_edges.h"

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"

#define NO_FUNCTION UINT32_MAX

/* The flow while it is solved. */
struct solving {
    const struct graph *graph;
    struct call_flow *flow;
    struct arena scratch;
    struct edge_times times;
    struct components components;
    uint32_t ordered; /* functions in flow->order so far */
    /* the search through a cycle */
    uint32_t *heaviest; /* as edges.out, the costliest call of a function first */
    uint32_t *next;     /* by function: the position there to look at next */
    uint32_t *path;     /* functions that are looked at, each called by the one before */
    enum { UNSEEN, ON_PATH, DONE } * state;
};

static bool is_within_cycle(const struct solving *solving, uint32_t edge)
{
    const struct calls *c = &solving->graph->calls;

    return solving->components.of[c->caller[edge]] == solving->components.of[c->callee[edge]];
}

/* ---- order: cycles are cut open ---- */

static bool costs_more(const void *context, uint32_t a, uint32_t b)
{
    const int64_t *cum = context;

    return cum[a] > cum[b];
}

static void step(struct solving *solving, uint32_t *depth)
{
    const struct call_flow *flow = solving->flow;
    uint32_t function = solving->path[*depth - 1], edge, callee;

    if (solving->next[function] == flow->edges.out_first[function + 1]) {
        solving->state[function] = DONE;
        flow->order[solving->ordered++] = function;
        --*depth;
        return;
    }
    edge = solving->heaviest[solving->next[function]++];
    callee = solving->graph->calls.callee[edge];
    if (is_within_cycle(solving, edge) && solving->state[callee] == ON_PATH) {
        flow->call[edge].is_there = false;
        flow->is_recursive[callee] = true;
    } else if (is_within_cycle(solving, edge) && solving->state[callee] == UNSEEN) {
        solving->state[callee] = ON_PATH;
        solving->path[(*depth)++] = callee;
    }
}

/* What comes into a function from outside its cycle. */
static int64_t entering(const struct solving *solving, uint32_t function)
{
    const struct call_flow *flow = solving->flow;
    int64_t sum = flow->outside[function].time;

    for (uint32_t i = flow->edges.in_first[function]; i < flow->edges.in_first[function + 1]; i++)
        if (!is_within_cycle(solving, flow->edges.in[i]))
            sum = checked_add(sum, not_negative(solving->times.cum[flow->edges.in[i]]));
    return sum;
}

/* Where most time enters a cycle; where none does, the function with most. */
static uint32_t way_in(const struct solving *solving, uint32_t component)
{
    const struct components *components = &solving->components;
    uint32_t best = NO_FUNCTION;
    int64_t most = 0, most_cum = 0;

    for (uint32_t m = components->first[component]; m < components->first[component + 1]; m++) {
        uint32_t function = components->member[m];
        int64_t time = entering(solving, function);
        int64_t cum = solving->graph->functions.cum[function];

        if (best == NO_FUNCTION || time > most || (time == most && cum > most_cum)) {
            best = function;
            most = time;
            most_cum = cum;
        }
    }
    return best;
}

static void find_order(struct solving *solving)
{
    struct call_flow *flow = solving->flow;
    const struct calls *c = &solving->graph->calls;
    uint32_t count = solving->graph->functions.count;

    solving->heaviest = arena_array(&solving->scratch, c->count, sizeof(*solving->heaviest));
    solving->next = arena_array(&solving->scratch, count, sizeof(*solving->next));
    solving->path = arena_array(&solving->scratch, count, sizeof(*solving->path));
    solving->state = arena_array(&solving->scratch, count, sizeof(*solving->state));
    for (uint32_t i = 0; i < c->count; i++) {
        solving->heaviest[i] = flow->edges.out[i];
        flow->call[i].is_there = true;
    }
    for (uint32_t f = 0; f < count; f++) {
        solving->next[f] = flow->edges.out_first[f];
        sort_stable(solving->heaviest + solving->next[f],
                    flow->edges.out_first[f + 1] - solving->next[f], costs_more,
                    solving->times.cum);
    }
    for (uint32_t component = 0; component < solving->components.count; component++) {
        uint32_t depth = 1;

        solving->path[0] = way_in(solving, component);
        solving->state[solving->path[0]] = ON_PATH;
        while (depth)
            step(solving, &depth);
    }
}

/* ---- time: what is recorded, and what a cycle's members pass on to one another ---- */

/* What comes into a function of one kind: from outside its cycle, or from within. */
struct inlets {
    struct inflow **list;
    int64_t *weight;
    uint32_t count;
    int64_t sum; /* of the weights */
};

static void add_inlet(struct inlets *inlets, struct inflow *inflow, int64_t weight)
{
    inlets->list[inlets->count] = inflow;
    inlets->weight[inlets->count++] = not_negative(weight);
    inlets->sum = checked_add(inlets->sum, not_negative(weight));
}

static void find_inlets(struct solving *solving, uint32_t function, struct inlets *from_outside,
                        struct inlets *from_within)
{
    struct call_flow *flow = solving->flow;

    from_outside->count = from_within->count = 0;
    from_outside->sum = from_within->sum = 0;
    for (uint32_t i = flow->edges.in_first[function]; i < flow->edges.in_first[function + 1]; i++) {
        uint32_t edge = flow->edges.in[i];

        if (flow->call[edge].is_there)
            add_inlet(is_within_cycle(solving, edge) ? from_within : from_outside,
                      &flow->call[edge], solving->times.cum[edge]);
        flow->call[edge].is_estimate =
            is_within_cycle(solving, edge) || solving->times.cum_is_estimate[edge];
    }
    if (flow->outside[function].is_there)
        add_inlet(from_outside, &flow->outside[function], flow->outside[function].time);
}

/* What is left to give away, and the weight of those who have not had their part. */
struct rest {
    int64_t amount, weight;
};

static int64_t part_of(struct rest *rest, int64_t weight)
{
    int64_t part = rest->weight > 0 && weight < rest->weight
                       ? checked_share(rest->amount, weight, rest->weight)
                       : rest->amount;

    rest->amount -= part;
    rest->weight -= weight;
    return part;
}

/* All of `time` in proportion, or evenly where nothing is known of the calls' times. */
static void split_time(struct inlets *inlets, int64_t time)
{
    struct rest rest = {time, inlets->sum > 0 ? inlets->sum : inlets->count};

    for (uint32_t i = 0; i < inlets->count; i++) {
        inlets->list[i]->time = part_of(&rest, inlets->sum > 0 ? inlets->weight[i] : 1);
        inlets->list[i]->is_estimate |= inlets->count > 1 || inlets->sum == 0;
    }
}

/* The times of calls are kept as they are recorded, unless they add up to more than `most`. */
static void keep_times(struct inlets *inlets, int64_t most)
{
    if (inlets->sum > most || inlets->sum == 0) {
        split_time(inlets, most);
        return;
    }
    for (uint32_t i = 0; i < inlets->count; i++)
        inlets->list[i]->time = inlets->weight[i];
}

static void solve_time(struct solving *solving, uint32_t function, struct inlets *from_outside,
                       struct inlets *from_within)
{
    const struct functions *f = &solving->graph->functions;
    const struct components *components = &solving->components;
    const struct call_flow *flow = solving->flow;
    uint32_t component = components->of[function];
    bool is_in_cycle = components->first[component + 1] - components->first[component] > 1;
    int64_t holds = flow->self[function], most; /* with what its calls took; what may come in */

    for (uint32_t i = flow->edges.out_first[function]; i < flow->edges.out_first[function + 1]; i++)
        holds = checked_add(holds, flow->call[flow->edges.out[i]].time);
    most = function < f->listed ? not_negative(f->cum[function]) : holds;
    if (most < flow->self[function])
        most = flow->self[function]; /* the file contradicts itself */
    if (is_in_cycle)
        keep_times(from_outside, from_outside->sum ? most : holds < most ? holds : most);
    else if (from_outside->count == 1)
        *from_outside->list[0] =
            (struct inflow){.time = function < f->listed ? f->cum[function] : holds,
                            .is_there = true,
                            .is_estimate = function >= f->listed};
    else
        keep_times(from_outside, most);
    if (from_within->count) {
        int64_t left = holds < most ? holds : most;

        for (uint32_t i = 0; i < from_outside->count; i++)
            left -= from_outside->list[i]->time;
        split_time(from_within, not_negative(left));
        for (uint32_t i = 0; i < from_within->count; i++)
            from_within->list[i]->is_estimate =
                from_within->count > 1 || from_within->list[i]->time != f->cum[function];
    }
}

/* ---- amounts ---- */

static void pour(const struct inlets *from_outside, const struct inlets *from_within,
                 int64_t amount, int64_t time)
{
    const struct inlets *kinds[] = {from_outside, from_within};
    uint32_t count = from_outside->count + from_within->count;
    struct rest rest = {amount, time > 0 ? time : count};

    for (int k = 0; k < 2; k++)
        for (uint32_t i = 0; i < kinds[k]->count; i++)
            kinds[k]->list[i]->amount = part_of(&rest, time > 0 ? kinds[k]->list[i]->time : 1);
}

/* Callees come before their callers, so all that a function holds is there when it passes it on. */
static void solve_function(struct solving *solving, uint32_t function, struct inlets *from_outside,
                           struct inlets *from_within)
{
    struct call_flow *flow = solving->flow;

    find_inlets(solving, function, from_outside, from_within);
    if (from_outside->count + from_within->count == 0) {
        flow->outside[function] = (struct inflow){.is_there = true, .is_estimate = true};
        add_inlet(from_outside, &flow->outside[function], 0);
    }
    solve_time(solving, function, from_outside, from_within);
    flow->amount[function] = flow->self[function];
    for (uint32_t i = flow->edges.out_first[function]; i < flow->edges.out_first[function + 1]; i++)
        flow->amount[function] =
            checked_add(flow->amount[function], flow->call[flow->edges.out[i]].amount);
    for (uint32_t i = 0; i < from_outside->count; i++)
        flow->time[function] = checked_add(flow->time[function], from_outside->list[i]->time);
    for (uint32_t i = 0; i < from_within->count; i++)
        flow->time[function] = checked_add(flow->time[function], from_within->list[i]->time);
    pour(from_outside, from_within, flow->amount[function], flow->time[function]);
}

/* Callers first: one place, of a function that has one place. */
static void find_sole(struct solving *solving)
{
    struct call_flow *flow = solving->flow;

    for (uint32_t at = solving->graph->functions.count; at-- > 0;) {
        uint32_t function = flow->order[at], inlets = flow->outside[function].is_there;
        bool is_sole = true;

        for (uint32_t i = flow->edges.in_first[function]; i < flow->edges.in_first[function + 1];
             i++)
            if (flow->call[flow->edges.in[i]].is_there) {
                inlets++;
                is_sole = flow->is_sole[solving->graph->calls.caller[flow->edges.in[i]]];
            }
        flow->is_sole[function] = is_sole && inlets == 1;
    }
}

static void find_outside(struct solving *solving)
{
    struct edge_totals made = {0};
    struct entries entries;

    entries_find(solving->graph, graph_edge_totals(solving->graph, &made), &solving->scratch,
                 &entries);
    edge_totals_free(&made);
    for (uint32_t i = 0; i < entries.count; i++)
        solving->flow->outside[entries.list[i].function] =
            (struct inflow){.is_there = true, .time = not_negative(entries.list[i].cum)};
}

static struct inlets room_for(uint32_t count, struct arena *arena)
{
    return (struct inlets){.list = arena_array(arena, (size_t)count + 1, sizeof(struct inflow *)),
                           .weight = arena_array(arena, (size_t)count + 1, sizeof(int64_t))};
}

void call_flow_solve(const struct graph *graph, struct arena *arena, struct call_flow *flow)
{
    struct solving solving = {.graph = graph, .flow = flow};
    uint32_t count = graph->functions.count, most_inlets = 0;

    *flow = (struct call_flow){0};
    edges_index(graph, arena, &flow->edges);
    edges_times(graph, &solving.scratch, &solving.times);
    components_find(graph, &flow->edges, &solving.scratch, &solving.components);
    flow->call = arena_array(arena, graph->calls.count, sizeof(*flow->call));
    flow->outside = arena_array(arena, count, sizeof(*flow->outside));
    flow->self = arena_array(arena, count, sizeof(*flow->self));
    flow->time = arena_array(arena, count, sizeof(*flow->time));
    flow->amount = arena_array(arena, count, sizeof(*flow->amount));
    flow->is_sole = arena_array(arena, count, sizeof(*flow->is_sole));
    flow->is_recursive = arena_array(arena, count, sizeof(*flow->is_recursive));
    flow->order = arena_array(arena, count, sizeof(*flow->order));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t inlets = flow->edges.in_first[i + 1] - flow->edges.in_first[i];

        flow->self[i] = i < graph->functions.listed ? not_negative(graph->functions.self[i]) : 0;
        flow->whole = checked_add(flow->whole, flow->self[i]);
        most_inlets = inlets > most_inlets ? inlets : most_inlets;
    }
    find_outside(&solving);
    find_order(&solving);
    struct inlets from_outside = room_for(most_inlets, &solving.scratch);
    struct inlets from_within = room_for(most_inlets, &solving.scratch);

    for (uint32_t i = 0; i < count; i++)
        solve_function(&solving, flow->order[i], &from_outside, &from_within);
    find_sole(&solving);
    arena_free(&solving.scratch);
}
