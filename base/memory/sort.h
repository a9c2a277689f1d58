/* SPDX-License-Identifier: Apache-2.0 */
/* sort.h — stable sorts of what is mostly in order already */
#ifndef PTK_BASE_MEMORY_SORT_H
#define PTK_BASE_MEMORY_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- where something has its place in a sorted list ---- */

/* SEARCH(uint32_t, at, count, list[at] <= time) declares `at`: the first of `count` indices for
 * which the condition, which is about `at`, does not hold; `count` where it holds for all. It must
 * hold for all before one that it holds for. A macro, so that a search in a hot loop costs no
 * call. */

#define SEARCH(type, at, count, comes_before)                                                      \
    type at = 0;                                                                                   \
    for (type at##_low = 0, at##_high = (count); at##_low < at##_high;) {                          \
        at = at##_low + (at##_high - at##_low) / 2;                                                \
        if (comes_before)                                                                          \
            at##_low = ++at;                                                                       \
        else                                                                                       \
            at##_high = at;                                                                        \
    }

/* The same where the place is likely to be about `near`: the nearer it is, the fewer looks it
 * takes. */
#define SEARCH_NEAR(type, at, near, count, comes_before)                                           \
    type at = (near) < (count) ? (near) : (count);                                                 \
    for (type at##_low = 0, at##_high = (count), at##_step = 1; at##_low < at##_high;              \
         at##_step *= 2) {                                                                         \
        bool at##_is_up;                                                                           \
                                                                                                   \
        at -= at == at##_high;                                                                     \
        at##_is_up = (comes_before);                                                               \
        at##_low = at##_is_up ? at + 1 : at##_low;                                                 \
        at##_high = at##_is_up ? at##_high : at;                                                   \
        if (at##_high - at##_low <= at##_step)                                                     \
            at = at##_low + (at##_high - at##_low) / 2;                                            \
        else                                                                                       \
            at = at##_is_up ? at##_low + at##_step : at##_high - at##_step;                        \
    }

/* ---- columns in another order, which is given as a permutation of 0 … count - 1 ---- */

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

/* ---- stable sorts of what is mostly in order already ---- */

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
