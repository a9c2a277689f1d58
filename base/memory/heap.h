/* SPDX-License-Identifier: Apache-2.0 */
/* heap.h — a priority queue of numbers, the least key on top; of equal keys the least item */
#ifndef PTK_BASE_MEMORY_HEAP_H
#define PTK_BASE_MEMORY_HEAP_H

#include <stdint.h>

#include "base/memory/vector.h"

struct heap_entry {
    int64_t key; /* a time, mostly */
    uint32_t item;
};

/* Ready for use when zeroed; its owner frees `list`. The least entry is list[0]. */
struct heap {
    VECTOR(struct heap_entry);
};

void heap_push(struct heap *heap, int64_t key, uint32_t item);

/* Of one that is not empty. */
void heap_pop(struct heap *heap);

/* As heap_pop() and heap_push(), in one go. */
void heap_replace(struct heap *heap, int64_t key, uint32_t item);

#endif
