/* SPDX-License-Identifier: Apache-2.0 */
/* hash_index.h — hash tables of indices, and of integer keys */
#ifndef PTK_BASE_MEMORY_HASH_INDEX_H
#define PTK_BASE_MEMORY_HASH_INDEX_H

#include <stddef.h>
#include <stdint.h>

/* ---- finds things by their hash: the half that all tables of distinct things share ---- */

/* The things have ids from 1 on, in the order of their coming, and their owner keeps them. Open
 * addressing at most half full. A slot's first look is at one byte, of which 64 share a cache
 * line: a new thing, which is what big files are full of, seldom needs a second look. */

/* ---- what hashes are keyed with, so that nobody can write a file whose things collide ---- */

/* Tables keep things in the order of their coming and never show the order of hashes: a key
 * changes no result. */

/* Different in every process, the same in all of it. */
uint64_t hash_key(void);

/* ---- finds things by their hash: the half that all tables of distinct things share ---- */

/* Ready for use when zeroed. */
struct index {
    uint8_t *tags;    /* by slot: some bits of the hash; 0 is free */
    uint32_t *ids;    /* by slot */
    uint32_t *hashes; /* by id, for the next growth */
    size_t cap;       /* slots: 0 or a power of two */
    uint64_t key;     /* for the owner's hashes, from the first index_reserve() on: hash_key() */
    uint32_t last;    /* the highest id */
};

/* Where the search for a hash begins, and after each miss goes on. */
struct index_place {
    size_t slot;
    uint32_t hash;
};

static inline struct index_place index_start(const struct index *index, uint32_t hash)
{
    return (struct index_place){hash & (index->cap - 1), hash};
}

/* Starts to fetch what a search for a hash looks at first. */
static inline void hash_index_prefetch(const struct index *index, uint32_t hash)
{
    size_t slot = hash & (index->cap - 1);

    if (!index->cap)
        return;
    __builtin_prefetch(&index->tags[slot]);
    __builtin_prefetch(&index->ids[slot], 1);
}

static inline uint8_t index_tag(uint32_t hash)
{
    return (uint8_t)(hash >> 25 | 0x80);
}

/* The next id that may be the one; 0 when there is none, and then the place is where it belongs.
 * The index must not be empty: see index_reserve(). */
static inline uint32_t index_next(const struct index *index, struct index_place *place)
{
    for (size_t slot = place->slot;; slot = (slot + 1) & (index->cap - 1)) {
        if (index->tags[slot] == 0) {
            place->slot = slot;
            return 0;
        }
        if (index->tags[slot] == index_tag(place->hash)) {
            place->slot = (slot + 1) & (index->cap - 1);
            return index->ids[slot];
        }
    }
}

/* Makes room for one more; before index_start(), since places move, and before the first hash. */
void index_reserve(struct index *index);

/* Adds at the place where index_next() found nothing, and returns the new id. */
uint32_t index_add(struct index *index, const struct index_place *place);

void index_free(struct index *index);

/* ---- from a 64-bit key to a 32-bit id: (parent, frame) → node, (caller, callee) → edge ---- */

#define IDMAP_NONE UINT32_MAX

/* Ready for use when zeroed. Open addressing, at most half full. */
struct idmap {
    uint64_t *keys;
    uint32_t *ids; /* IDMAP_NONE where the slot is free */
    size_t count, cap;
    uint64_t seed; /* see hash_key() */
};

static inline uint64_t idmap_pair(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

/* Where the id of `key` is kept; IDMAP_NONE is there when the key is new, and the caller stores
 * the id at once. Valid until the next call. */
uint32_t *idmap_at(struct idmap *map, uint64_t key);

/* The id, or IDMAP_NONE. */
uint32_t idmap_find(const struct idmap *map, uint64_t key);

void idmap_free(struct idmap *map);

#endif
