/* SPDX-License-Identifier: Apache-2.0 */
/* idmap.h — from a 64-bit key to a 32-bit id: (parent, frame) → node, (caller, callee) → edge */
#ifndef PTK_BASE_MEMORY_IDMAP_H
#define PTK_BASE_MEMORY_IDMAP_H

#include <stddef.h>
#include <stdint.h>

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
