/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/timeline/device_work.h"

#include "base/memory/idmap.h"
#include "base/memory/sort.h"

enum work_class work_of(enum frame_kind kind)
{
    if (kind == KIND_COMMUNICATION)
        return WORK_COMMUNICATION;
    return kind == KIND_MEMCPY ? WORK_MEMORY : WORK_COMPUTE;
}

bool is_device_work(const struct graph *graph, event_id event)
{
    return frame_kind_is_device(graph_frame(graph, graph->timeline.frame[event])->kind);
}

static bool starts_before(const void *context, uint32_t a, uint32_t b)
{
    const struct timeline *timeline = context;

    return timeline->start[a] < timeline->start[b];
}

/* By track, which of the devices it belongs to; counts their tracks' events. */
static uint32_t *assign_tracks(const struct timeline *timeline, struct arena *arena,
                               struct devices_work *devices)
{
    uint32_t *device_of = arena_array(arena, timeline->track_count, sizeof(*device_of));
    struct idmap ids = {0};

    devices->list = arena_array(arena, timeline->track_count, sizeof(*devices->list));
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];
        uint32_t *id;

        if (track->kind != TRACK_STREAM)
            continue;
        id = idmap_at(&ids, (uint32_t)track->device);
        if (*id == IDMAP_NONE) {
            *id = devices->count++;
            devices->list[*id].device = track->device;
        }
        device_of[i] = *id;
        devices->list[*id].count += track->count;
    }
    idmap_free(&ids);
    return device_of;
}

/* Streams can be there without work; sorts that of the others. */
static void sort_busy(const struct timeline *timeline, struct devices_work *devices)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < devices->count; i++) {
        if (devices->list[i].count == 0)
            continue;
        sort_stable(devices->list[i].events, devices->list[i].count, starts_before, timeline);
        devices->list[kept++] = devices->list[i];
    }
    devices->count = kept;
}

void device_work_collect(const struct graph *graph, struct arena *arena,
                         struct devices_work *devices)
{
    const struct timeline *timeline = &graph->timeline;
    uint32_t *device_of;

    *devices = (struct devices_work){0};
    device_of = assign_tracks(timeline, arena, devices);
    for (uint32_t i = 0; i < devices->count; i++) {
        devices->list[i].events =
            arena_array(arena, devices->list[i].count, sizeof(*devices->list[i].events));
        devices->list[i].count = 0;
    }
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];
        struct device_work *work = &devices->list[device_of[i]];

        if (track->kind != TRACK_STREAM)
            continue;
        for (event_id event = track->first; event < track->first + track->count; event++)
            if (is_device_work(graph, event))
                work->events[work->count++] = event;
    }
    sort_busy(timeline, devices);
}
