/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite_gpus.c — what the machine's GPUs are: their peaks follow from it */
#include "parsers/sqlite/recording.h"

static int64_t scaled(const struct query *query, int column, int64_t factor)
{
    int64_t value = query_integer_or(query, column, 0), product;

    if (value < 0 || __builtin_mul_overflow(value, factor, &product))
        return 0;
    return product;
}

/* Adds a device whose number and name are known: columns 2 to 11 mean the same in both. `rate`: in
 * how many Hz and B/s clock and bandwidth are. */
static void add_device(struct recording *recording, const struct query *query, int64_t rate,
                       struct device *device)
{
    device->major = (int32_t)query_integer_or(query, 2, 0);
    device->minor = (int32_t)query_integer_or(query, 3, 0);
    device->memory = scaled(query, 4, 1);
    device->sms = scaled(query, 5, 1);
    device->clock = scaled(query, 6, rate);
    device->peak_bandwidth = scaled(query, 7, rate);
    device->warp_size = scaled(query, 8, 1);
    device->registers_per_sm = scaled(query, 9, 1);
    device->shared_memory_per_sm = scaled(query, 10, 1);
    device->max_threads_per_sm = scaled(query, 11, 32);
    builder_device(recording->builder, device);
    recording_name_device(recording, device);
}

static bool read_nvprof(struct recording *recording, struct error *err)
{
    static const char *const columns[] = {"id",
                                          "name",
                                          "computeCapabilityMajor",
                                          "computeCapabilityMinor",
                                          "globalMemorySize",
                                          "numMultiprocessors",
                                          "coreClockRate",
                                          "globalMemoryBandwidth",
                                          "numThreadsPerWarp",
                                          "maxRegistersPerMultiprocessor",
                                          "maxSharedMemoryPerMultiprocessor",
                                          "maxWarpsPerMultiprocessor",
                                          NULL};
    struct query query;

    query_begin(&query, &recording->database, "CUPTI_ACTIVITY_KIND_DEVICE", columns);
    while (query_next(&query)) {
        struct device device = {.ordinal = (int32_t)query_integer_or(&query, 0, 0)};

        device.name = name_table_at(&recording->names, query_integer_or(&query, 1, 0));
        add_device(recording, &query, 1000, &device);
    }
    return query_end(&query, err);
}

/* `cuDevice` is the number that activities have; older files only have the bus's order. */
static bool read_nsys(struct recording *recording, struct error *err)
{
    static const char *const columns[] = {"id",
                                          "name",
                                          "computeMajor",
                                          "computeMinor",
                                          "totalMemory",
                                          "smCount",
                                          "clockRate",
                                          "memoryBandwidth",
                                          "threadsPerWarp",
                                          "maxRegistersPerSm",
                                          "maxShmemPerSm",
                                          "maxWarpsPerSm",
                                          "cuDevice",
                                          NULL};
    struct query query;

    query_begin(&query, &recording->database, "TARGET_INFO_GPU", columns);
    while (query_next(&query)) {
        struct device device = {.name = builder_intern(recording->builder, query_text(&query, 1))};

        device.ordinal = (int32_t)query_integer_or(&query, 12, query_integer_or(&query, 0, 0));
        add_device(recording, &query, 1, &device);
    }
    return query_end(&query, err);
}

bool recording_read_devices(struct recording *recording, struct error *err)
{
    return recording->writer == WRITER_NVPROF ? read_nvprof(recording, err)
                                              : read_nsys(recording, err);
}
