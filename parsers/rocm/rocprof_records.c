/* SPDX-License-Identifier: Apache-2.0 */
/* rocprof_records.c — the records of rocprofv3: calls, marks, kernels and copies as events */

#include <stdio.h>

#include "base/checked.h"
#include "graph/classify/event_class.h"
#include "graph/classify/kernel_class.h"
#include "parsers/rocm/rocprof_json.h"

static bool place_in_time(struct sdk_json *sdk, struct token record, int64_t *start,
                          int64_t *duration)
{
    int64_t from = sdk_number(record, "start_timestamp", 0),
            to = sdk_number(record, "end_timestamp", 0);

    if (from <= 0 || to < from) {
        sdk->odd++;
        return false;
    }
    if (sdk->origin == 0)
        sdk->origin = from;
    *start = checked_sub(from, sdk->origin);
    *duration = to - from;
    return true;
}

static int64_t correlation(const struct sdk_json *sdk, struct token record)
{
    int64_t id = sdk_number(sdk_member(record, "correlation_id"), "internal", 0);

    return id > 0 ? (int64_t)((uint64_t)sdk->number << 48 ^ (uint64_t)id) : 0;
}

static uint32_t track_of(struct sdk_json *sdk, const struct track *track)
{
    uint64_t key = (uint64_t)track->name << 32 ^ (uint64_t)track->process << 8 ^
                   (uint64_t)track->pid * UINT64_C(0x9E3779B97F4A7C15);
    uint32_t *at = idmap_at(&sdk->tracks, key);

    if (*at == IDMAP_NONE)
        *at = builder_track(sdk->timeline, track);
    return *at;
}

static uint32_t thread_track(struct sdk_json *sdk, struct token record)
{
    int64_t tid = sdk_number(record, "thread_id", 0);
    char thread[40], process[40];

    snprintf(thread, sizeof(thread), "thread %lld", (long long)tid);
    snprintf(process, sizeof(process), "process %lld", (long long)sdk->process);
    return track_of(sdk, &(struct track){.name = builder_intern(sdk->builder, span_of(thread)),
                                         .process = builder_intern(sdk->builder, span_of(process)),
                                         .kind = TRACK_THREAD,
                                         .device = -1,
                                         .pid = sdk->process,
                                         .tid = tid});
}

/* Of a stream; of a queue, where the file knows no streams or only the default one. */
static uint32_t device_track(struct sdk_json *sdk, int64_t agent, int64_t stream, int64_t queue)
{
    uint32_t ordinal = idmap_find(&sdk->device_of, (uint64_t)agent);
    char name[40], device[40];

    snprintf(name, sizeof(name), stream > 0 || queue < 0 ? "stream %lld" : "queue %lld",
             (long long)(stream > 0 || queue < 0 ? (stream > 0 ? stream : 0) : queue));
    snprintf(device, sizeof(device), "GPU %u", ordinal == IDMAP_NONE ? 0 : ordinal);
    return track_of(sdk, &(struct track){.name = builder_intern(sdk->builder, span_of(name)),
                                         .process = builder_intern(sdk->builder, span_of(device)),
                                         .kind = TRACK_STREAM,
                                         .device = ordinal == IDMAP_NONE ? 0 : (int32_t)ordinal,
                                         .pid = sdk->process,
                                         .stream = stream > 0 ? stream : queue});
}

static void add_call(struct sdk_json *sdk, struct token record, enum frame_kind kind)
{
    uint32_t name =
        idmap_find(&sdk->name_of, sdk_operation_key(sdk_number(record, "kind", -1),
                                                    sdk_number(record, "operation", -1)));
    int64_t id = sdk_number(sdk_member(record, "correlation_id"), "internal", 0), start, duration;
    uint32_t mark = idmap_find(&sdk->mark_of, (uint64_t)id), event;

    if (!place_in_time(sdk, record, &start, &duration))
        return;
    if (kind == KIND_ANNOTATION && mark != IDMAP_NONE)
        name = mark;
    event = builder_event(
        sdk->timeline, thread_track(sdk, record), start, duration,
        builder_frame(sdk->builder,
                      &(struct frame){.name = name == IDMAP_NONE ? 0 : name, .kind = kind}));
    if (kind == KIND_RUNTIME)
        builder_launches(sdk->timeline, event, correlation(sdk, record));
    sdk->events++;
}

void sdk_take_call(struct sdk_json *sdk, struct token record)
{
    add_call(sdk, record, KIND_RUNTIME);
}

void sdk_take_range(struct sdk_json *sdk, struct token record)
{
    add_call(sdk, record, KIND_ANNOTATION);
}

/* A grid is in threads here, and in blocks in CUDA. */
static void add_shape(struct sdk_json *sdk, struct token info, uint32_t event)
{
    static const char *const axes[] = {"x", "y", "z"};
    struct token block = sdk_member(info, "workgroup_size"), grid = sdk_member(info, "grid_size");
    int64_t threads[3], blocks[3];

    for (int i = 0; i < 3; i++) {
        threads[i] = sdk_number(block, axes[i], 1);
        blocks[i] = sdk_number(grid, axes[i], 1);
        if (threads[i] > 0 && blocks[i] > 0)
            blocks[i] = (blocks[i] - 1) / threads[i] + 1;
    }
    builder_property(sdk->timeline, event, PROP_GRID,
                     property_pack3(blocks[0], blocks[1], blocks[2]));
    builder_property(sdk->timeline, event, PROP_BLOCK,
                     property_pack3(threads[0], threads[1], threads[2]));
    builder_property(sdk->timeline, event, PROP_SHARED_MEMORY,
                     sdk_number(info, "group_segment_size", 0));
}

void sdk_take_dispatch(struct sdk_json *sdk, struct token record)
{
    struct token info = sdk_member(record, "dispatch_info");
    uint32_t at = idmap_find(&sdk->kernel_of, (uint64_t)sdk_number(info, "kernel_id", -1));
    uint32_t counted = idmap_find(&sdk->counts_of, (uint64_t)sdk_number(info, "dispatch_id", -1));
    struct sdk_kernel kernel = {0};
    int64_t start, duration;
    uint32_t event;

    if (!place_in_time(sdk, record, &start, &duration))
        return;
    if (at != IDMAP_NONE)
        kernel = sdk->kernels.list[at];
    event = builder_event(
        sdk->timeline,
        device_track(sdk, sdk_handle(info, "agent_id"), sdk_handle(record, "stream_id"),
                     sdk_handle(info, "queue_id")),
        start, duration,
        builder_frame(sdk->builder, &(struct frame){.name = kernel.name,
                                                    .kind = device_work_kind(
                                                        builder_text(sdk->builder, kernel.name))}));
    builder_launched(sdk->timeline, event, correlation(sdk, record));
    add_shape(sdk, info, event);
    builder_property(sdk->timeline, event, PROP_REGISTERS, kernel.registers);
    if (counted != IDMAP_NONE)
        amd_counts_give(&sdk->counts.list[counted], sdk->builder, event);
    sdk->events++;
}

void sdk_take_copy(struct sdk_json *sdk, struct token record)
{
    uint32_t name =
        idmap_find(&sdk->name_of, sdk_operation_key(sdk_number(record, "kind", -1),
                                                    sdk_number(record, "operation", -1)));
    int64_t agent = sdk_handle(record, "dst_agent_id"), start, duration;
    uint32_t event;

    if (!place_in_time(sdk, record, &start, &duration))
        return;
    if (idmap_find(&sdk->device_of, (uint64_t)agent) == IDMAP_NONE)
        agent = sdk_handle(record, "src_agent_id");
    event = builder_event(
        sdk->timeline, device_track(sdk, agent, sdk_handle(record, "stream_id"), -1), start,
        duration,
        builder_frame(sdk->builder,
                      &(struct frame){.name = name == IDMAP_NONE ? 0 : name, .kind = KIND_MEMCPY}));
    builder_launched(sdk->timeline, event, correlation(sdk, record));
    builder_property(sdk->timeline, event, PROP_BYTES, sdk_number(record, "bytes", 0));
    if (builder_wants(sdk->builder, PROP_COPY_KIND))
        builder_property(sdk->timeline, event, PROP_COPY_KIND,
                         copy_direction_of_name(
                             name == IDMAP_NONE ? SPAN("") : builder_text(sdk->builder, name)));
    sdk->events++;
}
