/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAP = 64 };

/* Ids come in runs, so the low bits alone would cluster: mix them all (splitmix64's finish). */
static size_t home_of(const struct idmap *map, uint64_t key)
{
    key ^= map->seed;
    key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9u;
    key = (key ^ key >> 27) * 0x94d049bb133111ebu;
    return (size_t)(key ^ key >> 31) & (map->cap - 1);
}

static size_t slot_of(const struct idmap *map, uint64_t key)
{
    size_t slot = home_of(map, key);

    while (map->ids[slot] != IDMAP_NONE && map->keys[slot] != key)
        slot = (slot + 1) & (map->cap - 1);
    return slot;
}

static void resize(struct idmap *map, size_t cap)
{
    struct idmap old = *map;

    map->cap = cap;
    map->seed = hash_key();
    map->keys = grow_to(NULL, cap, sizeof(*map->keys));
    map->ids = grow_to(NULL, cap, sizeof(*map->ids));
    memset(map->ids, 0xff, cap * sizeof(*map->ids));
    for (size_t i = 0; i < old.cap; i++)
        if (old.ids[i] != IDMAP_NONE) {
            size_t slot = slot_of(map, old.keys[i]);

            map->keys[slot] = old.keys[i];
            map->ids[slot] = old.ids[i];
        }
    free(old.keys);
    free(old.ids);
}

uint32_t *idmap_at(struct idmap *map, uint64_t key)
{
    if (map->count >= map->cap / 2)
        resize(map, map->cap ? map->cap * 2 : FIRST_CAP);

    size_t slot = slot_of(map, key);

    if (map->ids[slot] == IDMAP_NONE) {
        map->keys[slot] = key;
        map->count++;
    }
    return &map->ids[slot];
}

uint32_t idmap_find(const struct idmap *map, uint64_t key)
{
    return map->cap ? map->ids[slot_of(map, key)] : IDMAP_NONE;
}

void idmap_free(struct idmap *map)
{
    free(map->keys);
    free(map->ids);
    *map = (struct idmap){0};
}
