/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind_cycles.c — Tarjan's strongly connected components (SIAM J. Comput. 1, 1972), without
 * recursion */
#include "parsers/callgrind/callgrind_cycles.h"

#define NONE UINT32_MAX

struct search {
    const struct costs *costs;
    uint32_t *first, *out; /* edges by caller */
    uint32_t *number;      /* by function: when it was found; NONE before */
    uint32_t *low;         /* the earliest that can be reached from it */
    uint32_t *cycle;       /* the answer; NONE while it is open */
    uint32_t *next;        /* by function: its edge to be followed next */
    uint32_t *path, *open; /* two stacks of functions */
    uint32_t path_depth, open_count, found, cycles;
};

static void sort_edges(struct search *search, struct arena *arena)
{
    const struct costs *costs = search->costs;
    uint32_t count = costs->function_count;

    search->first = arena_array(arena, (size_t)count + 2, sizeof(*search->first));
    search->out = arena_array(arena, costs->edge_count + 1, sizeof(*search->out));
    for (size_t i = 0; i < costs->edge_count; i++)
        search->first[costs->edges[i].caller + 2]++;
    for (uint32_t i = 2; i < count + 2; i++)
        search->first[i] += search->first[i - 1];
    for (size_t i = 0; i < costs->edge_count; i++)
        search->out[search->first[costs->edges[i].caller + 1]++] = (uint32_t)i;
}

static void enter(struct search *search, uint32_t function)
{
    search->number[function] = search->low[function] = search->found++;
    search->next[function] = search->first[function];
    search->path[search->path_depth++] = function;
    search->open[search->open_count++] = function;
}

/* All that was found since `function` and is still open is one cycle with it. */
static void close_cycle(struct search *search, uint32_t function)
{
    uint32_t member;

    do {
        member = search->open[--search->open_count];
        search->cycle[member] = search->cycles;
    } while (member != function);
    search->cycles++;
}

static void lower(uint32_t *low, uint32_t number)
{
    if (number < *low)
        *low = number;
}

static void leave(struct search *search, uint32_t function)
{
    search->path_depth--;
    if (search->low[function] == search->number[function])
        close_cycle(search, function);
    if (search->path_depth)
        lower(&search->low[search->path[search->path_depth - 1]], search->low[function]);
}

static void search_from(struct search *search, uint32_t root)
{
    enter(search, root);
    while (search->path_depth) {
        uint32_t function = search->path[search->path_depth - 1];

        if (search->next[function] == search->first[function + 1]) {
            leave(search, function);
            continue;
        }
        uint32_t edge = search->out[search->next[function]++];
        uint32_t callee = search->costs->edges[edge].callee;

        if (search->number[callee] == NONE)
            enter(search, callee);
        else if (search->cycle[callee] == NONE)
            lower(&search->low[function], search->number[callee]);
    }
}

uint32_t *cycles_find(const struct costs *costs, struct arena *arena)
{
    uint32_t count = costs->function_count;
    struct search search = {
        .costs = costs,
        .number = arena_array(arena, count, sizeof(uint32_t)),
        .low = arena_array(arena, count, sizeof(uint32_t)),
        .cycle = arena_array(arena, count, sizeof(uint32_t)),
        .next = arena_array(arena, count, sizeof(uint32_t)),
        .path = arena_array(arena, count, sizeof(uint32_t)),
        .open = arena_array(arena, count, sizeof(uint32_t)),
    };

    sort_edges(&search, arena);
    for (uint32_t i = 0; i < count; i++)
        search.number[i] = search.cycle[i] = NONE;
    for (uint32_t i = 0; i < count; i++)
        if (search.number[i] == NONE)
            search_from(&search, i);
    return search.cycle;
}
