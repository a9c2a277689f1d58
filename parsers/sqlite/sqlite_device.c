/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite_device.c — kernels, copies, fills and waits of streams */
#include <stdio.h>

#include "base/checked.h"
#include "graph/classify/event_class.h"
#include "graph/classify/kernel_class.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/sqlite/sqlite.h"

/* ---- what the machine's GPUs are: their peaks follow from it ---- */

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

/* ---- kernels, copies, fills and waits of streams ---- */

/* The first columns of every activity of a device. */
#define PLACE_COLUMNS                                                                              \
    "start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid"

enum { START, END, DEVICE, CONTEXT, STREAM, CORRELATION, GLOBAL_PID, FIRST_OWN };

struct stream_event {
    int64_t start, end, correlation, pid;
    struct track track;
};

/* "stream 7", and its context where it is not the first; `what` for rows apart. */
static str_id track_name(struct recording *recording, const struct query *query, const char *what)
{
    int64_t stream = query_integer_or(query, STREAM, -1);
    int64_t context = query_integer_or(query, CONTEXT, 1);
    char name[100];
    int len = snprintf(name, sizeof(name), "%s", what);

    if (stream >= 0 && stream < UINT32_MAX)
        len += snprintf(name + len, sizeof(name) - (size_t)len, "stream %lld", (long long)stream);
    else
        len += snprintf(name + len, sizeof(name) - (size_t)len, "all streams");
    if (context != 1)
        len +=
            snprintf(name + len, sizeof(name) - (size_t)len, ", context %lld", (long long)context);
    return builder_intern(recording->builder, (struct span){name, (size_t)len});
}

/* Where and when; false for a row that lacks either time, as activities cut off at the end do. CUPTI's
 * 0 is none; Nsight's times count from where the session began. */
static bool read_place(struct recording *recording, const struct query *query, const char *what,
                       struct stream_event *place)
{
    int64_t device = query_integer_or(query, DEVICE, 0), tid;

    int64_t first = recording->writer == WRITER_NVPROF;

    if (!query_integer(query, START, &place->start) || !query_integer(query, END, &place->end) ||
        place->end < place->start || place->start < first || place->end <= 0) {
        warning_count_many(builder_warnings(recording->builder), WARNING_LOSS,
                           "activities without a start or an end, left out", 1);
        return false;
    }
    split_global(query_integer_or(query, GLOBAL_PID, 0), &place->pid, &tid);
    place->correlation =
        correlation_key(place->pid, query_integer_or(query, CORRELATION, 0) & UINT32_MAX);
    place->track =
        (struct track){.name = track_name(recording, query, what),
                       .process = recording_device(recording, device),
                       .kind = TRACK_STREAM,
                       .device = device >= 0 && device < INT32_MAX ? (int32_t)device : -1,
                       .pid = place->pid};
    return true;
}

static uint32_t add_work(struct recording *recording, const struct stream_event *place, str_id name,
                         enum frame_kind kind)
{
    uint32_t event =
        recording_event(recording, &place->track, place->start, place->end, name, kind);

    builder_launched(recording->timeline, event, place->correlation);
    return event;
}

static void add_number(struct recording *recording, const struct query *query, int column,
                       uint32_t event, enum property property)
{
    int64_t value;

    if (query_integer(query, column, &value))
        builder_property(recording->timeline, event, property, value);
}

static void add_text(struct recording *recording, uint32_t event, enum property property,
                     const char *text)
{
    if (*text && builder_wants(recording->builder, property))
        builder_property(recording->timeline, event, property,
                         builder_intern(recording->builder, span_of(text)));
}

/* ---- kernels ---- */

enum { NAME = FIRST_OWN, GRID, BLOCK = GRID + 3, REGISTERS = BLOCK + 3, STATIC, DYNAMIC };

static void add_shape(struct recording *recording, const struct query *query, uint32_t event)
{
    struct builder *builder = recording->builder;

    builder_property(builder_timeline(builder), event, PROP_GRID,
                     property_pack3(query_integer_or(query, GRID, 1),
                                    query_integer_or(query, GRID + 1, 1),
                                    query_integer_or(query, GRID + 2, 1)));
    builder_property(builder_timeline(builder), event, PROP_BLOCK,
                     property_pack3(query_integer_or(query, BLOCK, 1),
                                    query_integer_or(query, BLOCK + 1, 1),
                                    query_integer_or(query, BLOCK + 2, 1)));
    add_number(recording, query, REGISTERS, event, PROP_REGISTERS);
    builder_property(
        builder_timeline(builder), event, PROP_SHARED_MEMORY,
        checked_add(query_integer_or(query, STATIC, 0), query_integer_or(query, DYNAMIC, 0)));
}

static bool read_kernel_table(struct recording *recording, const char *table,
                              const char *name_column, struct error *err)
{
    const char *const columns[] = {PLACE_COLUMNS,
                                   name_column,
                                   "gridX",
                                   "gridY",
                                   "gridZ",
                                   "blockX",
                                   "blockY",
                                   "blockZ",
                                   "registersPerThread",
                                   "staticSharedMemory",
                                   "dynamicSharedMemory",
                                   NULL};
    struct query query;
    struct stream_event place;

    query_begin(&query, &recording->database, table, columns);
    while (query_next(&query)) {
        str_id raw = name_table_at(&recording->names, query_integer_or(&query, NAME, -1));
        uint32_t *known = idmap_at(&recording->kernel_names, raw);
        struct span text;
        str_id name;

        if (*known == IDMAP_NONE)
            *known = kernel_name_intern(recording->builder, builder_text(recording->builder, raw));
        name = *known;
        text = builder_text(recording->builder, name);
        if (!read_place(recording, &query, "", &place))
            continue;
        recording->mangled += span_starts(text, SPAN("_Z"));
        add_shape(recording, &query, add_work(recording, &place, name, device_work_kind(text)));
    }
    return query_end(&query, err);
}

/* Graphs that were launched and traced as one. */
static bool read_graphs(struct recording *recording, struct error *err)
{
    static const char *const columns[] = {PLACE_COLUMNS, "graphId", NULL};
    struct query query;
    struct stream_event place;
    char name[48];

    query_begin(&query, &recording->database, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", columns);
    while (query_next(&query)) {
        if (!read_place(recording, &query, "", &place))
            continue;
        snprintf(name, sizeof(name), "CUDA graph %lld",
                 (long long)query_integer_or(&query, FIRST_OWN, 0));
        add_work(recording, &place, builder_intern(recording->builder, span_of(name)), KIND_KERNEL);
    }
    return query_end(&query, err);
}

bool recording_read_kernels(struct recording *recording, struct error *err)
{
    if (recording->writer == WRITER_NSYS)
        return read_kernel_table(recording, "CUPTI_ACTIVITY_KIND_KERNEL", "demangledName", err) &&
               read_graphs(recording, err);
    return read_kernel_table(recording, "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", "name", err) &&
           read_kernel_table(recording, "CUPTI_ACTIVITY_KIND_KERNEL", "name", err);
}

/* ---- copies and fills ---- */

enum { COPY_KIND = FIRST_OWN, BYTES, SOURCE, TARGET };

/* nvprof counts from unknown on, Nsight from pageable on. */
static enum memory_kind memory_kind(const struct recording *recording, int64_t kind)
{
    static const enum memory_kind kinds[] = {MEMORY_PAGEABLE, MEMORY_PINNED, MEMORY_DEVICE,
                                             MEMORY_ARRAY, MEMORY_MANAGED};

    if (recording->writer == WRITER_NVPROF)
        kind--;
    return kind >= 0 && kind < (int64_t)COUNT_OF(kinds) ? kinds[kind] : MEMORY_UNKNOWN;
}

static void add_known(struct recording *recording, uint32_t event, enum property property,
                      int value)
{
    if (value && builder_wants(recording->builder, property))
        builder_property(recording->timeline, event, property, value);
}

static void add_copy(struct recording *recording, const struct query *query,
                     const struct stream_event *place)
{
    enum { UNIFIED = 11, LAST = 13 };
    int64_t kind = query_integer_or(query, COPY_KIND, 0);
    const char *direction = copy_kind_name(kind);
    char name[80];
    uint32_t event;

    snprintf(name, sizeof(name), "[CUDA memcpy %s%s]",
             kind >= UNIFIED && kind <= LAST ? "unified " : "", *direction ? direction : "?");
    event =
        add_work(recording, place, builder_intern(recording->builder, span_of(name)), KIND_MEMCPY);
    add_number(recording, query, BYTES, event, PROP_BYTES);
    add_known(recording, event, PROP_COPY_KIND, (int)copy_direction_of(span_of(direction)));
    add_known(recording, event, PROP_SRC_KIND,
              (int)memory_kind(recording, query_integer_or(query, SOURCE, -1)));
    add_known(recording, event, PROP_DST_KIND,
              (int)memory_kind(recording, query_integer_or(query, TARGET, -1)));
}

static bool read_copy_table(struct recording *recording, const char *table, struct error *err)
{
    static const char *const columns[] = {PLACE_COLUMNS, "copyKind", "bytes",
                                          "srcKind",     "dstKind",  NULL};
    struct query query;
    struct stream_event place;

    query_begin(&query, &recording->database, table, columns);
    while (query_next(&query))
        if (read_place(recording, &query,
                       query_integer_or(&query, COPY_KIND, 0) > 10 ? "unified memory, " : "",
                       &place))
            add_copy(recording, &query, &place);
    return query_end(&query, err);
}

bool recording_read_copies(struct recording *recording, struct error *err)
{
    return read_copy_table(recording, "CUPTI_ACTIVITY_KIND_MEMCPY", err) &&
           read_copy_table(recording, "CUPTI_ACTIVITY_KIND_MEMCPY2", err);
}

bool recording_read_fills(struct recording *recording, struct error *err)
{
    static const char *const columns[] = {PLACE_COLUMNS, "bytes", NULL};
    str_id name = builder_intern(recording->builder, SPAN("[CUDA memset]"));
    struct query query;
    struct stream_event place;

    query_begin(&query, &recording->database, "CUPTI_ACTIVITY_KIND_MEMSET", columns);
    while (query_next(&query))
        if (read_place(recording, &query, "", &place))
            add_number(recording, &query, FIRST_OWN, add_work(recording, &place, name, KIND_MEMSET),
                       PROP_BYTES);
    return query_end(&query, err);
}

/* ---- waits ---- */

bool recording_read_waits(struct recording *recording, struct error *err)
{
    static const char *const kinds[] = {"", "Event Synchronize", "Stream Wait Event",
                                        "Stream Synchronize", "Context Synchronize"};
    const char *const columns[] = {PLACE_COLUMNS,
                                   recording->writer == WRITER_NSYS ? "syncType" : "type", NULL};
    struct query query;
    struct stream_event place;

    query_begin(&query, &recording->database, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", columns);
    while (query_next(&query)) {
        int64_t kind = query_integer_or(&query, FIRST_OWN, 0);
        const char *name =
            kind > 0 && kind < (int64_t)COUNT_OF(kinds) ? kinds[kind] : "Synchronize";

        if (read_place(recording, &query, "waits of ", &place))
            add_text(recording,
                     add_work(recording, &place, builder_intern(recording->builder, span_of(name)),
                              KIND_SYNC),
                     PROP_SYNC_KIND, name);
    }
    return query_end(&query, err);
}
