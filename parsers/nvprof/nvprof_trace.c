/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_trace.c — traces of the GPU and of calls: one row an event, with its track and its properties */
#include "parsers/nvprof/nvprof.h"

#define XXH_INLINE_ALL
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "parsers/device/kernel_counters.h"

/* ---- bytes that wait for the end of the file: is a KB 1000 bytes in it, or 1024? ---- */

enum { DECIMAL = 1000, BINARY = 1024 };

/* A prefix apart the bases differ by 2.4 %: figures must be good to some tenths of that. */
enum { LEAST_MICROS = 10000, LEAST_TICKS = 500 };

static const double CLOSE = 0.006;

static void sizes_add(struct waiting_sizes *sizes, uint32_t event, enum property property,
                      struct amount amount, struct amount more)
{
    vector_add(sizes, (struct waiting_size){event, property, amount, more});
}

static bool agrees(struct amount size, struct amount rate, int64_t ns, int64_t base)
{
    double apart = pow((double)base, size.exponent - rate.exponent);
    double found = (double)size.micros * apart / ((double)ns * 1e-9) / (double)rate.micros;

    return fabs(found - 1) < CLOSE;
}

/* What a copy says of the base. `ns`: its duration, known to `resolution`. */
static void sizes_weigh(struct waiting_sizes *sizes, struct amount size, struct amount rate,
                        int64_t ns, int64_t resolution)
{
    bool is_binary, is_decimal;

    if (size.exponent == rate.exponent || size.micros < LEAST_MICROS ||
        rate.micros < LEAST_MICROS || ns / LEAST_TICKS < resolution)
        return;
    is_binary = agrees(size, rate, ns, BINARY);
    is_decimal = agrees(size, rate, ns, DECIMAL);
    sizes->binary += is_binary && !is_decimal;
    sizes->decimal += is_decimal && !is_binary;
}

static int64_t decide(const struct waiting_sizes *sizes, const char **why)
{
    *why = "as Nsight Systems writes";
    if (sizes->is_nsight)
        return DECIMAL;
    *why = "as sizes, times and throughputs of copies agree";
    if (sizes->binary != sizes->decimal)
        return sizes->binary > sizes->decimal ? BINARY : DECIMAL;
    *why = "as in nvprof of CUDA 6 and before, which writes small figures like these";
    if (sizes->is_old)
        return DECIMAL;
    *why = sizes->is_new ? "as in nvprof of CUDA 8 and later, which writes these columns"
                         : "as in nvprof of CUDA 7 and later; nothing in the file shows it";
    return BINARY;
}

/* Decides, says how, and gives the events their bytes. */
static void sizes_finish(struct waiting_sizes *sizes, struct builder *builder)
{
    struct warnings *warnings = builder_warnings(builder);
    const char *why;
    int64_t base = decide(sizes, &why);

    for (size_t i = 0; i < sizes->count; i++) {
        const struct waiting_size *size = &sizes->list[i];

        builder_property(
            builder_timeline(builder), size->event, size->property,
            checked_add(amount_bytes(size->amount, base), amount_bytes(size->more, base)));
    }
    if (!sizes->has_prefix)
        return;
    warning_say(warnings, WARNING_NOTE, "a KB is read as %d bytes, a MB as %d KB, %s", (int)base,
                (int)base, why);
    if (sizes->binary && sizes->decimal)
        warning_say(warnings, WARNING_LOSS,
                    "%llu copies fit KB of 1024 bytes, %llu of 1000; sizes may be wrong",
                    (unsigned long long)sizes->binary, (unsigned long long)sizes->decimal);
}

/* ---- traces of the GPU and of API calls: one row an event, with when and where it ran ---- */

bool trace_begin(struct nvprof_trace *trace, struct builder *builder, struct error *err)
{
    if (trace->has_begun)
        return true;
    trace->has_begun = true;
    return builder_begin_timeline(builder, err);
}

void trace_new_run(struct nvprof_trace *trace, int64_t pid)
{
    trace->run++;
    trace->pid = pid;
    trace->offset = trace->end;
}

/* ---- where ---- */

static struct trace_track *find_track(struct nvprof_trace *trace, struct timeline_builder *builder,
                                      const struct track *track)
{
    uint32_t key[] = {track->name, track->process, (uint32_t)track->kind, (uint32_t)track->device,
                      trace->run};
    uint32_t *at = idmap_at(&trace->places, XXH3_64bits(key, sizeof(key)));

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)trace->tracks.count;
        vector_add(&trace->tracks,
                   (struct trace_track){.track = builder_track(builder, track), .end = INT64_MIN});
    }
    return &trace->tracks.list[*at];
}

/* "stream 7", and the context where it is not the first; or what the row is about. */
static str_id stream_name(struct builder *builder, const struct nvprof_table *table,
                          const struct nvprof_row *row)
{
    struct span stream = row->cell[COLUMN_STREAM], context = row->cell[COLUMN_CONTEXT];
    char name[80];
    int len;

    if (!table_has(table, COLUMN_STREAM))
        return builder_intern(builder, SPAN("kernels of any stream"));
    if (!stream.len)
        return builder_intern(builder, SPAN("unified memory"));
    len = snprintf(name, sizeof(name), "stream %.*s", (int)(stream.len < 24 ? stream.len : 24),
                   stream.at);
    if (context.len && !span_eq(context, SPAN("1")))
        len += snprintf(name + len, sizeof(name) - (size_t)len, ", context %.*s",
                        (int)(context.len < 24 ? context.len : 24), context.at);
    return builder_intern(builder, (struct span){name, (size_t)len});
}

static struct track device_track(struct nvprof_trace *trace, struct builder *builder,
                                 const struct nvprof_table *table, const struct nvprof_row *row,
                                 enum frame_kind kind, bool is_instant)
{
    struct span device = row->cell[COLUMN_DEVICE];
    struct track track = {.device = name_take_ordinal(&device), .pid = trace->pid};
    char made[24];

    snprintf(made, sizeof(made), track.device < 0 ? "GPU" : "GPU %d", (int)track.device);
    track.process = builder_intern(builder, device.len ? device : span_of(made));
    track.name = stream_name(builder, table, row);
    track.kind = is_instant ? TRACK_POINTS : kind == KIND_OTHER ? TRACK_ASYNC : TRACK_STREAM;
    if (device.len) {
        uint32_t *known =
            idmap_at(&trace->devices, idmap_pair((uint32_t)track.device, track.process));

        if (track.device < 0)
            track.device = 0; /* the text is cut before the number */
        if (*known == IDMAP_NONE)
            builder_device(builder,
                           &(struct device){.ordinal = track.device, .name = track.process});
        *known = 0;
    }
    return track;
}

/* Only Nsight's ranges say on which thread they were. */
static struct track host_track(struct nvprof_trace *trace, struct builder *builder,
                               const struct nvprof_row *row)
{
    struct span thread = row->cell[COLUMN_THREAD];
    char name[48] = "API calls";
    struct track track = {.kind = TRACK_THREAD, .device = -1, .pid = trace->pid};

    if (thread.len)
        snprintf(name, sizeof(name), "thread %.*s", (int)(thread.len < 24 ? thread.len : 24),
                 thread.at);
    (void)!span_to_i64(row->cell[COLUMN_PROCESS], &track.pid);
    (void)!span_to_i64(thread, &track.tid);
    track.name = builder_intern(builder, span_of(name));
    track.process = builder_intern(builder, SPAN("host"));
    return track;
}

/* ---- what ---- */

static bool triple(const struct nvprof_table *table, const struct nvprof_row *row,
                   enum nvprof_column together, int64_t *packed)
{
    struct span text = row->cell[together];
    bool is_one = table_has(table, together);
    int64_t size[3];

    if (span_starts(text, SPAN("(")) && span_ends(text, SPAN(")")))
        text = (struct span){text.at + 1, text.len - 2};
    for (int i = 0; i < 3; i++)
        if (!span_to_i64(is_one ? span_word(&text) : row->cell[together + 1 + i], &size[i]))
            return false;
    *packed = property_pack3(size[0], size[1], size[2]);
    return true;
}

static void add_launch_shape(struct nvprof_trace *trace, struct builder *builder,
                             const struct nvprof_table *table, const struct nvprof_row *row,
                             uint32_t event)
{
    struct timeline_builder *timeline = builder_timeline(builder);
    struct amount fixed, dynamic;
    int64_t value;

    if (triple(table, row, COLUMN_GRID, &value))
        builder_property(timeline, event, PROP_GRID, value);
    if (triple(table, row, COLUMN_BLOCK, &value))
        builder_property(timeline, event, PROP_BLOCK, value);
    if (span_to_i64(row->cell[COLUMN_REGISTERS], &value))
        builder_property(timeline, event, PROP_REGISTERS, value);
    if (builder_wants(builder, PROP_SHARED_MEMORY) &&
        quantity_amount(row->cell[COLUMN_STATIC], table->header.unit[COLUMN_STATIC], &fixed) &&
        quantity_amount(row->cell[COLUMN_DYNAMIC], table->header.unit[COLUMN_DYNAMIC], &dynamic))
        sizes_add(&trace->sizes, event, PROP_SHARED_MEMORY, fixed, dynamic);
}

static void add_known(struct builder *builder, uint32_t event, enum property property, int value)
{
    if (value && builder_wants(builder, property))
        builder_property(builder_timeline(builder), event, property, value);
}

static void add_copy(struct nvprof_trace *trace, struct builder *builder,
                     const struct nvprof_table *table, const struct nvprof_row *row, uint32_t event,
                     int64_t ns, int64_t resolution)
{
    enum nvprof_column column = row->cell[COLUMN_SIZE].len ? COLUMN_SIZE : COLUMN_UNIFIED;
    struct amount size, rate;

    add_known(builder, event, PROP_COPY_KIND, (int)copy_direction_of_name(row->cell[COLUMN_NAME]));
    add_known(builder, event, PROP_SRC_KIND, (int)memory_kind_of(row->cell[COLUMN_SOURCE]));
    add_known(builder, event, PROP_DST_KIND, (int)memory_kind_of(row->cell[COLUMN_TARGET]));
    if (!quantity_amount(row->cell[column], table->header.unit[column], &size))
        return;
    trace->sizes.has_prefix |= size.exponent > 0;
    if (builder_wants(builder, PROP_BYTES))
        sizes_add(&trace->sizes, event, PROP_BYTES, size, (struct amount){0});
    if (table->is_nsight) /* its throughputs are rounded in steps of some percent */
        return;
    if (quantity_amount(row->cell[COLUMN_THROUGHPUT], table->header.unit[COLUMN_THROUGHPUT], &rate))
        sizes_weigh(&trace->sizes, size, rate, ns, resolution);
}

/* A number of their own for each run's calls: processes count alike. */
static int64_t correlation_of(const struct nvprof_trace *trace, const struct nvprof_row *row,
                              int64_t suffix)
{
    int64_t correlation;

    if (!span_to_i64(row->cell[COLUMN_CORRELATION], &correlation))
        correlation = suffix;
    if (correlation < 0 || correlation > UINT32_MAX)
        return -1;
    return (int64_t)((uint64_t)trace->run << 32 | (uint64_t)correlation);
}

/* ---- rows ---- */

struct times {
    int64_t start, duration, resolution; /* ns; resolution of the duration */
    bool is_instant;
};

static bool read_times(struct nvprof_trace *trace, const struct nvprof_table *table,
                       const struct nvprof_row *row, struct times *times)
{
    int64_t resolution;

    *times = (struct times){.resolution = 1};
    if (!quantity_time(row->cell[COLUMN_START], table->header.unit[COLUMN_START], &times->start,
                       &resolution) ||
        times->start < 0)
        return false;
    times->is_instant = row->cell[COLUMN_DURATION].len == 0;
    if (!times->is_instant &&
        (!quantity_time(row->cell[COLUMN_DURATION], table->header.unit[COLUMN_DURATION],
                        &times->duration, &times->resolution) ||
         times->duration < 0))
        return false;
    trace->resolution = resolution > trace->resolution ? resolution : trace->resolution;
    times->start = checked_add(times->start, trace->offset);
    return true;
}

static bool is_api_row(const struct nvprof_table *table, const struct nvprof_row *row)
{
    struct span name = row->cell[COLUMN_NAME];

    if (table->kind == TABLE_EXECUTIONS)
        return !row->cell[COLUMN_DEVICE].len;
    return !table_has(table, COLUMN_DEVICE) ||
           (!table->is_nsight && !row->cell[COLUMN_DEVICE].len && name.at[0] != '[');
}

/* Rounding may let an event begin before the one in front of it ends: then it follows it. */
static uint32_t add_event(struct nvprof_trace *trace, struct timeline_builder *builder,
                          const struct track *track, struct times *times, frame_id frame)
{
    struct trace_track *at = find_track(trace, builder, track);
    int64_t tolerance = checked_add(trace->resolution, times->resolution);
    bool is_early =
        tolerance > 2 && times->start < at->end && checked_sub(at->end, times->start) <= tolerance;

    if (is_early && !times->is_instant)
        times->start = at->end;
    trace->moved += is_early;
    at->end = checked_add(times->start, times->duration);
    trace->end = at->end > trace->end ? at->end : trace->end;
    builder_tolerance(builder, at->track, tolerance);
    return builder_event(builder, at->track, times->start, times->duration, frame);
}

/* Calls and kernels are in two reports of nsys: the first one that is met counts. */
static bool is_repeated(struct nvprof_trace *trace, const struct nvprof_table *table,
                        enum frame_kind kind)
{
    bool is_told_once =
        table->is_ranges || kind == KIND_MEMCPY || kind == KIND_MEMSET || kind == KIND_OTHER;

    if (!is_told_once && trace->teller == TABLE_NONE)
        trace->teller = table->kind;
    if (is_told_once || trace->teller == table->kind)
        return false;
    trace->retold++;
    return true;
}

bool trace_take(struct nvprof_trace *trace, struct builder *builder,
                const struct nvprof_table *table, const struct nvprof_row *row)
{
    struct timeline_builder *timeline = builder_timeline(builder);
    struct span name = row->cell[COLUMN_NAME];
    bool is_api = name.len && is_api_row(table, row);
    enum frame_kind kind;
    struct track track;
    struct times times;
    uint32_t event;
    int64_t correlation;

    if (!name.len || !read_times(trace, table, row, &times))
        return false;
    correlation = correlation_of(trace, row, name_take_correlation(&name));
    if (table->is_ranges && span_starts(name, SPAN(":")))
        name = span_after(name, 1); /* the default domain */
    kind = table->is_ranges ? KIND_ANNOTATION : is_api ? KIND_RUNTIME : kernel_name_kind(name);
    if (is_repeated(trace, table, kind))
        return true;
    track = is_api ? host_track(trace, builder, row)
                   : device_track(trace, builder, table, row, kind, times.is_instant);
    event = add_event(trace, timeline, &track, &times, kernel_name_frame(builder, name, kind));
    if (correlation >= 0 && is_api)
        builder_launches(timeline, event, correlation);
    else if (correlation >= 0)
        builder_launched(timeline, event, correlation);
    trace->api_rows += is_api;
    trace->device_rows += !is_api;
    if (!is_api)
        add_launch_shape(trace, builder, table, row, event);
    if (kind == KIND_MEMCPY || kind == KIND_MEMSET)
        add_copy(trace, builder, table, row, event, times.duration, times.resolution);
    trace->sizes.is_nsight |= table->is_nsight;
    trace->sizes.is_new |= table_has(table, COLUMN_CORRELATION) || table_has(table, COLUMN_SOURCE);
    return true;
}

bool trace_take_execution(struct nvprof_trace *trace, struct builder *builder,
                          const struct nvprof_table *table, const struct nvprof_row *row)
{
    struct nvprof_row call = {0}, kernel = *row;
    char number[24], device[32];
    struct span ordinal = row->cell[COLUMN_DEVICE_NUMBER];

    snprintf(number, sizeof(number), "%llu", (unsigned long long)trace->device_rows);
    snprintf(device, sizeof(device), "(%.*s)", (int)(ordinal.len < 24 ? ordinal.len : 24),
             ordinal.at);
    call.cell[COLUMN_NAME] = row->cell[COLUMN_CALL];
    call.cell[COLUMN_START] = row->cell[COLUMN_CALL_START]; /* one unit for all columns */
    call.cell[COLUMN_DURATION] = row->cell[COLUMN_CALL_DURATION];
    call.cell[COLUMN_PROCESS] = row->cell[COLUMN_PROCESS];
    call.cell[COLUMN_THREAD] = row->cell[COLUMN_THREAD];
    call.cell[COLUMN_CORRELATION] = kernel.cell[COLUMN_CORRELATION] = span_of(number);
    kernel.cell[COLUMN_DEVICE] = span_of(device);
    return trace_take(trace, builder, table, &call) && trace_take(trace, builder, table, &kernel);
}

void trace_finish(struct nvprof_trace *trace, struct builder *builder)
{
    sizes_finish(&trace->sizes, builder);
    builder_fact(builder, "device_rows", (int64_t)trace->device_rows, UNIT_COUNT);
    builder_fact(builder, "api_rows", (int64_t)trace->api_rows, UNIT_COUNT);
    builder_fact(builder, "time_resolution", trace->resolution, UNIT_NS);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "events moved behind the one before them by less than times are rounded",
                       trace->moved);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "calls and kernels that another report repeats, left out",
                       trace->retold);
    if (trace->offset)
        warning_say(builder_warnings(builder), WARNING_NOTE,
                    "several runs in one file, laid one behind the other");
    if (trace->teller == TABLE_EXECUTIONS)
        warning_say(builder_warnings(builder), WARNING_NOTE,
                    "this report has only kernels and their launches: nsys stats -r "
                    "cuda_api_trace,cuda_gpu_trace adds streams, copies and waits");
    if (!trace->api_rows)
        warning_say(builder_warnings(builder), WARNING_NOTE,
                    "only the device was traced: %s adds the calls of the host",
                    trace->sizes.is_nsight ? "nsys stats -r cuda_api_trace,cuda_gpu_trace"
                                           : "nvprof --print-api-trace --print-gpu-trace");
}

void trace_free(struct nvprof_trace *trace)
{
    free(trace->tracks.list);
    idmap_free(&trace->places);
    idmap_free(&trace->devices);
    free(trace->sizes.list);
}
