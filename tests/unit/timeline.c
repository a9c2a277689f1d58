/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <inttypes.h>

#include "graph/build/builder.h"
#include "graph/derive/derive.h"
#include "tests/unit/hand_made.h"

/* Hand-made timelines: how events nest, what arrows and properties say of them. */

static const struct value_name time_value[] = {{LITERAL("time"), UNIT_NS}};
static const struct builder_options callgraph = {.need = LEVEL_CALLGRAPH};

static void expect_nested(const struct graph *graph)
{
    uint32_t at = function_named(graph, "outer");

    cr_expect_eq(graph->functions.count, 2);
    cr_expect_eq(graph->functions.calls[at], 3);
    cr_expect_eq(graph->functions.primitive_calls[at], 2);
    cr_expect_eq(graph->functions.self[at], 63);
    cr_expect_eq(graph->functions.cum[at], 70);
    cr_expect_eq(graph->functions.min[at], 3);
    cr_expect_eq(graph->functions.max[at], 50);
    at = function_named(graph, "inner");
    cr_expect_eq(graph->functions.calls[at], 2);
    cr_expect_eq(graph->functions.self[at], 7);
    cr_expect_eq(graph->functions.min[at], 0);
}

/* In one sweep for the flat level, and again by the tree once callers are wanted. */
Test(timeline, events_nest_by_time_with_the_longer_first)
{
    struct builder *builder = begin_timeline(&callgraph);
    struct graph graph;
    struct error err = {0};
    uint32_t thread = thread_of(builder, 0);
    frame_id outer = named(builder, "outer", KIND_HOST), inner = named(builder, "inner", KIND_HOST);

    /* out of order, ties, two that touch, and one below itself */
    builder_event(builder_timeline(builder), thread, 100, 10, inner);
    builder_event(builder_timeline(builder), thread, 100, 50, outer);
    builder_event(builder_timeline(builder), thread, 150, 20, outer);
    builder_event(builder_timeline(builder), thread, 110, 0, inner);
    builder_event(builder_timeline(builder), thread, 105, 3, outer);
    builder_finish(builder, &graph);
    cr_assert(graph_need(&graph, LEVEL_FLAT, "", &err));
    expect_nested(&graph);
    cr_expect_not(graph.has[LEVEL_CALLGRAPH]);
    cr_assert(graph_need(&graph, LEVEL_CALLGRAPH, "", &err));
    expect_nested(&graph);
    cr_expect_eq(graph.calls.count, 2);
    cr_expect_eq(graph.calls.cum[edge_between(&graph, "outer", "inner")], 10);
    graph_free(&graph);
}

/* Columns that stay where events come track by track, and those that are put in order column by column, are those
 * that events would be moved to. */
static void build_many(bool is_expected, bool is_in_order, struct graph *graph)
{
    enum { EVENTS = 70000 };
    struct builder *builder = begin_timeline(&callgraph);
    uint32_t threads[2] = {thread_of(builder, 0), thread_of(builder, 1)}, event;
    frame_id frames[2] = {named(builder, "a", KIND_HOST), named(builder, "b", KIND_HOST)};

    if (is_expected)
        builder_expect(builder_timeline(builder), EVENTS);
    for (int i = 0; i < EVENTS; i++) {
        event = builder_event(builder_timeline(builder),
                              threads[is_in_order ? i >= EVENTS / 3 : i % 3 == 0], 10 * i, 0,
                              frames[i % 5 == 0]);
        builder_set_duration(builder_timeline(builder), event, i % 1000 ? i % 7 : -1);
    }
    builder_finish(builder, graph);
}

Test(timeline, events_that_were_expected_are_the_same)
{
    for (int is_in_order = 0; is_in_order < 2; is_in_order++) {
        struct graph moved, expected;
        const struct timeline *a = &moved.timeline, *b = &expected.timeline;

        build_many(false, is_in_order, &moved);
        build_many(true, is_in_order, &expected);
        cr_assert_eq(a->count, b->count);
        cr_expect_eq(a->tracks[1].first, b->tracks[1].first);
        cr_expect_eq(a->tracks[1].count, b->tracks[1].count);
        cr_expect_arr_eq(a->start, b->start, a->count * sizeof(*a->start));
        cr_expect_arr_eq(a->duration, b->duration, a->count * sizeof(*a->duration));
        cr_expect_arr_eq(a->frame, b->frame, a->count * sizeof(*a->frame));
        graph_free(&moved);
        graph_free(&expected);
    }
}

static void expect_called_in_no_time(const struct graph *graph, const char *function)
{
    uint32_t at = function_named(graph, function);

    cr_expect_eq(graph->functions.calls[at], 1);
    cr_expect_eq(graph->functions.self[at], 0);
    cr_expect_eq(graph->functions.cum[at], 0);
}

/* Nor do what they are around or inside lose any. */
Test(timeline, ranges_over_device_work_take_no_time)
{
    struct builder *builder = begin_timeline(&callgraph);
    struct graph graph;
    struct error err = {0};
    uint32_t stream = stream_of(builder, 0, 0);
    uint32_t ranges =
        builder_track(builder_timeline(builder), &(struct track){.kind = TRACK_RANGES});

    timed(builder, stream, 101, 48, "work", KIND_HOST);
    timed(builder, ranges, 100, 50, "outer range", KIND_HOST);
    timed(builder, ranges, 110, 20, "inner range", KIND_HOST);
    builder_finish(builder, &graph);
    for (int by_tree = 0; by_tree < 2; by_tree++) {
        cr_assert(graph_need(&graph, by_tree ? LEVEL_CALLGRAPH : LEVEL_FLAT, "", &err));
        expect_called_in_no_time(&graph, "outer range");
        expect_called_in_no_time(&graph, "inner range");
        cr_expect_eq(graph.functions.self[function_named(&graph, "work")], 48);
    }
    graph_free(&graph);
}

/* What later events told of it: the first event of two is put into the other track. */
Test(timeline, an_event_moves_to_another_track_under_another_name)
{
    struct builder *builder = begin_timeline(&callgraph);
    struct graph graph;
    uint32_t stream = stream_of(builder, 0, 0);
    uint32_t ranges =
        builder_track(builder_timeline(builder), &(struct track){.kind = TRACK_THREAD});
    frame_id work = named(builder, "work", KIND_HOST), range = named(builder, "range", KIND_HOST);
    uint32_t first = builder_event(builder_timeline(builder), stream, 100, 50, work);

    builder_event(builder_timeline(builder), stream, 110, 20, work);
    builder_reassign(builder_timeline(builder), first, ranges, range);
    builder_finish(builder, &graph);
    cr_assert_eq(graph.timeline.tracks[0].count, 1);
    cr_assert_eq(graph.timeline.tracks[1].count, 1);
    cr_expect_eq(graph.timeline.start[graph.timeline.tracks[0].first], 110);
    cr_expect_eq(graph.timeline.start[graph.timeline.tracks[1].first], 100);
    cr_expect_eq(graph.timeline.frame[graph.timeline.tracks[1].first], range);
    graph_free(&graph);
}

/* Work on a stream and an event on another thread, each at the head of an arrow. */
static void read_arrows(bool flows, struct graph *graph, event_id *work, event_id *other)
{
    struct builder *builder =
        builder_new(&(struct builder_options){.launches = true, .flows = flows});
    struct error err = {0};

    cr_assert(builder_begin_timeline(builder, &err));
    uint32_t a = thread_of(builder, 0);
    uint32_t b = thread_of(builder, 0);
    uint32_t stream = stream_of(builder, 0, 0);
    frame_id kernel = builder_frame(
        builder, &(struct frame){.name = builder_intern(builder, SPAN("k")), .kind = KIND_KERNEL});

    timed(builder, a, 0, 100, "outer", KIND_HOST);
    timed(builder, a, 10, 20, "call", KIND_HOST);
    timed(builder, a, 40, 20, "post", KIND_HOST);
    timed(builder, b, 5, 10, "before", KIND_HOST);
    timed(builder, b, 70, 10, "task", KIND_HOST);
    builder_event(builder_timeline(builder), stream, 50, 9, kernel);
    builder_flow(builder_timeline(builder),
                 &(struct flow_point){.flow = 1, .time = 20, .track = a, .is_start = true});
    builder_flow(builder_timeline(builder),
                 &(struct flow_point){.flow = 1, .time = 54, .track = stream});
    builder_flow(builder_timeline(builder),
                 &(struct flow_point){.flow = 2, .time = 65, .track = b, .is_next = true});
    builder_flow(builder_timeline(builder),
                 &(struct flow_point){.flow = 2, .time = 45, .track = a, .is_start = true});
    builder_flow(builder_timeline(builder),
                 &(struct flow_point){.flow = 3, .time = 66, .track = b, .is_next = true});
    builder_finish(builder, graph);
    *work = graph->timeline.tracks[stream].first;
    *other = graph->timeline.tracks[b].first + 1;
}

Test(timeline, arrows_say_what_made_events_run)
{
    struct graph graph;
    event_id work, other;

    read_arrows(true, &graph, &work, &other);
    cr_expect_eq(graph.timeline.launch[work], 1);  /* call, not outer */
    cr_expect_eq(graph.timeline.launch[other], 2); /* post */
    cr_expect_eq(graph.timeline.launch[0], NO_EVENT);
    graph_free(&graph);
    read_arrows(false, &graph, &work, &other);
    cr_expect_eq(graph.timeline.launch[work], 1);
    cr_expect_eq(graph.timeline.launch[other], NO_EVENT);
    graph_free(&graph);
}

Test(timeline, events_that_overlap_get_lanes)
{
    struct builder *builder = builder_new(&(struct builder_options){.launches = true});
    struct error err = {0};
    struct graph graph;
    cr_assert(builder_begin(builder, LEVEL_TIMELINE, time_value, 1, 0, &err));
    uint32_t thread = thread_of(builder, 0);
    uint32_t stream = stream_of(builder, 0, 0);
    frame_id f = named(builder, "f", KIND_HOST);

    builder_event(builder_timeline(builder), thread, 0, 10, f);
    uint32_t launch =
        builder_event(builder_timeline(builder), thread, 5, 10, f); /* neither inside nor after */
    uint32_t kernel = builder_event(builder_timeline(builder), stream, 20, 10, f);
    builder_event(builder_timeline(builder), stream, 22, 2,
                  f); /* inside, but a stream does not nest */
    builder_launches(builder_timeline(builder), launch, 77);
    builder_launched(builder_timeline(builder), kernel, 77);
    builder_finish(builder, &graph);
    cr_assert_eq(graph.timeline.track_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        cr_expect_eq(graph.timeline.tracks[i].count, 1);
        cr_expect_eq(graph.timeline.tracks[i].lane, i % 2);
    }
    cr_expect_eq(graph.timeline.launch[2], 1);
    cr_expect_eq(graph.timeline.launch[0], NO_EVENT);
    cr_expect_eq(graph.source.warnings.count, 1);
    cr_expect_eq(graph.source.warnings.list[0].count, 1);
    graph_free(&graph);
}

Test(timeline, operations_nest_on_their_own)
{
    struct builder *builder = builder_new(&(struct builder_options){0});
    struct error err = {0};
    struct graph graph;
    cr_assert(builder_begin(builder, LEVEL_TIMELINE, time_value, 1, 0, &err));
    uint32_t track = builder_track(builder_timeline(builder),
                                   &(struct track){.kind = TRACK_ASYNC, .device = -1});
    static const struct {
        int64_t start, duration, operation;
        uint32_t lane;
    } events[] = {
        {0, 100, 7, 0}, {10, 50, 8, 1}, {20, 10, 8, 1}, /* inside its own */
        {30, 10, 7, 0}, {35, 10, 7, 2},                 /* overlaps its own for good */
        {60, 10, 9, 2},                                 /* where one ended first */
        {100, 5, 7, 1},
    };

    for (size_t i = COUNT_OF(events); i-- > 0;)
        builder_set_operation(builder_timeline(builder),
                              timed(builder, track, events[i].start, events[i].duration,
                                    events[i].operation == 7 ? "seven" : "other", KIND_HOST),
                              events[i].operation);
    builder_finish(builder, &graph);
    cr_assert_eq(graph.timeline.track_count, 3);
    for (size_t i = 0; i < COUNT_OF(events); i++) {
        const struct track *lane = &graph.timeline.tracks[events[i].lane];
        bool is_there = false;

        for (event_id e = lane->first; e < lane->first + lane->count; e++)
            is_there |= graph.timeline.start[e] == events[i].start;
        cr_expect(is_there, "event %zu is not on lane %" PRIu32, i, events[i].lane);
    }
    cr_expect_eq(graph.source.warnings.count, 0);
    graph_free(&graph);
}

Test(timeline, negative_durations_become_instants)
{
    struct builder *builder = begin_timeline(&callgraph);
    struct graph graph;
    uint32_t thread = thread_of(builder, 0);

    timed(builder, thread, 10, -5, "f", KIND_HOST);
    builder_finish(builder, &graph);
    cr_expect_eq(graph.timeline.duration[0], 0);
    cr_expect_eq(graph.source.warnings.count, 1);
    graph_free(&graph);
}

Test(timeline, properties_follow_their_events)
{
    struct builder *builder = builder_new(
        &(struct builder_options){.properties = property_bit(PROP_BYTES) | property_bit(PROP_GRID),
                                  .categories = true,
                                  .series = true});
    struct graph graph;
    struct error err = {0};
    int64_t value, x, y, z;

    cr_assert(builder_begin(builder, LEVEL_TIMELINE, time_value, 1, 0, &err));
    uint32_t track = stream_of(builder, 0, 0);
    frame_id f = named(builder, "f", KIND_HOST);
    uint32_t late = builder_event(builder_timeline(builder), track, 50, 10, f);

    builder_category(builder_timeline(builder),
                     builder_category_number(builder_timeline(builder),
                                             builder_intern(builder, SPAN("kernel"))));
    builder_property(builder_timeline(builder), late, PROP_BYTES, 1);
    builder_property(builder_timeline(builder), late, PROP_BYTES, 2); /* the last one stays */
    builder_property(builder_timeline(builder), late, PROP_GRID, property_pack3(7, 8, 1 << 30));
    builder_property(builder_timeline(builder), late, PROP_STREAM, 9); /* nobody asked */
    uint32_t early = builder_event(builder_timeline(builder), track, 0, 10, f);

    builder_property(builder_timeline(builder), early, PROP_BYTES, 3);
    uint32_t series =
        builder_series(builder_timeline(builder), builder_intern(builder, SPAN("memory")), 0, -1);

    builder_sample(builder_timeline(builder), series, 20, 2);
    builder_sample(builder_timeline(builder), series, 10, 1);
    builder_finish(builder, &graph);

    const struct timeline *t = &graph.timeline;

    cr_expect_eq(t->properties[PROP_BYTES].count, 2);
    cr_expect(property_of(&t->properties[PROP_BYTES], 0, &value) && value == 3);
    cr_expect(property_of(&t->properties[PROP_BYTES], 1, &value) && value == 2);
    cr_expect_not(property_of(&t->properties[PROP_GRID], 0, &value));
    cr_assert(property_of(&t->properties[PROP_GRID], 1, &value));
    property_unpack3(value, &x, &y, &z);
    cr_expect(x == 7 && y == 8 && z == (1 << 21) - 1);
    cr_expect_eq(t->properties[PROP_STREAM].count, 0);
    cr_expect_eq(t->series.list[0].time[0], 10);
    cr_expect_eq(t->series.list[0].value[1], 2);
    cr_expect(span_eq(graph_text(&graph, t->categories[t->category[1]]), SPAN("kernel")));
    graph_free(&graph);
}

Test(timeline, rounding_is_cut_and_sorting_keeps_references)
{
    struct builder *builder = builder_new(
        &(struct builder_options){.launches = true, .properties = property_bit(PROP_BYTES)});
    struct graph graph;
    struct error err = {0};
    int64_t bytes;

    cr_assert(builder_begin(builder, LEVEL_TIMELINE, time_value, 1, 0, &err));
    uint32_t thread =
        builder_track(builder_timeline(builder),
                      &(struct track){.kind = TRACK_THREAD, .device = -1, .tolerance = 2});
    frame_id f = named(builder, "f", KIND_HOST);
    uint32_t late = builder_event(builder_timeline(builder), thread, 100, 10, f);
    uint32_t early = builder_event(builder_timeline(builder), thread, 0, 50, f);
    uint32_t over =
        builder_event(builder_timeline(builder), thread, 40, 12, f); /* 2 past the end of `early` */
    uint32_t lane =
        builder_event(builder_timeline(builder), thread, 45, 20, f); /* overlaps for good */

    builder_launches(builder_timeline(builder), early, 1);
    builder_launched(builder_timeline(builder), late, 1);
    builder_launched(builder_timeline(builder), lane, 2); /* launch not recorded */
    builder_property(builder_timeline(builder), over, PROP_BYTES, 3);
    builder_finish(builder, &graph);

    const struct timeline *t = &graph.timeline;

    cr_assert_eq(t->track_count, 2);
    cr_expect_eq(t->tracks[0].count, 3);
    cr_expect_eq(t->duration[1], 10);
    cr_expect_eq(t->start[3], 45);
    cr_expect_eq(t->launch[2], 0);
    cr_expect_eq(t->launch[3], NO_EVENT);
    cr_expect(property_of(&t->properties[PROP_BYTES], 1, &bytes) && bytes == 3);
    graph_free(&graph);
}

/* Columns of the same events share the list until one of them gets others. */
Test(timeline, columns_of_the_same_events_share_them)
{
    struct property_column grid = {0}, block = {0}, bytes = {0};
    int64_t value = -1;

    cr_expect(!property_share(&grid, &block), "nothing");
    for (uint32_t i = 0; i < 300; i++) {
        property_append(&grid, i * 3, i);
        property_append(&block, i * 3, i + 1);
        property_append(&bytes, i * 3 + (i == 299), i);
    }
    cr_expect(property_share(&block, &grid));
    cr_expect(!property_share(&bytes, &grid), "the last event is another");
    cr_expect_eq(block.event, grid.event);
    property_append(&block, 1000, 7);
    cr_expect_neq(block.event, grid.event);
    cr_expect_eq(grid.count, 300);
    cr_expect(property_of(&block, 297, &value));
    cr_expect_eq(value, 100);
    cr_expect(property_of(&block, 1000, &value));
    cr_expect_eq(value, 7);
    property_column_free(&grid);
    property_column_free(&block);
    property_column_free(&bytes);
}

/* Wherever it stands: near it moves, and far away it is placed anew. */
Test(timeline, cursors_find_properties_near_and_far)
{
    struct property_column column = {0}, columns[PROP_COUNT] = {0};
    struct property_column *all = &columns[PROP_BYTES];
    struct property_cursors cursors = {.columns = columns};

    for (uint32_t i = 0; i < 300; i++)
        property_append(&column, i * 3, i);
    property_append_all(all, &column);
    cr_expect_eq(all->count, 300);
    for (uint32_t step = 1; step < 900; step += 7)
        for (uint32_t i = 0; i < 40; i++) {
            uint32_t event = i * step % 900;
            int64_t value = -1;
            bool is_there = property_near(&cursors, PROP_BYTES, event, &value);

            cr_expect_eq(is_there, event % 3 == 0, "%u", event);
            cr_expect(!is_there || value == event / 3, "%u", event);
        }
    cr_expect_eq(property_or(&cursors, PROP_BYTES, 6, -1), 2);
    cr_expect_eq(property_or(&cursors, PROP_BYTES, 7, -1), -1);
    cr_expect_eq(property_or(&cursors, PROP_FLOP, 6, -1), -1);
    property_column_free(&column);
    property_column_free(all);
}
