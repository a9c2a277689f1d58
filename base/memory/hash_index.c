/* SPDX-License-Identifier: Apache-2.0 */
/* Hash tables of ids: by hash and equality, by a 64-bit key, and sets of small numbers. */
#include "base/memory/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* ---- what hashes are keyed with, so that nobody can write a file whose things collide ---- */

/* Different in every process, the same in all of it. Tables keep things in the order of their
 * coming and never show the order of hashes: a key changes no result. */

#ifdef __linux__

static uint64_t hash_key(void)
{
    const void *random = (const void *)getauxval(AT_RANDOM); /* 16 bytes that the kernel gives */
    uint64_t key = 0;

    if (random)
        memcpy(&key, random, sizeof(key));
    return key;
}
#else
static uint64_t hash_key(void)
{
    static const char here; /* loaded at an address by chance */

    return (uintptr_t)&here * 0x9e3779b97f4a7c15u;
}
#endif

/* ---- finds things by their hash: the half that all tables of distinct things share ---- */

enum { INDEX_FIRST_CAP = 256 };

static void place_id(struct index *index, const struct index_place *place, uint32_t id)
{
    index->tags[place->slot] = index_tag(place->hash);
    index->ids[place->slot] = id;
}

/* All ids are put anew, in their order: the hashes are read in one sweep. */
static void index_resize(struct index *index, size_t cap)
{
    if (cap > UINT32_MAX)
        oom(); /* ids have 32 bits */
    free(index->tags);
    free(index->ids);
    index->cap = cap;
    index->key = hash_key();
    index->tags = grow_zeroed(cap, sizeof(*index->tags));
    index->ids = grow_to(NULL, cap, sizeof(*index->ids));
    index->hashes = grow_to(index->hashes, cap / 2, sizeof(*index->hashes));
    for (uint32_t id = 1; id <= index->last; id++) {
        struct index_place place = index_start(index, index->hashes[id]);

        while (index->tags[place.slot])
            place.slot = (place.slot + 1) & (cap - 1);
        place_id(index, &place, id);
    }
}

void index_reserve(struct index *index)
{
    if (index->last + (size_t)1 >= index->cap / 2)
        index_resize(index, index->cap ? index->cap * 2 : INDEX_FIRST_CAP);
}

uint32_t index_add(struct index *index, const struct index_place *place)
{
    uint32_t id = ++index->last;

    place_id(index, place, id);
    index->hashes[id] = place->hash;
    return id;
}

void index_free(struct index *index)
{
    free(index->tags);
    free(index->ids);
    free(index->hashes);
    *index = (struct index){0};
}

/* ---- from a 64-bit key to a 32-bit id ---- */

enum { IDMAP_FIRST_CAP = 64 };

/* Ids come in runs, so the low bits alone would cluster: mix them all (splitmix64's finish). */
static size_t slot_of(const struct idmap *map, uint64_t key)
{
    uint64_t mixed = key ^ map->seed;
    size_t slot;

    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    slot = (size_t)(mixed ^ mixed >> 31) & (map->cap - 1);
    while (map->ids[slot] != IDMAP_NONE && map->keys[slot] != key)
        slot = (slot + 1) & (map->cap - 1);
    return slot;
}

static void idmap_resize(struct idmap *map, size_t cap)
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
        idmap_resize(map, map->cap ? map->cap * 2 : IDMAP_FIRST_CAP);

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

/* ---- a set of small numbers ---- */

void bits_init(struct bits *bits, uint32_t most)
{
    bits->count = most / 64 + 1;
    bits->words = grow_zeroed(bits->count, sizeof(*bits->words));
    bits->before = grow_to(NULL, bits->count, sizeof(*bits->before));
}

uint32_t bits_count(struct bits *bits)
{
    uint32_t count = 0;

    for (uint32_t word = 0; word < bits->count; word++) {
        bits->before[word] = count;
        count += bits_of_word(bits->words[word]);
    }
    return count;
}

void bits_free(struct bits *bits)
{
    free(bits->words);
    free(bits->before);
    *bits = (struct bits){0};
}
