/* SPDX-License-Identifier: Apache-2.0 */
/* The edges of each function, how a call's time is estimated, recursion, and what totals do not
 * add up. */
#include "analysis/functions/call_edges.h"
#include "analysis/functions/hotspots.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/derive/derive.h"

/* Counting sort of the edges by one end. */
static void index_end(const uint32_t *end, uint32_t edge_count, uint32_t function_count,
                      struct arena *arena, uint32_t **first, uint32_t **list)
{
    *first = arena_array(arena, (size_t)function_count + 1, sizeof(**first));
    *list = arena_array(arena, edge_count, sizeof(**list));
    for (uint32_t i = 0; i < edge_count; i++)
        (*first)[end[i] + 1]++;
    for (uint32_t i = 0; i < function_count; i++)
        (*first)[i + 1] += (*first)[i];

    uint32_t *next = arena_array(arena, function_count, sizeof(*next));

    for (uint32_t i = 0; i < edge_count; i++)
        (*list)[(*first)[end[i]] + next[end[i]]++] = i;
}

void edges_index(const struct graph *graph, struct arena *arena, struct edges *edges)
{
    const struct calls *c = &graph->calls;
    uint32_t functions = graph->functions.count;

    index_end(c->caller, c->count, functions, arena, &edges->out_first, &edges->out);
    index_end(c->callee, c->count, functions, arena, &edges->in_first, &edges->in);
}

/* The callee's figure times calls of the edge / calls of the callee, at most all of it. */
static int64_t by_calls(const struct graph *graph, uint32_t edge, int64_t figure)
{
    int64_t calls = graph->calls.calls[edge];
    int64_t all = graph->functions.calls[graph->calls.callee[edge]];

    if (calls == UNKNOWN || all == UNKNOWN || calls <= 0 || all <= 0)
        return 0;
    return calls < all ? checked_share(figure, calls, all) : figure;
}

void edges_times(const struct graph *graph, struct arena *arena, struct edge_times *times)
{
    const struct calls *c = &graph->calls;

    times->self = arena_array(arena, c->count, sizeof(*times->self));
    times->cum = arena_array(arena, c->count, sizeof(*times->cum));
    times->self_is_estimate = arena_array(arena, c->count, sizeof(*times->self_is_estimate));
    times->cum_is_estimate = arena_array(arena, c->count, sizeof(*times->cum_is_estimate));
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t callee = c->callee[i];

        times->self_is_estimate[i] = c->self[i] == UNKNOWN;
        times->cum_is_estimate[i] = c->cum[i] == UNKNOWN;
        times->self[i] =
            c->self[i] != UNKNOWN ? c->self[i] : by_calls(graph, i, graph->functions.self[callee]);
        times->cum[i] =
            c->cum[i] != UNKNOWN ? c->cum[i] : by_calls(graph, i, graph->functions.cum[callee]);
    }
}

/* Tarjan's search with its own stacks: the file decides how deep it goes. */
struct component_search {
    const struct graph *graph;
    const struct edges *edges;
    struct components *components;
    uint32_t *reached; /* by function: when it was reached, from 1; 0: not yet */
    uint32_t *lowest;  /* by function: the earliest that is known to be in its component */
    uint32_t *next;    /* by function: the position in edges->out to look at next */
    uint32_t *path;    /* functions that are being looked at, each called by the one before */
    uint32_t *waiting; /* reached, but in no component yet */
    uint32_t path_count, waiting_count, clock;
};

static const uint32_t NO_COMPONENT = UINT32_MAX;

static void enter(struct component_search *search, uint32_t function)
{
    search->reached[function] = search->lowest[function] = ++search->clock;
    search->next[function] = search->edges->out_first[function];
    search->path[search->path_count++] = function;
    search->waiting[search->waiting_count++] = function;
}

static void lower(struct component_search *search, uint32_t function, uint32_t to)
{
    if (to < search->lowest[function])
        search->lowest[function] = to;
}

/* The functions that wait since `function` was reached are its component. */
static void close_component(struct component_search *search, uint32_t function)
{
    struct components *components = search->components;
    uint32_t id = components->count++, at = components->first[id], member;

    do {
        member = search->waiting[--search->waiting_count];
        components->of[member] = id;
        components->member[at++] = member;
    } while (member != function);
    components->first[id + 1] = at;
}

static void leave(struct component_search *search)
{
    uint32_t function = search->path[--search->path_count];

    if (search->lowest[function] == search->reached[function])
        close_component(search, function);
    if (search->path_count)
        lower(search, search->path[search->path_count - 1], search->lowest[function]);
}

static void step(struct component_search *search)
{
    uint32_t function = search->path[search->path_count - 1], callee;

    if (search->next[function] == search->edges->out_first[function + 1]) {
        leave(search);
        return;
    }
    callee = search->graph->calls.callee[search->edges->out[search->next[function]++]];
    if (!search->reached[callee])
        enter(search, callee);
    else if (search->components->of[callee] == NO_COMPONENT)
        lower(search, function, search->reached[callee]);
}

static uint32_t *numbers(struct arena *arena, uint32_t count)
{
    return arena_array(arena, (size_t)count + 1, sizeof(uint32_t));
}

void components_find(const struct graph *graph, const struct edges *edges, struct arena *arena,
                     struct components *components)
{
    uint32_t count = graph->functions.count;
    struct arena scratch = {0};
    struct component_search search = {.graph = graph, .edges = edges, .components = components};

    *components = (struct components){.of = numbers(arena, count),
                                      .first = numbers(arena, count),
                                      .member = numbers(arena, count)};
    search.reached = numbers(&scratch, count);
    search.lowest = numbers(&scratch, count);
    search.next = numbers(&scratch, count);
    search.path = numbers(&scratch, count);
    search.waiting = numbers(&scratch, count);
    for (uint32_t i = 0; i < count; i++)
        components->of[i] = NO_COMPONENT;
    for (uint32_t i = 0; i < count; i++) {
        if (!search.reached[i])
            enter(&search, i);
        while (search.path_count)
            step(&search);
    }
    arena_free(&scratch);
}

/* When every outermost activation came from outside, all of cum did. */
static int64_t entry_cum(const struct functions *f, uint32_t at, const struct edge_totals *t,
                         int64_t calls)
{
    int64_t rest;

    if (!(t->marks[at] & EDGES_IN) || (calls != UNKNOWN && calls >= f->primitive_calls[at]))
        return f->cum[at];
    if (t->marks[at] & EDGES_IN_LACK_CUM)
        return 0;
    rest = checked_sub(f->cum[at], t->in_cum[at]);
    return rest > 0 ? rest : 0;
}

/* Where calls are counted they decide. Sampled graphs have only times to go by. */
static bool is_entered(const struct functions *f, uint32_t at, const struct edge_totals *t,
                       int64_t calls)
{
    if (!(t->marks[at] & EDGES_IN))
        return f->self[at] != 0 || f->cum[at] != 0 || f->calls[at] != 0;
    if (calls != UNKNOWN)
        return calls > 0;
    return !(t->marks[at] & EDGES_IN_LACK_CUM) && f->cum[at] > t->in_cum[at];
}

void entries_find(const struct graph *graph, const struct edge_totals *t, struct arena *arena,
                  struct entries *entries)
{
    const struct functions *f = &graph->functions;

    *entries = (struct entries){.list = arena_array(arena, f->listed, sizeof(*entries->list))};
    for (uint32_t i = 0; i < f->listed; i++) {
        int64_t calls = f->calls[i] == UNKNOWN ? UNKNOWN : checked_sub(f->calls[i], t->in_calls[i]);
        struct entry entry = {.function = i, .calls = calls};

        if (!is_entered(f, i, t, calls))
            continue;
        entry.self =
            t->marks[i] & EDGES_IN_LACK_SELF ? UNKNOWN : checked_sub(f->self[i], t->in_self[i]);
        entry.cum = entry_cum(f, i, t, calls);
        entries->cum = checked_add(entries->cum, entry.cum);
        entries->list[entries->count++] = entry;
    }
}

/* ---- does a call graph add up? ---- */

static const double NOTABLE = 0.002;

static bool is_larger(const void *context, uint32_t a, uint32_t b)
{
    const struct imbalance *list = context;
    int64_t x = list[a].excess, y = list[b].excess;

    return (x < 0 ? -x : x) > (y < 0 ? -y : y);
}

static void find_imbalances(const struct graph *graph, const struct edge_totals *edge_totals,
                            struct arena *arena, struct integrity *integrity)
{
    const struct functions *f = &graph->functions;
    struct imbalance *found = arena_array(arena, f->listed, sizeof(*found));

    for (uint32_t i = 0; i < f->listed; i++) {
        int64_t excess = checked_sub(checked_sub(f->cum[i], f->self[i]), edge_totals->out_cum[i]);
        double share = share_of(excess, integrity->entered);
        bool is_recursive = f->calls[i] == UNKNOWN || f->calls[i] != f->primitive_calls[i];

        if (!is_recursive && (share > NOTABLE || share < -NOTABLE))
            found[integrity->imbalance_count++] = (struct imbalance){i, excess};
    }
    integrity->imbalances = sorted_copy(arena, found, sizeof(*found), integrity->imbalance_count,
                                        integrity->imbalance_count, is_larger);
}

void integrity_check(const struct graph *graph, struct arena *arena, struct integrity *integrity)
{
    struct edge_totals made = {0};
    const struct edge_totals *edge_totals = graph_edge_totals(graph, &made);
    bool counts_calls = false;

    /* Only who follows each call can mistake one function for another; samples say whose they are. */
    for (uint32_t i = 0; i < graph->functions.listed && !counts_calls; i++)
        counts_calls = graph->functions.calls[i] != UNKNOWN;
    *integrity =
        (struct integrity){.can_tell = counts_calls && edge_totals->calls &&
                                       !edge_totals->lacks_times && !edge_totals->is_partial};
    entries_find(graph, edge_totals, arena, &integrity->entries);
    integrity->entered = integrity->entries.cum;
    integrity->recorded = graph_total(graph);
    for (uint32_t i = 0; i < integrity->entries.count; i++)
        integrity->runs += share_of(integrity->entries.list[i].cum, integrity->entered) >= INTEGRITY_LOSS;
    integrity->lacks_builtins = graph_fact_text(graph, FACT_BUILTINS) != NULL;
    if (integrity->can_tell) {
        if (integrity->entered > integrity->recorded)
            integrity->lost = integrity->entered - integrity->recorded;
        integrity->lost_share = share_of(integrity->lost, integrity->entered);
        find_imbalances(graph, edge_totals, arena, integrity);
    }
    edge_totals_free(&made);
}

void integrity_warn(struct graph *graph)
{
    struct arena arena = {0};
    struct integrity integrity;
    char lost[FORMAT_LEN], entered[FORMAT_LEN], share[FORMAT_LEN];

    if (graph->native != LEVEL_CALLGRAPH)
        return;
    integrity_check(graph, &arena, &integrity);
    if (integrity.lost_share > INTEGRITY_LOSS)
        warning_say(&graph->source.warnings, integrity.lacks_builtins ? WARNING_NOTE : WARNING_LOSS,
                    "%s of %s (%s) is in no function's own time: %s",
                    format_value(lost, integrity.lost, graph_unit(graph)),
                    format_value(entered, integrity.entered, graph_unit(graph)),
                    format_share(share, integrity.lost_share),
                    integrity.lacks_builtins
                        ? "it passed in built-in functions, which the profiler was not set to "
                          "record"
                        : "functions that share a file, line and name overwrote each other; 'ptk "
                          "info' names their callers");
    arena_free(&arena);
}
