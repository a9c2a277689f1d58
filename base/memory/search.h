/* SPDX-License-Identifier: Apache-2.0 */
/* search.h — where something has its place in a sorted list
 *
 * SEARCH(uint32_t, at, count, list[at] <= time) declares `at`: the first of `count` indices for
 * which the condition, which is about `at`, does not hold; `count` where it holds for all. It must
 * hold for all before one that it holds for. A macro, so that a search in a hot loop costs no
 * call. */
#ifndef PTK_BASE_MEMORY_SEARCH_H
#define PTK_BASE_MEMORY_SEARCH_H

#include <stdbool.h>

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

#endif
