/* SPDX-License-Identifier: Apache-2.0 */
/* The work of each device, its busy time by class, and the copies in a span of time. */
#include "analysis/timeline/device_work.h"

#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

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

bool timeline_has_host(const struct timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        for (event_id e = track->first; track->kind == TRACK_THREAD && e < track->first + track->count; e++)
            if (timeline->duration[e] > 0)
                return true;
    }
    return false;
}

bool has_only_collectives(const struct graph *graph, const struct devices_work *devices)
{
    if (timeline_has_host(&graph->timeline))
        return false;
    for (uint32_t i = 0; i < devices->count; i++)
        for (uint32_t k = 0; k < devices->list[i].count; k++) {
            frame_id frame = graph->timeline.frame[devices->list[i].events[k]];

            if (work_of(graph_frame(graph, frame)->kind) != WORK_COMMUNICATION)
                return false;
        }
    return devices->count > 0;
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

static void find_times(const struct graph *graph, const struct device_work *work,
                       struct arena *arena, struct device_times *out)
{
    const struct timeline *timeline = &graph->timeline;
    struct device_times times = {0};

    for (uint32_t i = 0; i < work->count; i++) {
        event_id event = work->events[i];
        enum work_class what = work_of(graph_frame(graph, timeline->frame[event])->kind);

        intervals_cover(&times.of[what], timeline->start[event], event_end(timeline, event));
    }
    for (int i = 0; i < WORK_COUNT; i++) {
        intervals_unite(&times.of[i]);
        intervals_keep(&times.of[i], arena, &out->of[i]);
    }
    device_times_free(&times);
}

void device_work_time(const struct graph *graph, struct arena *arena,
                      struct devices_work *devices)
{
    for (uint32_t i = 0; i < devices->count; i++)
        find_times(graph, &devices->list[i], arena, &devices->list[i].times);
}

void device_times_clip(const struct device_times *times, int64_t start, int64_t end,
                       struct device_times *out)
{
    for (int i = 0; i < WORK_COUNT; i++)
        intervals_clip(&times->of[i], start, end, &out->of[i]);
}

void device_times_measure(const struct device_times *times, struct device_shares *shares)
{
    const struct intervals *compute = &times->of[WORK_COMPUTE];
    const struct intervals *communication = &times->of[WORK_COMMUNICATION];
    struct intervals kernels = {0}, exposed = {0};

    shares->compute = intervals_length(compute);
    shares->communication = intervals_length(communication);
    shares->memory = intervals_length(&times->of[WORK_MEMORY]);
    intervals_subtract(communication, compute, &exposed);
    shares->exposed_communication = intervals_length(&exposed);
    intervals_add_all(&kernels, compute);
    intervals_add_all(&kernels, communication);
    intervals_unite(&kernels);
    exposed.count = 0;
    intervals_subtract(&times->of[WORK_MEMORY], &kernels, &exposed);
    shares->exposed_memory = intervals_length(&exposed);
    shares->busy = shares->compute + shares->exposed_communication + shares->exposed_memory;
    intervals_free(&kernels);
    intervals_free(&exposed);
}

void device_times_free(struct device_times *times)
{
    for (int i = 0; i < WORK_COUNT; i++)
        intervals_free(&times->of[i]);
}

static bool is_pageable(const struct graph *graph, event_id event)
{
    static const enum property ends[] = {PROP_SRC_KIND, PROP_DST_KIND};
    int64_t kind;

    for (size_t i = 0; i < COUNT_OF(ends); i++)
        if (property_of(&graph->timeline.properties[ends[i]], event, &kind) &&
            kind == MEMORY_PAGEABLE)
            return true;
    return false;
}

static void add_to_sum(struct copy_sum *sum, int64_t time, int64_t bytes)
{
    sum->time = checked_add(sum->time, time);
    sum->bytes = checked_add(sum->bytes, bytes);
    sum->count++;
}

static void add_copy(const struct graph *graph, event_id event, int64_t small,
                     struct copies *copies)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t time = timeline->duration[event], bytes = 0;
    bool is_sized = property_of(&timeline->properties[PROP_BYTES], event, &bytes);

    add_to_sum(&copies->all, time, bytes);
    if (is_sized)
        add_to_sum(&copies->sized, time, bytes);
    if (is_sized && bytes < small)
        add_to_sum(&copies->small, time, bytes);
    if (!is_pageable(graph, event))
        return;
    add_to_sum(&copies->pageable, time, bytes);
    if (copies->longest_pageable == NO_EVENT || time > timeline->duration[copies->longest_pageable])
        copies->longest_pageable = event;
}

void copies_sum(const struct graph *graph, const struct device_work *work, int64_t start,
                int64_t end, int64_t small, struct copies *copies)
{
    const struct timeline *timeline = &graph->timeline;

    *copies = (struct copies){.longest_pageable = NO_EVENT};
    for (uint32_t i = 0; i < work->count; i++) {
        event_id event = work->events[i];

        if (timeline->start[event] >= start && timeline->start[event] < end &&
            graph_frame(graph, timeline->frame[event])->kind == KIND_MEMCPY)
            add_copy(graph, event, small, copies);
    }
}
