/* SPDX-License-Identifier: Apache-2.0 */
/* vector.h — an array of any type that grows by doubling, and how much is in it
 *
 *     struct marks {
 *         VECTOR(struct mark);               marks->list[i], marks->count
 *     };
 *     struct VECTOR_OF(uint32_t) open;       one among other members: open.list[i], open.count
 *
 * Ready for use when zeroed; its owner frees `list`. Tables of many columns have one count for all of
 * them, and grow each with grow_to(). */
#ifndef PTK_BASE_MEMORY_VECTOR_H
#define PTK_BASE_MEMORY_VECTOR_H

#include "base/memory/grow.h"

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
