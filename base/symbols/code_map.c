/* SPDX-License-Identifier: Apache-2.0 */
#include "base/symbols/symbols.h"

#include <stdlib.h>

#include "base/memory/memory.h"

void code_map_add(struct code_map *map, uint64_t low, uint64_t high, uint64_t item, uint32_t depth)
{
    if (low >= high || map->count == CODE_NONE)
        return;
    vector_add(map, (struct code_range){low, high, item, depth, CODE_NONE});
}

/* Outer ranges come before those inside. */
static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct code_range *list = context, *x = &list[a], *y = &list[b];

    if (x->low != y->low)
        return x->low < y->low;
    if (x->high != y->high)
        return x->high > y->high;
    return x->depth < y->depth;
}

void code_map_seal(struct code_map *map)
{
    struct code_range *sorted = grow_to(NULL, (size_t)map->count + 1, sizeof(*sorted));
    uint32_t *order = grow_to(NULL, (size_t)map->count + 1, sizeof(*order));

    for (uint32_t i = 0; i < map->count; i++)
        order[i] = i;
    sort_stable(order, map->count, is_before, map->list);
    for (uint32_t i = 0; i < map->count; i++) {
        uint32_t outer = i ? i - 1 : CODE_NONE;

        sorted[i] = map->list[order[i]];
        while (outer != CODE_NONE && sorted[outer].high <= sorted[i].low)
            outer = sorted[outer].outer;
        sorted[i].outer = outer;
    }
    free(order);
    free(map->list);
    map->list = sorted;
}

uint32_t code_map_find(const struct code_map *map, uint64_t address)
{
    SEARCH(uint32_t, past, map->count, map->list[past].low <= address);
    uint32_t at = past ? past - 1 : CODE_NONE;

    while (at != CODE_NONE && map->list[at].high <= address)
        at = map->list[at].outer;
    return at;
}

void code_map_free(struct code_map *map)
{
    free(map->list);
    *map = (struct code_map){0};
}
