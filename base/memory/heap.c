/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/memory.h"

#include <stdbool.h>

static bool is_less(struct heap_entry a, struct heap_entry b)
{
    return a.key != b.key ? a.key < b.key : a.item < b.item;
}

void heap_push(struct heap *heap, int64_t key, uint32_t item)
{
    struct heap_entry entry = {key, item};
    size_t at = heap->count;

    vector_add(heap, entry);
    for (; at > 0 && is_less(entry, heap->list[(at - 1) / 2]); at = (at - 1) / 2)
        heap->list[at] = heap->list[(at - 1) / 2];
    heap->list[at] = entry;
}

void heap_replace(struct heap *heap, int64_t key, uint32_t item)
{
    struct heap_entry entry = {key, item};
    size_t at = 0;

    for (size_t below; (below = 2 * at + 1) < heap->count; at = below) {
        if (below + 1 < heap->count && is_less(heap->list[below + 1], heap->list[below]))
            below++;
        if (!is_less(heap->list[below], entry))
            break;
        heap->list[at] = heap->list[below];
    }
    heap->list[at] = entry;
}

void heap_pop(struct heap *heap)
{
    struct heap_entry last = heap->list[--heap->count];

    if (heap->count)
        heap_replace(heap, last.key, last.item);
}
