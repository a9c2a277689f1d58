/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/sqlite/recording.h"

#define XXH_INLINE_ALL
#include <stdio.h>
#include <xxhash.h>

#include "base/checked.h"

static uint32_t find_track(struct recording *recording, const struct track *track)
{
    int64_t parts[] = {track->name, track->process, track->kind, track->device, track->pid};
    uint32_t *at = idmap_at(&recording->tracks, XXH3_64bits(parts, sizeof(parts)));

    if (*at == IDMAP_NONE)
        *at = builder_track(recording->timeline, track);
    return *at;
}

uint32_t recording_event(struct recording *recording, const struct track *track, int64_t start,
                         int64_t end, str_id name, enum frame_kind kind)
{
    struct frame frame = {.name = name, .kind = kind};

    recording->events++;
    return builder_event(recording->timeline, find_track(recording, track),
                         checked_sub(start, recording->origin), checked_sub(end, start),
                         builder_frame(recording->builder, &frame));
}

void recording_name_device(struct recording *recording, const struct device *device)
{
    struct span name = builder_text(recording->builder, device->name);
    char text[120];

    if (!name.len)
        return;
    snprintf(text, sizeof(text), "%.*s (%d)", (int)(name.len < 80 ? name.len : 80), name.at,
             (int)device->ordinal);
    *idmap_at(&recording->devices, (uint64_t)(int64_t)device->ordinal) =
        builder_intern(recording->builder, span_of(text));
}

str_id recording_device(struct recording *recording, int64_t ordinal)
{
    uint32_t *at = idmap_at(&recording->devices, (uint64_t)ordinal);
    char text[40];

    if (*at == IDMAP_NONE) {
        snprintf(text, sizeof(text), "GPU %lld", (long long)ordinal);
        *at = builder_intern(recording->builder, span_of(text));
    }
    return *at;
}

void split_global(int64_t global, int64_t *pid, int64_t *tid)
{
    *pid = global >> 24 & 0xffffff;
    *tid = global & 0xffffff;
}

struct track recording_thread(struct recording *recording, int64_t pid, int64_t tid)
{
    char thread[40], process[40];

    snprintf(thread, sizeof(thread), "thread %lld", (long long)tid);
    snprintf(process, sizeof(process), "process %lld", (long long)pid);
    return (struct track){.name = builder_intern(recording->builder, span_of(thread)),
                          .process = builder_intern(recording->builder, span_of(process)),
                          .kind = TRACK_THREAD,
                          .device = -1,
                          .pid = pid,
                          .tid = tid};
}
