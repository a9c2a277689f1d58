/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/job/clock_fit.h"
#include "analysis/job/step_numbers.h"
#include "base/text/span.h"
#include "graph/model/part_order.h"

/* ---- clocks ---- */

enum { READINGS = 60, SECOND = 1000000000 };

/* A reading each second: what the clock does, and noise of ±1 us; every tenth is 10 ms late. */
static struct member_clock fit(int64_t offset, int64_t ppb, int set_at, int64_t jump, int count)
{
    struct clock_reading readings[READINGS];
    struct arena scratch = {0};
    struct member_clock clock;
    unsigned noise = 1;

    for (int i = 0; i < count; i++) {
        noise = noise * 1103515245u + 12345u;
        readings[i] = (struct clock_reading){(int64_t)i * SECOND,
                                             offset + ppb * i + (set_at && i >= set_at ? jump : 0) +
                                                 (int64_t)(noise >> 16) % 2001 - 1000};
        if (i % 10 == 7)
            readings[i].difference += 10000000;
    }
    clock = clock_fit(readings, (uint32_t)count, &scratch);
    arena_free(&scratch);
    return clock;
}

Test(job, clocks_are_found_whatever_they_do)
{
    static const struct {
        int64_t offset, ppb;
        int set_at;
        int64_t jump;
        int count;
    } cases[] = {
        {0, 0, 0, 0, READINGS},
        {7200ll * SECOND, 0, 0, 0, READINGS},
        {-5000000, 50000, 0, 0, READINGS},
        {86400ll * SECOND, -200000, 0, 0, READINGS},
        {0, 0, 12, 50000000, READINGS},
        {3000000, 0, 50, -2000000000ll, READINGS},
        {-SECOND, 0, 31, SECOND, READINGS},
        {42, 0, 0, 0, 1},
        {-42000000, 0, 0, 0, 3},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct member_clock clock =
            fit(cases[i].offset, cases[i].ppb, cases[i].set_at, cases[i].jump, cases[i].count);

        for (int at = 0; at < cases[i].count; at++) {
            int64_t want = cases[i].offset + cases[i].ppb * at +
                           (cases[i].set_at && at >= cases[i].set_at ? cases[i].jump : 0);

            cr_expect_lt(llabs(clock_offset(&clock, (int64_t)at * SECOND) - want), 20000,
                         "case %zu at %d s: %lld, not %lld", i, at,
                         (long long)clock_offset(&clock, (int64_t)at * SECOND), (long long)want);
        }
    }
}

Test(job, clocks_take_noise_for_noise)
{
    struct member_clock clock = fit(1000, 0, 0, 0, READINGS);

    cr_expect_eq(clock.drift, 0);
    cr_expect_eq(clock.jump, 0);
}

/* ---- numbers of steps ---- */

/* A leaf with a collective of group 0 in each of three steps, which it counts from `first` on. */
static void add_leaf(struct job_part *part, uint32_t rank, int64_t first, int64_t sequence)
{
    struct part_leaf *leaf =
        part_add_leaf(part, &(struct part_leaf){.rank = rank, .step_count = 3, .join_count = 3});

    part_leaf_columns(leaf, &part->arena);
    for (uint32_t i = 0; i < 3; i++) {
        leaf->step[i] = first + i;
        leaf->in_step[i] = i;
        leaf->sequence[i] = sequence + i;
    }
}

Test(job, steps_are_told_apart_by_their_collectives)
{
    static const struct {
        int64_t first[5], sequence[5], shift[5];
    } cases[] = {
        {{0, 0, 0, 0, 0}, {7, 7, 7, 7, 7}, {0, 0, 0, 0, 0}},
        {{0, 0, 0, 10, 0}, {7, 7, 7, 7, 7}, {0, 0, 0, 10, 0}},
        {{4, 0, 0, 0, 0}, {7, 7, 7, 7, 7}, {4, 0, 0, 0, 0}},
        /* Of as many the smallest rank is right. */
        {{2, 2, 5, 5, 9}, {7, 7, 7, 7, 7}, {0, 0, 3, 3, 7}},
        /* Profiled over other steps, which are numbered as they are. */
        {{0, 1, 2, 1, 0}, {7, 8, 9, 8, 7}, {0, 0, 0, 0, 0}},
        /* Nothing in common. */
        {{0, 9, 0, 9, 0}, {10, 20, 30, 40, 50}, {0, 0, 0, 0, 0}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct job_part part = {0};
        struct arena arena = {0};
        int64_t *shift;

        part_add_group(&part);
        for (uint32_t r = 0; r < 5; r++)
            add_leaf(&part, r, cases[i].first[r], cases[i].sequence[r]);
        shift = step_numbers_find(&part, &arena);
        for (uint32_t r = 0; r < 5; r++)
            cr_expect_eq(shift[r], cases[i].shift[r], "case %zu, rank %u: %lld", i, r,
                         (long long)shift[r]);
        arena_free(&arena);
        job_part_free(&part);
    }
}
