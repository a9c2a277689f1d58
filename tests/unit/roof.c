/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>

#include "analysis/kernels/roofline.h"

#define NEAR(got, wanted, by) cr_expect_float_eq(got, wanted, by, "%.9g, not %.9g", got, wanted)

/* NERSC's GPP kernel on a V100, roofs as measured there (GB/s, GFLOP/s). */
Test(roof, nersc_gpp)
{
    static const struct {
        double intensity, attained, bound, efficiency;
    } cases[] = {
        {2.584785579, 2085.756683, 2142, .974}, {4.738878073, 3593.593112, 3927, .915},
        {6.892970567, 4381.739349, 5713, .767}, {9.047063062, 4625.535516, 7069, .654},
        {11.08619259, 4599.764097, 7069, .651}, {13.21154434, 4692.209405, 7069, .664},
    };
    const struct roof hbm = {7068.86, 828.758}, plain = {3535.79, 828.758};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        double compute = cases[i].attained / hbm.flops;
        double memory = cases[i].attained / cases[i].intensity / hbm.bytes;

        NEAR(roof_efficiency(compute, memory), cases[i].efficiency, 5.1e-4);
        NEAR(cases[i].attained / roof_efficiency(compute, memory), cases[i].bound, .8);
        cr_expect_eq(roof_bound(compute, memory, ROOF_BUSY), i < 3 ? BOUND_MEMORY : BOUND_COMPUTE);
    }
    NEAR(roof_ridge(&hbm), 8.53, 5e-3);
    NEAR(roof_ridge(&plain), 4.27, 5e-3);
    cr_expect_gt(cases[1].attained, plain.flops);
}

/* A second of GPP as counters saw it, for so many GB/s of the L2 cache. */
static struct roofline_row gpp_row(const double work[4], double l2, struct arena *arena)
{
    struct ceilings ceilings = {.memory = 828.758e9, .cache = {l2 * 1e9, 14336e9}};
    struct effort effort = {.roof = ceilings.memory, .source = WORK_COUNTERS};
    struct roofline_sum sum = {0};
    struct roofline roofline = {0};

    ceilings.flops[PRECISION_FP64] = 7068.86e9;
    effort.flops[PRECISION_FP64] = work[0] * 1e9;
    effort.bytes = effort.traffic = work[0] / work[1] * 1e9;
    effort.cache_bytes[CACHE_L2] = work[0] / work[2] * 1e9;
    effort.cache_bytes[CACHE_L1] = work[0] / work[3] * 1e9;
    roofline_sum_add(&sum, &ceilings, 1, 1000000000, &effort);
    roofline_rank(&sum, 1, &(struct roofline_options){0}, arena, &roofline);
    return roofline.rows[0];
}

/* FLOPs, and intensities in memory, L2 and L1: the same kernel, all of its levels. */
Test(roof, nersc_gpp_levels)
{
    static const double first[] = {2085.756683, 2.584785579, 2.250285265, 0.865326481};
    static const double last[] = {4692.209405, 13.21154434, 5.182021625, 4.034947498};
    struct arena arena = {0};

    cr_expect_eq(gpp_row(first, 2996.77, &arena).bound, BOUND_MEMORY);
    NEAR(gpp_row(first, 2996.77, &arena).attainable, 2142e9, .8e9);
    cr_expect_eq(gpp_row(last, 2996.77, &arena).bound, BOUND_COMPUTE);
    cr_expect_eq(gpp_row(last, 1000, &arena).bound, BOUND_L2);
    NEAR(gpp_row(last, 1000, &arena).attainable, 5182.021625e9, 1e6);
    NEAR(gpp_row(last, 1000, &arena).efficiency, .90548, 1e-5);
    arena_free(&arena);
}

Test(roof, known_kernels)
{
    NEAR(5.5 / 6, .917, 5e-4);
    /* K20c, gaussian: FLOPs of one file, time of another */
    NEAR(9889546240.0 / 16.037e-3 / 3.524e12, .175, 5e-4);
    /* K20m, nbody: the time that an efficiency implies */
    NEAR(25480611840.0 / (.105 * 3.52e12), 68.9e-3, 1e-4);
    /* GTX 1080 Ti, lavaMD: compute-bound at the nominal clock, not at the real one */
    cr_expect_eq(roof_bound(.70, .1, ROOF_BUSY), BOUND_COMPUTE);
    cr_expect_eq(roof_bound(.56, .1, ROOF_BUSY), BOUND_LATENCY);
}

Test(roof, missing_sides)
{
    NEAR(roof_efficiency(NAN, .4), .4, 0);
    cr_expect(isnan(roof_efficiency(NAN, NAN)));
    cr_expect_eq(roof_bound(.9, NAN, ROOF_BUSY), BOUND_COMPUTE);
    cr_expect_eq(roof_bound(.1, NAN, ROOF_BUSY), BOUND_UNKNOWN);
    cr_expect_eq(roof_bound(NAN, .7, ROOF_BUSY), BOUND_MEMORY);
}
