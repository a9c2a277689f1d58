/* SPDX-License-Identifier: Apache-2.0 */
/* Stable sorts of what is mostly in order, the first of many, columns put into another order, and
 * numbers. */
#include "base/memory/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns in another order, which is given as a permutation of 0 … count - 1 ---- */

uint32_t *permute_places(const uint32_t *order, size_t count)
{
    uint32_t *at = grow_zeroed(count + 1, sizeof(*at));

    for (size_t i = 0; i < count; i++)
        at[order[i]] = (uint32_t)i;
    return at;
}

/* ---- numbers ---- */

enum { FEW_NUMBERS = 48, DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

static void insert_numbers(int64_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        int64_t number = numbers[i];
        size_t at = i;

        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

/* Negative numbers come first. */
static unsigned digit_at(int64_t number, unsigned shift)
{
    return (((uint64_t)number ^ (uint64_t)1 << 63) >> shift) & (DIGITS - 1);
}

/* By one digit; false where all have the same. */
static bool spread_numbers(const int64_t *from, size_t count, unsigned shift, int64_t *to)
{
    size_t at[DIGITS + 1] = {0};

    for (size_t i = 0; i < count; i++)
        at[digit_at(from[i], shift) + 1]++;
    if (at[digit_at(from[0], shift) + 1] == count)
        return false;
    for (unsigned digit = 0; digit < DIGITS; digit++)
        at[digit + 1] += at[digit];
    for (size_t i = 0; i < count; i++)
        to[at[digit_at(from[i], shift)]++] = from[i];
    return true;
}

void sort_numbers(int64_t *numbers, size_t count)
{
    int64_t *from = numbers, *to, *aside;

    if (count <= FEW_NUMBERS) {
        insert_numbers(numbers, count);
        return;
    }
    to = aside = grow_to(NULL, count, sizeof(*aside));
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS)
        if (spread_numbers(from, count, shift, to)) {
            int64_t *was = from;

            from = to;
            to = was;
        }
    if (from != numbers)
        memcpy(numbers, from, count * sizeof(*numbers));
    free(aside);
}

/* ---- stable sorts of what is mostly in order already ---- */

/* The ends of runs that are in order: files are mostly a few of them, one after another. */
struct sorted_runs {
    VECTOR(size_t);
};

/* Merges each run with the next: half as many are left. */
static void merge_pairs(const struct mergeable *things, struct sorted_runs *runs)
{
    size_t begin = 0, left = 0;

    for (size_t i = 0; i < runs->count; i += 2) {
        size_t middle = runs->list[i], end = i + 1 < runs->count ? runs->list[i + 1] : middle;

        if (middle < end && things->is_before(things->context, middle, middle - 1))
            things->merge(things->context, begin, middle, end);
        runs->list[left++] = end;
        begin = end;
    }
    runs->count = left;
}

void sort_by_merging(const struct mergeable *things, size_t count)
{
    struct sorted_runs runs = {0};

    for (size_t i = 1; i <= count; i++)
        if (i == count || things->is_before(things->context, i, i - 1))
            vector_add(&runs, i);
    while (runs.count > 1)
        merge_pairs(things, &runs);
    free(runs.list);
}

/* ---- indices ---- */

struct indices {
    uint32_t *items;
    bool (*is_before)(const void *context, uint32_t a, uint32_t b);
    const void *context;
    uint32_t *aside; /* the shorter side of a merge */
    size_t aside_cap;
};

static inline bool comes_before(const struct indices *indices, uint32_t a, uint32_t b)
{
    return indices->is_before(indices->context, a, b);
}

static bool is_place_before(const void *context, size_t a, size_t b)
{
    const struct indices *indices = context;

    return comes_before(indices, indices->items[a], indices->items[b]);
}

static uint32_t *set_aside(struct indices *indices, const uint32_t *items, size_t count)
{
    if (count > indices->aside_cap) {
        free(indices->aside);
        indices->aside_cap = count;
        indices->aside = grow_to(NULL, count, sizeof(*indices->aside));
    }
    memcpy(indices->aside, items, count * sizeof(*items));
    return indices->aside;
}

static void merge_forward(struct indices *indices, uint32_t *to, size_t lefts, size_t rights)
{
    const uint32_t *left = set_aside(indices, to, lefts), *left_end = left + lefts;
    const uint32_t *right = to + lefts, *right_end = right + rights;

    while (left < left_end && right < right_end)
        *to++ = comes_before(indices, *right, *left) ? *right++ : *left++;
    while (left < left_end)
        *to++ = *left++;
}

static void merge_backward(struct indices *indices, uint32_t *items, size_t lefts, size_t rights)
{
    const uint32_t *right = set_aside(indices, items + lefts, rights);
    uint32_t *to = items + lefts + rights;

    while (lefts && rights)
        *--to = comes_before(indices, right[rights - 1], items[lefts - 1]) ? items[--lefts]
                                                                           : right[--rights];
    memcpy(items, right, rights * sizeof(*items));
}

/* What is in its place at the ends is left alone: of most pairs in files that is nearly all. */
static void merge(void *context, size_t begin, size_t middle, size_t end)
{
    struct indices *indices = context;
    uint32_t *left = indices->items + begin, *right = indices->items + middle;

    SEARCH(size_t, settled, middle - begin, !comes_before(indices, right[0], left[settled]));
    SEARCH(size_t, rights, end - middle, comes_before(indices, right[rights], right[-1]));
    if (middle - begin - settled < rights)
        merge_forward(indices, left + settled, middle - begin - settled, rights);
    else
        merge_backward(indices, left + settled, middle - begin - settled, rights);
}

void sort_stable(uint32_t *items, size_t count,
                 bool (*is_before)(const void *context, uint32_t a, uint32_t b),
                 const void *context)
{
    struct indices indices = {.items = items, .is_before = is_before, .context = context};
    struct mergeable things = {is_place_before, merge, &indices};

    sort_by_merging(&things, count);
    free(indices.aside);
}

uint32_t *sorted_order(size_t count, bool (*is_before)(const void *context, uint32_t a, uint32_t b),
                       const void *context)
{
    return sorted_first(count, count, is_before, context);
}

/* As many again are gathered before they are sorted, and all but the first of them dropped. */
uint32_t *sorted_first(size_t count, size_t kept,
                       bool (*is_before)(const void *context, uint32_t a, uint32_t b),
                       const void *context)
{
    size_t room = kept < count / 2 ? 2 * kept : count, have = 0;
    uint32_t *order = grow_to(NULL, room + 1, sizeof(*order));
    bool has_dropped = false;

    for (size_t i = 0; kept && i < count; i++) {
        if (has_dropped && !is_before(context, (uint32_t)i, order[kept - 1]))
            continue;
        order[have++] = (uint32_t)i;
        if (have < room || room == count)
            continue;
        sort_stable(order, have, is_before, context);
        have = kept;
        has_dropped = true;
    }
    sort_stable(order, have, is_before, context);
    return order;
}

void *sorted_copy(struct arena *arena, const void *list, size_t size, size_t count, size_t kept,
                  bool (*is_before)(const void *list, uint32_t a, uint32_t b))
{
    uint32_t *order = sorted_first(count, kept, is_before, list);
    char *sorted = arena_array(arena, kept, size);

    for (size_t i = 0; i < kept; i++)
        memcpy(sorted + i * size, (const char *)list + order[i] * size, size);
    free(order);
    return sorted;
}

static bool is_less(struct heap_entry a, struct heap_entry b)
{
    return a.key != b.key ? a.key < b.key : a.item < b.item;
}

void heap_push(struct heap *heap, int64_t key, uint32_t item)
{
    struct heap_entry entry = {key, item};
    size_t at = heap->count;

    vector_add(heap, entry);
    for (; at > 0 && is_less(entry, heap->list[(at - 1) / 2]); at = (at - 1) / 2)
        heap->list[at] = heap->list[(at - 1) / 2];
    heap->list[at] = entry;
}

void heap_replace(struct heap *heap, int64_t key, uint32_t item)
{
    struct heap_entry entry = {key, item};
    size_t at = 0;

    for (size_t below; (below = 2 * at + 1) < heap->count; at = below) {
        if (below + 1 < heap->count && is_less(heap->list[below + 1], heap->list[below]))
            below++;
        if (!is_less(heap->list[below], entry))
            break;
        heap->list[at] = heap->list[below];
    }
    heap->list[at] = entry;
}

void heap_pop(struct heap *heap)
{
    struct heap_entry last = heap->list[--heap->count];

    if (heap->count)
        heap_replace(heap, last.key, last.item);
}
