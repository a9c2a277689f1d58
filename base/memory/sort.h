/* SPDX-License-Identifier: Apache-2.0 */
/* sort.h — stable sorts of what is mostly in order already */
#ifndef PTK_BASE_MEMORY_SORT_H
#define PTK_BASE_MEMORY_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts indices so that no item comes after one that it is_before; ties stay in the order of the
 * file. A merge of the runs that are in order already: n log r with r runs, one scan when there is
 * one, and little more when they hardly overlap. */
void sort_stable(uint32_t *items, size_t count,
                 bool (*is_before)(const void *context, uint32_t a, uint32_t b),
                 const void *context);

/* The same for things that are wherever the caller has them. `is_before` is asked of two places,
 * and `merge` puts those from `begin` to `end` in order, which those before and those from `middle`
 * on each are. */
struct mergeable {
    bool (*is_before)(const void *context, size_t a, size_t b);
    void (*merge)(void *context, size_t begin, size_t middle, size_t end);
    void *context;
};

void sort_by_merging(const struct mergeable *things, size_t count);

#endif
