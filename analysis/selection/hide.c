/* hide.c — taking functions out of a call graph
 *
 * A hidden function m goes one at a time. Its self time goes to its callers, which is exact where
 * the file knows each call's self time. A call c → m and a call m → d become one call c → d, with
 * the share of d's figures that m's time under c has of all of m's: an estimate, since a call
 * graph does not know which of m's callers made it call d. */
#include <stdlib.h>

#include "analysis/functions/call_edges.h"
#include "analysis/selection/select_parts.h"
#include "base/checked.h"
#include "base/memory/grow.h"
#include "base/memory/idmap.h"

/* Joining in-calls with out-calls may make many: past this a function is dropped unbridged. */
enum { BRIDGES_MAX = 4000000, BRIDGES_EACH_MAX = 200000 };
#define NO_EDGE UINT32_MAX

/* The calls while they are rearranged: lists of the calls into and out of each function. */
struct hiding {
    struct graph *graph;
    uint32_t *first_in, *first_out; /* by function; NO_EDGE ends a list */
    uint32_t *next_in, *next_out;   /* by call */
    bool *is_gone;                  /* by call */
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
    }
    hiding->is_gone[edge] = false;
    hiding->next_in[edge] = hiding->first_in[c->callee[edge]];
    hiding->first_in[c->callee[edge]] = edge;
    hiding->next_out[edge] = hiding->first_out[c->caller[edge]];
    hiding->first_out[c->caller[edge]] = edge;
    *idmap_at(&hiding->edge_of, idmap_pair(c->caller[edge], c->callee[edge])) = edge;
}

static int64_t known(int64_t figure)
{
    return figure == UNKNOWN ? 0 : figure;
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

static void bridge(struct hiding *hiding, uint32_t in, uint32_t out, int64_t whole)
{
    struct calls *c = &hiding->graph->calls;
    uint32_t caller = c->caller[in], callee = c->callee[out];
    int64_t part = known(c->cum[in]);
    uint32_t edge = idmap_find(&hiding->edge_of, idmap_pair(caller, callee));

    if (edge == IDMAP_NONE || hiding->is_gone[edge]) {
        edge = calls_add(c, caller, callee);
        link_call(hiding, edge);
        hiding->bridges++;
    }
    c->calls[edge] = sum_known(c->calls[edge], share_figure(c->calls[out], part, whole));
    c->primitive_calls[edge] =
        sum_known(c->primitive_calls[edge], share_figure(c->primitive_calls[out], part, whole));
    c->self[edge] = sum_known(c->self[edge], share_figure(c->self[out], part, whole));
    c->cum[edge] = sum_known(c->cum[edge], share_figure(c->cum[out], part, whole));
}

struct ends {
    uint32_t in, out; /* calls that are left, those to itself apart */
    int64_t cum;      /* of the calls in */
};

static struct ends count_ends(const struct hiding *hiding, uint32_t function)
{
    const struct calls *c = &hiding->graph->calls;
    struct ends ends = {0};

    for (uint32_t e = hiding->first_in[function]; e != NO_EDGE; e = hiding->next_in[e])
        if (!hiding->is_gone[e] && c->caller[e] != function) {
            ends.in++;
            ends.cum = checked_add(ends.cum, known(c->cum[e]));
        }
    for (uint32_t e = hiding->first_out[function]; e != NO_EDGE; e = hiding->next_out[e])
        ends.out += !hiding->is_gone[e] && c->callee[e] != function;
    return ends;
}

/* The function's own time, call by call, to who made the call. */
static void give_self(struct hiding *hiding, uint32_t function, const struct ends *ends)
{
    struct functions *f = &hiding->graph->functions;
    struct calls *c = &hiding->graph->calls;

    for (uint32_t e = hiding->first_in[function]; e != NO_EDGE; e = hiding->next_in[e]) {
        uint32_t caller = c->caller[e];
        int64_t given;

        if (hiding->is_gone[e] || caller == function)
            continue;
        given = c->self[e] != UNKNOWN
                    ? c->self[e]
                    : share_figure(f->self[function], known(c->cum[e]), ends->cum);
        f->self[caller] = checked_add(f->self[caller], given);
        /* and, should the caller be hidden in its turn, to who called it */
        for (uint32_t up = hiding->first_in[caller]; up != NO_EDGE; up = hiding->next_in[up])
            if (!hiding->is_gone[up] && c->self[up] != UNKNOWN)
                c->self[up] = checked_add(c->self[up],
                                          share_figure(given, known(c->cum[up]), f->cum[caller]));
    }
}

static void join(struct hiding *hiding, uint32_t function, const struct ends *ends)
{
    const struct calls *c = &hiding->graph->calls;

    for (uint32_t in = hiding->first_in[function]; in != NO_EDGE; in = hiding->next_in[in]) {
        if (hiding->is_gone[in] || c->caller[in] == function)
            continue;
        for (uint32_t out = hiding->first_out[function]; out != NO_EDGE;
             out = hiding->next_out[out])
            if (!hiding->is_gone[out] && c->callee[out] != function)
                bridge(hiding, in, out, ends->cum);
    }
}

static void hide_one(struct hiding *hiding, uint32_t function)
{
    struct ends ends = count_ends(hiding, function);
    uint64_t bridges = (uint64_t)ends.in * ends.out;

    give_self(hiding, function, &ends);
    if (bridges > BRIDGES_EACH_MAX || hiding->bridges + bridges > BRIDGES_MAX)
        hiding->unbridged++;
    else
        join(hiding, function, &ends);
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

    hiding.first_in = arena_array(&arena, count, sizeof(uint32_t));
    hiding.first_out = arena_array(&arena, count, sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++)
        hiding.first_in[i] = hiding.first_out[i] = NO_EDGE;
    for (uint32_t i = 0; i < graph->calls.count; i++)
        link_call(&hiding, i);
    for (uint32_t i = 0; i < count; i++)
        if (hides[i])
            hide_one(&hiding, i);
    close_gaps(&hiding, hides, &arena);
    warning_count_many(&graph->warnings, WARNING_LOSS,
                       "hidden functions with so many callers and callees that the calls through "
                       "them are not shown",
                       hiding.unbridged);
    idmap_free(&hiding.edge_of);
    free(hiding.next_in);
    free(hiding.next_out);
    free(hiding.is_gone);
    arena_free(&arena);
}
