/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "analysis/execution/amdahl.h"

/* The laws of speed-up at known points, and the bounds on random schedules. */

#define NEAR(got, wanted, by) cr_expect_float_eq(got, wanted, by, "%.9g, not %.9g", got, wanted)

Test(speedup, amdahl)
{
    NEAR(speedup_overall(.5, 2), 1.3333333, 1e-6);
    NEAR(speedup_overall(.9, 10), 5.2631579, 1e-6);
    NEAR(speedup_limit(.95), 20.0, 1e-9);
    NEAR(speedup_overall(0, 7), 1.0, 0);
    NEAR(speedup_overall(1, 7), 7.0, 1e-9);
    cr_expect(isinf(speedup_limit(1)));
    NEAR(speedup_limit(.2760 + .2255), 2.006, 5e-4);      /* both copies of a Paddle summary */
    NEAR(speedup_limit(415.791 / 1048.976), 1.657, 5e-4); /* a data loader's share of six steps */
    NEAR(speedup_limit(415.791 / 1048.976), 1.657, 1e-3); /* a data loader */
}

Test(speedup, needed_is_the_inverse)
{
    for (double share = .1; share < 1; share += .1)
        for (double factor = 1.5; factor < 20; factor *= 2)
            NEAR(speedup_needed(share, speedup_overall(share, factor)), factor, 1e-6);
    cr_expect(isinf(speedup_needed(.5, 2)));
    cr_expect(isinf(speedup_needed(.5, 3)));
    NEAR(speedup_needed(.5, 1), 1.0, 0);
}

Test(speedup, other_laws)
{
    NEAR(speedup_scaled(.9, 10), 9.1, 1e-9);
    NEAR(speedup_serial_share(speedup_overall(.9, 8), 8), .1, 1e-9);
    NEAR(speedup_share_error(.5, 100), .05, 1e-9);
    NEAR(speedup_share_error(.5, 0), 0.0, 0);
}

/* ---- the bounds ---- */

/* Eight equal kernels at once: one alone gives nothing but its ends, all together everything. */
Test(bounds, one_of_many_that_run_together)
{
    struct activities activities = {0};
    struct speedup_bounds bounds;

    for (uint32_t i = 0; i < 8; i++)
        activities_add(&activities, &(struct activity){i, 1000 + i, i, i});
    speedup_bounds_compute(&activities, 1007, 8, 8, &bounds);
    cr_expect_eq(bounds.busy, 1007);
    cr_expect_eq(bounds.exposed[0], 1);
    cr_expect_eq(bounds.exposed[3], 0);
    cr_expect_eq(bounds.exposed[7], 1);
    cr_expect_eq(bounds.united[3], 1000);
    NEAR(speedup_floor_of(&bounds, 3, INFINITY), 1000.0, 0);
    speedup_bounds_free(&bounds);
    for (size_t i = 0; i < activities.count; i++)
        activities.list[i].part = 0;
    speedup_bounds_compute(&activities, 1007, 1, 8, &bounds);
    cr_expect_eq(bounds.exposed[0], 1007);
    cr_expect_eq(bounds.united[0], 1007);
    NEAR(speedup_floor_of(&bounds, 0, 2), 500.0, 0);
    speedup_bounds_free(&bounds);
    activities_free(&activities);
}

/* A(0–8) before C(8–16) on one stream, B(0–8) on another: A is never alone, and yet to be without
 * it ends the run at 8. Exposed time is not the most that can be saved. */
Test(bounds, exposed_is_not_the_most)
{
    struct activities activities = {0};
    struct speedup_bounds bounds;

    activities_add(&activities, &(struct activity){0, 8, 0, 0});
    activities_add(&activities, &(struct activity){8, 16, 1, 0});
    activities_add(&activities, &(struct activity){0, 8, 2, 1});
    speedup_bounds_compute(&activities, 16, 3, 2, &bounds);
    cr_expect_eq(bounds.exposed[0], 0);
    cr_expect_eq(bounds.united[0], 8);
    NEAR(speedup_floor_of(&bounds, 0, INFINITY), 8.0, 0);
    speedup_bounds_free(&bounds);
    activities_free(&activities);
}

enum { MOST = 12 };

struct schedule {
    uint32_t count, resources;
    uint32_t resource[MOST];
    bool is_after[MOST][MOST], is_fast[MOST];
    double length[MOST], start[MOST];
};

static uint32_t dice(uint64_t *state, uint32_t sides)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % sides;
}

static void invent(struct schedule *s, uint64_t *state)
{
    *s = (struct schedule){.count = 2 + dice(state, MOST - 1), .resources = 1 + dice(state, 4)};
    for (uint32_t i = 0; i < s->count; i++) {
        s->length[i] = 1 + dice(state, 20);
        s->resource[i] = dice(state, s->resources);
        s->is_fast[i] = dice(state, 100) < 35;
        for (uint32_t k = 0; k < i; k++)
            s->is_after[i][k] = s->resource[i] == s->resource[k] || dice(state, 100) < 15;
    }
}

/* When all is done, each activity as early as what it waits for allows. */
static double run(struct schedule *s, double factor)
{
    double end = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        s->start[i] = 0;
        for (uint32_t k = 0; k < i; k++)
            if (s->is_after[i][k])
                s->start[i] =
                    fmax(s->start[i], s->start[k] + s->length[k] / (s->is_fast[k] ? factor : 1));
        end = fmax(end, s->start[i] + s->length[i] / (s->is_fast[i] ? factor : 1));
    }
    return end;
}

/* What the header proves, on random graphs: the saving lies between exposed and united, and no
 * run is shorter than its floor. */
Test(bounds, holds_on_random_schedules)
{
    static const double factors[] = {2, 4, 5, 1e9};
    uint64_t state = 1;
    uint32_t beyond_exposed = 0;

    for (uint32_t trial = 0; trial < 20000; trial++) {
        struct activities activities = {0};
        struct speedup_bounds bounds;
        struct schedule s;
        double factor = factors[dice(&state, 4)], gain = 1 - 1 / factor;

        invent(&s, &state);

        double span = run(&s, 1);

        for (uint32_t i = 0; i < s.count; i++)
            activities_add(&activities, &(struct activity){(int64_t)s.start[i],
                                                           (int64_t)(s.start[i] + s.length[i]),
                                                           s.is_fast[i] ? 1 : 0, s.resource[i]});
        speedup_bounds_compute(&activities, (int64_t)span, 2, s.resources, &bounds);

        double after = run(&s, factor), saving = span - after;

        cr_assert(gain * (double)bounds.exposed[1] <= saving + 1e-6, "trial %u", trial);
        cr_assert(saving <= gain * (double)bounds.united[1] + 1e-6, "trial %u", trial);
        cr_assert(speedup_floor_of(&bounds, 1, factor) <= after + 1e-6, "trial %u", trial);
        NEAR(speedup_floor(&bounds, (double[]){1, factor}), speedup_floor_of(&bounds, 1, factor),
             1e-6);
        beyond_exposed += saving > gain * (double)bounds.exposed[1] + 1e-6;
        speedup_bounds_free(&bounds);
        activities_free(&activities);
    }
    cr_expect(beyond_exposed > 4000 && beyond_exposed < 16000, "%u", beyond_exposed);
}
