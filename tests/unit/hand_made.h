/* SPDX-License-Identifier: Apache-2.0 */
/* hand_made.h — what tests that make their own profiles share */
#ifndef PTK_TESTS_UNIT_HAND_MADE_H
#define PTK_TESTS_UNIT_HAND_MADE_H

#include <criterion/criterion.h>

#include "graph/build/builder.h"

/* A builder of a timeline in nanoseconds. */
static inline struct builder *begin_timeline(const struct builder_options *wanted)
{
    static const struct value_name value[] = {{{"time", 4}, UNIT_NS}};
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

#endif
