/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "analysis/execution/amdahl.h"
#include "tests/unit/hand_made.h"

/* What-ifs on timelines made by hand. */

static struct builder *begin(void)
{
    return begin_timeline(&(struct builder_options){.launches = true});
}

static const struct amdahl_row *row_named(const struct amdahl *amdahl, const struct graph *graph,
                                          const char *name)
{
    for (uint32_t i = 0; i < amdahl->count; i++)
        if (span_eq(graph_text(graph, graph_frame(graph, amdahl->rows[i].frame)->name),
                    span_of(name)))
            return &amdahl->rows[i];
    return NULL;
}

#define NEAR(got, wanted) cr_expect_float_eq(got, wanted, 1e-6, "%.9g, not %.9g", got, wanted)

/* A thread that launches and then waits, and a stream: what waits is not at work, and what is
 * around the waiting is only at work outside it. */
Test(amdahl, waiting_is_no_work)
{
    struct builder *builder = begin();
    uint32_t thread = thread_of(builder, 0);
    uint32_t stream = stream_of(builder, 0, 0);
    struct graph graph;
    struct arena arena = {0};
    struct amdahl amdahl;

    uint32_t waiter = thread_of(builder, 2);

    timed(builder, waiter, 0, 100000, "monitor", KIND_PYTHON);
    timed(builder, thread, 0, 100000, "step", KIND_OPERATOR);
    timed(builder, thread, 20000, 80000, "wait", KIND_SYNC);
    timed(builder, stream, 10000, 90000, "gemm", KIND_KERNEL);
    builder_finish(builder, &graph);
    amdahl_compute(&graph, &(struct amdahl_options){.target = 1.5}, &arena, &amdahl);
    cr_assert_eq(amdahl.whole, 100000);
    cr_expect(!amdahl.waits_for_launches);
    cr_expect_null(row_named(&amdahl, &graph, "wait"));
    cr_expect_null(row_named(&amdahl, &graph, "monitor"));

    const struct amdahl_row *gemm = row_named(&amdahl, &graph, "gemm");
    const struct amdahl_row *step = row_named(&amdahl, &graph, "step");

    NEAR(gemm->share_low, .8);
    NEAR(gemm->share_high, .9);
    NEAR(gemm->limit.low, 5.0);
    NEAR(gemm->limit.high, 10.0); /* the thread sets no floor: its calls may block */
    NEAR(gemm->needed.low, .9 / (1 / 1.5 - .1));
    NEAR(step->share_low, .1);
    NEAR(step->share_high, .2);
    NEAR(step->limit.high, 100 / 90.0);
    cr_expect(isinf(step->needed.low));
    arena_free(&arena);
    graph_free(&graph);
}

/* An asynchronous copy of pageable memory: the call submits it for 1 us, and waits for it. */
Test(amdahl, copies_may_block_whatever_they_are_called)
{
    struct builder *builder = begin();
    uint32_t thread = thread_of(builder, 0);
    uint32_t stream = stream_of(builder, 0, 0);
    frame_id call = named(builder, "cudaMemcpyAsync", KIND_RUNTIME);
    frame_id copy = named(builder, "copy", KIND_MEMCPY);
    struct graph graph;
    struct arena arena = {0};
    struct amdahl amdahl;

    for (int64_t i = 0; i < 4; i++) {
        builder_launches(builder_timeline(builder),
                         builder_event(builder_timeline(builder), thread, i * 25000, 25000, call),
                         i);
        builder_launched(
            builder_timeline(builder),
            builder_event(builder_timeline(builder), stream, i * 25000 + 1000, 23000, copy), i);
    }
    builder_finish(builder, &graph);
    amdahl_compute(&graph, &(struct amdahl_options){0}, &arena, &amdahl);
    NEAR(row_named(&amdahl, &graph, "cudaMemcpyAsync")->share_high, .04);
    NEAR(row_named(&amdahl, &graph, "copy")->share_low, .92);
    arena_free(&arena);
    graph_free(&graph);
}

/* Kernels alone, with gaps: nothing says that shorter kernels bring the next one forward. */
Test(amdahl, gaps_of_unknown_cause_leave_no_lower_bound)
{
    struct builder *builder = begin();
    uint32_t stream = stream_of(builder, 0, 0);
    struct graph graph;
    struct arena arena = {0};
    struct amdahl amdahl;

    for (int i = 0; i < 5; i++)
        timed(builder, stream, i * 100, 60, "k", KIND_KERNEL);
    builder_finish(builder, &graph);
    amdahl_compute(&graph, &(struct amdahl_options){0}, &arena, &amdahl);
    cr_expect(amdahl.waits_for_launches);
    cr_assert_eq(amdahl.count, 1);
    NEAR(amdahl.rows[0].limit.low, 1.0);
    NEAR(amdahl.rows[0].limit.high, 460.0 / 160);
    arena_free(&arena);
    graph_free(&graph);
}

/* Half of the kernels begin as soon as they are launched: the queue is empty. */
Test(amdahl, kernels_that_start_at_their_launch)
{
    struct builder *builder = begin();
    uint32_t thread = thread_of(builder, 0);
    uint32_t stream = stream_of(builder, 0, 0);
    struct graph graph;
    struct arena arena = {0};
    struct amdahl amdahl;

    for (int i = 0; i < 4; i++) {
        uint32_t launch = timed(builder, thread, i * 100000, 5000, "launch", KIND_RUNTIME);
        uint32_t kernel =
            timed(builder, stream, i * 100000 + (i < 2 ? 8000 : 50000), 10000, "k", KIND_KERNEL);

        builder_launches(builder_timeline(builder), launch, i);
        builder_launched(builder_timeline(builder), kernel, i);
    }
    builder_finish(builder, &graph);
    amdahl_compute(&graph, &(struct amdahl_options){0}, &arena, &amdahl);
    cr_expect(amdahl.waits_for_launches);
    NEAR(row_named(&amdahl, &graph, "k")->limit.low, 1.0);
    cr_expect_gt(row_named(&amdahl, &graph, "launch")->limit.low, 1.0);
    arena_free(&arena);
    graph_free(&graph);
}

/* Two parts at once, on two streams that run at the same time: the longer one is the floor. */
Test(amdahl, plans_have_floors)
{
    struct builder *builder = begin();
    struct track track = {.kind = TRACK_STREAM, .device = 0};
    uint32_t first = builder_track(builder_timeline(builder), &track),
             second = builder_track(builder_timeline(builder), &track);
    frame_id a = named(builder, "a", KIND_KERNEL), b = named(builder, "b", KIND_KERNEL);
    uint32_t part_of[] = {2, 0, 1};
    struct amdahl_plan plan = {.count = 2, .factors = {2, 4}};
    struct graph graph;

    builder_event(builder_timeline(builder), first, 0, 100, a);
    builder_event(builder_timeline(builder), second, 0, 80, b);
    builder_finish(builder, &graph);
    cr_assert(a == 1 && b == 2);
    amdahl_combine(&graph, &(struct amdahl_options){0}, part_of, &plan);
    NEAR(plan.parts[0].share_low, .2);
    NEAR(plan.parts[0].share_high, 1.0);
    NEAR(plan.parts[1].share_low, 0.0);
    NEAR(plan.overall.low, 1 / .9);
    NEAR(plan.overall.high, 2.0);
    graph_free(&graph);
}

/* ---- steps ---- */

Test(amdahl_steps, shares_of_each_step)
{
    struct builder *builder =
        begin_timeline(&(struct builder_options){.properties = property_bit(PROP_STEP)});
    struct amdahl_steps steps;
    struct arena arena = {0};
    struct graph graph;

    uint32_t thread = thread_of(builder, 0);
    struct frame step = {.name = builder_intern(builder, SPAN("step")), .kind = KIND_ANNOTATION};
    struct frame work = {.name = builder_intern(builder, SPAN("work")), .kind = KIND_OPERATOR};
    frame_id steps_frame = builder_frame(builder, &step), frame = builder_frame(builder, &work);

    for (int64_t i = 0; i < 3; i++) { /* 10, 30 and 20 of 100 ns */
        static const int64_t lengths[] = {10, 30, 20};

        builder_property(
            builder_timeline(builder),
            builder_event(builder_timeline(builder), thread, i * 100, 100, steps_frame), PROP_STEP,
            i);
        builder_event(builder_timeline(builder), thread, i * 100 + 5, lengths[i], frame);
    }
    builder_finish(builder, &graph);
    amdahl_steps_find(&graph, &arena, &steps);
    cr_assert_eq(steps.count, 3);
    cr_expect_eq(steps.median, 100);
    for (frame_id i = 1; i < graph.frames.count; i++) {
        bool is_work = span_eq(graph_text(&graph, graph.frames.list[i].name), SPAN("work"));

        cr_expect_float_eq(steps.of[i].least, is_work ? .10 : .70, 1e-9);
        cr_expect_float_eq(steps.of[i].median, is_work ? .20 : .80, 1e-9);
        cr_expect_float_eq(steps.of[i].most, is_work ? .30 : .90, 1e-9);
        cr_expect_float_eq(steps.of[i].exposed, steps.of[i].median, 1e-9);
    }
    graph_free(&graph);
    arena_free(&arena);
}

enum { BRACKET_PARTS = 3, BRACKET_SPAN = 40 };

/* The parts active in the unit of time that begins at `time`, as a set. */
static unsigned parts_at(const struct activities *activities, int64_t time)
{
    unsigned parts = 0;

    for (size_t i = 0; i < activities->count; i++)
        if (activities->list[i].start <= time && time < activities->list[i].end)
            parts |= 1u << activities->list[i].part;
    return parts;
}

static void expect_counted(const struct activities *activities)
{
    int64_t busy = 0, exposed[BRACKET_PARTS] = {0}, united[BRACKET_PARTS] = {0};
    struct speedup_bounds bounds;

    for (int64_t time = 0; time < BRACKET_SPAN; time++) {
        unsigned parts = parts_at(activities, time);

        busy += parts != 0;
        for (unsigned p = 0; p < BRACKET_PARTS; p++) {
            exposed[p] += parts == 1u << p;
            united[p] += parts >> p & 1;
        }
    }
    speedup_bounds_compute(activities, BRACKET_SPAN, BRACKET_PARTS, BRACKET_PARTS, &bounds);
    cr_expect_eq(bounds.busy, busy);
    for (unsigned p = 0; p < BRACKET_PARTS; p++) {
        cr_expect_eq(bounds.exposed[p], exposed[p]);
        cr_expect_eq(bounds.united[p], united[p]);
    }
    speedup_bounds_free(&bounds);
}

Test(bounds, counts_every_moment)
{
    unsigned seed = 1;

    for (unsigned round = 0; round < 500; round++) {
        struct activities activities = {0};
        int64_t loads = 0, times = 0;
        struct speedup_bounds bounds;

        for (unsigned i = 0; i < round % 12; i++) {
            struct activity activity = {.resource = i % 4 == 3 ? NO_RESOURCE : i % 3};

            seed = seed * 1103515245u + 12345u;
            activity.start = seed >> 16 & 31;
            activity.end = activity.start + (seed >> 21 & 7);
            activity.part = (seed >> 24) % BRACKET_PARTS;
            times += activity.resource == NO_RESOURCE ? 0 : activity.end - activity.start;
            activities_add(&activities, &activity);
        }
        expect_counted(&activities);
        speedup_bounds_compute(&activities, BRACKET_SPAN, BRACKET_PARTS, BRACKET_PARTS, &bounds);
        for (size_t i = 0; i < bounds.first_load[BRACKET_PARTS]; i++)
            loads += bounds.loads[i].time;
        cr_expect_eq(loads, times);
        speedup_bounds_free(&bounds);
        activities_free(&activities);
    }
}
