/* SPDX-License-Identifier: Apache-2.0 */
/* grow.h — plain arrays that grow by doubling: the columns of every big table */
#ifndef PTK_BASE_MEMORY_GROW_H
#define PTK_BASE_MEMORY_GROW_H

#include <stddef.h>

/* ---- the one place where the library may end the process ---- */

/* Says so on stderr and exits with status 5. */
_Noreturn void oom(void);

/* ---- plain arrays that grow by doubling: the columns of every big table ---- */

/* The capacity to use for `need` items when there is room for `cap`: at least double. */
size_t grow_cap(size_t cap, size_t need);

/* Resizes a malloc'ed column to `cap` items of `size` bytes. Never returns NULL (see oom()). */
void *grow_to(void *column, size_t cap, size_t size);

/* Makes room for one more item after `count` in a column that stands alone; updates `*cap`. */
static inline void *grow_one(void *column, size_t count, size_t *cap, size_t size)
{
    if (count < *cap)
        return column;
    *cap = grow_cap(*cap, count + 1);
    return grow_to(column, *cap, size);
}

/* Zeroed memory that the caller frees. Never returns NULL. */
void *grow_zeroed(size_t count, size_t size);

#endif
