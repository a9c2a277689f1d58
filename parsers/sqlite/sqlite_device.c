/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite_device.c — kernels, copies, fills and waits of streams */
#include <stdio.h>

#include "base/checked.h"
#include "graph/classify/event_class.h"
#include "graph/classify/kernel_class.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/sqlite/sqlite.h"

/* ---- what the machine's GPUs are: their peaks follow from it ---- */

struct device_row {
    struct span name;
    int64_t ordinal, name_id, major, minor, memory, sms, clock, bandwidth, warp_size;
    int64_t registers, shared_memory, warps;
};

static const struct query_column nvprof_device[] = {
    QUERY_COLUMN("id", struct device_row, ordinal),
    QUERY_COLUMN("name", struct device_row, name_id),
    QUERY_COLUMN("computeCapabilityMajor", struct device_row, major),
    QUERY_COLUMN("computeCapabilityMinor", struct device_row, minor),
    QUERY_COLUMN("globalMemorySize", struct device_row, memory),
    QUERY_COLUMN("numMultiprocessors", struct device_row, sms),
    QUERY_COLUMN("coreClockRate", struct device_row, clock),
    QUERY_COLUMN("globalMemoryBandwidth", struct device_row, bandwidth),
    QUERY_COLUMN("numThreadsPerWarp", struct device_row, warp_size),
    QUERY_COLUMN("maxRegistersPerMultiprocessor", struct device_row, registers),
    QUERY_COLUMN("maxSharedMemoryPerMultiprocessor", struct device_row, shared_memory),
    QUERY_COLUMN("maxWarpsPerMultiprocessor", struct device_row, warps),
};

/* `cuDevice` is the number that activities have; older files only have the bus's order. */
static const struct query_column nsys_device[] = {
    QUERY_COLUMN("id", struct device_row, ordinal),
    QUERY_COLUMN("cuDevice", struct device_row, ordinal),
    QUERY_COLUMN("name", struct device_row, name),
    QUERY_COLUMN("computeMajor", struct device_row, major),
    QUERY_COLUMN("computeMinor", struct device_row, minor),
    QUERY_COLUMN("totalMemory", struct device_row, memory),
    QUERY_COLUMN("smCount", struct device_row, sms),
    QUERY_COLUMN("clockRate", struct device_row, clock),
    QUERY_COLUMN("memoryBandwidth", struct device_row, bandwidth),
    QUERY_COLUMN("threadsPerWarp", struct device_row, warp_size),
    QUERY_COLUMN("maxRegistersPerSm", struct device_row, registers),
    QUERY_COLUMN("maxShmemPerSm", struct device_row, shared_memory),
    QUERY_COLUMN("maxWarpsPerSm", struct device_row, warps),
};

static int64_t scaled(int64_t value, int64_t factor)
{
    int64_t product;

    return value < 0 || __builtin_mul_overflow(value, factor, &product) ? 0 : product;
}

/* nvprof has clock and bandwidth in kHz and kB/s. */
bool recording_read_devices(struct recording *recording, struct error *err)
{
    bool is_nvprof = recording->writer == WRITER_NVPROF;
    int64_t rate = is_nvprof ? 1000 : 1;
    struct device_row row;
    struct query query;

    if (is_nvprof)
        QUERY_BEGIN(&query, &recording->database, "CUPTI_ACTIVITY_KIND_DEVICE", nvprof_device);
    else
        QUERY_BEGIN(&query, &recording->database, "TARGET_INFO_GPU", nsys_device);
    while (row = (struct device_row){.ordinal = 0}, query_next(&query, &row)) {
        struct device device = {.ordinal = (int32_t)row.ordinal,
                                .name = is_nvprof ? name_table_at(&recording->names, row.name_id)
                                                  : builder_intern(recording->builder, row.name),
                                .major = (int32_t)row.major,
                                .minor = (int32_t)row.minor,
                                .memory = not_negative(row.memory),
                                .sms = not_negative(row.sms),
                                .clock = scaled(row.clock, rate),
                                .peak_bandwidth = scaled(row.bandwidth, rate),
                                .warp_size = not_negative(row.warp_size),
                                .registers_per_sm = not_negative(row.registers),
                                .shared_memory_per_sm = not_negative(row.shared_memory),
                                .max_threads_per_sm = scaled(row.warps, 32)};

        builder_device(recording->builder, &device);
        recording_name_device(recording, &device);
    }
    return query_end(&query, err);
}

/* ---- activities: kernels, copies, fills and waits of streams ---- */

/* A row of any table of activities; UNKNOWN, or what is meant where nothing is said, without its column. */
struct cupti_activity {
    int64_t start, end, device, context, stream, correlation, global_pid;
    int64_t name, grid[3], block[3], registers, static_memory, dynamic_memory; /* of kernels */
    int64_t bytes, copy_kind, source, target;
    int64_t wait_kind, graph;
};

static const struct cupti_activity no_activity = {.start = UNKNOWN,
                                                  .end = UNKNOWN,
                                                  .context = 1,
                                                  .stream = -1,
                                                  .name = -1,
                                                  .grid = {1, 1, 1},
                                                  .block = {1, 1, 1},
                                                  .registers = UNKNOWN,
                                                  .bytes = UNKNOWN,
                                                  .source = -1,
                                                  .target = -1};

/* What both writers call alike. */
#define ACTIVITY_COLUMNS                                                                           \
    QUERY_COLUMN("start", struct cupti_activity, start),                                           \
        QUERY_COLUMN("end", struct cupti_activity, end),                                           \
        QUERY_COLUMN("deviceId", struct cupti_activity, device),                                   \
        QUERY_COLUMN("contextId", struct cupti_activity, context),                                 \
        QUERY_COLUMN("streamId", struct cupti_activity, stream),                                   \
        QUERY_COLUMN("correlationId", struct cupti_activity, correlation),                         \
        QUERY_COLUMN("globalPid", struct cupti_activity, global_pid),                              \
        QUERY_COLUMN("gridX", struct cupti_activity, grid[0]),                                     \
        QUERY_COLUMN("gridY", struct cupti_activity, grid[1]),                                     \
        QUERY_COLUMN("gridZ", struct cupti_activity, grid[2]),                                     \
        QUERY_COLUMN("blockX", struct cupti_activity, block[0]),                                   \
        QUERY_COLUMN("blockY", struct cupti_activity, block[1]),                                   \
        QUERY_COLUMN("blockZ", struct cupti_activity, block[2]),                                   \
        QUERY_COLUMN("registersPerThread", struct cupti_activity, registers),                      \
        QUERY_COLUMN("staticSharedMemory", struct cupti_activity, static_memory),                  \
        QUERY_COLUMN("dynamicSharedMemory", struct cupti_activity, dynamic_memory),                \
        QUERY_COLUMN("bytes", struct cupti_activity, bytes),                                       \
        QUERY_COLUMN("copyKind", struct cupti_activity, copy_kind),                                \
        QUERY_COLUMN("srcKind", struct cupti_activity, source),                                    \
        QUERY_COLUMN("dstKind", struct cupti_activity, target)

static const struct query_column nvprof_activity[] = {
    ACTIVITY_COLUMNS,
    QUERY_COLUMN("name", struct cupti_activity, name),
    QUERY_COLUMN("type", struct cupti_activity, wait_kind),
};

static const struct query_column nsys_activity[] = {
    ACTIVITY_COLUMNS,
    QUERY_COLUMN("demangledName", struct cupti_activity, name),
    QUERY_COLUMN("syncType", struct cupti_activity, wait_kind),
    QUERY_COLUMN("graphId", struct cupti_activity, graph),
};

/* "stream 7", and its context where it is not the first; `what` for rows apart. */
static str_id track_name(struct recording *recording, const struct cupti_activity *activity,
                         const char *what)
{
    char name[100];
    int len;

    if (!*what && activity->stream >= 0 && activity->stream < UINT32_MAX && activity->context == 1)
        return recording_numbered(recording, "stream %lld", activity->stream);
    len = snprintf(name, sizeof(name), "%s", what);

    if (activity->stream >= 0 && activity->stream < UINT32_MAX)
        len += snprintf(name + len, sizeof(name) - (size_t)len, "stream %lld",
                        (long long)activity->stream);
    else
        len += snprintf(name + len, sizeof(name) - (size_t)len, "all streams");
    if (activity->context != 1)
        len += snprintf(name + len, sizeof(name) - (size_t)len, ", context %lld",
                        (long long)activity->context);
    return builder_intern(recording->builder, (struct span){name, (size_t)len});
}

/* `what`: for rows of their own beside the stream's. */
static uint32_t add_work(struct recording *recording, const struct cupti_activity *activity,
                         const char *what, str_id name, enum frame_kind kind)
{
    int64_t device = activity->device, pid, tid;
    struct track track = {.name = track_name(recording, activity, what),
                          .process = recording_device(recording, device),
                          .kind = TRACK_STREAM,
                          .device = device >= 0 && device < INT32_MAX ? (int32_t)device : -1};
    uint32_t event;

    split_global(activity->global_pid, &pid, &tid);
    track.pid = pid;
    event = recording_event(recording, &track, activity->start, activity->end, name, kind);
    builder_launched(recording->timeline, event,
                     correlation_key(pid, activity->correlation & UINT32_MAX));
    return event;
}

static void add_known(struct recording *recording, uint32_t event, enum property property,
                      int64_t value)
{
    if (value && value != UNKNOWN && builder_wants(recording->builder, property))
        builder_property(recording->timeline, event, property, value);
}

static struct recorded_kernel kernel_of(struct recording *recording, str_id raw)
{
    uint32_t *at = idmap_at(&recording->kernel_of, raw);

    if (*at == IDMAP_NONE) {
        str_id name = kernel_name_intern(recording->builder, builder_text(recording->builder, raw));
        struct span text = builder_text(recording->builder, name);

        *at = (uint32_t)recording->kernels.count;
        vector_add(&recording->kernels, (struct recorded_kernel){name, device_work_kind(text),
                                                                 span_starts(text, SPAN("_Z"))});
    }
    return recording->kernels.list[*at];
}

static void add_kernel(struct recording *recording, const struct cupti_activity *activity)
{
    struct recorded_kernel kernel =
        kernel_of(recording, name_table_at(&recording->names, activity->name));
    struct timeline_builder *timeline = recording->timeline;
    uint32_t event = add_work(recording, activity, "", kernel.name, kernel.kind);

    recording->mangled += kernel.is_mangled;
    builder_property(timeline, event, PROP_GRID,
                     property_pack3(activity->grid[0], activity->grid[1], activity->grid[2]));
    builder_property(timeline, event, PROP_BLOCK,
                     property_pack3(activity->block[0], activity->block[1], activity->block[2]));
    if (activity->registers != UNKNOWN)
        builder_property(timeline, event, PROP_REGISTERS, activity->registers);
    builder_property(timeline, event, PROP_SHARED_MEMORY,
                     checked_add(activity->static_memory, activity->dynamic_memory));
}

/* Graphs that were launched and traced as one. */
static void add_graph(struct recording *recording, const struct cupti_activity *activity)
{
    char name[48];

    snprintf(name, sizeof(name), "CUDA graph %lld", (long long)activity->graph);
    add_work(recording, activity, "", builder_intern(recording->builder, span_of(name)),
             KIND_KERNEL);
}

/* nvprof counts from unknown on, Nsight from pageable on. */
static enum memory_kind memory_kind(const struct recording *recording, int64_t kind)
{
    static const enum memory_kind kinds[] = {MEMORY_PAGEABLE, MEMORY_PINNED, MEMORY_DEVICE,
                                             MEMORY_ARRAY, MEMORY_MANAGED};

    if (recording->writer == WRITER_NVPROF)
        kind--;
    return kind >= 0 && kind < (int64_t)COUNT_OF(kinds) ? kinds[kind] : MEMORY_UNKNOWN;
}

static void add_copy(struct recording *recording, const struct cupti_activity *activity)
{
    enum { UNIFIED = 11, LAST = 13 };
    int64_t kind = activity->copy_kind;
    const char *direction = copy_kind_name(kind);
    char name[80];
    uint32_t event;

    snprintf(name, sizeof(name), "[CUDA memcpy %s%s]",
             kind >= UNIFIED && kind <= LAST ? "unified " : "", *direction ? direction : "?");
    event = add_work(recording, activity, kind >= UNIFIED ? "unified memory, " : "",
                     builder_intern(recording->builder, span_of(name)), KIND_MEMCPY);
    if (activity->bytes != UNKNOWN)
        builder_property(recording->timeline, event, PROP_BYTES, activity->bytes);
    add_known(recording, event, PROP_COPY_KIND, (int64_t)copy_direction_of(span_of(direction)));
    add_known(recording, event, PROP_SRC_KIND, (int64_t)memory_kind(recording, activity->source));
    add_known(recording, event, PROP_DST_KIND, (int64_t)memory_kind(recording, activity->target));
}

static void add_fill(struct recording *recording, const struct cupti_activity *activity)
{
    uint32_t event =
        add_work(recording, activity, "", builder_intern(recording->builder, SPAN("[CUDA memset]")),
                 KIND_MEMSET);

    if (activity->bytes != UNKNOWN)
        builder_property(recording->timeline, event, PROP_BYTES, activity->bytes);
}

static void add_wait(struct recording *recording, const struct cupti_activity *activity)
{
    static const char *const kinds[] = {"", "Event Synchronize", "Stream Wait Event",
                                        "Stream Synchronize", "Context Synchronize"};
    int64_t kind = activity->wait_kind;
    str_id name = builder_intern(
        recording->builder,
        span_of(kind > 0 && kind < (int64_t)COUNT_OF(kinds) ? kinds[kind] : "Synchronize"));

    add_known(recording, add_work(recording, activity, "waits of ", name, KIND_SYNC),
              PROP_SYNC_KIND, name);
}

static const struct activity_table {
    const char *table;
    void (*add)(struct recording *recording, const struct cupti_activity *activity);
} nvprof_tables[] = {{"CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", add_kernel},
                     {"CUPTI_ACTIVITY_KIND_KERNEL", add_kernel},
                     {"CUPTI_ACTIVITY_KIND_MEMCPY", add_copy},
                     {"CUPTI_ACTIVITY_KIND_MEMCPY2", add_copy},
                     {"CUPTI_ACTIVITY_KIND_MEMSET", add_fill},
                     {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", add_wait}},
  nsys_tables[] = {{"CUPTI_ACTIVITY_KIND_KERNEL", add_kernel},
                   {"CUPTI_ACTIVITY_KIND_GRAPH_TRACE", add_graph},
                   {"CUPTI_ACTIVITY_KIND_MEMCPY", add_copy},
                   {"CUPTI_ACTIVITY_KIND_MEMCPY2", add_copy},
                   {"CUPTI_ACTIVITY_KIND_MEMSET", add_fill},
                   {"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", add_wait}};

/* False for a row that lacks either time, as activities cut off at the end do. CUPTI's 0 is none; Nsight's
 * times count from where the session began. */
static bool is_whole(const struct recording *recording, const struct cupti_activity *activity)
{
    return activity->start != UNKNOWN && activity->end >= activity->start && activity->end > 0 &&
           activity->start >= (recording->writer == WRITER_NVPROF);
}

static bool read_activities(struct recording *recording, const struct activity_table *table,
                            const struct query_column *columns, size_t count, struct error *err)
{
    struct cupti_activity activity;
    struct query query;

    query_begin(&query, &recording->database, table->table, columns, count);
    while (activity = no_activity, query_next(&query, &activity))
        if (is_whole(recording, &activity))
            table->add(recording, &activity);
        else
            warning_count_many(builder_warnings(recording->builder), WARNING_LOSS,
                               "activities without a start or an end, left out", 1);
    return query_end(&query, err);
}

bool recording_read_activities(struct recording *recording, struct error *err)
{
    bool is_nvprof = recording->writer == WRITER_NVPROF, ok = true;

    for (size_t i = 0; is_nvprof && ok && i < COUNT_OF(nvprof_tables); i++)
        ok = read_activities(recording, &nvprof_tables[i], nvprof_activity,
                             COUNT_OF(nvprof_activity), err);
    for (size_t i = 0; !is_nvprof && ok && i < COUNT_OF(nsys_tables); i++)
        ok = read_activities(recording, &nsys_tables[i], nsys_activity, COUNT_OF(nsys_activity),
                             err);
    return ok;
}
