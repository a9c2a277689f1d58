/* SPDX-License-Identifier: Apache-2.0 */
/* rocprof_json.c — rocprofv3 --output-format json
 *
 *     {"rocprofiler-sdk-tool": [{"agents": [...], "strings": {...}, "kernel_symbols": [...],
 *                                "callback_records": {"counter_collection": [...]},
 *                                "buffer_records": {"kernel_dispatch": [...], "hip_api": [...], ...}}, ...]}
 *
 * One object a process. Kinds and operations are numbers of this file's own, whose names stand in front of
 * the records. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/json/rocm_agent.h"
#include "parsers/parser.h"
#include "parsers/rocm/rocprof_json.h"

#define TOOL "rocprofiler-sdk-tool"

/* Kinds, and operations of one, are few: more than this is no number of either. */
enum { KINDS_MAX = 1024, OPERATIONS_MAX = 16384 };

/* ---- members of a record ---- */

struct token sdk_member(struct token object, const char *key)
{
    return object.at ? walk_find(object, span_of(key)) : (struct token){0};
}

int64_t sdk_number(struct token object, const char *key, int64_t otherwise)
{
    struct token found = sdk_member(object, key);
    int64_t value;

    return found.at && token_integer(found, &value) ? value : otherwise;
}

/* {"handle": 7} */
int64_t sdk_handle(struct token object, const char *key)
{
    return sdk_number(sdk_member(object, key), "handle", -1);
}

static str_id text(struct sdk_json *sdk, struct token object, const char *key)
{
    struct token found = sdk_member(object, key);
    str_id id = found.at ? builder_intern(sdk->builder, token_text(found, &sdk->arena)) : 0;

    arena_clear(&sdk->arena);
    return id;
}

/* ---- what is said before the records ---- */

static void take_agent(struct sdk_json *sdk, struct token agent)
{
    enum { GPU = 2 };
    struct device device;
    int64_t ordinal = sdk_number(agent, "logical_node_type_id", 0);

    if (sdk_number(agent, "type", 0) != GPU || ordinal < 0 || ordinal > 100000)
        return;
    device = rocm_agent(agent);
    device.ordinal = (int32_t)ordinal;
    device.name = text(sdk, agent, "product_name");
    if (!builder_text(sdk->builder, device.name).len)
        device.name = text(sdk, agent, "name");
    *idmap_at(&sdk->device_of, (uint64_t)sdk_handle(agent, "id")) = (uint32_t)ordinal;
    if (sdk->number == 0)
        builder_device(sdk->builder, &device);
}

static void take_counter(struct sdk_json *sdk, struct token counter)
{
    *idmap_at(&sdk->counter_of, (uint64_t)sdk_handle(counter, "id")) = text(sdk, counter, "name");
}

static void take_kernel(struct sdk_json *sdk, struct token symbol)
{
    str_id name = text(sdk, symbol, "formatted_kernel_name");
    struct sdk_kernel kernel = {.registers =
                                    checked_add(sdk_number(symbol, "arch_vgpr_count", 0),
                                                sdk_number(symbol, "accum_vgpr_count", 0))};
    struct span shown;

    if (!name)
        name = text(sdk, symbol, "kernel_name");
    shown = builder_text(sdk->builder, name);
    if (span_ends(shown, SPAN(".kd")))
        shown.len -= 3;
    kernel.name = kernel_name_intern(sdk->builder, shown);
    *idmap_at(&sdk->kernel_of, (uint64_t)sdk_number(symbol, "kernel_id", -1)) =
        (uint32_t)sdk->kernels.count;
    vector_add(&sdk->kernels, kernel);
}

/* {"kind": "HIP_RUNTIME_API", "operations": ["hipMalloc", ...]}, whose place is the kind's number. */
static void take_kind(struct sdk_json *sdk, struct token kind, int64_t place)
{
    struct token list = sdk_member(kind, "operations"), name;
    struct json_walk walk;

    if (!list.at || place >= KINDS_MAX)
        return;
    walk = walk_into(list);
    for (int64_t i = 0; i < OPERATIONS_MAX && walk_item(&walk, &name); i++) {
        *idmap_at(&sdk->name_of, sdk_operation_key(place, i)) =
            builder_intern(sdk->builder, token_text(name, &sdk->arena));
        arena_clear(&sdk->arena);
    }
}

static void take_mark(struct sdk_json *sdk, struct token pair)
{
    *idmap_at(&sdk->mark_of, (uint64_t)sdk_number(pair, "key", -1)) = text(sdk, pair, "value");
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
    struct token data = sdk_member(collection, "dispatch_data"),
                 info = sdk_member(data, "dispatch_info");
    struct token records = sdk_member(collection, "records"), record;
    uint32_t *at = idmap_at(&sdk->counts_of, (uint64_t)sdk_number(info, "dispatch_id", -1));
    struct json_walk walk;

    if (*at == IDMAP_NONE) {
        *at = (uint32_t)sdk->counts.count;
        vector_add(&sdk->counts, (struct amd_counts){0});
    }
    if (!records.at)
        return;
    walk = walk_into(records);
    while (walk_item(&walk, &record)) {
        uint32_t name = idmap_find(&sdk->counter_of, (uint64_t)sdk_handle(record, "counter_id"));
        struct token value = sdk_member(record, "value");
        double counted;

        if (name != IDMAP_NONE && value.at && token_real(value, &counted))
            amd_counts_add(&sdk->counts.list[*at], builder_text(sdk->builder, name), counted);
    }
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
    static const struct record_list buffers[] = {{"kernel_dispatch", sdk_take_dispatch},
                                                 {"hip_api", sdk_take_call},
                                                 {"hsa_api", sdk_take_call},
                                                 {"rccl_api", sdk_take_call},
                                                 {"rocdecode_api", sdk_take_call},
                                                 {"rocjpeg_api", sdk_take_call},
                                                 {"marker_api", sdk_take_range},
                                                 {"memory_copy", sdk_take_copy},
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
            sdk->process = sdk_number(value, "pid", 0);
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
