/* sort.h — a stable sort of indices, so that ties stay in the order of the file */
#ifndef PTK_BASE_SORT_H
#define PTK_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sorts so that no item comes after one that it is_before. A merge of the runs that are in order
 * already: n log r with r runs, one scan when there is one, and little more when they hardly overlap. */
void sort_stable(uint32_t *items, size_t count,
                 bool (*is_before)(const void *context, uint32_t a, uint32_t b),
                 const void *context);

#endif
