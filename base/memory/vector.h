/* SPDX-License-Identifier: Apache-2.0 */
/* vector.h — arrays that grow */
#ifndef PTK_BASE_MEMORY_VECTOR_H
#define PTK_BASE_MEMORY_VECTOR_H

#include <stddef.h>

/* ---- plain arrays that grow by doubling: the columns of every big table ---- */

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

/* ---- an array of any type that grows by doubling, and how much is in it ---- */

/*     struct marks {
 *         VECTOR(struct mark);               marks->list[i], marks->count
 *     };
 *     struct VECTOR_OF(uint32_t) open;       one among other members: open.list[i], open.count
 *
 * Ready for use when zeroed; its owner frees `list`. Tables of many columns have one count for all of
 * them, and grow each with grow_to(). */

#define VECTOR_OF(type)                                                                            \
    {                                                                                              \
        type *list;                                                                                \
        size_t count, cap;                                                                         \
    }

/* The same as an anonymous member. */
#define VECTOR(type) struct VECTOR_OF(type)

/* Makes room for one more item, list[count]. `vector` is evaluated several times. */
#define vector_reserve(vector)                                                                     \
    ((vector)->list =                                                                              \
         grow_one((vector)->list, (vector)->count, &(vector)->cap, sizeof(*(vector)->list)))

/* Appends one item, the arguments after the first: a compound literal may have commas. */
#define vector_add(vector, ...)                                                                    \
    (vector_reserve(vector), (vector)->list[(vector)->count++] = (__VA_ARGS__))

#endif
