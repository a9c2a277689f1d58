/* SPDX-License-Identifier: Apache-2.0 */
/* launch_shape.c — how a kernel's blocks fill its device: waves and occupancy */
#include "analysis/kernels/roofline.h"

#include <math.h>

enum { NVIDIA_WARP = 32 };

const struct device *device_of_ordinal(const struct graph *graph, int32_t ordinal)
{
    for (uint32_t i = 0; i < graph->source.devices.count; i++)
        if (graph->source.devices.list[i].ordinal == ordinal)
            return &graph->source.devices.list[i];
    return NULL;
}

/* x · y · z, or 0 when it has none; sizes are below 2^21 each. */
static double volume(struct property_cursors *near, enum property property, event_id event)
{
    int64_t packed, x, y, z;

    if (!property_near(near, property, event, &packed))
        return 0;
    property_unpack3(packed, &x, &y, &z);
    return (double)x * (double)y * (double)z;
}

static void limit_to(struct occupancy *occupancy, double blocks, enum block_limit limit)
{
    if (!(floor(blocks) < occupancy->blocks))
        return;
    occupancy->blocks = floor(blocks);
    occupancy->limit = limit;
}

/* As far as the limits are known. False where threads are not, or a block does not fit. */
static bool find_resident(struct property_cursors *near, const struct device *at, event_id kernel,
                          struct occupancy *occupancy)
{
    enum { REGISTERS_AT_ONCE = 256, SYSTEM_SHARED = 1024, AMPERE = 8, BLOCKS_MAX = 32 };
    double threads = volume(near, PROP_BLOCK, kernel);
    int64_t registers = property_or(near, PROP_REGISTERS, kernel, 0);
    int64_t shared = property_or(near, PROP_SHARED_MEMORY, kernel, 0);
    double warp = at->warp_size > 0 ? (double)at->warp_size : NVIDIA_WARP;
    double warps = ceil(threads / warp);

    if (at->max_threads_per_sm <= 0 || !(threads > 0))
        return false;
    *occupancy = (struct occupancy){
        .blocks = BLOCKS_MAX, .threads = threads, .registers = registers, .shared_memory = shared};
    limit_to(occupancy, (double)at->max_threads_per_sm / threads, LIMITED_BY_THREADS);
    if (at->registers_per_sm > 0 && registers > 0)
        limit_to(
            occupancy,
            (double)at->registers_per_sm /
                (ceil((double)registers * warp / REGISTERS_AT_ONCE) * REGISTERS_AT_ONCE * warps),
            LIMITED_BY_REGISTERS);
    if (at->shared_memory_per_sm > 0 && shared > 0)
        limit_to(
            occupancy,
            (double)at->shared_memory_per_sm /
                (double)(shared + (warp == NVIDIA_WARP && at->major >= AMPERE ? SYSTEM_SHARED : 0)),
            LIMITED_BY_SHARED_MEMORY);
    occupancy->share = occupancy->blocks * warps * warp / (double)at->max_threads_per_sm;
    return occupancy->blocks >= 1;
}

double launch_waves(const struct graph *graph, struct property_cursors *near, int32_t device,
                    event_id kernel)
{
    const struct device *at = device_of_ordinal(graph, device);
    double grid = volume(near, PROP_GRID, kernel);
    struct occupancy resident;

    return at && at->sms > 0 && find_resident(near, at, kernel, &resident)
               ? grid / (resident.blocks * (double)at->sms)
               : 0;
}

bool launch_occupancy(const struct graph *graph, int32_t device, event_id kernel,
                      struct occupancy *occupancy)
{
    const struct device *at = device_of_ordinal(graph, device);
    struct property_cursors near = {.columns = graph->timeline.properties};
    int64_t recorded;

    if (at && at->warp_size == NVIDIA_WARP && find_resident(&near, at, kernel, occupancy) &&
        occupancy->registers > 0)
        return true;
    if (!property_near(&near, PROP_OCCUPANCY, kernel, &recorded))
        return false;
    *occupancy = (struct occupancy){.share = (double)recorded / 1e6, .limit = LIMIT_NOT_KNOWN};
    return true;
}

bool device_has_tensor_cores(const struct graph *graph, int32_t ordinal)
{
    enum { VOLTA = 7, AMD_WARP = 64 };
    const struct device *at = device_of_ordinal(graph, ordinal);

    return at && at->major >= VOLTA && at->warp_size != AMD_WARP;
}
