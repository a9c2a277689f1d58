/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/roofline/launch_shape.h"

#include <math.h>

static const struct device *device_of_ordinal(const struct graph *graph, int32_t ordinal)
{
    for (uint32_t i = 0; i < graph->source.device_count; i++)
        if (graph->source.devices[i].ordinal == ordinal)
            return &graph->source.devices[i];
    return NULL;
}

/* x · y · z, or 0 when it has none; sizes are below 2^21 each. */
static double volume(const struct timeline *timeline, enum property property, event_id event)
{
    int64_t packed, x, y, z;

    if (!property_of(&timeline->properties[property], event, &packed))
        return 0;
    property_unpack3(packed, &x, &y, &z);
    return (double)x * (double)y * (double)z;
}

static int64_t number(const struct timeline *timeline, enum property property, event_id event)
{
    int64_t value;

    return property_of(&timeline->properties[property], event, &value) ? value : 0;
}

/* How often `each` goes into `all`; `most` where either is not known. */
static double fits(int64_t all, double each, double most)
{
    double count = all > 0 && each > 0 ? (double)(int64_t)((double)all / each) : most;

    return count < most ? count : most;
}

double launch_waves(const struct graph *graph, int32_t device, event_id kernel)
{
    const struct timeline *timeline = &graph->timeline;
    const struct device *at = device_of_ordinal(graph, device);
    double grid = volume(timeline, PROP_GRID, kernel);
    double threads = volume(timeline, PROP_BLOCK, kernel), resident;

    if (!at || at->sms <= 0 || at->max_threads_per_sm <= 0 || !(grid > 0) || !(threads > 0))
        return 0;
    resident = fits(at->max_threads_per_sm, threads, 32);
    resident = fits(at->registers_per_sm,
                    threads * (double)number(timeline, PROP_REGISTERS, kernel), resident);
    resident = fits(at->shared_memory_per_sm, (double)number(timeline, PROP_SHARED_MEMORY, kernel),
                    resident);
    return resident > 0 ? grid / resident / (double)at->sms : 0;
}

static void limit_to(struct occupancy *occupancy, double blocks, enum block_limit limit)
{
    if (!(floor(blocks) < occupancy->blocks))
        return;
    occupancy->blocks = floor(blocks);
    occupancy->limit = limit;
}

bool launch_occupancy(const struct graph *graph, int32_t device, event_id kernel,
                      struct occupancy *occupancy)
{
    enum { WARP = 32, REGISTERS_AT_ONCE = 256, SYSTEM_SHARED = 1024, BLOCKS_MAX = 32 };
    const struct timeline *timeline = &graph->timeline;
    const struct device *at = device_of_ordinal(graph, device);
    double threads = volume(timeline, PROP_BLOCK, kernel), warps = ceil(threads / WARP);
    int64_t registers = number(timeline, PROP_REGISTERS, kernel);
    int64_t shared = number(timeline, PROP_SHARED_MEMORY, kernel);

    if (!at || at->warp_size != WARP || at->max_threads_per_sm <= 0 || !(threads > 0) ||
        registers <= 0)
        return false;
    *occupancy = (struct occupancy){
        .blocks = BLOCKS_MAX, .threads = threads, .registers = registers, .shared_memory = shared};
    limit_to(occupancy, (double)at->max_threads_per_sm / threads, LIMITED_BY_THREADS);
    if (at->registers_per_sm > 0)
        limit_to(
            occupancy,
            (double)at->registers_per_sm /
                (ceil((double)registers * WARP / REGISTERS_AT_ONCE) * REGISTERS_AT_ONCE * warps),
            LIMITED_BY_REGISTERS);
    if (at->shared_memory_per_sm > 0 && shared > 0)
        limit_to(occupancy, (double)at->shared_memory_per_sm / (double)(shared + SYSTEM_SHARED),
                 LIMITED_BY_SHARED_MEMORY);
    occupancy->share = occupancy->blocks * warps * WARP / (double)at->max_threads_per_sm;
    return occupancy->blocks >= 1;
}
