/* SPDX-License-Identifier: Apache-2.0 */
/* host_samples.h — events of a thread and of streams, made by hand, as a graph; in milliseconds */
#ifndef PTK_TESTS_UNIT_HOST_SAMPLES_H
#define PTK_TESTS_UNIT_HOST_SAMPLES_H

#include "tests/unit/hand_made.h"

enum { MS = 1000000 };

/* An event of a graph made by hand; times in ms. Track 0 is a thread, the others are streams. */
struct sample {
    uint32_t track;
    int64_t start, duration;
    enum frame_kind kind;
    int64_t correlation;
    const char *category, *name;
};

static inline void make(const struct sample *samples, size_t count, struct graph *graph)
{
    struct builder *b = begin_timeline(
        &(struct builder_options){.launches = true, .categories = true, .properties = UINT64_MAX});
    uint32_t tracks[4];

    for (int i = 0; i < 4; i++)
        tracks[i] = builder_track(builder_timeline(b),
                                  &(struct track){.kind = i ? TRACK_STREAM : TRACK_THREAD,
                                                  .pid = 1000,
                                                  .tid = 1001 + i,
                                                  .device = i ? 0 : -1});
    for (size_t i = 0; i < count; i++) {
        const struct sample *s = &samples[i];
        frame_id frame = named(b, s->name, s->kind);
        uint32_t event = builder_event(builder_timeline(b), tracks[s->track], s->start * MS,
                                       s->duration * MS, frame);

        builder_category(
            builder_timeline(b),
            builder_category_number(builder_timeline(b), builder_intern(b, span_of(s->category))));
        if (s->correlation && s->track == 0)
            builder_launches(builder_timeline(b), event, s->correlation);
        else if (s->correlation)
            builder_launched(builder_timeline(b), event, s->correlation);
    }
    builder_finish(b, graph);
}

#define MAKE(samples, graph) make(samples, sizeof(samples) / sizeof((samples)[0]), graph)

#endif
