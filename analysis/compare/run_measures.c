/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/compare/diff.h"

#include "analysis/timeline/device_work.h"
#include "analysis/timeline/inventory.h"
#include "base/checked.h"

const char *run_measure_name(enum run_measure measure)
{
    static const char *const names[MEASURE_COUNT] = {
        [MEASURE_TIME] = "time",
        [MEASURE_BUSY] = "busy",
        [MEASURE_IDLE] = "idle",
        [MEASURE_COMPUTE] = "compute",
        [MEASURE_COMMUNICATION] = "exposed_communication",
        [MEASURE_COPIES] = "exposed_copies",
    };

    return names[measure];
}

uint64_t run_measures_properties(void)
{
    return property_bit(PROP_STEP);
}

static void add_time(int64_t *sum, int64_t time)
{
    *sum = checked_add(*sum, time);
}

/* Adds what one device did in a window. */
static void add_device(const struct device_times *times, int64_t start, int64_t end, int64_t *sum)
{
    struct device_times inside = {0};
    struct device_shares shares;

    device_times_clip(times, start, end, &inside);
    device_times_measure(&inside, &shares);
    device_times_free(&inside);
    add_time(&sum[MEASURE_BUSY], shares.busy);
    add_time(&sum[MEASURE_IDLE], end - start - shares.busy);
    add_time(&sum[MEASURE_COMPUTE], shares.compute);
    add_time(&sum[MEASURE_COMMUNICATION], shares.exposed_communication);
    add_time(&sum[MEASURE_COPIES], shares.exposed_memory);
}

static void take_means(int64_t *sum, uint32_t devices, uint32_t steps)
{
    sum[MEASURE_TIME] /= steps;
    for (int i = MEASURE_TIME + 1; i < MEASURE_COUNT; i++)
        sum[i] = devices ? sum[i] / devices / steps : UNKNOWN;
}

void run_measures_take(const struct graph *graph, struct run_measures *measures)
{
    struct arena arena = {0};
    struct devices_work devices;
    struct inventory inventory;
    struct steps steps;
    int64_t first = 0, last = 0;

    *measures = (struct run_measures){0};
    if (!graph->has[LEVEL_TIMELINE])
        return;
    inventory_take(graph, &arena, &inventory);
    steps_find(graph, &arena, &steps);
    device_work_collect(graph, &arena, &devices);
    device_work_time(graph, &arena, &devices);
    if (steps.count) {
        first = steps.list[0].start;
        for (uint32_t i = 0; i < steps.count; i++)
            last = i == 0 || steps.list[i].end > last ? steps.list[i].end : last;
    }
    measures->is_known = inventory.span > 0;
    measures->steps = steps.count;
    measures->devices = devices.count;
    measures->of_run[MEASURE_TIME] = inventory.span;
    measures->of_steps[MEASURE_TIME] = last - first;
    for (uint32_t i = 0; i < devices.count; i++) {
        const struct device_times *times = &devices.list[i].times;

        add_device(times, inventory.first, inventory.last, measures->of_run);
        add_device(times, first, last, measures->of_steps);
    }
    take_means(measures->of_run, devices.count, 1);
    take_means(measures->of_steps, devices.count, steps.count ? steps.count : 1);
    arena_free(&arena);
}
