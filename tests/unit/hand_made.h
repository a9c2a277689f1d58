/* SPDX-License-Identifier: Apache-2.0 */
/* hand_made.h — what tests that make their own profiles share */
#ifndef PTK_TESTS_UNIT_HAND_MADE_H
#define PTK_TESTS_UNIT_HAND_MADE_H

#include <criterion/criterion.h>

#include "base/text/unit.h"
#include "graph/build/builder.h"

/* A builder of a timeline in nanoseconds. */
static inline struct builder *begin_timeline(const struct builder_options *wanted)
{
    static const struct value_name value[] = {{LITERAL("time"), UNIT_NS}};
    struct builder *builder = builder_new(wanted);
    struct error err = {0};

    cr_assert(builder_begin(builder, LEVEL_TIMELINE, value, 1, 0, &err));
    return builder;
}

static inline frame_id named(struct builder *builder, const char *name, enum frame_kind kind)
{
    return builder_frame(
        builder, &(struct frame){.name = builder_intern(builder, span_of(name)), .kind = kind});
}

/* An event of a frame that has that name and kind. */
static inline event_id timed(struct builder *builder, uint32_t track, int64_t start,
                             int64_t duration, const char *name, enum frame_kind kind)
{
    return builder_event(builder_timeline(builder), track, start, duration,
                         named(builder, name, kind));
}

static inline uint32_t thread_of(struct builder *builder, int64_t tid)
{
    return builder_track(builder_timeline(builder),
                         &(struct track){.kind = TRACK_THREAD, .device = -1, .tid = tid});
}

static inline uint32_t stream_of(struct builder *builder, int32_t device, int64_t tid)
{
    return builder_track(builder_timeline(builder),
                         &(struct track){.kind = TRACK_STREAM, .device = device, .tid = tid});
}

/* The function of that name; the test fails if there is none. */
static inline uint32_t function_named(const struct graph *graph, const char *name)
{
    for (uint32_t i = 0; i < graph->functions.count; i++)
        if (span_eq(graph_text(graph, graph_frame(graph, graph->functions.frame[i])->name),
                    span_of(name)))
            return i;
    cr_assert_fail("no function %s", name);
    return 0;
}

static inline uint32_t edge_between(const struct graph *graph, const char *caller,
                                    const char *callee)
{
    uint32_t from = function_named(graph, caller), to = function_named(graph, callee);

    for (uint32_t i = 0; i < graph->calls.count; i++)
        if (graph->calls.caller[i] == from && graph->calls.callee[i] == to)
            return i;
    cr_assert_fail("no call %s -> %s", caller, callee);
    return 0;
}

#endif
