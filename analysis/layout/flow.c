#include "analysis/layout/flow.h"

#include "analysis/functions/entry_points.h"
#include "analysis/layout/components.h"
#include "base/checked.h"
#include "graph/derive/need.h"

/* The flow while it is computed. An inlet is a way into a component: the calls to it from others,
 * and a last one from outside the profile. */
struct pouring {
    const struct graph *graph;
    struct flow *flow;
    struct arena scratch;
    struct edges edges;
    struct edge_times times;
    struct components components;
    uint32_t *node_of; /* by component */
    uint32_t *filled;  /* by node: links it has so far */
    int64_t *outside;  /* by component: time in calls from outside the profile */
};

static int64_t not_negative(int64_t figure)
{
    return figure > 0 ? figure : 0;
}

static uint32_t component_size(const struct pouring *pouring, uint32_t component)
{
    return pouring->components.first[component + 1] - pouring->components.first[component];
}

static bool enters(const struct pouring *pouring, uint32_t edge)
{
    const struct calls *c = &pouring->graph->calls;

    return pouring->components.of[c->caller[edge]] != pouring->components.of[c->callee[edge]];
}

/* ---- shape ---- */

static void number_nodes(struct pouring *pouring)
{
    struct flow *flow = pouring->flow;

    flow->count = pouring->graph->functions.count;
    for (uint32_t i = 0; i < pouring->components.count; i++)
        pouring->node_of[i] = component_size(pouring, i) > 1
                                  ? flow->count++
                                  : pouring->components.member[pouring->components.first[i]];
    flow->root = flow->count++;
}

/* first[n + 1] counts the links of n, then sums them up. */
static void place_links(struct pouring *pouring, struct arena *arena)
{
    const struct calls *c = &pouring->graph->calls;
    struct flow *flow = pouring->flow;

    flow->first = arena_array(arena, (size_t)flow->count + 1, sizeof(*flow->first));
    for (uint32_t i = 0; i < c->count; i++)
        if (enters(pouring, i))
            flow->first[c->caller[i] + 1]++;
    for (uint32_t i = 0; i < pouring->components.count; i++)
        if (component_size(pouring, i) > 1)
            flow->first[pouring->node_of[i] + 1] = component_size(pouring, i);
    flow->first[flow->root + 1] = pouring->components.count;
    for (uint32_t i = 0; i < flow->count; i++)
        flow->first[i + 1] += flow->first[i];
    flow->links = arena_array(arena, flow->first[flow->count], sizeof(*flow->links));
}

/* ---- amounts ---- */

static void give(struct pouring *pouring, uint32_t to, uint32_t node, int64_t amount)
{
    struct flow *flow = pouring->flow;

    flow->links[flow->first[to] + pouring->filled[to]++] = (struct flow_link){node, amount};
    flow->total[to] = checked_add(flow->total[to], amount);
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

/* Visits the calls into a component; each weighs its time, or all the same where none has any. */
static int64_t weight_of(const struct pouring *pouring, uint32_t edge, bool is_untimed)
{
    return is_untimed ? 1 : not_negative(pouring->times.cum[edge]);
}

static int64_t inlet_weight(const struct pouring *pouring, uint32_t component, bool is_untimed,
                            uint32_t *inlets)
{
    int64_t sum = 0;

    *inlets = 0;
    for (uint32_t m = pouring->components.first[component];
         m < pouring->components.first[component + 1]; m++) {
        uint32_t function = pouring->components.member[m];

        for (uint32_t i = pouring->edges.in_first[function];
             i < pouring->edges.in_first[function + 1]; i++)
            if (enters(pouring, pouring->edges.in[i])) {
                sum = checked_add(sum, weight_of(pouring, pouring->edges.in[i], is_untimed));
                ++*inlets;
            }
    }
    return sum;
}

static void pour_up(struct pouring *pouring, uint32_t component)
{
    uint32_t node = pouring->node_of[component], inlets;
    int64_t outside = pouring->outside[component];
    int64_t timed = inlet_weight(pouring, component, false, &inlets);
    bool is_untimed = timed == 0 && outside == 0;
    struct rest rest = {.amount = pouring->flow->total[node]};

    rest.weight = is_untimed ? inlets : checked_add(timed, outside);
    for (uint32_t m = pouring->components.first[component];
         m < pouring->components.first[component + 1]; m++) {
        uint32_t function = pouring->components.member[m];

        for (uint32_t i = pouring->edges.in_first[function];
             i < pouring->edges.in_first[function + 1]; i++) {
            uint32_t edge = pouring->edges.in[i];

            if (enters(pouring, edge))
                give(pouring, pouring->graph->calls.caller[edge], node,
                     part_of(&rest, weight_of(pouring, edge, is_untimed)));
        }
    }
    give(pouring, pouring->flow->root, node, rest.amount);
}

/* Callees come before their callers, so all that a component gets is there when it gives. */
static void pour(struct pouring *pouring)
{
    struct flow *flow = pouring->flow;

    for (uint32_t i = 0; i < pouring->graph->functions.count; i++) {
        flow->self[i] = flow->total[i] = 0;
        flow->members[i] = 1;
    }
    for (uint32_t i = 0; i < pouring->graph->functions.listed; i++)
        flow->self[i] = flow->total[i] = not_negative(pouring->graph->functions.self[i]);
    for (uint32_t c = 0; c < pouring->components.count; c++) {
        uint32_t node = pouring->node_of[c];

        if (component_size(pouring, c) > 1)
            for (uint32_t m = pouring->components.first[c]; m < pouring->components.first[c + 1];
                 m++)
                give(pouring, node, pouring->components.member[m],
                     flow->total[pouring->components.member[m]]);
        flow->members[node] = component_size(pouring, c);
        pour_up(pouring, c);
    }
}

static void find_outside(struct pouring *pouring)
{
    struct edge_totals made = {0};
    struct entries entries;

    entries_find(pouring->graph, graph_edge_totals(pouring->graph, &made), &pouring->scratch,
                 &entries);
    edge_totals_free(&made);
    for (uint32_t i = 0; i < entries.count; i++) {
        int64_t *outside = &pouring->outside[pouring->components.of[entries.list[i].function]];

        *outside = checked_add(*outside, not_negative(entries.list[i].cum));
    }
}

void flow_compute(const struct graph *graph, struct arena *arena, struct flow *flow)
{
    struct pouring pouring = {.graph = graph, .flow = flow};
    struct arena *scratch = &pouring.scratch;

    *flow = (struct flow){0};
    edges_index(graph, scratch, &pouring.edges);
    edges_times(graph, scratch, &pouring.times);
    components_find(graph, &pouring.edges, scratch, &pouring.components);
    pouring.node_of = arena_array(scratch, pouring.components.count, sizeof(*pouring.node_of));
    pouring.outside = arena_array(scratch, pouring.components.count, sizeof(*pouring.outside));
    number_nodes(&pouring);
    place_links(&pouring, arena);
    pouring.filled = arena_array(scratch, flow->count, sizeof(*pouring.filled));
    flow->self = arena_array(arena, flow->count, sizeof(*flow->self));
    flow->total = arena_array(arena, flow->count, sizeof(*flow->total));
    flow->members = arena_array(arena, flow->count, sizeof(*flow->members));
    find_outside(&pouring);
    pour(&pouring);
    arena_free(scratch);
}
