/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "analysis/ranks/clock_fit.h"
#include "analysis/ranks/job_replay.h"
#include "analysis/ranks/job_shard.h"
#include "analysis/ranks/shard_join.h"
#include "analysis/ranks/step_numbers.h"
#include "base/memory/span.h"

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

/* A summary with a collective of group 0 in each of three steps, which it counts from `first` on. */
static void add_summary(struct job_shard *shard, uint32_t rank, int64_t first, int64_t sequence)
{
    struct rank_summary *summary = shard_add_summary(
        shard, &(struct rank_summary){.rank = rank, .step_count = 3, .participation_count = 3});

    rank_summary_make_columns(summary, &shard->arena);
    for (uint32_t i = 0; i < 3; i++) {
        summary->step[i] = first + i;
        summary->in_step[i] = i;
        summary->sequence[i] = sequence + i;
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
        struct job_shard shard = {0};
        struct arena arena = {0};
        int64_t *shift;

        shard_add_group(&shard);
        for (uint32_t r = 0; r < 5; r++)
            add_summary(&shard, r, cases[i].first[r], cases[i].sequence[r]);
        shift = step_numbers_find(&shard, &arena);
        for (uint32_t r = 0; r < 5; r++)
            cr_expect_eq(shift[r], cases[i].shift[r], "case %zu, rank %u: %lld", i, r,
                         (long long)shift[r]);
        arena_free(&arena);
        job_shard_free(&shard);
    }
}

/* ---- who came last ---- */

enum { RANKS_MOST = 7, JOINS_MOST = 24 };

static uint32_t random_below(uint32_t *state, uint32_t limit)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % limit;
}

/* All-to-alls of `ranks` in one step, which end together. */
static void fill_shard(struct job_shard *shard, uint32_t ranks, uint32_t participations,
                       uint32_t *state, int64_t start[RANKS_MOST][JOINS_MOST],
                       int64_t size[RANKS_MOST][JOINS_MOST])
{
    struct shard_group *group = shard_add_group(shard);

    group->name = strings_intern(&shard->strings, SPAN("0"));
    shard_group_ranks(group, SPAN("[0,1,2,3,4,5,6]"), &shard->arena);
    group->rank_count = group->size = ranks;
    for (uint32_t r = 0; r < ranks; r++) {
        struct rank_summary *summary = shard_add_summary(
            shard, &(struct rank_summary){
                       .rank = r, .step_count = 1, .participation_count = participations});

        rank_summary_make_columns(summary, &shard->arena);
        for (uint32_t j = 0; j < participations; j++) {
            start[r][j] = (int64_t)j * 100000 + random_below(state, 1000);
            size[r][j] = 1 + random_below(state, 500);
            summary->operation[j] = strings_intern(&shard->strings, SPAN("all_to_allv"));
            summary->sequence[j] = j;
            summary->start[j] = start[r][j];
            summary->lasted[j] = (int64_t)j * 100000 + 5000 - start[r][j];
            summary->size[j] = size[r][j];
        }
    }
}

Test(job, waiting_adds_up_whoever_came_last)
{
    uint32_t state = 7;

    for (int round = 0; round < 200; round++) {
        uint32_t ranks = 2 + random_below(&state, RANKS_MOST - 1),
                 participations = 1 + random_below(&state, JOINS_MOST), count;
        int64_t start[RANKS_MOST][JOINS_MOST], size[RANKS_MOST][JOINS_MOST];
        int64_t skew = 0, transfer = 0, made_wait = 0, waited = 0, times = 0, got[4] = {0};
        double mean = 0, most_bytes = 0;
        struct job_shard shard = {0};
        struct arena arena = {0};
        const struct job_traffic *traffic;

        fill_shard(&shard, ranks, participations, &state, start, size);
        for (uint32_t j = 0; j < participations; j++) {
            int64_t first = INT64_MAX, last = INT64_MIN, second = INT64_MIN, sum = 0, most = 0;

            for (uint32_t r = 0; r < ranks; r++) {
                int64_t at = start[r][j];

                first = at < first ? at : first;
                second = at > last ? last : at > second ? at : second;
                last = at > last ? at : last;
                sum += size[r][j];
                most = size[r][j] > most ? size[r][j] : most;
            }
            for (uint32_t r = 0; r < ranks; r++)
                waited += last - start[r][j];
            skew += last - first;
            made_wait += last - second;
            transfer += (int64_t)j * 100000 + 5000 - last;
            mean += (double)(sum / ranks);
            most_bytes += (double)most;
        }
        shard_align(&shard, GROUPS_WHOLE, NULL);
        for (uint32_t r = 0; r < ranks; r++) {
            got[0] += shard.summaries[r].figure[ROW_LAST][0];
            got[1] += shard.summaries[r].figure[ROW_MADE_WAIT][0];
            got[2] += shard.summaries[r].figure[ROW_WAITED][0];
        }
        for (uint32_t i = 0; i < shard.traffic_count; i++)
            for (uint32_t k = 0; k < shard.traffic[i].last_count; k++) {
                times += shard.traffic[i].last[k].times;
                got[3] += shard.traffic[i].last[k].made_wait;
            }
        cr_expect_eq(got[0], participations);
        cr_expect_eq(times, participations);
        cr_expect_eq(got[1], made_wait);
        cr_expect_eq(got[3], made_wait);
        cr_expect_eq(got[2], waited);
        traffic = job_traffic_list(&shard, false, &arena, &count);
        cr_assert_geq(count, 1);
        if (count == 1) { /* more where by chance all sizes of one are equal */
            cr_expect_eq((int64_t)traffic->skew.sum, skew);
            cr_expect_eq((int64_t)traffic->transfer.sum, transfer);
            cr_expect_float_eq(traffic->imbalance, most_bytes / mean, 1e-9);
        }
        arena_free(&arena);
        job_shard_free(&shard);
    }
}

/* ---- runs that are as another but for some operations ---- */

enum { VARIANT_OPS = 120, VARIANT_STEPS = 3, VARIANT_ROUNDS = 300 };

struct random_model {
    struct job_model model;
    struct job_step steps[VARIANT_STEPS];
    uint32_t unit_end[VARIANT_OPS], unit_first[VARIANT_OPS];
    uint32_t first_dep[VARIANT_OPS + 1], dep[VARIANT_OPS * 3];
    uint32_t first_next[VARIANT_OPS + 1], next[VARIANT_OPS * 3];
};

static uint32_t below(uint32_t limit)
{
    static uint32_t state = 7;

    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * limit >> 32);
}

/* Units of one to four operations, each waiting for up to three of the step before its unit. */
static void make_random(struct random_model *random)
{
    struct job_model *model = &random->model;
    uint32_t deps = 0, nexts = 0;

    *model = (struct job_model){.steps = random->steps,
                                .step_count = VARIANT_STEPS,
                                .op_count = VARIANT_OPS,
                                .unit_end = random->unit_end,
                                .unit_first = random->unit_first,
                                .first_dep = random->first_dep,
                                .dep = random->dep,
                                .first_next = random->first_next,
                                .next = random->next};
    for (uint32_t s = 0; s < VARIANT_STEPS; s++)
        random->steps[s].first_op = s * VARIANT_OPS / VARIANT_STEPS;
    for (uint32_t s = 0, op = 0; s < VARIANT_STEPS; s++)
        while (op < job_step_end(model, s)) {
            uint32_t first = op, from = random->steps[s].first_op, end = op + 1 + below(4);

            end = end < job_step_end(model, s) ? end : job_step_end(model, s);
            random->unit_end[first] = end;
            for (; op < end; op++) {
                random->unit_first[op] = first;
                random->first_dep[op] = deps;
                for (uint32_t d = below(4); d > 0 && first > from; d--)
                    random->dep[deps++] = from + below(first - from);
            }
        }
    random->first_dep[VARIANT_OPS] = deps;
    for (uint32_t op = 0; op < VARIANT_OPS; op++) {
        random->first_next[op] = nexts;
        for (uint32_t later = 0; later < VARIANT_OPS; later++)
            for (uint32_t d = random->first_dep[later]; d < random->first_dep[later + 1]; d++)
                if (random->dep[d] == op)
                    random->next[nexts++] = later;
    }
    random->first_next[VARIANT_OPS] = nexts;
}

Test(job, variants_are_what_a_whole_replay_would_be)
{
    for (int round = 0; round < VARIANT_ROUNDS; round++) {
        int64_t length[2][VARIANT_OPS], delay[2][VARIANT_OPS], mixed[2][VARIANT_OPS];
        int64_t ends[VARIANT_OPS];
        uint32_t ops[VARIANT_OPS], count = 0;
        struct random_model random;
        struct arena arena = {0};
        struct job_base base;
        double result[2];

        make_random(&random);
        for (uint32_t op = 0; op < VARIANT_OPS; op++) {
            bool is_varied = below(round % 7 + 1) == 0;

            for (int i = 0; i < 2; i++) {
                length[i][op] = below(100);
                delay[i][op] = below(3) ? 0 : below(50);
            }
            mixed[0][op] = length[is_varied][op];
            mixed[1][op] = delay[is_varied][op];
            ops[count] = op;
            count += is_varied;
        }
        job_base_make(&random.model, (struct job_run){.length = length[0], .delay = delay[0]}, &arena, &base);
        struct job_variant variants[] = {
            {&base, {.length = length[1], .delay = delay[1]}, ops, count, &result[0]},
            {&base, {.length = length[1], .delay = delay[1]}, ops, 0, &result[1]},
        };
        job_variants_run(variants, 2);
        cr_assert_eq(result[0],
                     job_replay(&random.model, &(struct job_run){.length = mixed[0], .delay = mixed[1]}, ends, NULL));
        cr_assert_eq(result[1], base.step, "what was varied before is forgotten");
        arena_free(&arena);
    }
}
