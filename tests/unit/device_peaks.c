/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "analysis/kernels/roofline.h"

/* Peaks of known cards from their parts: the figures of roofline.md, in TFLOP/s and GB/s. */
Test(device_peaks, known_cards)
{
    static const struct {
        const char *name;
        int32_t major, minor;
        int64_t sms;
        double mhz, fp32, fp64, fp16;
    } cards[] = {
        {"K20c", 3, 5, 13, 705.5, 3.52, 1.17, 0},
        {"K40c", 3, 5, 15, 745, 4.29, 1.43, 0},
        {"K40c, boost", 3, 5, 15, 875, 5.04, 1.68, 0},
        {"M40", 5, 2, 24, 1114, 6.84, 0.21, 0},
        {"P100-SXM2", 6, 0, 56, 1480, 10.61, 5.30, 0},
        {"1080 Ti", 6, 1, 28, 1582, 11.34, 0.35, 0},
        {"V100-SXM2", 7, 0, 80, 1530, 15.67, 7.83, 125.3},
        {"T4", 7, 5, 40, 1590, 8.14, 0.25, 0},
        {"A100", 8, 0, 108, 1410, 19.49, 9.75, 311.9},
        {"3090", 8, 6, 82, 1695, 35.58, 0.56, 0},
        {"H100", 9, 0, 132, 1980, 66.91, 33.45, 1070.5},
        {"H100, tensor clock", 9, 0, 132, 1830, 61.84, 30.92, 989.4},
        {"B200", 10, 0, 148, 1965, 74.45, 37.22, 2382.4},
    };

    for (size_t i = 0; i < COUNT_OF(cards); i++) {
        struct device device = {
            .major = cards[i].major, .minor = cards[i].minor, .sms = cards[i].sms};
        struct device_peaks peaks;

        cr_assert(device_peaks_find(&device, cards[i].mhz * 1e6, &peaks));
        cr_expect_float_eq(peaks.flops[PRECISION_FP32] / 1e12, cards[i].fp32, .01, "%s",
                           cards[i].name);
        cr_expect_float_eq(peaks.flops[PRECISION_FP64] / 1e12, cards[i].fp64, .01, "%s",
                           cards[i].name);
        cr_expect_float_eq(peaks.flops[PRECISION_FP16] / 1e12, cards[i].fp16, .1, "%s",
                           cards[i].name);
    }
}

Test(device_peaks, nothing_from_nothing)
{
    struct device_peaks peaks;
    struct device amd = {.major = 9, .sms = 104, .warp_size = 64, .clock = 1700000000};
    struct device bus = {.memory_clock = 7672000000, .memory_bus_width = 8000};
    struct device unknown = {.major = 99, .sms = 10, .clock = 1000000000};

    cr_expect_not(device_peaks_find(&(struct device){.major = 7, .sms = 80}, 0, &peaks));
    cr_expect_not(device_peaks_find(&amd, 0, &peaks));
    cr_expect_not(device_peaks_find(&unknown, 0, &peaks));
    cr_assert(device_peaks_find(&bus, 0, &peaks));
    cr_expect_float_eq(peaks.memory, 7672e9, 1);
}

Test(gpus, short_names_may_mean_several)
{
    const struct gpu *found[16];

    cr_expect_eq(gpus_like(SPAN("h100"), found, 16), 3);
    cr_expect_eq(gpus_like(SPAN("H100 NVL"), found, 16), 1);
    cr_expect_eq(gpus_like(SPAN("H100"), found, 2), 2);
    cr_expect_eq(gpus_like(SPAN("H9000"), found, 16), 0);
}

Test(gpus, by_their_parts_where_names_say_nothing)
{
    static const struct {
        const char *name;
        struct device device;
        double memory;
    } cases[] = {
        {"", {.major = 9, .minor = 4, .warp_size = 64, .sms = 304, .memory = 206141652992}, 5300e9},
        {"AMD Radeon Graphics",
         {.major = 9, .minor = 0, .warp_size = 64, .sms = 104, .memory = 68702699520},
         1638e9},
        {"NVIDIA A100-PG509-200",
         {.major = 8, .minor = 0, .warp_size = 32, .sms = 108, .memory = 42297524224},
         1555e9},
        {"Tesla T4", {.major = 9, .minor = 4, .warp_size = 64, .sms = 304}, 320e9},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool is_by_parts;
        const struct gpu *gpu = device_gpu(&cases[i].device, span_of(cases[i].name), &is_by_parts);

        cr_assert_not_null(gpu, "%s", cases[i].name);
        cr_expect_float_eq(gpu->memory, cases[i].memory, 1, "%s", cases[i].name);
        cr_expect_eq(is_by_parts, i < 3);
    }
    cr_expect_null(device_gpu(&(struct device){.major = 7}, SPAN("ARTEMIS"), &(bool){false}));
}
