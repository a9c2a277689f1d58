/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/memory.h"

#include <stdlib.h>

/* ---- what hashes are keyed with, so that nobody can write a file whose things collide ---- */

#ifdef __linux__
#include <string.h>
#include <sys/auxv.h>

uint64_t hash_key(void)
{
    const void *random = (const void *)getauxval(AT_RANDOM); /* 16 bytes that the kernel gives */
    uint64_t key = 0;

    if (random)
        memcpy(&key, random, sizeof(key));
    return key;
}
#else
uint64_t hash_key(void)
{
    static const char here; /* loaded at an address by chance */

    return (uintptr_t)&here * 0x9e3779b97f4a7c15u;
}
#endif

/* ---- finds things by their hash: the half that all tables of distinct things share ---- */

enum { FIRST_CAP = 256 };

static void place_id(struct index *index, const struct index_place *place, uint32_t id)
{
    index->tags[place->slot] = index_tag(place->hash);
    index->ids[place->slot] = id;
}

/* All ids are put anew, in their order: the hashes are read in one sweep. */
static void resize(struct index *index, size_t cap)
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
        resize(index, index->cap ? index->cap * 2 : FIRST_CAP);
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
