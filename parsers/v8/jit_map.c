/* SPDX-License-Identifier: Apache-2.0 */
/* jit_map.c — compiled code by address, in blocks that are in order, so that code can move and end */
#include "parsers/v8/jit_map.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 };

struct jit_place {
    size_t block, at;
};

/* The last code that begins below or at an address; false where none does. */
static bool find_below(const struct jit_map *map, uint64_t address, struct jit_place *place)
{
    size_t low = 0, high = map->blocks.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (map->blocks.list[middle].list[0].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;

    const struct jit_block *block = &map->blocks.list[low - 1];

    place->block = low - 1;
    for (low = 1, high = block->count; low < high;) {
        size_t middle = low + (high - low) / 2;

        if (block->list[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    place->at = low - 1;
    return true;
}

static struct jit_code *found_code(const struct jit_map *map, struct jit_place place)
{
    return &map->blocks.list[place.block].list[place.at];
}

static void remove_code(struct jit_map *map, struct jit_place place)
{
    struct jit_block *block = &map->blocks.list[place.block];

    block->count--;
    memmove(&block->list[place.at], &block->list[place.at + 1],
            (block->count - place.at) * sizeof(*block->list));
    if (block->count)
        return;
    free(block->list);
    map->blocks.count--;
    memmove(block, block + 1, (map->blocks.count - place.block) * sizeof(*block));
}

/* A full block becomes two. */
static void split_block(struct jit_map *map, size_t at)
{
    struct jit_block half = {.list = grow_zeroed(BLOCK, sizeof(*half.list)), .count = BLOCK / 2};
    struct jit_block *block;

    vector_add(&map->blocks, half);
    block = &map->blocks.list[at];
    memmove(block + 2, block + 1, (map->blocks.count - at - 2) * sizeof(*block));
    block[1] = half;
    memcpy(half.list, block->list + BLOCK / 2, BLOCK / 2 * sizeof(*half.list));
    block->count = BLOCK / 2;
}

/* Where code that begins at an address goes, when nothing lies there. */
static struct jit_place place_for(const struct jit_map *map, uint64_t address)
{
    struct jit_place place;

    if (!find_below(map, address, &place))
        return (struct jit_place){0};
    place.at++;
    return place;
}

void jit_map_add(struct jit_map *map, struct jit_code code)
{
    struct jit_block *block;
    struct jit_place place;

    if (code.start >= code.end)
        return;
    while (find_below(map, code.end - 1, &place) && found_code(map, place)->end > code.start)
        remove_code(map, place);
    if (!map->blocks.count) {
        struct jit_block first = {grow_zeroed(BLOCK, sizeof(*first.list)), 1};

        first.list[0] = code;
        vector_add(&map->blocks, first);
        return;
    }
    place = place_for(map, code.start);
    if (map->blocks.list[place.block].count == BLOCK) {
        split_block(map, place.block);
        place = place_for(map, code.start);
    }
    block = &map->blocks.list[place.block];
    memmove(&block->list[place.at + 1], &block->list[place.at],
            (block->count - place.at) * sizeof(*block->list));
    block->list[place.at] = code;
    block->count++;
}

struct jit_code *jit_map_find(const struct jit_map *map, uint64_t address)
{
    struct jit_place place;

    return find_below(map, address, &place) && address < found_code(map, place)->end
               ? found_code(map, place)
               : NULL;
}

bool jit_map_take(struct jit_map *map, uint64_t start, struct jit_code *taken)
{
    struct jit_place place;

    if (!find_below(map, start, &place) || found_code(map, place)->start != start)
        return false;
    *taken = *found_code(map, place);
    remove_code(map, place);
    return true;
}

void jit_map_free(struct jit_map *map)
{
    for (size_t i = 0; i < map->blocks.count; i++)
        free(map->blocks.list[i].list);
    free(map->blocks.list);
}
