/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "analysis/timeline/device_work.h"

/* Sets of spans: the cases where merges go wrong, and what must hold for any sets. */

static struct intervals set_of(const int64_t *ends, size_t count)
{
    struct intervals set = {0};

    for (size_t i = 0; i + 1 < count; i += 2)
        intervals_add(&set, ends[i], ends[i + 1]);
    intervals_unite(&set);
    return set;
}

#define SET(...)                                                                                   \
    set_of((const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void expect_set(const struct intervals *set, const int64_t *ends, size_t count)
{
    cr_assert_eq(set->count, count / 2);
    for (size_t i = 0; i < set->count; i++) {
        cr_expect_eq(set->list[i].start, ends[2 * i]);
        cr_expect_eq(set->list[i].end, ends[2 * i + 1]);
    }
}

#define EXPECT(set, ...)                                                                           \
    expect_set(set, (const int64_t[]){__VA_ARGS__},                                                \
               sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

Test(intervals, unite_in_any_order)
{
    struct intervals set = SET(20, 30, 0, 10, 10, 12, 25, 40, 26, 27, 50, 50, 60, 55);

    EXPECT(&set, 0, 12, 20, 40); /* touching spans are one; empty ones are none */
    cr_expect_eq(intervals_length(&set), 32);
    intervals_free(&set);
    cr_expect_eq(intervals_length(&set), 0);
}

Test(intervals, intersect_and_subtract)
{
    struct intervals a = SET(0, 10, 20, 30, 40, 50), b = SET(5, 25, 28, 42, 45, 46);
    struct intervals both = {0}, only = {0}, rest = {0};

    intervals_intersect(&a, &b, &both);
    EXPECT(&both, 5, 10, 20, 25, 28, 30, 40, 42, 45, 46);
    intervals_subtract(&a, &b, &only);
    EXPECT(&only, 0, 5, 25, 28, 42, 45, 46, 50);
    intervals_subtract(&b, &a, &rest);
    EXPECT(&rest, 10, 20, 30, 40);
    intervals_free(&a);
    intervals_free(&b);
    intervals_free(&both);
    intervals_free(&only);
    intervals_free(&rest);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static int64_t fill_randomly(struct intervals *set, uint32_t *state)
{
    int64_t sum = 0;

    for (uint32_t i = 0, count = next_random(state) % 40; i < count; i++) {
        int64_t start = next_random(state) % 500, length = next_random(state) % 30;

        intervals_add(set, start, start + length);
        sum += length;
    }
    intervals_unite(set);
    return sum;
}

Test(intervals, lengths_add_up_for_any_sets)
{
    uint32_t state = 1;

    for (int round = 0; round < 2000; round++) {
        struct intervals a = {0}, b = {0}, both = {0}, only = {0}, all = {0};
        int64_t sum = fill_randomly(&a, &state) + fill_randomly(&b, &state);
        int64_t length_a = intervals_length(&a), length_b = intervals_length(&b);

        intervals_intersect(&a, &b, &both);
        intervals_subtract(&a, &b, &only);
        intervals_add_all(&all, &a);
        intervals_add_all(&all, &b);
        intervals_unite(&all);
        cr_assert_leq(intervals_length(&all), sum);
        cr_assert_eq(intervals_length(&all) + intervals_length(&both), length_a + length_b);
        cr_assert_eq(intervals_length(&only) + intervals_length(&both), length_a);
        intervals_free(&a);
        intervals_free(&b);
        intervals_free(&both);
        intervals_free(&only);
        intervals_free(&all);
    }
}

Test(intervals, take_what_is_over)
{
    struct intervals set = {0};

    intervals_add(&set, 5, 8);
    intervals_add(&set, 0, 10);
    intervals_add(&set, 15, 30);
    cr_expect_eq(intervals_take(&set, 20), 15);
    EXPECT(&set, 20, 30);
    intervals_add(&set, 25, 32);
    cr_expect_eq(intervals_take(&set, 40), 12);
    cr_expect_eq(set.count, 0);
    intervals_free(&set);
}
