/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "analysis/advice/advice.h"
#include "analysis/advice/causes.h"
#include "analysis/kernels/roofline.h"
#include "graph/classify/event_class.h"
#include "graph/derive/derive.h"
#include "tests/unit/hand_made.h"

/* Rules on hand-made runs: what is reported, with which figures, and in which order. */

struct run {
    struct builder *builder;
    uint32_t stream, second;
    struct graph graph;
    struct arena arena;
    struct advice advice;
};

/* What a finding is ranked by. */
static int64_t worth(const struct finding *finding)
{
    return finding->gain != UNKNOWN && finding->gain < finding->high ? finding->gain
                                                                     : finding->high;
}

static void begin(struct run *run)
{
    *run = (struct run){.builder = begin_timeline(&(struct builder_options){
                            .launches = true, .properties = advice_properties()})};
    run->stream = stream_of(run->builder, 0, 7);
    run->second = stream_of(run->builder, 1, 7);
}

static uint32_t work(struct run *run, uint32_t stream, int64_t start, int64_t duration,
                     const char *name, enum frame_kind kind)
{
    return timed(run->builder, stream, start, duration, name, kind);
}

static void advise(struct run *run)
{
    struct thresholds thresholds;
    struct bottlenecks devices;
    struct execution execution;

    thresholds_default(&thresholds);
    builder_finish(run->builder, &run->graph);
    execution_build(&run->graph, &execution);
    bottleneck_find(&execution, WINDOW_RUN, &thresholds, &run->arena, &devices);
    advice_give(&run->graph, &execution, &devices, &thresholds, &(struct ceilings){0}, NULL, &run->arena,
                &run->advice);
    execution_free(&execution);
}

static const struct finding *of(const struct run *run, const char *rule)
{
    for (uint32_t i = 0; i < run->advice.count; i++)
        if (strcmp(run->advice.findings[i].rule->name, rule) == 0)
            return &run->advice.findings[i];
    cr_assert(false, "no rule %s", rule);
    return NULL;
}

/* True of all advice: no saving is more than the whole; causes come first, the largest on top. */
static void expect_sound(const struct advice *advice)
{
    for (uint32_t i = 0; i < advice->reported; i++) {
        const struct finding *finding = &advice->findings[i];

        cr_expect(finding->is_reported && finding->check.holds);
        cr_expect_leq(finding->high, advice->whole, "%s", finding->rule->name);
        if (i && finding->rule->is_symptom == finding[-1].rule->is_symptom)
            cr_expect(finding[-1].leads || worth(&finding[-1]) >= worth(finding), "%s",
                      finding->rule->name);
        if (i && !finding[-1].leads)
            cr_expect_geq(finding->rule->is_symptom, finding[-1].rule->is_symptom);
    }
    for (uint32_t i = advice->reported; i < advice->count; i++)
        cr_expect_not(advice->findings[i].is_reported);
}

static void end(struct run *run)
{
    graph_free(&run->graph);
    arena_free(&run->arena);
}

Test(advice, copies)
{
    struct run run;
    uint32_t copy;

    begin(&run);
    work(&run, run.stream, 0, 200000, "k", KIND_KERNEL);
    copy = work(&run, run.stream, 200000, 800000, "copy", KIND_MEMCPY);
    builder_property(builder_timeline(run.builder), copy, PROP_BYTES, 1000);
    builder_property(builder_timeline(run.builder), copy, PROP_SRC_KIND, MEMORY_PAGEABLE);
    advise(&run);
    expect_sound(&run.advice);
    cr_expect(of(&run, "pageable-copies")->is_reported);
    cr_expect_eq(of(&run, "pageable-copies")->high, 800000);
    cr_expect(of(&run, "small-copies")->is_reported);
    cr_expect(of(&run, "copy-overlap")->is_reported);
    cr_expect_eq(of(&run, "copy-overlap")->high, 200000); /* the copies still take theirs */
    cr_expect(of(&run, "copies-to-compute")->is_reported);
    cr_expect_str_eq(run.advice.findings[0].rule->name, "pageable-copies");
    cr_expect_not(of(&run, "communication")->is_reported);
    end(&run);
}

Test(advice, communication_and_stragglers)
{
    struct run run;

    begin(&run);
    work(&run, run.stream, 0, 600000, "k", KIND_KERNEL);
    work(&run, run.stream, 600000, 400000, "reduce", KIND_COMMUNICATION);
    work(&run, run.second, 0, 200000, "k", KIND_KERNEL);
    work(&run, run.second, 600000, 400000, "reduce", KIND_COMMUNICATION);
    advise(&run);
    expect_sound(&run.advice);
    cr_expect(of(&run, "hidden-communication")->is_reported);
    cr_expect_eq(of(&run, "communication")->high, 400000);
    cr_expect(of(&run, "stragglers")->is_reported);
    cr_expect_eq(of(&run, "stragglers")->high, 200000); /* 600 − (600 + 200) / 2 us */
    cr_expect_eq(of(&run, "stragglers")->device, 0);
    end(&run);
}

/* Nothing says why a device is idle of which no host is on record. */
Test(advice, idle_time_without_a_host_is_unrecorded)
{
    struct run run;

    begin(&run);
    work(&run, run.stream, 0, 100000, "k", KIND_KERNEL);
    work(&run, run.stream, 900000, 100000, "k", KIND_KERNEL);
    advise(&run);
    expect_sound(&run.advice);
    cr_expect(of(&run, "unrecorded")->is_reported);
    cr_expect_eq(of(&run, "unrecorded")->check.part, 800000);
    cr_expect_not(of(&run, "slow-host")->is_reported);
    end(&run);
}

Test(advice, what_gives_too_little_is_silent)
{
    struct run run;

    begin(&run);
    work(&run, run.stream, 0, 999000, "k", KIND_KERNEL);
    builder_property(builder_timeline(run.builder),
                     work(&run, run.stream, 999000, 1000, "copy", KIND_MEMCPY), PROP_BYTES, 8);
    advise(&run);
    expect_sound(&run.advice);
    cr_expect_not(of(&run, "small-copies")->is_reported);
    cr_expect_not_null(of(&run, "small-copies")->why_not);
    cr_expect(of(&run, "hot-kernel")->is_reported);
    end(&run);
}

Test(advice, waves_of_blocks)
{
    static const struct {
        int64_t grid, threads, registers, shared;
        double waves;
    } cases[] = {
        {640, 256, 0, 0, 1}, /* 8 blocks of 256 threads on each of 80 multiprocessors */
        {960, 256, 0, 0, 1.5},   {640, 256, 128, 0, 4},  /* 2 blocks by registers */
        {320, 256, 0, 49152, 2},                         /* 2 by shared memory */
        {640, 0, 0, 0, 0},       {80 * 32, 32, 0, 0, 1}, /* 32 blocks at most */
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct property_cursors near = {.columns = NULL};
        struct run run;
        uint32_t kernel;

        begin(&run);
        builder_device(run.builder, &(struct device){.sms = 80,
                                                     .max_threads_per_sm = 2048,
                                                     .registers_per_sm = 65536,
                                                     .shared_memory_per_sm = 98304});
        kernel = work(&run, run.stream, 0, 10, "k", KIND_KERNEL);
        builder_property(builder_timeline(run.builder), kernel, PROP_GRID,
                         property_pack3(cases[i].grid, 1, 1));
        builder_property(builder_timeline(run.builder), kernel, PROP_BLOCK,
                         property_pack3(cases[i].threads, 1, 1));
        builder_property(builder_timeline(run.builder), kernel, PROP_REGISTERS, cases[i].registers);
        builder_property(builder_timeline(run.builder), kernel, PROP_SHARED_MEMORY,
                         cases[i].shared);
        builder_finish(run.builder, &run.graph);
        near.columns = run.graph.timeline.properties;
        cr_expect_float_eq(launch_waves(&run.graph, &near, 0, 0), cases[i].waves, 1e-9, "case %zu",
                           i);
        end(&run);
    }
}

Test(advice, memory_is_nearly_full)
{
    struct run run;
    uint32_t points;

    begin(&run);
    builder_device(run.builder, &(struct device){.memory = 1000});
    points = builder_track(builder_timeline(run.builder),
                           &(struct track){.kind = TRACK_POINTS, .tid = 1});
    work(&run, run.stream, 0, 100000, "gemm", KIND_KERNEL);
    builder_property(builder_timeline(run.builder),
                     work(&run, points, 10, 0, "[memory]", KIND_OTHER), PROP_RESERVED, 950);
    advise(&run);
    cr_expect(of(&run, "memory-full")->is_reported);
    cr_expect_eq(of(&run, "memory-full")->check.part, 950);
    end(&run);
}

Test(advice, remedies_on_a_page_name_no_command_and_no_option)
{
    for (uint32_t i = 0; rules[i].name; i++) {
        const char *words = rule_page_remedy(&rules[i]);

        cr_expect_null(strchr(words, '`'), "%s: %s", rules[i].name, words);
        cr_expect_null(strstr(words, " -"), "%s: %s", rules[i].name, words);
        cr_expect_null(strstr(words, "(-"), "%s: %s", rules[i].name, words);
    }
}

Test(advice, remedies_of_causes_name_no_command_and_no_option)
{
    for (int i = 0; i < CAUSE_COUNT; i++) {
        const char *words = cause_texts[i].remedy;

        cr_expect(!words || (!strchr(words, '`') && !strstr(words, " -") && !strstr(words, "(-")),
                  "%s: %s", cause_texts[i].name, words);
    }
}

Test(advice, rules_have_names_of_their_own)
{
    for (uint32_t i = 0; rules[i].name; i++)
        for (uint32_t k = 0; k < i; k++)
            cr_expect_str_neq(rules[i].name, rules[k].name);
}

/* In microseconds: a call of 5, and the kernel that it launches. */
static void launch(struct run *run, uint32_t thread, int64_t at, int64_t length,
                   int64_t correlation)
{
    struct timeline_builder *timeline = builder_timeline(run->builder);

    builder_launches(timeline,
                     timed(run->builder, thread, 1000 * at, 5000, "cudaLaunchKernel", KIND_RUNTIME),
                     correlation);
    builder_launched(
        timeline,
        timed(run->builder, run->stream, 1000 * (at + 10), 1000 * length, "gemm", KIND_KERNEL),
        correlation);
}

static bool points_at(const struct run *run, const struct finding *finding, const char *name)
{
    return span_eq(graph_text(&run->graph, graph_frame(&run->graph, finding->frame)->name),
                   span_of(name));
}

/* The copy takes 16 % of the run, but what comes behind it could start only 45 us sooner: its launch comes late. */
Test(advice, what_gains_hardly_anything_is_silent)
{
    static const char *const kernels[] = {"a", "b", "c", "d"};
    struct run run;
    struct timeline_builder *timeline;
    uint32_t thread, copy;

    begin(&run);
    timeline = builder_timeline(run.builder);
    thread = thread_of(run.builder, 1);
    builder_launches(timeline, timed(run.builder, thread, 0, 5000, "cudaMemcpyAsync", KIND_RUNTIME), 1);
    copy = work(&run, run.stream, 10000, 1495000, "copy", KIND_MEMCPY);
    builder_launched(timeline, copy, 1);
    builder_property(timeline, copy, PROP_BYTES, 1000);
    builder_property(timeline, copy, PROP_SRC_KIND, MEMORY_PAGEABLE);
    timed(run.builder, thread, 5000, 1445000, "schedule", KIND_PYTHON);
    for (int i = 0; i < 4; i++) {
        builder_launches(timeline,
                         timed(run.builder, thread, 1450000 + 5000 * i, 5000, "cudaLaunchKernel",
                               KIND_RUNTIME),
                         i + 2);
        builder_launched(timeline,
                         work(&run, run.stream, 1505000 + 2000000 * i, 2000000, kernels[i], KIND_KERNEL),
                         i + 2);
    }
    advise(&run);
    expect_sound(&run.advice);
    cr_expect_eq(of(&run, "pageable-copies")->gain, 45000);
    cr_expect_not(of(&run, "pageable-copies")->is_reported);
    end(&run);
}

/* What no call launched begins in a replay when it began. As the last work of a device it hides every gain. */
Test(advice, a_gain_is_not_known_where_the_last_work_has_no_launch)
{
    for (int has_last = 0; has_last < 2; has_last++) {
        struct run run;
        uint32_t thread;

        begin(&run);
        thread = thread_of(run.builder, 1);
        for (int i = 0; i < 4; i++) {
            timed(run.builder, thread, 1000000 * i, 500000, "schedule", KIND_PYTHON);
            launch(&run, thread, 1000 * i + 500, 400, i + 1);
        }
        if (has_last)
            work(&run, stream_of(run.builder, 0, 8), 4000000, 1000, "migration", KIND_MEMCPY);
        advise(&run);
        cr_expect(of(&run, "slow-host")->is_reported);
        cr_expect_eq(of(&run, "slow-host")->gain == UNKNOWN, has_last);
        end(&run);
    }
}

/* A range of a step lasts until the recording ends: what is after its work is no work of the step. */
Test(advice, the_last_step_ends_with_its_work)
{
    struct run run;
    uint32_t thread;

    begin(&run);
    thread = thread_of(run.builder, 1);
    for (int i = 0; i < 4; i++) {
        builder_property(builder_timeline(run.builder),
                         timed(run.builder, thread, 1000000 * i, i < 3 ? 1000000 : 3000000,
                               "ProfilerStep", KIND_ANNOTATION),
                         PROP_STEP, i + 1);
        launch(&run, thread, 1000 * i, 900, i + 1);
    }
    advise(&run);
    cr_expect_not(of(&run, "uneven-steps")->is_reported);
    cr_expect_eq(of(&run, "uneven-steps")->check.whole, 1000000);
    end(&run);
}

/* `update` runs beside a kernel for half of its time, so that the device is idle longer for `schedule`. But the run
 * gets shorter by more if `update` takes half of its time. */
Test(advice, points_at_the_function_that_gives_most)
{
    struct run run;
    uint32_t thread;
    const struct finding *found;

    begin(&run);
    thread = thread_of(run.builder, 1);
    for (int i = 0; i < 4; i++) {
        int64_t at = 1000 * i;

        timed(run.builder, thread, 1000 * at, 300000, "schedule", KIND_PYTHON);
        launch(&run, thread, at + 300, 250, 2 * i + 1);
        timed(run.builder, thread, 1000 * (at + 305), 500000, "update", KIND_PYTHON);
        launch(&run, thread, at + 805, 190, 2 * i + 2);
    }
    advise(&run);
    expect_sound(&run.advice);
    found = of(&run, "slow-host");
    cr_assert(found->is_reported);
    cr_expect(points_at(&run, found, "update"));
    end(&run);
}

/* The device is idle for 300 us of `schedule` and for 100 of `collect`, four times each. */
Test(advice, a_place_has_its_share_of_the_trouble)
{
    struct run run;
    uint32_t thread;
    const struct finding *found;

    begin(&run);
    thread = thread_of(run.builder, 1);
    for (int i = 0; i < 4; i++) {
        int64_t at = 1000 * i;

        timed(run.builder, thread, 1000 * at, 300000, "schedule", KIND_PYTHON);
        launch(&run, thread, at + 300, 100, 2 * i + 1);
        timed(run.builder, thread, 1000 * (at + 410), 100000, "collect", KIND_PYTHON);
        launch(&run, thread, at + 510, 480, 2 * i + 2);
    }
    advise(&run);
    found = of(&run, "slow-host");
    cr_assert(found->is_reported);
    cr_expect(points_at(&run, found, "schedule"));
    cr_expect_float_eq(found->place_share, 0.75, 1e-9, "%f", found->place_share);
    end(&run);
}

/* Of eight functions each owns an eighth of the idle time. All of it is in `forward`, which `train` calls. */
Test(advice, points_at_what_holds_the_idle_time_that_many_functions_own)
{
    static const char *const parts[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    struct run run;
    uint32_t thread;
    const struct finding *found;

    begin(&run);
    thread = thread_of(run.builder, 1);
    launch(&run, thread, 0, 5, 1);
    timed(run.builder, thread, 20000, 4000000, "train", KIND_PYTHON);
    for (int i = 0; i < 4; i++) {
        int64_t at = 20 + 1000 * i;

        timed(run.builder, thread, 1000 * at, 810000, "forward", KIND_PYTHON);
        for (int k = 0; k < 8; k++)
            timed(run.builder, thread, 1000 * (at + 100 * k), 100000, parts[k], KIND_PYTHON);
        launch(&run, thread, at + 810, 170, i + 2);
    }
    advise(&run);
    found = of(&run, "slow-host");
    cr_assert(found->is_reported);
    cr_expect(points_at(&run, found, "forward"));
    end(&run);
}
