/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "base/parallel/parallel.h"
#include "graph/build/builder.h"
#include "graph/derive/derive.h"

/* What several threads have read, or derived, put together. */

static const struct value_name time_value = {LITERAL("time"), UNIT_NS};

static frame_id named(struct builder *builder, const char *name)
{
    return builder_frame(builder, &(struct frame){.name = builder_intern(builder, span_of(name)),
                                                  .kind = KIND_HOST});
}

Test(parts, are_absorbed_as_if_read_by_one)
{
    struct builder *builder = builder_new(&(struct builder_options){
        .launches = true,
        .categories = true,
        .properties = property_bit(PROP_BYTES) | property_bit(PROP_SHAPES)});
    struct graph graph;
    struct error err = {0};
    int64_t value;

    cr_assert(builder_begin(builder, LEVEL_TIMELINE, &time_value, 1, 0, &err));
    uint32_t track = builder_track(builder_timeline(builder),
                                   &(struct track){.kind = TRACK_THREAD, .device = -1});

    builder_launches(builder_timeline(builder),
                     builder_event(builder_timeline(builder), track, 0, 10, named(builder, "a")),
                     5);

    struct builder *part = builder_part(builder);
    uint32_t other =
        builder_track(builder_timeline(part), &(struct track){.kind = TRACK_THREAD, .device = -1});
    frame_id b = named(part, "b");
    uint32_t event = builder_event(builder_timeline(part), other, 20, 10, b);

    builder_category(
        builder_timeline(part),
        builder_category_number(builder_timeline(part), builder_intern(part, SPAN("cat"))));
    builder_launched(builder_timeline(part), event, 5);
    builder_property(builder_timeline(part), event, PROP_SHAPES, builder_intern(part, SPAN("[1]")));
    builder_event(builder_timeline(part), other, 40, 1, named(part, "a"));
    warning_count(builder_warnings(part), WARNING_NOTE, "odd", 3);
    warning_say(builder_warnings(part), WARNING_NOTE, "said %d", 1);

    str_id *texts = builder_absorb_texts(builder, part);

    builder_absorb(builder, part, texts, &track);
    free(texts);
    builder_finish(builder, &graph);

    const struct timeline *t = &graph.timeline;

    cr_assert_eq(t->count, 3);
    cr_expect_eq(t->frame[0], t->frame[2]);
    cr_expect_eq(t->launch[1], 0);
    cr_assert(property_of(&t->properties[PROP_SHAPES], 1, &value));
    cr_expect(span_eq(graph_text(&graph, (str_id)value), SPAN("[1]")));
    cr_expect(span_eq(graph_text(&graph, t->categories[t->category[1]]), SPAN("cat")));
    cr_expect_eq(t->category[0], 0);
    cr_expect_eq(graph.source.warnings.count, 2);
    graph_free(&graph);
}

/* Ten functions below each other, over and over, and some on a second track. */
static void derive_on(size_t threads, struct graph *graph)
{
    struct builder *builder = builder_new(&(struct builder_options){0});
    struct error err = {0};
    uint32_t tracks[2];
    char name[2] = "a";

    cr_assert(builder_begin(builder, LEVEL_TIMELINE, &time_value, 1, 0, &err));
    for (int i = 0; i < 2; i++)
        tracks[i] = builder_track(builder_timeline(builder),
                                  &(struct track){.kind = TRACK_THREAD, .device = -1});
    builder_event(builder_timeline(builder), tracks[0], 0, INT32_MAX, named(builder, "whole"));
    for (int i = 0; i < 600000; i++) {
        int depth = i % 10;

        name[0] = (char)('a' + (depth + i / 1000) % 7);
        builder_event(builder_timeline(builder), tracks[i % 70 == 0], i / 10 * 100 + depth,
                      90 - 2 * depth, named(builder, name));
    }
    builder_finish(builder, graph);
    thread_budget_set(threads);
    cr_assert(graph_need(graph, LEVEL_FLAT, "", &err));
    thread_budget_set(0);
}

Test(parts, of_a_timeline_are_swept_as_if_by_one)
{
    struct graph one, many;
    const struct functions *f, *g;

    derive_on(1, &one);
    derive_on(3, &many);
    f = &one.functions;
    g = &many.functions;
    cr_assert_eq(f->count, 8);
    cr_assert_eq(g->count, 8);
    for (uint32_t i = 0; i < f->count; i++) {
        cr_expect(span_eq(graph_text(&one, graph_frame(&one, f->frame[i])->name),
                          graph_text(&many, graph_frame(&many, g->frame[i])->name)));
        cr_expect_eq(f->calls[i], g->calls[i]);
        cr_expect_eq(f->primitive_calls[i], g->primitive_calls[i]);
        cr_expect_eq(f->self[i], g->self[i]);
        cr_expect_eq(f->cum[i], g->cum[i]);
        cr_expect_eq(f->min[i], g->min[i]);
        cr_expect_eq(f->max[i], g->max[i]);
    }
    cr_expect_lt(f->primitive_calls[1], f->calls[1]);
    graph_free(&one);
    graph_free(&many);
}
