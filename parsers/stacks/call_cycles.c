/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/stacks/call_cycles.h"

/* Tarjan's strongly connected components (SIAM J. Comput. 1, 1972), without recursion. */

#define NONE UINT32_MAX

struct cycle_search {
    const struct call_pair *calls;
    uint32_t *first, *out; /* calls by caller */
    uint32_t *number;      /* by function: when it was found; NONE before */
    uint32_t *low;         /* the earliest that can be reached from it */
    uint32_t *cycle;       /* the answer; NONE while it is open */
    uint32_t *next;        /* by function: its call to be followed next */
    uint32_t *path, *open; /* two stacks of functions */
    uint32_t path_depth, open_count, found, cycles;
};

static void sort_calls(struct cycle_search *search, size_t calls, uint32_t functions,
                       struct arena *arena)
{
    search->first = arena_array(arena, (size_t)functions + 2, sizeof(*search->first));
    search->out = arena_array(arena, calls + 1, sizeof(*search->out));
    for (size_t i = 0; i < calls; i++)
        search->first[search->calls[i].caller + 2]++;
    for (uint32_t i = 2; i < functions + 2; i++)
        search->first[i] += search->first[i - 1];
    for (size_t i = 0; i < calls; i++)
        search->out[search->first[search->calls[i].caller + 1]++] = (uint32_t)i;
}

static void enter(struct cycle_search *search, uint32_t function)
{
    search->number[function] = search->low[function] = search->found++;
    search->next[function] = search->first[function];
    search->path[search->path_depth++] = function;
    search->open[search->open_count++] = function;
}

static void lower(uint32_t *low, uint32_t number)
{
    if (number < *low)
        *low = number;
}

static void search_from(struct cycle_search *search, uint32_t root)
{
    enter(search, root);
    while (search->path_depth) {
        uint32_t function = search->path[search->path_depth - 1];

        if (search->next[function] == search->first[function + 1]) {
            if (search->low[function] == search->number[function]) {
                /* all that was found since, and is still open, is one cycle with it */
                while (search->cycle[function] == NONE)
                    search->cycle[search->open[--search->open_count]] = search->cycles;
                search->cycles++;
            }
            if (--search->path_depth)
                lower(&search->low[search->path[search->path_depth - 1]], search->low[function]);
            continue;
        }
        uint32_t callee = search->calls[search->out[search->next[function]++]].callee;

        if (search->number[callee] == NONE)
            enter(search, callee);
        else if (search->cycle[callee] == NONE)
            lower(&search->low[function], search->number[callee]);
    }
}

uint32_t *call_cycles(const struct call_pair *calls, size_t count, uint32_t functions,
                      struct arena *arena)
{
    struct cycle_search search = {
        .calls = calls,
        .number = arena_array(arena, functions, sizeof(uint32_t)),
        .low = arena_array(arena, functions, sizeof(uint32_t)),
        .cycle = arena_array(arena, functions, sizeof(uint32_t)),
        .next = arena_array(arena, functions, sizeof(uint32_t)),
        .path = arena_array(arena, functions, sizeof(uint32_t)),
        .open = arena_array(arena, functions, sizeof(uint32_t)),
    };

    sort_calls(&search, count, functions, arena);
    for (uint32_t i = 0; i < functions; i++)
        search.number[i] = search.cycle[i] = NONE;
    for (uint32_t i = 0; i < functions; i++)
        if (search.number[i] == NONE)
            search_from(&search, i);
    return search.cycle;
}
