/* SPDX-License-Identifier: Apache-2.0 */
/* sparse.h — columns of figures by number, where most numbers have none */
#ifndef PTK_BASE_MEMORY_SPARSE_H
#define PTK_BASE_MEMORY_SPARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory/memory.h"

/* Numbers go by pages of 64, which say of which of them there are figures. Those of a page stand together in
 * all columns, in order: what has figures for every number takes two bits a number more than a plain column. */

struct sparse_page {
    uint64_t has;
    uint32_t first, cap; /* places in the columns */
};

/* No figures at all when zeroed. Its owner frees it: see sparse_free(). */
struct sparse {
    struct sparse_page *pages;
    uint32_t page_count;
    uint32_t column_count;
    int64_t **columns;  /* NULL: nobody wants that one */
    uint32_t used, cap; /* places of each */
};

/* Begins columns, of which there are all without `wanted`. */
void sparse_begin(struct sparse *sparse, uint32_t column_count, const bool *wanted);

static inline bool sparse_has(const struct sparse *sparse, uint32_t number)
{
    return number / 64 < sparse->page_count && sparse->pages[number / 64].has >> number % 64 & 1;
}

/* Where the figures of a number are that has some: below sparse->used. Until others are added. */
static inline uint32_t sparse_place(const struct sparse *sparse, uint32_t number)
{
    const struct sparse_page *page = &sparse->pages[number / 64];

    return page->first + bits_of_word(page->has & ((UINT64_C(1) << number % 64) - 1));
}

/* 0 where there is none. */
static inline int64_t sparse_get(const struct sparse *sparse, uint32_t column, uint32_t number)
{
    return sparse_has(sparse, number) ? sparse->columns[column][sparse_place(sparse, number)] : 0;
}

/* The first number from `first` on, below `end`, that has figures; `end` where there is none. */
static inline uint32_t sparse_next(const struct sparse *sparse, uint32_t first, uint32_t end)
{
    for (; first < end && first / 64 < sparse->page_count; first = (first | 63) + 1) {
        uint64_t left = sparse->pages[first / 64].has >> first % 64;

        if (left)
            return first + (uint32_t)__builtin_ctzll(left) < end
                       ? first + (uint32_t)__builtin_ctzll(left)
                       : end;
    }
    return end;
}

/* The last number from `first` on, up to and with `last`, that has figures; `last` + 1 where there is none. */
static inline uint32_t sparse_last(const struct sparse *sparse, uint32_t first, uint32_t last)
{
    for (uint32_t page = last / 64 + 1; page-- > first / 64;) {
        uint64_t has = page < sparse->page_count ? sparse->pages[page].has : 0;

        if (page == last / 64)
            has &= UINT64_MAX >> (63 - last % 64);
        if (has) {
            uint32_t found = page * 64 + 63 - (uint32_t)__builtin_clzll(has);

            return found >= first ? found : last + 1;
        }
    }
    return last + 1;
}

/* The place of a number's figures, all 0 if there were none; cheapest in ascending order. */
uint32_t sparse_add(struct sparse *sparse, uint32_t number);

void sparse_free(struct sparse *sparse);

#endif
