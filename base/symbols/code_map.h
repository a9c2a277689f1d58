/* SPDX-License-Identifier: Apache-2.0 */
/* code_map.h — which ranges of addresses an address is in, where ranges lie inside others */
#ifndef PTK_BASE_SYMBOLS_CODE_MAP_H
#define PTK_BASE_SYMBOLS_CODE_MAP_H

#include <stddef.h>
#include <stdint.h>

#define CODE_NONE UINT32_MAX

struct code_range {
    uint64_t low, high; /* high is the first address behind it */
    uint64_t item;      /* the owner's */
    uint32_t depth;     /* of two equal ranges the deeper one is inside */
    uint32_t outer;     /* the range around it, or CODE_NONE */
};

/* Ready for use when zeroed. */
struct code_map {
    struct code_range *list;
    uint32_t count;
    size_t cap;
};

/* Adds a range; an empty one is none. */
void code_map_add(struct code_map *map, uint64_t low, uint64_t high, uint64_t item, uint32_t depth);

/* Once, between the last range and the first search. */
void code_map_seal(struct code_map *map);

/* The innermost range at an address, or CODE_NONE; list[].outer goes on from there. Of ranges that
 * cross, which none should, one may be missed. */
uint32_t code_map_find(const struct code_map *map, uint64_t address);

void code_map_free(struct code_map *map);

#endif
