/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/timeline/device_times.h"

void device_times_collect(const struct graph *graph, const struct device_work *work,
                          struct device_times *times)
{
    const struct timeline *timeline = &graph->timeline;

    *times = (struct device_times){0};
    for (uint32_t i = 0; i < work->count; i++) {
        event_id event = work->events[i];
        enum work_class what = work_of(graph_frame(graph, timeline->frame[event])->kind);

        intervals_cover(&times->of[what], timeline->start[event], event_end(timeline, event));
    }
    for (int i = 0; i < WORK_COUNT; i++)
        intervals_unite(&times->of[i]);
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
