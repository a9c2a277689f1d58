/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/sparse.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_SIZE = 64, FIRST_PAGES = 4 };

void sparse_begin(struct sparse *sparse, uint32_t column_count, const bool *wanted)
{
    *sparse = (struct sparse){.column_count = column_count};
    sparse->columns = grow_zeroed(column_count, sizeof(*sparse->columns));
    for (uint32_t c = 0; c < column_count; c++)
        if (!wanted || wanted[c])
            sparse->columns[c] = grow_to(NULL, 1, sizeof(*sparse->columns[c]));
}

static void make_pages(struct sparse *sparse, uint32_t need)
{
    uint32_t count = sparse->page_count * 2 > need ? sparse->page_count * 2 : need;

    count = count < FIRST_PAGES ? FIRST_PAGES : count;
    sparse->pages = grow_to(sparse->pages, count, sizeof(*sparse->pages));
    memset(sparse->pages + sparse->page_count, 0,
           (count - sparse->page_count) * sizeof(*sparse->pages));
    sparse->page_count = count;
}

/* Room for so many places more behind all others. */
static void make_room(struct sparse *sparse, uint32_t more)
{
    if (more <= sparse->cap - sparse->used)
        return;
    if (sparse->used > UINT32_MAX / 2)
        oom(); /* places have 32 bits */
    sparse->cap = sparse->used + more + sparse->used;
    for (uint32_t c = 0; c < sparse->column_count; c++)
        if (sparse->columns[c])
            sparse->columns[c] =
                grow_to(sparse->columns[c], sparse->cap, sizeof(*sparse->columns[c]));
}

/* A page grows where it is while it is the last; else it moves behind all others, and doubles. */
static void grow_page(struct sparse *sparse, struct sparse_page *page)
{
    uint32_t cap = page->cap ? page->cap * 2 : 1;

    if (page->first + page->cap == sparse->used && page->cap) {
        make_room(sparse, 1);
        sparse->used++;
        page->cap++;
        return;
    }
    make_room(sparse, cap < PAGE_SIZE ? cap : PAGE_SIZE);
    for (uint32_t c = 0; page->cap && c < sparse->column_count; c++)
        if (sparse->columns[c])
            memcpy(sparse->columns[c] + sparse->used, sparse->columns[c] + page->first,
                   page->cap * sizeof(*sparse->columns[c]));
    page->first = sparse->used;
    page->cap = cap < PAGE_SIZE ? cap : PAGE_SIZE;
    sparse->used += page->cap;
}

uint32_t sparse_add(struct sparse *sparse, uint32_t number)
{
    struct sparse_page *page;
    uint32_t count, place;

    if (sparse_has(sparse, number))
        return sparse_place(sparse, number);
    if (number / PAGE_SIZE >= sparse->page_count)
        make_pages(sparse, number / PAGE_SIZE + 1);
    page = &sparse->pages[number / PAGE_SIZE];
    count = bits_of_word(page->has);
    if (count == page->cap)
        grow_page(sparse, page);
    place = sparse_place(sparse, number);
    for (uint32_t c = 0; c < sparse->column_count; c++)
        if (sparse->columns[c]) {
            int64_t *at = sparse->columns[c] + place;

            memmove(at + 1, at, (page->first + count - place) * sizeof(*at));
            *at = 0;
        }
    page->has |= UINT64_C(1) << number % PAGE_SIZE;
    return place;
}

void sparse_free(struct sparse *sparse)
{
    for (uint32_t c = 0; c < sparse->column_count; c++)
        free(sparse->columns[c]);
    free(sparse->columns);
    free(sparse->pages);
    *sparse = (struct sparse){0};
}
