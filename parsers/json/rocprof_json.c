/* SPDX-License-Identifier: Apache-2.0 */
/* rocprof_json.c — rocprofv3 --output-format json
 *
 *     {"rocprofiler-sdk-tool": [{"agents": [...], "strings": {...}, "kernel_symbols": [...],
 *                                "callback_records": {"counter_collection": [...]},
 *                                "buffer_records": {"kernel_dispatch": [...], "hip_api": [...], ...}}, ...]}
 *
 * One object a process. Kinds and operations are numbers of this file's own, whose names stand in front of
 * the records. */
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "graph/classify/kernel_class.h"
#include "parsers/device/amd_counters.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/json/json.h"
#include "parsers/json/rocm_agent.h"
#include "parsers/parser.h"

#define TOOL "rocprofiler-sdk-tool"

/* Kinds, and operations of one, are few: more than this is no number of either. */
enum { KINDS_MAX = 1024, OPERATIONS_MAX = 16384 };

struct sdk_kernel {
    str_id name;
    int64_t registers;
};

struct sdk_json {
    struct builder *builder;
    struct timeline_builder *timeline;
    struct json_stream json;
    struct arena arena;
    int64_t process, origin;
    uint32_t number; /* of the process in the file */
    uint64_t events, odd;

    struct idmap tracks;
    struct idmap device_of, name_of, counter_of, kernel_of, mark_of; /* by the file's numbers */
    struct VECTOR_OF(struct sdk_kernel) kernels;
    struct idmap counts_of; /* by dispatch */
    struct VECTOR_OF(struct amd_counts) counts;
};

/* ---- members of a record ---- */

static struct token member(struct token object, const char *key)
{
    return object.at ? walk_find(object, span_of(key)) : (struct token){0};
}

static int64_t number(struct token object, const char *key, int64_t otherwise)
{
    struct token found = member(object, key);
    int64_t value;

    return found.at && token_integer(found, &value) ? value : otherwise;
}

/* {"handle": 7} */
static int64_t handle(struct token object, const char *key)
{
    return number(member(object, key), "handle", -1);
}

static str_id text(struct sdk_json *sdk, struct token object, const char *key)
{
    struct token found = member(object, key);
    str_id id = found.at ? builder_intern(sdk->builder, token_text(found, &sdk->arena)) : 0;

    arena_clear(&sdk->arena);
    return id;
}

static uint64_t operation_key(int64_t kind, int64_t operation)
{
    return (uint64_t)kind << 32 | (uint64_t)operation;
}

/* ---- what is said before the records ---- */

static void take_agent(struct sdk_json *sdk, struct token agent)
{
    enum { GPU = 2 };
    struct device device;
    int64_t ordinal = number(agent, "logical_node_type_id", 0);

    if (number(agent, "type", 0) != GPU || ordinal < 0 || ordinal > 100000)
        return;
    device = rocm_agent(agent);
    device.ordinal = (int32_t)ordinal;
    device.name = text(sdk, agent, "product_name");
    if (!builder_text(sdk->builder, device.name).len)
        device.name = text(sdk, agent, "name");
    *idmap_at(&sdk->device_of, (uint64_t)handle(agent, "id")) = (uint32_t)ordinal;
    if (sdk->number == 0)
        builder_device(sdk->builder, &device);
}

static void take_counter(struct sdk_json *sdk, struct token counter)
{
    *idmap_at(&sdk->counter_of, (uint64_t)handle(counter, "id")) = text(sdk, counter, "name");
}

static void take_kernel(struct sdk_json *sdk, struct token symbol)
{
    str_id name = text(sdk, symbol, "formatted_kernel_name");
    struct sdk_kernel kernel = {.registers = checked_add(number(symbol, "arch_vgpr_count", 0),
                                                         number(symbol, "accum_vgpr_count", 0))};
    struct span shown;

    if (!name)
        name = text(sdk, symbol, "kernel_name");
    shown = builder_text(sdk->builder, name);
    if (span_ends(shown, SPAN(".kd")))
        shown.len -= 3;
    kernel.name = kernel_name_intern(sdk->builder, shown);
    *idmap_at(&sdk->kernel_of, (uint64_t)number(symbol, "kernel_id", -1)) =
        (uint32_t)sdk->kernels.count;
    vector_add(&sdk->kernels, kernel);
}

/* {"kind": "HIP_RUNTIME_API", "operations": ["hipMalloc", ...]}, whose place is the kind's number. */
static void take_kind(struct sdk_json *sdk, struct token kind, int64_t place)
{
    struct token list = member(kind, "operations"), name;
    struct json_walk walk;

    if (!list.at || place >= KINDS_MAX)
        return;
    walk = walk_into(list);
    for (int64_t i = 0; i < OPERATIONS_MAX && walk_item(&walk, &name); i++) {
        *idmap_at(&sdk->name_of, operation_key(place, i)) =
            builder_intern(sdk->builder, token_text(name, &sdk->arena));
        arena_clear(&sdk->arena);
    }
}

static void take_mark(struct sdk_json *sdk, struct token pair)
{
    *idmap_at(&sdk->mark_of, (uint64_t)number(pair, "key", -1)) = text(sdk, pair, "value");
}

/* Each item of a list, whole. */
static void each_item(struct sdk_json *sdk, void (*take)(struct sdk_json *sdk, struct token item))
{
    struct token item;

    if (json_open(&sdk->json, '['))
        while (json_item(&sdk->json) && json_take(&sdk->json, &item))
            take(sdk, item);
}

static void read_strings(struct sdk_json *sdk)
{
    struct json_key key;
    struct token item;
    int64_t place = 0;

    if (!json_open(&sdk->json, '{'))
        return;
    while (json_member(&sdk->json, &key)) {
        if (json_key_is(&key, "marker_api")) {
            each_item(sdk, take_mark);
        } else if (!json_key_is(&key, "buffer_records")) {
            json_skip(&sdk->json);
        } else if (json_open(&sdk->json, '[')) {
            while (json_item(&sdk->json) && json_take(&sdk->json, &item))
                take_kind(sdk, item, place++);
        }
    }
}

/* A record of each instance of the hardware, of one dispatch. */
static void take_counts(struct sdk_json *sdk, struct token collection)
{
    struct token data = member(collection, "dispatch_data"), info = member(data, "dispatch_info");
    struct token records = member(collection, "records"), record;
    uint32_t *at = idmap_at(&sdk->counts_of, (uint64_t)number(info, "dispatch_id", -1));
    struct json_walk walk;

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)sdk->counts.count;
        vector_add(&sdk->counts, (struct amd_counts){0});
    }
    if (!records.at)
        return;
    walk = walk_into(records);
    while (walk_item(&walk, &record)) {
        uint32_t name = idmap_find(&sdk->counter_of, (uint64_t)handle(record, "counter_id"));
        struct token value = member(record, "value");
        double counted;

        if (name != IDMAP_NONE && value.at && token_real(value, &counted))
            amd_counts_add(&sdk->counts.list[*at], builder_text(sdk->builder, name), counted);
    }
}

/* ---- records ---- */

static bool place_in_time(struct sdk_json *sdk, struct token record, int64_t *start,
                          int64_t *duration)
{
    int64_t from = number(record, "start_timestamp", 0), to = number(record, "end_timestamp", 0);

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
    int64_t id = number(member(record, "correlation_id"), "internal", 0);

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
    int64_t tid = number(record, "thread_id", 0);
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
    uint32_t name = idmap_find(
        &sdk->name_of, operation_key(number(record, "kind", -1), number(record, "operation", -1)));
    int64_t id = number(member(record, "correlation_id"), "internal", 0), start, duration;
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

static void take_call(struct sdk_json *sdk, struct token record)
{
    add_call(sdk, record, KIND_RUNTIME);
}

static void take_range(struct sdk_json *sdk, struct token record)
{
    add_call(sdk, record, KIND_ANNOTATION);
}

/* A grid is in threads here, and in blocks in CUDA. */
static void add_shape(struct sdk_json *sdk, struct token info, uint32_t event)
{
    static const char *const axes[] = {"x", "y", "z"};
    struct token block = member(info, "workgroup_size"), grid = member(info, "grid_size");
    int64_t threads[3], blocks[3];

    for (int i = 0; i < 3; i++) {
        threads[i] = number(block, axes[i], 1);
        blocks[i] = number(grid, axes[i], 1);
        if (threads[i] > 0 && blocks[i] > 0)
            blocks[i] = (blocks[i] - 1) / threads[i] + 1;
    }
    builder_property(sdk->timeline, event, PROP_GRID,
                     property_pack3(blocks[0], blocks[1], blocks[2]));
    builder_property(sdk->timeline, event, PROP_BLOCK,
                     property_pack3(threads[0], threads[1], threads[2]));
    builder_property(sdk->timeline, event, PROP_SHARED_MEMORY,
                     number(info, "group_segment_size", 0));
}

static void take_dispatch(struct sdk_json *sdk, struct token record)
{
    struct token info = member(record, "dispatch_info");
    uint32_t at = idmap_find(&sdk->kernel_of, (uint64_t)number(info, "kernel_id", -1));
    uint32_t counted = idmap_find(&sdk->counts_of, (uint64_t)number(info, "dispatch_id", -1));
    struct sdk_kernel kernel = {0};
    int64_t start, duration;
    uint32_t event;

    if (!place_in_time(sdk, record, &start, &duration))
        return;
    if (at != IDMAP_NONE)
        kernel = sdk->kernels.list[at];
    event = builder_event(
        sdk->timeline,
        device_track(sdk, handle(info, "agent_id"), handle(record, "stream_id"),
                     handle(info, "queue_id")),
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

static void take_copy(struct sdk_json *sdk, struct token record)
{
    uint32_t name = idmap_find(
        &sdk->name_of, operation_key(number(record, "kind", -1), number(record, "operation", -1)));
    int64_t agent = handle(record, "dst_agent_id"), start, duration;
    uint32_t event;

    if (!place_in_time(sdk, record, &start, &duration))
        return;
    if (idmap_find(&sdk->device_of, (uint64_t)agent) == IDMAP_NONE)
        agent = handle(record, "src_agent_id");
    event = builder_event(
        sdk->timeline, device_track(sdk, agent, handle(record, "stream_id"), -1), start, duration,
        builder_frame(sdk->builder,
                      &(struct frame){.name = name == IDMAP_NONE ? 0 : name, .kind = KIND_MEMCPY}));
    builder_launched(sdk->timeline, event, correlation(sdk, record));
    builder_property(sdk->timeline, event, PROP_BYTES, number(record, "bytes", 0));
    if (builder_wants(sdk->builder, PROP_COPY_KIND))
        builder_property(sdk->timeline, event, PROP_COPY_KIND,
                         copy_direction_of_name(
                             name == IDMAP_NONE ? SPAN("") : builder_text(sdk->builder, name)));
    sdk->events++;
}

/* ---- the whole ---- */

struct record_list {
    const char *key;
    void (*take)(struct sdk_json *sdk, struct token item);
};

/* Ends with a key of NULL; other members are skipped. */
static void read_lists(struct sdk_json *sdk, const struct record_list *lists)
{
    struct json_key key;

    if (!json_open(&sdk->json, '{'))
        return;
    while (json_member(&sdk->json, &key)) {
        const struct record_list *list = lists;

        while (list->key && !json_key_is(&key, list->key))
            list++;
        if (list->key)
            each_item(sdk, list->take);
        else
            json_skip(&sdk->json);
    }
}

static void forget_process(struct sdk_json *sdk)
{
    struct idmap *const maps[] = {&sdk->device_of, &sdk->name_of, &sdk->counter_of,
                                  &sdk->kernel_of, &sdk->mark_of, &sdk->counts_of};

    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        idmap_free(maps[i]);
        *maps[i] = (struct idmap){0};
    }
    sdk->kernels.count = sdk->counts.count = 0;
}

/* Records name what is in tables. Where these come later, the records wait for them in memory. */
struct waiting_records {
    const struct record_list *lists;
    struct token records; /* a copy; NULL: they were read, or there are none */
    struct arena arena;
};

static void read_or_wait(struct sdk_json *sdk, struct waiting_records *waiting, bool has_tables)
{
    struct token value;

    if (has_tables)
        read_lists(sdk, waiting->lists);
    else if (json_take(&sdk->json, &value))
        waiting->records = (struct token){
            arena_copy(&waiting->arena, (struct span){value.at, value.len}), value.len};
}

static void read_waiting(struct sdk_json *sdk, struct waiting_records *waiting)
{
    struct json_stream document = sdk->json;
    struct span records = {waiting->records.at, waiting->records.len};
    struct input_options options = {0};
    struct error ignored = {0};
    struct input in;

    if (records.at && input_open_memory(&in, records, &options, &ignored)) {
        sdk->json = json_start(&in);
        read_lists(sdk, waiting->lists);
        input_close(&in);
        sdk->json = document;
    }
    arena_free(&waiting->arena);
}

static void read_process(struct sdk_json *sdk)
{
    static const struct record_list callbacks[] = {{"counter_collection", take_counts},
                                                   {NULL, NULL}};
    static const struct record_list buffers[] = {{"kernel_dispatch", take_dispatch},
                                                 {"hip_api", take_call},
                                                 {"hsa_api", take_call},
                                                 {"rccl_api", take_call},
                                                 {"rocdecode_api", take_call},
                                                 {"rocjpeg_api", take_call},
                                                 {"marker_api", take_range},
                                                 {"memory_copy", take_copy},
                                                 {NULL, NULL}};
    static const char *const tables[] = {"metadata",       "agents",  "counters",
                                         "kernel_symbols", "strings", "callback_records"};
    struct waiting_records waiting_calls = {.lists = callbacks}, waiting_work = {.lists = buffers};
    size_t has = 0; /* so many of the tables */
    struct json_key key;
    struct token value;

    if (!json_open(&sdk->json, '{'))
        return;
    while (json_member(&sdk->json, &key)) {
        if (json_key_is(&key, "agents"))
            each_item(sdk, take_agent);
        else if (json_key_is(&key, "counters"))
            each_item(sdk, take_counter);
        else if (json_key_is(&key, "kernel_symbols"))
            each_item(sdk, take_kernel);
        else if (json_key_is(&key, "strings"))
            read_strings(sdk);
        else if (json_key_is(&key, "callback_records"))
            read_or_wait(sdk, &waiting_calls, has + 1 >= COUNT_OF(tables));
        else if (json_key_is(&key, "buffer_records"))
            read_or_wait(sdk, &waiting_work, has == COUNT_OF(tables) && !waiting_calls.records.at);
        else if (!json_key_is(&key, "metadata"))
            json_skip(&sdk->json);
        else if (json_take(&sdk->json, &value))
            sdk->process = number(value, "pid", 0);
        for (size_t i = 0; i < COUNT_OF(tables); i++)
            has += json_key_is(&key, tables[i]);
    }
    read_waiting(sdk, &waiting_calls);
    read_waiting(sdk, &waiting_work);
}

static void read_document(struct sdk_json *sdk)
{
    struct json_key key;

    if (!json_open(&sdk->json, '{'))
        return;
    while (json_member(&sdk->json, &key)) {
        if (!json_key_is(&key, TOOL)) {
            json_skip(&sdk->json);
        } else if (json_enter(&sdk->json, '[')) {
            for (; json_item(&sdk->json); sdk->number++) {
                forget_process(sdk);
                read_process(sdk);
            }
        } else {
            read_process(sdk);
        }
    }
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct sdk_json sdk = {.builder = builder, .timeline = builder_timeline(builder)};
    bool ok;

    if (!builder_begin_timeline(builder, err))
        return false;
    builder_producer(builder, "rocprofv3");
    sdk.json = json_start(in);
    read_document(&sdk);
    warning_count_many(builder_warnings(builder), WARNING_LOSS,
                       "records whose times cannot be, left out", sdk.odd);
    json_end(&sdk.json, builder_warnings(builder));
    if (sdk.json.is_cut)
        builder_truncated(builder);
    ok = sdk.events > 0;
    if (!ok) {
        error_set(err, ERROR_LACK, "it holds no kernel, copy, call or range");
        error_hint(err, "rocprofv3 --sys-trace records all of these");
    }
    forget_process(&sdk);
    idmap_free(&sdk.tracks);
    free(sdk.kernels.list);
    free(sdk.counts.list);
    arena_free(&sdk.arena);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    struct span key = walk_first_key(head);

    (void)is_all;
    return span_eq(key, SPAN(TOOL)) ? SNIFF_YES : SNIFF_NO;
}

const struct parser parser_rocprof_json = {
    .name = "rocprof-json",
    .title = "JSON of rocprofv3",
    .summary = "AMD: rocprofv3 --output-format json: kernels, copies, calls, marks, counters",
    .tried = "rocprofv3 of ROCm 6.3 and 7",
    .omitted = "samples of program counters, thread traces",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
