/* SPDX-License-Identifier: Apache-2.0 */
/* rocpd.c — AMD's databases: rocprofv3, by default from ROCm 7 on, and rocprof-sys
 *
 * Every table exists once for each process, whose GUID its name ends with: ids are unique within one. A
 * column that a version of the schema does not have is in the row's track, where version 4 keeps all
 * that rows have in common. `stack_id` of an event is what a call and the work that it made share; its
 * `correlation_id` is the user's own. */
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "graph/classify/event_class.h"
#include "graph/classify/kernel_class.h"
#include "parsers/shared/amd_counters.h"
#include "parsers/shared/json.h"
#include "parsers/shared/kernel_counters.h"
#include "parsers/shared/rocm_agent.h"
#include "parsers/sqlite/sqlite.h"

enum { NAME_MAX_LEN = 160, TEXT_PAD = INPUT_PAD };

#define METADATA "rocpd_metadata"

/* What an event says of a region, a dispatch or a copy. */
struct rocpd_event {
    int64_t stack;
    str_id message; /* of a mark; 0 */
    bool is_mark, is_call;
};

struct rocpd_place {
    int64_t pid, tid, agent, queue, stream;
};

struct rocpd_kernel {
    str_id name;
    int64_t registers;
};

struct rocpd {
    struct recording *recording;
    struct arena arena;
    const char *suffix; /* of the process's tables */
    uint32_t number;    /* of the process */

    struct idmap strings, categories; /* by id: texts */
    struct idmap event_of, place_of, kernel_of, counter_of, device_of;
    struct VECTOR_OF(struct rocpd_event) events;
    struct VECTOR_OF(struct rocpd_place) places;
    struct VECTOR_OF(struct rocpd_kernel) kernels;
    bool has_streams; /* else all work is of the default one, and its queue tells */

    struct idmap dispatch_of;              /* by event: what was counted of it */
    struct VECTOR_OF(uint32_t) dispatches; /* numbers of events in the file */
    struct VECTOR_OF(struct amd_counts) counts;
};

static void begin_query(struct rocpd *rocpd, struct query *query, const char *table,
                        const char *const *columns)
{
    char name[NAME_MAX_LEN];

    snprintf(name, sizeof(name), "rocpd_%s%s", table, rocpd->suffix);
    query_begin(query, &rocpd->recording->database, name, columns);
}

/* A text of JSON, with room behind it for who looks ahead; only objects. */
static struct token json_of(struct rocpd *rocpd, struct span text)
{
    char *copy = arena_alloc(&rocpd->arena, text.len + TEXT_PAD);

    memset(copy + text.len, 0, TEXT_PAD);
    memcpy(copy, text.at, text.len);
    return (struct token){text.len > 1 && text.len < UINT32_MAX ? copy : NULL, (uint32_t)text.len};
}

/* ---- tables that others refer to ---- */

static bool read_texts(struct rocpd *rocpd, const char *table, const char *column,
                       struct idmap *texts, struct error *err)
{
    const char *const columns[] = {"id", column, NULL};
    struct query query;

    begin_query(rocpd, &query, table, columns);
    while (query_next(&query))
        *idmap_at(texts, (uint64_t)query_integer_or(&query, 0, 0)) =
            builder_intern(rocpd->recording->builder, query_text(&query, 1));
    return query_end(&query, err);
}

static struct span text_at(const struct rocpd *rocpd, const struct idmap *texts, int64_t id)
{
    uint32_t found = idmap_find(texts, (uint64_t)id);

    return found == IDMAP_NONE ? (struct span){0} : builder_text(rocpd->recording->builder, found);
}

/* Calls of HIP, HSA, RCCL and others; what a program marks; and what rocprof-sys saw besides. */
static bool read_events(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {"id", "category_id", "stack_id", "extdata", NULL};
    static const char *const calls[] = {"HIP_",     "HSA_",     "RCCL_",     "ROCDECODE_",
                                        "ROCJPEG_", "hip_",     "hsa_",      "rccl_",
                                        "rocm_hip", "rocm_hsa", "rocm_rccl", NULL};
    struct builder *builder = rocpd->recording->builder;
    struct query query;

    begin_query(rocpd, &query, "event", columns);
    while (query_next(&query)) {
        int64_t category = query_integer_or(&query, 1, 0);
        struct span name = text_at(rocpd, &rocpd->categories, category);
        struct rocpd_event event = {.stack = query_integer_or(&query, 2, 0)};

        if (!name.len)
            name = text_at(rocpd, &rocpd->strings, category);
        event.is_call = span_starts_any(name, calls);
        event.is_mark =
            span_starts(name, SPAN("MARKER_")) || span_starts(name, SPAN("rocm_marker"));
        if (event.is_mark) {
            struct token message = {0};
            struct token json = json_of(rocpd, query_text(&query, 3));

            if (json.at)
                message = walk_find(json, SPAN("message"));
            if (message.at)
                event.message = builder_intern(builder, token_text(message, &rocpd->arena));
            arena_clear(&rocpd->arena);
        }
        *idmap_at(&rocpd->event_of, (uint64_t)query_integer_or(&query, 0, 0)) =
            (uint32_t)rocpd->events.count;
        vector_add(&rocpd->events, event);
    }
    return query_end(&query, err);
}

static struct rocpd_event event_at(const struct rocpd *rocpd, int64_t id)
{
    uint32_t found = idmap_find(&rocpd->event_of, (uint64_t)id);

    return found == IDMAP_NONE ? (struct rocpd_event){0} : rocpd->events.list[found];
}

/* Where version 4 keeps what was columns before. */
static bool read_places(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {"id",       "pid",       "tid", "agent_id",
                                          "queue_id", "stream_id", NULL};
    struct query query;

    begin_query(rocpd, &query, "track", columns);
    while (query_next(&query)) {
        *idmap_at(&rocpd->place_of, (uint64_t)query_integer_or(&query, 0, 0)) =
            (uint32_t)rocpd->places.count;
        vector_add(&rocpd->places, (struct rocpd_place){.pid = query_integer_or(&query, 1, 0),
                                                        .tid = query_integer_or(&query, 2, 0),
                                                        .agent = query_integer_or(&query, 3, -1),
                                                        .queue = query_integer_or(&query, 4, 0),
                                                        .stream = query_integer_or(&query, 5, 0)});
    }
    return query_end(&query, err);
}

/* A row's own columns, the first that are asked for, where it has them; else those of its track. */
#define PLACE_COLUMNS "track_id", "pid", "tid", "agent_id", "queue_id", "stream_id"

enum { OF_TRACK, OF_PID, OF_TID, OF_AGENT, OF_QUEUE, OF_STREAM, FIRST_OWN };

static struct rocpd_place place_of(const struct rocpd *rocpd, const struct query *query)
{
    uint32_t track = idmap_find(&rocpd->place_of, (uint64_t)query_integer_or(query, OF_TRACK, -1));
    struct rocpd_place place = {.agent = -1};

    if (track != IDMAP_NONE)
        place = rocpd->places.list[track];
    place.pid = query_integer_or(query, OF_PID, place.pid);
    place.tid = query_integer_or(query, OF_TID, place.tid);
    place.agent = query_integer_or(query, OF_AGENT, place.agent);
    place.queue = query_integer_or(query, OF_QUEUE, place.queue);
    place.stream = query_integer_or(query, OF_STREAM, place.stream);
    return place;
}

static bool read_kernels(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {
        "id", "kernel_name", "display_name", "arch_vgpr_count", "accum_vgpr_count", NULL};
    struct builder *builder = rocpd->recording->builder;
    struct query query;

    begin_query(rocpd, &query, "info_kernel_symbol", columns);
    while (query_next(&query)) {
        struct span name = query_text(&query, 2);
        struct rocpd_kernel kernel = {.registers = checked_add(query_integer_or(&query, 3, 0),
                                                               query_integer_or(&query, 4, 0))};

        if (!name.len)
            name = query_text(&query, 1);
        if (span_ends(name, SPAN(".kd")))
            name.len -= 3;
        kernel.name = kernel_name_intern(builder, name);
        *idmap_at(&rocpd->kernel_of, (uint64_t)query_integer_or(&query, 0, 0)) =
            (uint32_t)rocpd->kernels.count;
        vector_add(&rocpd->kernels, kernel);
    }
    return query_end(&query, err);
}

/* ---- devices ---- */

static bool read_agents(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {"id",           "type",    "type_index", "name",
                                          "product_name", "extdata", NULL};
    struct recording *recording = rocpd->recording;
    struct query query;

    begin_query(rocpd, &query, "info_agent", columns);
    while (query_next(&query)) {
        int64_t ordinal = query_integer_or(&query, 2, 0);
        struct span name = query_text(&query, 4);
        struct device device;

        if (!span_eq(query_text(&query, 1), SPAN("GPU")) || ordinal < 0 || ordinal > 100000)
            continue;
        if (!name.len || span_starts(name, SPAN("AMD Radeon Graphics")))
            name = query_text(&query, 3);
        device = rocm_agent(json_of(rocpd, query_text(&query, 5)));
        device.ordinal = (int32_t)ordinal;
        device.name = builder_intern(recording->builder, name);
        arena_clear(&rocpd->arena);
        *idmap_at(&rocpd->device_of, (uint64_t)query_integer_or(&query, 0, 0)) = (uint32_t)ordinal;
        if (idmap_find(&recording->devices, (uint64_t)ordinal) == IDMAP_NONE) {
            builder_device(recording->builder, &device);
            recording_name_device(recording, &device);
        }
    }
    return query_end(&query, err);
}

/* ---- what happened ---- */

static int64_t key_of(const struct rocpd *rocpd, int64_t stack)
{
    return correlation_key(rocpd->number, stack);
}

static bool read_calls(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {PLACE_COLUMNS, "start",    "end",
                                          "name_id",     "event_id", NULL};
    struct recording *recording = rocpd->recording;
    struct query query;
    int64_t start, end;

    begin_query(rocpd, &query, "region", columns);
    while (query_next(&query)) {
        struct rocpd_place place = place_of(rocpd, &query);
        struct rocpd_event said = event_at(rocpd, query_integer_or(&query, FIRST_OWN + 3, 0));
        struct track track = recording_thread(recording, place.pid, place.tid);
        uint32_t name =
            idmap_find(&rocpd->strings, (uint64_t)query_integer_or(&query, FIRST_OWN + 2, 0));
        uint32_t event;

        if (!query_integer(&query, FIRST_OWN, &start) ||
            !query_integer(&query, FIRST_OWN + 1, &end))
            continue;
        event = recording_event(recording, &track, start, end,
                                said.message         ? said.message
                                : name == IDMAP_NONE ? 0
                                                     : name,
                                said.is_mark   ? KIND_ANNOTATION
                                : said.is_call ? KIND_RUNTIME
                                               : KIND_HOST);
        if (said.stack && !said.is_mark)
            builder_launches(recording->timeline, event, key_of(rocpd, said.stack));
    }
    return query_end(&query, err);
}

/* Instants, which are in the row of what they are of. */
static bool read_instants(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {"track_id", "timestamp", "event_id", NULL};
    struct recording *recording = rocpd->recording;
    struct query query;
    int64_t time;

    begin_query(rocpd, &query, "sample", columns);
    while (query_next(&query)) {
        struct rocpd_event said = event_at(rocpd, query_integer_or(&query, 2, 0));
        uint32_t at = idmap_find(&rocpd->place_of, (uint64_t)query_integer_or(&query, 0, -1));
        struct track track;

        if (!said.is_mark || !said.message || at == IDMAP_NONE || !query_integer(&query, 1, &time))
            continue;
        track = recording_thread(recording, rocpd->places.list[at].pid, rocpd->places.list[at].tid);
        track.kind = TRACK_POINTS;
        track.name = builder_intern(recording->builder, SPAN("marks"));
        recording_event(recording, &track, time, time, said.message, KIND_ANNOTATION);
    }
    return query_end(&query, err);
}

static struct track device_track(const struct rocpd *rocpd, const struct rocpd_place *place)
{
    struct recording *recording = rocpd->recording;
    uint32_t ordinal = idmap_find(&rocpd->device_of, (uint64_t)place->agent);
    int64_t number = rocpd->has_streams ? place->stream : place->queue;
    char name[40];

    snprintf(name, sizeof(name), rocpd->has_streams ? "stream %lld" : "queue %lld",
             (long long)number);
    return (struct track){
        .name = builder_intern(recording->builder, span_of(name)),
        .process = recording_device(recording, ordinal == IDMAP_NONE ? 0 : (int64_t)ordinal),
        .kind = TRACK_STREAM,
        .device = ordinal == IDMAP_NONE ? 0 : (int32_t)ordinal,
        .pid = place->pid,
        .stream = number};
}

static bool find_streams(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {PLACE_COLUMNS, NULL};
    struct query query;

    begin_query(rocpd, &query, "kernel_dispatch", columns);
    while (query_next(&query))
        rocpd->has_streams |= place_of(rocpd, &query).stream != 0;
    return query_end(&query, err);
}

/* A grid is in threads here, and in blocks in CUDA. */
static void add_shape(const struct rocpd *rocpd, const struct query *query, uint32_t event)
{
    enum { BLOCK = FIRST_OWN + 5, GRID = BLOCK + 3 };
    struct timeline_builder *timeline = rocpd->recording->timeline;
    int64_t block[3], grid[3];

    for (int i = 0; i < 3; i++) {
        block[i] = query_integer_or(query, BLOCK + i, 1);
        grid[i] = query_integer_or(query, GRID + i, 1);
        if (block[i] > 0 && grid[i] > 0)
            grid[i] = (grid[i] - 1) / block[i] + 1;
    }
    builder_property(timeline, event, PROP_GRID, property_pack3(grid[0], grid[1], grid[2]));
    builder_property(timeline, event, PROP_BLOCK, property_pack3(block[0], block[1], block[2]));
    builder_property(timeline, event, PROP_SHARED_MEMORY,
                     query_integer_or(query, FIRST_OWN + 4, 0));
}

static bool read_dispatches(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {PLACE_COLUMNS,
                                          "start",
                                          "end",
                                          "kernel_id",
                                          "event_id",
                                          "group_segment_size",
                                          "workgroup_size_x",
                                          "workgroup_size_y",
                                          "workgroup_size_z",
                                          "grid_size_x",
                                          "grid_size_y",
                                          "grid_size_z",
                                          "graph_node_id",
                                          NULL};
    enum { GRAPH_NODE = FIRST_OWN + 11 };
    struct recording *recording = rocpd->recording;
    struct query query;
    int64_t start, end;

    begin_query(rocpd, &query, "kernel_dispatch", columns);
    while (query_next(&query)) {
        struct rocpd_place place = place_of(rocpd, &query);
        int64_t id = query_integer_or(&query, FIRST_OWN + 3, 0);
        uint32_t at =
            idmap_find(&rocpd->kernel_of, (uint64_t)query_integer_or(&query, FIRST_OWN + 2, 0));
        struct rocpd_kernel kernel = {0};
        struct track track = device_track(rocpd, &place);
        uint32_t event;

        if (!query_integer(&query, FIRST_OWN, &start) ||
            !query_integer(&query, FIRST_OWN + 1, &end))
            continue;
        if (at != IDMAP_NONE)
            kernel = rocpd->kernels.list[at];
        event = recording_event(recording, &track, start, end, kernel.name,
                                device_work_kind(builder_text(recording->builder, kernel.name)));
        builder_launched(recording->timeline, event, key_of(rocpd, event_at(rocpd, id).stack));
        add_shape(rocpd, &query, event);
        builder_property(recording->timeline, event, PROP_REGISTERS, kernel.registers);
        if (query_integer_or(&query, GRAPH_NODE, 0))
            builder_property(recording->timeline, event, PROP_GRAPH_NODE,
                             query_integer_or(&query, GRAPH_NODE, 0));
        *idmap_at(&rocpd->dispatch_of, (uint64_t)id) = (uint32_t)rocpd->dispatches.count;
        vector_add(&rocpd->dispatches, event);
    }
    return query_end(&query, err);
}

/* A copy is where the device is that it goes to, or comes from. */
static bool read_copies(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {PLACE_COLUMNS, "start",        "end",
                                          "name_id",     "dst_agent_id", "src_agent_id",
                                          "size",        "event_id",     NULL};
    struct recording *recording = rocpd->recording;
    struct query query;
    int64_t start, end;

    begin_query(rocpd, &query, "memory_copy", columns);
    while (query_next(&query)) {
        struct rocpd_place place = place_of(rocpd, &query);
        struct span name =
            text_at(rocpd, &rocpd->strings, query_integer_or(&query, FIRST_OWN + 2, 0));
        struct rocpd_event said = event_at(rocpd, query_integer_or(&query, FIRST_OWN + 6, 0));
        struct track track;
        uint32_t event;

        if (!query_integer(&query, FIRST_OWN, &start) ||
            !query_integer(&query, FIRST_OWN + 1, &end))
            continue;
        place.agent = query_integer_or(&query, FIRST_OWN + 3, -1);
        if (idmap_find(&rocpd->device_of, (uint64_t)place.agent) == IDMAP_NONE)
            place.agent = query_integer_or(&query, FIRST_OWN + 4, -1);
        track = device_track(rocpd, &place);
        event = recording_event(recording, &track, start, end,
                                builder_intern(recording->builder, name), KIND_MEMCPY);
        builder_launched(recording->timeline, event, key_of(rocpd, said.stack));
        builder_property(recording->timeline, event, PROP_BYTES,
                         query_integer_or(&query, FIRST_OWN + 5, 0));
        if (builder_wants(recording->builder, PROP_COPY_KIND))
            builder_property(recording->timeline, event, PROP_COPY_KIND,
                             copy_direction_of_name(name));
    }
    return query_end(&query, err);
}

/* ---- counters ---- */

/* A row each instance of the hardware; those that are samples of a running kernel are no sums. */
static bool read_counts(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {"event_id", "pmc_id", "value", "sample_id", NULL};
    struct query query;
    int64_t sample;

    if (!read_texts(rocpd, "info_pmc", "name", &rocpd->counter_of, err))
        return false;
    if (rocpd->counter_of.count == 0)
        return true;
    while (rocpd->counts.count < rocpd->dispatches.count)
        vector_add(&rocpd->counts, (struct amd_counts){0});
    begin_query(rocpd, &query, "pmc_event", columns);
    while (query_next(&query)) {
        uint32_t at = idmap_find(&rocpd->dispatch_of, (uint64_t)query_integer_or(&query, 0, 0));

        if (at != IDMAP_NONE && !query_integer(&query, 3, &sample))
            amd_counts_add(&rocpd->counts.list[at],
                           text_at(rocpd, &rocpd->counter_of, query_integer_or(&query, 1, 0)),
                           query_real_or(&query, 2, 0));
    }
    for (size_t i = 0; i < rocpd->counts.count; i++)
        amd_counts_give(&rocpd->counts.list[i], rocpd->recording->builder,
                        rocpd->dispatches.list[i]);
    return query_end(&query, err);
}

/* ---- the whole ---- */

static bool find_start(struct rocpd *rocpd, struct error *err)
{
    static const char *const tables[] = {"region", "kernel_dispatch", "memory_copy"};
    static const char *const columns[] = {"start", NULL};
    struct recording *recording = rocpd->recording;
    struct query query;
    int64_t time;

    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        begin_query(rocpd, &query, tables[i], columns);
        while (query_next(&query))
            if (query_integer(&query, 0, &time) && time > 0 &&
                (recording->origin == 0 || time < recording->origin))
                recording->origin = time;
        if (!query_end(&query, err))
            return false;
    }
    return true;
}

static bool tell_version(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {"tag", "value", NULL};
    struct query query;

    begin_query(rocpd, &query, "metadata", columns);
    while (query_next(&query))
        if (rocpd->number == 0 && span_eq(query_text(&query, 0), SPAN("schema_version")))
            builder_fact_text(rocpd->recording->builder, "schema_version", query_text(&query, 1));
    return query_end(&query, err);
}

static void forget(struct rocpd *rocpd)
{
    struct idmap *const maps[] = {&rocpd->strings,   &rocpd->categories, &rocpd->event_of,
                                  &rocpd->place_of,  &rocpd->kernel_of,  &rocpd->counter_of,
                                  &rocpd->device_of, &rocpd->dispatch_of};

    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        idmap_free(maps[i]);
        *maps[i] = (struct idmap){0};
    }
    free(rocpd->events.list);
    free(rocpd->places.list);
    free(rocpd->kernels.list);
    free(rocpd->dispatches.list);
    free(rocpd->counts.list);
    arena_free(&rocpd->arena);
}

static bool read_process(struct rocpd *rocpd, struct error *err)
{
    return tell_version(rocpd, err) &&
           read_texts(rocpd, "string", "string", &rocpd->strings, err) &&
           read_texts(rocpd, "info_category", "name", &rocpd->categories, err) &&
           read_events(rocpd, err) && read_places(rocpd, err) && read_kernels(rocpd, err) &&
           read_agents(rocpd, err) && find_streams(rocpd, err) && read_calls(rocpd, err) &&
           read_instants(rocpd, err) && read_dispatches(rocpd, err) && read_copies(rocpd, err) &&
           read_counts(rocpd, err);
}

/* Of every process, in the order of their GUIDs, which is that of their starts. */
static bool each_process(struct recording *recording,
                         bool (*read)(struct rocpd *rocpd, struct error *err), struct error *err)
{
    char table[NAME_MAX_LEN / 2] = "";
    uint32_t number = 0;
    bool ok = true;

    while (ok && database_next_table(&recording->database, METADATA, table, sizeof(table))) {
        struct rocpd rocpd = {
            .recording = recording, .suffix = table + strlen(METADATA), .number = number++};

        ok = read(&rocpd, err);
        forget(&rocpd);
    }
    return ok;
}

bool rocpd_is(struct database *database)
{
    char table[NAME_MAX_LEN / 2] = "";

    return database_next_table(database, METADATA, table, sizeof(table));
}

bool rocpd_read(struct recording *recording, struct error *err)
{
    builder_producer(recording->builder, "ROCprofiler-SDK (rocpd)");
    return each_process(recording, find_start, err) && each_process(recording, read_process, err);
}
