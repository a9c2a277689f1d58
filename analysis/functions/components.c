/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/functions/components.h"

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
