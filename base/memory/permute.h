/* SPDX-License-Identifier: Apache-2.0 */
/* permute.h — columns in another order, which is given as a permutation of 0 … count - 1 */
#ifndef PTK_BASE_MEMORY_PERMUTE_H
#define PTK_BASE_MEMORY_PERMUTE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Makes column[i] what column[order[i]] was, for items of `size` bytes. `scratch` has room for the
 * column. Inline, so that the compiler knows the size. */
static inline void permute(void *column, size_t size, const uint32_t *order, size_t count,
                           void *scratch)
{
    const char *from = column;
    char *to = scratch;

    for (size_t i = 0; i < count; i++)
        memcpy(to + i * size, from + order[i] * size, size);
    if (count)
        memcpy(column, scratch, count * size);
}

/* By an item, where it has gone: at[order[i]] = i. The caller's to free. */
uint32_t *permute_places(const uint32_t *order, size_t count);

#endif
