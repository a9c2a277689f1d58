/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/advice/bottleneck.h"
#include "tests/unit/hand_made.h"

/* Hand-made runs: the four numbers, why a device was idle, and the order of the verdicts. */

struct run {
    struct builder *builder;
    uint32_t thread, stream;
    struct graph graph;
    struct arena arena;
    struct bottlenecks found;
};

static void begin(struct run *run)
{
    *run = (struct run){.builder = begin_timeline(&(struct builder_options){
                            .launches = true, .properties = bottleneck_properties()})};
    run->thread = thread_of(run->builder, 0);
    run->stream = stream_of(run->builder, 0, 7);
}

static void work(struct run *run, int64_t start, int64_t duration, enum frame_kind kind)
{
    timed(run->builder, run->stream, start, duration, "work", kind);
}

static void host(struct run *run, int64_t start, int64_t duration, const char *name)
{
    timed(run->builder, run->thread, start, duration, name, KIND_ANNOTATION);
}

static const struct device_bottleneck *judge(struct run *run, enum window_kind window)
{
    struct thresholds thresholds;
    struct execution execution;

    thresholds_default(&thresholds);
    builder_finish(run->builder, &run->graph);
    execution_build(&run->graph, &execution);
    bottleneck_find(&execution, window, &thresholds, &run->arena, &run->found);
    execution_free(&execution);
    cr_assert_eq(run->found.count, 1);
    return run->found.devices;
}

static void end(struct run *run)
{
    graph_free(&run->graph);
    arena_free(&run->arena);
}

static void expect_whole(const struct device_bottleneck *device)
{
    int64_t idle = 0, lost = 0;

    for (int i = 0; i < IDLE_CLASS_COUNT; i++)
        idle += device->idle_by[i];
    cr_expect_eq(idle, device->idle);
    for (int i = 0; i < HELD_BY_COMPUTE; i++)
        lost += device->lost[i];
    cr_expect_eq(lost, device->span - device->compute);
    cr_expect_eq(device->compute + device->copy_only + device->communication_only + device->idle,
                 device->span);
}

Test(bottleneck, four_numbers_add_up_and_compute_hides_the_rest)
{
    struct run run;

    begin(&run);
    host(&run, 0, 1000000, "main");
    work(&run, 100000, 400000, KIND_KERNEL);
    work(&run, 400000, 200000, KIND_COMMUNICATION); /* 100 us alone */
    work(&run, 450000, 300000, KIND_MEMCPY);        /* 150 us alone */

    const struct device_bottleneck *device = judge(&run, WINDOW_AUTO);

    cr_expect_eq(run.found.window, WINDOW_RUN);
    cr_expect_eq(device->span, 1000000);
    cr_expect_eq(device->compute, 400000);
    cr_expect_eq(device->communication_only, 100000);
    cr_expect_eq(device->copy_only, 150000);
    cr_expect_eq(device->idle, 350000);
    cr_expect_eq(device->outside, 100000 + 250000);
    cr_expect_eq(device->verdict, HELD_BY_HOST);
    expect_whole(device);
    end(&run);
}

/* 8 % communicating and 9 % copying: much in all, but neither passes its threshold. */
Test(bottleneck, losses_below_their_thresholds_give_no_verdict)
{
    struct run run;
    struct thresholds thresholds;

    thresholds_default(&thresholds);
    begin(&run);
    work(&run, 0, 830000, KIND_KERNEL);
    work(&run, 830000, 80000, KIND_COMMUNICATION);
    work(&run, 910000, 90000, KIND_MEMCPY);
    const struct device_bottleneck *device = judge(&run, WINDOW_RUN);

    cr_expect_eq(device->verdict, HELD_BY_COMPUTE);
    cr_expect_eq(device->runner_up, HELD_BY_COPY);
    cr_expect(bottleneck_is_spread(device, &thresholds));
    expect_whole(device);
    end(&run);
}

Test(bottleneck, idle_time_beside_the_data_loader_is_input)
{
    struct run run;

    begin(&run);
    host(&run, 0, 300000, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
    host(&run, 300000, 700000, "train");
    work(&run, 50000, 50000, KIND_KERNEL);
    work(&run, 400000, 600000, KIND_KERNEL);

    const struct device_bottleneck *device = judge(&run, WINDOW_RUN);

    cr_expect_eq(device->idle_by[IDLE_OF_INPUT], 250000);
    cr_expect_eq(device->idle_by[IDLE_OF_UNKNOWN], 100000);
    cr_expect_eq(device->verdict, HELD_BY_INPUT);
    expect_whole(device);
    end(&run);
}

Test(bottleneck, small_kernels_hold_up_only_a_device_that_is_idle)
{
    static const struct {
        int64_t every;
        enum bottleneck verdict;
    } cases[] = {{5000, HELD_BY_COMPUTE}, {20000, HELD_BY_LAUNCH}};

    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        struct run run;

        begin(&run);
        for (int64_t i = 0; i < 20; i++)
            work(&run, i * cases[c].every, 5000, KIND_KERNEL);
        const struct device_bottleneck *device = judge(&run, WINDOW_DEVICE);

        cr_expect_eq(device->verdict, cases[c].verdict);
        expect_whole(device);
        end(&run);
    }
}

/* One long gap between small kernels, or the time before them, is not because of launches. */
Test(bottleneck, long_idle_times_are_not_because_of_launches)
{
    static const struct {
        int64_t before, gap;
    } cases[] = {{0, 905000}, {900000, 5000}, {450000, 455000}};

    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        struct run run;
        int64_t at = cases[c].before;

        begin(&run);
        host(&run, 0, 1000000, "capture");
        for (int64_t i = 0; i < 10; i++, at += i == 5 ? cases[c].gap : 6000)
            work(&run, at, 5000, KIND_KERNEL);
        const struct device_bottleneck *device = judge(&run, WINDOW_RUN);

        cr_expect_lt(device->short_gaps, 10000);
        cr_expect_eq(device->verdict, HELD_BY_HOST, "case %zu", c);
        expect_whole(device);
        end(&run);
    }
}

/* Not the first that passes a threshold. */
Test(bottleneck, the_largest_loss_is_the_verdict)
{
    struct run run;

    begin(&run);
    work(&run, 0, 500000, KIND_KERNEL);
    work(&run, 500000, 300000, KIND_COMMUNICATION);
    work(&run, 800000, 200000, KIND_MEMCPY);

    const struct device_bottleneck *device = judge(&run, WINDOW_AUTO);

    cr_expect_eq(device->idle, 0);
    cr_expect_eq(device->verdict, HELD_BY_COMMUNICATION);
    cr_expect_eq(device->runner_up, HELD_BY_COPY);
    end(&run);
}

/* Each below its threshold, and together worth a verdict: its check holds, as bound and advise say. */
Test(thresholds, names_values_and_what_is_neither)
{
    static const struct {
        const char *given;
        bool is_fine;
        enum threshold which;
        double value;
    } cases[] = {
        {"idle=0.25", true, LIMIT_IDLE, 0.25},
        {"idle=25%", true, LIMIT_IDLE, 0.25},
        {"small_kernel_us=5", true, LIMIT_SMALL_KERNEL, 5},
        {"small_kernel_us=5%", false, LIMIT_IDLE, 0},
        {"idle", false, LIMIT_IDLE, 0},
        {"idle=", false, LIMIT_IDLE, 0},
        {"idle=-1", false, LIMIT_IDLE, 0},
        {"idle=nan", false, LIMIT_IDLE, 0},
        {"=1", false, LIMIT_IDLE, 0},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct thresholds thresholds;
        struct error err = {0};

        thresholds_default(&thresholds);
        cr_expect_eq(thresholds_set(&thresholds, cases[i].given, &err), cases[i].is_fine, "%s",
                     cases[i].given);
        if (cases[i].is_fine)
            cr_expect_float_eq(thresholds.of[cases[i].which], cases[i].value, 1e-12);
        else
            cr_expect_eq(err.kind, ERROR_USAGE);
    }
}
