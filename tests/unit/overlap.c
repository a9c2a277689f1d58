/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/overlap.h"
#include "tests/unit/hand_made.h"

/* Hand-made timelines: unions, what hides what, and why devices were idle. */

static struct builder *begin(void)
{
    return begin_timeline(&(struct builder_options){
        .launches = true, .properties = property_bit(PROP_STEP) | property_bit(PROP_WAIT_STREAM)});
}

Test(overlap, communication_is_hidden_by_compute_and_copies_by_both)
{
    struct builder *builder = begin();
    struct arena arena = {0};
    struct overlap overlap;
    struct graph graph;
    uint32_t a = stream_of(builder, 0, 7), b = stream_of(builder, 0, 8);
    uint32_t c = stream_of(builder, 0, 9), other = stream_of(builder, 1, 7);
    frame_id kernel = named(builder, "k", KIND_KERNEL);

    builder_event(builder_timeline(builder), a, 100, 50, kernel);
    timed(builder, a, 150, 10, "fill", KIND_MEMSET);
    builder_event(builder_timeline(builder), a, 300, 100, kernel);
    timed(builder, b, 140, 100, "reduce", KIND_COMMUNICATION);
    timed(builder, c, 90, 200, "copy", KIND_MEMCPY);
    timed(builder, c, 0, 1000, "wait", KIND_SYNC); /* no work */
    builder_event(builder_timeline(builder), other, 0, 5, kernel);
    builder_finish(builder, &graph);
    overlap_compute(&graph, &(struct overlap_options){.gap_limit = 5}, &arena, &overlap);

    cr_assert_eq(overlap.device_count, 2);
    const struct overlap_figures *all = &overlap.devices[0].all;

    cr_expect_eq(all->start, 90);
    cr_expect_eq(all->span, 310);
    cr_expect_eq(all->compute, 160);
    cr_expect_eq(all->communication, 100);
    cr_expect_eq(all->hidden_communication, 20);
    cr_expect_eq(all->exposed_communication, 80);
    cr_expect_eq(all->memory, 200);
    cr_expect_eq(all->exposed_memory, 60); /* 90-100 and 240-290 */
    cr_expect_eq(all->busy, 300);
    cr_expect_eq(all->idle, 10);
    cr_expect_eq(all->events, 5);
    cr_expect_eq(overlap.span, 400); /* both devices */
    cr_assert_eq(overlap.gaps.count, 1);
    cr_expect_eq(overlap.gaps.largest[0].cause, GAP_UNKNOWN);
    arena_free(&arena);
    graph_free(&graph);
}

static struct gap gap_with(int64_t launch_start, int64_t kernel_start, bool has_sync, bool has_wait)
{
    struct builder *builder = begin();
    struct arena arena = {0};
    struct overlap overlap;
    struct graph graph;
    uint32_t thread = thread_of(builder, 1), stream = stream_of(builder, 0, 7);
    uint32_t waits = stream_of(builder, 0, 7);
    frame_id kernel = named(builder, "k", KIND_KERNEL);
    frame_id call = named(builder, "cudaLaunchKernel", KIND_RUNTIME);
    struct gap gap;
    int64_t idle = 0;

    builder_launches(builder_timeline(builder),
                     builder_event(builder_timeline(builder), thread, 0, 100, call), 1);
    builder_launched(builder_timeline(builder),
                     builder_event(builder_timeline(builder), stream, 1000, 9000, kernel), 1);
    builder_launches(builder_timeline(builder),
                     builder_event(builder_timeline(builder), thread, launch_start, 100, call), 2);
    builder_launched(builder_timeline(builder),
                     builder_event(builder_timeline(builder), stream, kernel_start, 10, kernel), 2);
    if (has_sync)
        timed(builder, thread, 200, 9900, "cudaDeviceSynchronize", KIND_RUNTIME);
    if (has_wait) {
        builder_event(builder_timeline(builder), stream_of(builder, 0, 8), 5000, 5300, kernel);
        builder_property(builder_timeline(builder),
                         timed(builder, waits, 300, 1, "wait", KIND_SYNC), PROP_WAIT_STREAM, 8);
    }
    builder_finish(builder, &graph);
    overlap_compute(&graph, &(struct overlap_options){0}, &arena, &overlap);
    cr_assert_eq(overlap.gaps.count, 1);
    gap = overlap.gaps.largest[0];
    cr_expect_eq(gap.start, has_wait ? 10300 : 10000);
    cr_expect_eq(gap.length, kernel_start - gap.start);
    for (int cause = 0; cause < GAP_CAUSE_COUNT; cause++)
        idle += overlap.gaps.by_cause[cause].time;
    cr_expect_eq(idle, gap.length);
    arena_free(&arena);
    graph_free(&graph);
    return gap;
}

Test(overlap, gaps_have_causes)
{
    cr_expect_eq(gap_with(12000, 12500, false, false).cause, GAP_HOST_LATE);
    cr_expect_eq(gap_with(12000, 12500, true, false).cause, GAP_SYNC);
    cr_expect_neq(gap_with(12000, 12500, true, false).waited, NO_EVENT);
    cr_expect_eq(gap_with(400, 10500, false, false).cause, GAP_LAUNCH_QUEUE);
    cr_expect_eq(gap_with(400, 90000, false, false).cause, GAP_OTHER);
    cr_expect_eq(gap_with(400, 10500, false, true).cause, GAP_DEPENDENCY);
    cr_expect_eq(gap_with(250, 10500, false, true).cause, GAP_LAUNCH_QUEUE); /* told later */
}

Test(overlap, steps_cut_what_reaches_out_of_them)
{
    struct builder *builder = begin();
    struct arena arena = {0};
    struct overlap overlap;
    struct graph graph;
    uint32_t thread = thread_of(builder, 1), stream = stream_of(builder, 0, 7);
    frame_id kernel = named(builder, "k", KIND_KERNEL);
    frame_id step = named(builder, "step", KIND_ANNOTATION);

    builder_property(builder_timeline(builder),
                     builder_event(builder_timeline(builder), thread, 0, 100, step), PROP_STEP, 5);
    builder_property(builder_timeline(builder),
                     builder_event(builder_timeline(builder), thread, 100, 100, step), PROP_STEP,
                     6);
    builder_event(builder_timeline(builder), stream, 10, 20, kernel);
    builder_event(builder_timeline(builder), stream, 90, 30, kernel);
    builder_event(builder_timeline(builder), stream, 250, 30, kernel);
    builder_finish(builder, &graph);
    overlap_compute(&graph, &(struct overlap_options){.by_step = true}, &arena, &overlap);
    cr_assert_eq(overlap.step_count, 2);
    cr_expect_eq(overlap.steps[0].step, 5);
    cr_expect_eq(overlap.steps[0].all.busy, 30);
    cr_expect_eq(overlap.steps[0].all.idle, 70);
    cr_expect_eq(overlap.steps[0].all.events, 2);
    cr_expect_eq(overlap.steps[1].all.busy, 20);
    cr_expect_eq(overlap.steps[1].all.events, 0); /* begins in none */
    arena_free(&arena);
    graph_free(&graph);
}

/* One step that two threads worked at, with a pause; and a step beside it. */
Test(overlap, a_step_of_two_threads_is_one)
{
    struct builder *builder = begin();
    struct arena arena = {0};
    struct overlap overlap;
    struct graph graph;
    uint32_t stream = stream_of(builder, 0, 7);
    uint32_t threads[] = {thread_of(builder, 1), thread_of(builder, 2)};
    frame_id kernel = named(builder, "k", KIND_KERNEL);
    frame_id step = named(builder, "step", KIND_ANNOTATION);

    builder_property(builder_timeline(builder),
                     builder_event(builder_timeline(builder), threads[0], 0, 100, step), PROP_STEP,
                     1);
    builder_property(builder_timeline(builder),
                     builder_event(builder_timeline(builder), threads[1], 50, 100, step), PROP_STEP,
                     1);
    builder_property(builder_timeline(builder),
                     builder_event(builder_timeline(builder), threads[0], 200, 100, step),
                     PROP_STEP, 2);
    builder_property(builder_timeline(builder),
                     builder_event(builder_timeline(builder), threads[1], 400, 100, step),
                     PROP_STEP, 1);
    builder_event(builder_timeline(builder), stream, 90, 20, kernel);
    builder_event(builder_timeline(builder), stream, 140, 70, kernel);
    builder_event(builder_timeline(builder), stream, 490, 20, kernel);
    builder_finish(builder, &graph);
    overlap_compute(&graph, &(struct overlap_options){.by_step = true}, &arena, &overlap);
    cr_assert_eq(overlap.step_count, 2);
    cr_expect_eq(overlap.steps[0].step, 1);
    cr_expect_eq(overlap.steps[0].all.span, 250);
    cr_expect_eq(overlap.steps[0].all.busy, 40);
    cr_expect_eq(overlap.steps[0].all.compute, 40);
    cr_expect_eq(overlap.steps[0].all.idle, 210);
    cr_expect_eq(overlap.steps[0].all.events, 3);
    cr_expect_eq(overlap.steps[1].all.span, 100);
    cr_expect_eq(overlap.steps[1].all.busy, 10);
    arena_free(&arena);
    graph_free(&graph);
}
