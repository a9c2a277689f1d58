/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "base/memory/memory.h"
#include "base/memory/sparse.h"

Test(memory, ids_are_found_again)
{
    struct idmap map = {0};

    for (uint32_t i = 0; i < 10000; i++)
        *idmap_at(&map, idmap_pair(i / 7, i % 7)) = i;
    for (uint32_t i = 0; i < 10000; i++)
        cr_assert_eq(idmap_find(&map, idmap_pair(i / 7, i % 7)), i);
    cr_expect_eq(idmap_find(&map, 1234567890123), IDMAP_NONE);
    idmap_free(&map);
}

struct numbers {
    VECTOR(uint32_t);
};

/* Adds all below `number` before it returns it. */
static uint32_t add_below(struct numbers *numbers, uint32_t number)
{
    if (number > 0)
        vector_add(numbers, add_below(numbers, number - 1));
    return number;
}

Test(memory, what_makes_an_item_may_grow_its_vector)
{
    struct numbers numbers = {0};

    add_below(&numbers, 1000);
    cr_assert_eq(numbers.count, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        cr_assert_eq(numbers.list[i], i);
    free(numbers.list);
}

static bool is_less(const void *context, uint32_t a, uint32_t b)
{
    const int *values = context;

    return values[a] < values[b];
}

/* Of as many as are sorted by insertion, and of more; with the ends of the range. */
Test(memory, numbers_are_sorted_whatever_their_count_and_sign)
{
    static const size_t counts[] = {0, 1, 2, 47, 48, 49, 1000};
    int64_t numbers[1000];

    for (size_t k = 0; k < COUNT_OF(counts); k++) {
        uint64_t sum = 0, sorted_sum = 0;

        for (size_t i = 0; i < counts[k]; i++) {
            numbers[i] = (int64_t)((i + 1) * 0x9e3779b97f4a7c15u >> (i % 3) * 24);
            if (i % 11 == 5)
                numbers[i] = i % 2 ? INT64_MIN : INT64_MAX;
            sum += (uint64_t)numbers[i] * (uint64_t)numbers[i];
        }
        sort_numbers(numbers, counts[k]);
        for (size_t i = 0; i < counts[k]; i++) {
            sorted_sum += (uint64_t)numbers[i] * (uint64_t)numbers[i];
            cr_assert(i == 0 || numbers[i - 1] <= numbers[i], "%zu numbers, at %zu", counts[k], i);
        }
        cr_expect_eq(sum, sorted_sum, "%zu numbers stay what they were", counts[k]);
    }
}

Test(memory, sorting_is_stable)
{
    int values[1000];
    uint32_t order[1000];

    for (uint32_t i = 0; i < 1000; i++) {
        values[i] = (int)(i * 7919 % 10);
        order[i] = i;
    }
    sort_stable(order, 1000, is_less, values);
    for (uint32_t i = 1; i < 1000; i++) {
        cr_assert_leq(values[order[i - 1]], values[order[i]]);
        cr_assert(values[order[i - 1]] < values[order[i]] || order[i - 1] < order[i]);
    }
}

/* Those kept are those that come first when all are sorted, and so are their ties. */
Test(memory, the_first_of_many_are_those_of_all)
{
    static const size_t kept[] = {0, 1, 3, 499, 500, 999, 1000};
    int values[1000];

    for (uint32_t i = 0; i < 1000; i++)
        values[i] = (int)(i * 7919 % 101);
    for (size_t k = 0; k < COUNT_OF(kept); k++) {
        uint32_t *all = sorted_order(1000, is_less, values);
        uint32_t *first = sorted_first(1000, kept[k], is_less, values);

        cr_expect_arr_eq(first, all, kept[k] * sizeof(*all), "the first %zu", kept[k]);
        free(all);
        free(first);
    }
}

/* Long runs of which only the ends overlap, on either side, and equal items at the seams. */
Test(memory, sorting_merges_runs_that_hardly_overlap)
{
    int values[1000];
    uint32_t order[1000];

    for (int late = -3; late <= 3; late++) {
        for (uint32_t i = 0; i < 1000; i++) {
            values[i] = (int)i / 2;
            order[i] = i;
        }
        for (int i = 100; i < 1000; i += 100) /* one before its run, or several after theirs */
            for (int k = 0; k < abs(late); k++)
                values[i + k] = late < 0 ? i / 2 - 40 : i / 2 + 40;
        sort_stable(order, 1000, is_less, values);
        for (uint32_t i = 1; i < 1000; i++) {
            cr_assert_leq(values[order[i - 1]], values[order[i]]);
            cr_assert(values[order[i - 1]] < values[order[i]] || order[i - 1] < order[i]);
        }
    }
}

Test(memory, searching_finds_the_first_place)
{
    static const int list[] = {1, 3, 3, 5};
    static const struct {
        uint32_t count;
        int wanted;
        uint32_t at;
    } cases[] = {{0, 3, 0}, {4, 0, 0}, {4, 1, 0}, {4, 2, 1}, {4, 3, 1}, {4, 4, 3}, {4, 6, 4}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        SEARCH(uint32_t, at, cases[i].count, list[at] < cases[i].wanted);
        cr_expect_eq(at, cases[i].at, "%d of %u", cases[i].wanted, cases[i].count);
    }
}

/* From wherever it begins, and in fewer looks the nearer that is. */
Test(memory, searching_finds_the_first_place_from_anywhere)
{
    for (uint32_t count = 0; count < 40; count++)
        for (uint32_t wanted = 0; wanted <= count; wanted++)
            for (uint32_t near = 0; near < count + 3; near++) {
                uint32_t looks = 0;

                SEARCH_NEAR(uint32_t, at, near, count, (looks++, at < wanted));
                cr_expect_eq(at, wanted, "%u of %u from %u", wanted, count, near);
                cr_expect_leq(looks, 14);
                cr_expect(near != wanted || looks <= 2, "%u of %u", wanted, count);
            }
}

/* Undoes value ^= value >> shift. */
static uint64_t unshifted(uint64_t value, int shift)
{
    uint64_t out = value;

    for (int done = shift; done < 64; done += shift)
        out = value ^ out >> shift;
    return out;
}

/* The inverse of an odd number modulo 2^64, by Newton's rule. */
static uint64_t inverse_of(uint64_t odd)
{
    uint64_t inverse = odd;

    for (int i = 0; i < 6; i++)
        inverse *= 2 - odd * inverse;
    return inverse;
}

/* Keys that splitmix64 alone sends to the same place, of any table of up to 2^32 places. */
static uint64_t colliding(uint32_t number)
{
    uint64_t key = unshifted((uint64_t)(number + 1) << 32, 31);

    key = unshifted(key * inverse_of(0x94d049bb133111ebu), 27);
    return unshifted(key * inverse_of(0xbf58476d1ce4e5b9u), 30);
}

Test(memory, keys_chosen_to_collide_spread_all_the_same)
{
    struct idmap map = {0};
    size_t run = 0, longest = 0;

    for (uint32_t i = 0; i < 20000; i++)
        *idmap_at(&map, colliding(i)) = i;
    for (size_t i = 0; i < map.cap; i++) {
        run = map.ids[i] == IDMAP_NONE ? 0 : run + 1;
        longest = run > longest ? run : longest;
    }
    cr_expect_eq(map.count, 20000);
    cr_expect_lt(longest, 1000, "a search passes over up to %zu places", longest);
    for (uint32_t i = 0; i < 20000; i++)
        cr_assert_eq(idmap_find(&map, colliding(i)), i);
    idmap_free(&map);
}

Test(memory, arena_absorb)
{
    struct arena arena = {0}, other = {0};
    char *large = arena_array(&other, 1 << 20, 1), *small = arena_copy(&other, SPAN("kept"));
    size_t used = other.used;

    arena_copy(&arena, SPAN("first"));
    arena_absorb(&arena, &other);
    cr_expect_eq(arena.used, used + 6);
    cr_expect_null(other.blocks);
    cr_expect_str_eq(small, "kept");
    cr_expect_eq(large[(1 << 20) - 1], 0);
    arena_absorb(&other, &arena); /* into an empty one */
    arena_absorb(&other, &arena); /* of an empty one */
    cr_expect_eq(other.used, used + 6);
    cr_expect_str_eq(small, "kept");
    arena_free(&other);
}

/* What is handed out after arena_clear() is zeroed again, from the block that was kept. */
Test(memory, arena_clear)
{
    struct arena arena = {0};
    char *first = arena_array(&arena, 100, 1), *again;

    memset(first, 'x', 100);
    arena_array(&arena, 1 << 20, 1);
    arena_clear(&arena);
    again = arena_array(&arena, 100, 1);
    cr_expect_eq(again, first);
    for (int i = 0; i < 100; i++)
        cr_expect_eq(again[i], 0);
    arena_free(&arena);
}

/* What is written goes straight into the block; where it does not fit, nothing of it is left
 * there. */
Test(memory, arena_prints)
{
    struct arena arena = {0};
    char *before = arena_array(&arena, 600, 1), *large, *rest;
    const char *fits, *other;

    fits = arena_printf(&arena, "%s %d", "fits", 7);
    cr_expect_str_eq(fits, "fits 7");
    cr_expect_eq(fits, before + 600);
    large = arena_array(&arena, 1 << 20, 1);
    memset(large, 'x', (1 << 20) - 1);
    other = arena_printf(&arena, "%s", large); /* more than any block has left */
    cr_expect_eq(strlen(other), (1 << 20) - 1);
    rest = arena_array(&arena, 200, 1);
    cr_expect(rest > before && rest < before + 1024);
    for (int i = 0; i < 200; i++)
        cr_expect_eq(rest[i], 0);
    arena_free(&arena);
}

Test(memory, sets_of_bits_know_how_many_come_before)
{
    static const uint32_t numbers[] = {0, 1, 63, 64, 130, 191, 192};
    struct bits bits;

    bits_init(&bits, 200);
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        bits_set(&bits, numbers[i]);
    cr_expect_eq(bits_count(&bits), COUNT_OF(numbers));
    for (uint32_t n = 0, before = 0; n <= 200; n++) {
        uint32_t next = before < COUNT_OF(numbers) ? numbers[before] : 200;

        cr_expect_eq(bits_before(&bits, n), before, "%u", n);
        cr_expect_eq(bits_next(&bits, n, 200), next, "%u", n);
        cr_expect_eq(bits_next(&bits, n, n), n);
        for (uint32_t end = n; end <= 200; end++)
            cr_expect_not(bits_lack(&bits, n, end) && next < end, "%u %u", n, end);
        before += next == n;
    }
    cr_expect(bits_lack(&bits, 65, 127));
    bits_free(&bits);
}

/* ---- columns of which most numbers have nothing ---- */

Test(memory, sparse_columns_hold_what_was_added_in_any_order)
{
    enum { NUMBERS = 1000, STEPS = 4000, UNWANTED = 1 };
    struct sparse sparse;
    int64_t sums[2][NUMBERS] = {{0}}, added[NUMBERS] = {0};
    uint32_t random = 1;

    sparse_begin(&sparse, 3, (const bool[]){true, false, true});
    cr_expect_null(sparse.columns[UNWANTED]);
    cr_expect_not(sparse_has(&sparse, 0));
    for (int i = 0; i < STEPS; i++) {
        random = random * 1664525 + 1013904223;

        /* ascending first, then back and forth */
        uint32_t number = i < NUMBERS ? (uint32_t)i / 3 * 3 : (random >> 8) % NUMBERS;
        uint32_t place = sparse_add(&sparse, number);

        cr_assert_lt(place, sparse.used);
        sparse.columns[0][place] += i;
        sparse.columns[2][place] -= i;
        sums[0][number] += i;
        sums[1][number] -= i;
        added[number]++;
    }
    for (uint32_t number = 0; number < NUMBERS; number++) {
        cr_expect_eq(sparse_has(&sparse, number), added[number] != 0, "%u", number);
        cr_expect_eq(sparse_get(&sparse, 0, number), sums[0][number], "%u", number);
        cr_expect_eq(sparse_get(&sparse, 2, number), sums[1][number], "%u", number);
    }
    cr_expect_eq(sparse_get(&sparse, 0, UINT32_MAX), 0);
    sparse_free(&sparse);
}

Test(memory, sparse_numbers_are_found_from_either_side)
{
    static const uint32_t numbers[] = {5, 63, 64, 300};
    struct sparse sparse;

    sparse_begin(&sparse, 1, NULL);
    cr_expect_eq(sparse_next(&sparse, 0, 100), 100);
    cr_expect_eq(sparse_last(&sparse, 0, 100), 101);
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        sparse_add(&sparse, numbers[i]);
    for (uint32_t first = 0; first < 2000; first += first < 400 ? 1 : 800)
        for (uint32_t last = first; last < 2000; last += last < 400 ? 1 : 800) {
            uint32_t next = last, before = last + 1;

            for (size_t i = 0; i < COUNT_OF(numbers); i++) {
                if (numbers[i] >= first && numbers[i] < next)
                    next = numbers[i];
                if (numbers[i] >= first && numbers[i] <= last)
                    before = numbers[i];
            }
            cr_expect_eq(sparse_next(&sparse, first, last), next, "%u %u", first, last);
            cr_expect_eq(sparse_last(&sparse, first, last), before, "%u %u", first, last);
        }
    sparse_free(&sparse);
}
