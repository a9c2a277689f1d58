/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/selection/select.h"
#include "graph/derive/derive.h"
#include "tests/unit/hand_made.h"

/* Two steps on a thread; a kernel that the first launched runs in the second. */

static void make(struct graph *graph)
{
    struct builder *builder = begin_timeline(
        &(struct builder_options){.launches = true, .properties = property_bit(PROP_STEP)});
    uint32_t thread, stream;

    thread = builder_track(builder_timeline(builder),
                           &(struct track){.kind = TRACK_THREAD,
                                           .device = -1,
                                           .name = builder_intern(builder, SPAN("main"))});
    stream = builder_track(builder_timeline(builder),
                           &(struct track){.kind = TRACK_STREAM,
                                           .process = builder_intern(builder, SPAN("GPU 0")),
                                           .name = builder_intern(builder, SPAN("stream 7"))});
    builder_property(builder_timeline(builder),
                     timed(builder, thread, 0, 100, "a", KIND_ANNOTATION), PROP_STEP, 4);
    builder_property(builder_timeline(builder),
                     timed(builder, thread, 100, 100, "b", KIND_ANNOTATION), PROP_STEP, 5);
    builder_launches(builder_timeline(builder), timed(builder, thread, 90, 5, "call", KIND_RUNTIME),
                     1);
    builder_launched(builder_timeline(builder), timed(builder, stream, 150, 30, "k", KIND_KERNEL),
                     1);
    timed(builder, thread, 300, 7, "k", KIND_HOST);
    builder_finish(builder, graph);
}

static int64_t self_of(const struct graph *graph, const char *name)
{
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        if (span_eq(graph_text(graph, graph_frame(graph, graph->functions.frame[i])->name),
                    span_of(name)))
            return graph->functions.self[i];
    return UNKNOWN;
}

static void group(struct graph *graph, enum group_by by)
{
    struct error err = {0};

    make(graph);
    group_mark_events(graph, by);
    cr_assert(group_apply(graph, by, &err), "%s", err.text);
    cr_assert(graph_need(graph, LEVEL_FLAT, "x", &err));
}

Test(group_events, device_work_is_in_the_step_that_launched_it)
{
    struct graph graph;

    group(&graph, BY_STEP);
    cr_expect_eq(self_of(&graph, "step 4"), 130);
    cr_expect_eq(self_of(&graph, "step 5"), 100);
    cr_expect_eq(self_of(&graph, "(outside of steps)"), 7);
    graph_free(&graph);
}

Test(group_events, functions_of_one_name_are_told_apart_by_track)
{
    struct graph graph;

    group(&graph, BY_TRACK);
    cr_expect_eq(self_of(&graph, "main"), 207);
    cr_expect_eq(self_of(&graph, "GPU 0: stream 7"), 30);
    graph_free(&graph);
}

Test(group_events, modules_stay_what_they_are)
{
    struct graph graph;
    frame_id told = 0;

    make(&graph);
    group_mark_events(&graph, BY_TRACK);
    for (frame_id id = 0; id < graph.frames.count; id++) {
        cr_expect_eq(graph_frame(&graph, id)->module, 0);
        told += frame_group(&graph.frames, id) != 0;
    }
    cr_expect_geq(told, 3);
    graph_free(&graph);
}

Test(group_events, what_is_not_known_is_an_error)
{
    struct error err = {0};
    struct graph graph;

    make(&graph);
    group_mark_events(&graph, BY_DETAIL); /* not kept */
    cr_expect_not(group_apply(&graph, BY_DETAIL, &err));
    cr_expect_eq(err.kind, ERROR_LACK);
    graph_free(&graph);
}
