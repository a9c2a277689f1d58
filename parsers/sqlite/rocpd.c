/* SPDX-License-Identifier: Apache-2.0 */
/* rocpd.c — AMD's databases: rocprofv3, by default from ROCm 7 on, and rocprof-sys */
#include "parsers/sqlite/rocpd.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "graph/classify/event_class.h"
#include "graph/classify/kernel_class.h"

#define METADATA "rocpd_metadata"

void rocpd_query(const struct rocpd *rocpd, struct query *query, const char *table,
                 const char *const *columns)
{
    char name[ROCPD_NAME_MAX];

    snprintf(name, sizeof(name), "rocpd_%s%s", table, rocpd->suffix);
    query_begin(query, &rocpd->recording->database, name, columns);
}

/* ---- what happened ---- */

static int64_t key_of(const struct rocpd *rocpd, int64_t stack)
{
    return correlation_key(rocpd->number, stack);
}

static bool read_calls(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {ROCPD_PLACE_COLUMNS, "start",    "end",
                                          "name_id",           "event_id", NULL};
    struct recording *recording = rocpd->recording;
    struct query query;
    int64_t start, end;

    rocpd_query(rocpd, &query, "region", columns);
    while (query_next(&query)) {
        struct rocpd_place place = rocpd_place_of(rocpd, &query);
        struct rocpd_event said =
            rocpd_event_at(rocpd, query_integer_or(&query, FIRST_OF_ROW + 3, 0));
        struct track track = recording_thread(recording, place.pid, place.tid);
        uint32_t name =
            idmap_find(&rocpd->strings, (uint64_t)query_integer_or(&query, FIRST_OF_ROW + 2, 0));
        uint32_t event;

        if (!query_integer(&query, FIRST_OF_ROW, &start) ||
            !query_integer(&query, FIRST_OF_ROW + 1, &end))
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

    rocpd_query(rocpd, &query, "sample", columns);
    while (query_next(&query)) {
        struct rocpd_event said = rocpd_event_at(rocpd, query_integer_or(&query, 2, 0));
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
    static const char *const columns[] = {ROCPD_PLACE_COLUMNS, NULL};
    struct query query;

    rocpd_query(rocpd, &query, "kernel_dispatch", columns);
    while (query_next(&query))
        rocpd->has_streams |= rocpd_place_of(rocpd, &query).stream != 0;
    return query_end(&query, err);
}

/* A grid is in threads here, and in blocks in CUDA. */
static void add_shape(const struct rocpd *rocpd, const struct query *query, uint32_t event)
{
    enum { BLOCK = FIRST_OF_ROW + 5, GRID = BLOCK + 3 };
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
                     query_integer_or(query, FIRST_OF_ROW + 4, 0));
}

static bool read_dispatches(struct rocpd *rocpd, struct error *err)
{
    static const char *const columns[] = {ROCPD_PLACE_COLUMNS,
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
    enum { GRAPH_NODE = FIRST_OF_ROW + 11 };
    struct recording *recording = rocpd->recording;
    struct query query;
    int64_t start, end;

    rocpd_query(rocpd, &query, "kernel_dispatch", columns);
    while (query_next(&query)) {
        struct rocpd_place place = rocpd_place_of(rocpd, &query);
        int64_t id = query_integer_or(&query, FIRST_OF_ROW + 3, 0);
        uint32_t at =
            idmap_find(&rocpd->kernel_of, (uint64_t)query_integer_or(&query, FIRST_OF_ROW + 2, 0));
        struct rocpd_kernel kernel = {0};
        struct track track = device_track(rocpd, &place);
        uint32_t event;

        if (!query_integer(&query, FIRST_OF_ROW, &start) ||
            !query_integer(&query, FIRST_OF_ROW + 1, &end))
            continue;
        if (at != IDMAP_NONE)
            kernel = rocpd->kernels.list[at];
        event = recording_event(recording, &track, start, end, kernel.name,
                                device_work_kind(builder_text(recording->builder, kernel.name)));
        builder_launched(recording->timeline, event,
                         key_of(rocpd, rocpd_event_at(rocpd, id).stack));
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
    static const char *const columns[] = {
        ROCPD_PLACE_COLUMNS, "start", "end",      "name_id", "dst_agent_id",
        "src_agent_id",      "size",  "event_id", NULL};
    struct recording *recording = rocpd->recording;
    struct query query;
    int64_t start, end;

    rocpd_query(rocpd, &query, "memory_copy", columns);
    while (query_next(&query)) {
        struct rocpd_place place = rocpd_place_of(rocpd, &query);
        struct span name =
            rocpd_text(rocpd, &rocpd->strings, query_integer_or(&query, FIRST_OF_ROW + 2, 0));
        struct rocpd_event said =
            rocpd_event_at(rocpd, query_integer_or(&query, FIRST_OF_ROW + 6, 0));
        struct track track;
        uint32_t event;

        if (!query_integer(&query, FIRST_OF_ROW, &start) ||
            !query_integer(&query, FIRST_OF_ROW + 1, &end))
            continue;
        place.agent = query_integer_or(&query, FIRST_OF_ROW + 3, -1);
        if (idmap_find(&rocpd->device_of, (uint64_t)place.agent) == IDMAP_NONE)
            place.agent = query_integer_or(&query, FIRST_OF_ROW + 4, -1);
        track = device_track(rocpd, &place);
        event = recording_event(recording, &track, start, end,
                                builder_intern(recording->builder, name), KIND_MEMCPY);
        builder_launched(recording->timeline, event, key_of(rocpd, said.stack));
        builder_property(recording->timeline, event, PROP_BYTES,
                         query_integer_or(&query, FIRST_OF_ROW + 5, 0));
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

    if (!rocpd_read_texts(rocpd, "info_pmc", "name", &rocpd->counter_of, err))
        return false;
    if (rocpd->counter_of.count == 0)
        return true;
    while (rocpd->counts.count < rocpd->dispatches.count)
        vector_add(&rocpd->counts, (struct amd_counts){0});
    rocpd_query(rocpd, &query, "pmc_event", columns);
    while (query_next(&query)) {
        uint32_t at = idmap_find(&rocpd->dispatch_of, (uint64_t)query_integer_or(&query, 0, 0));

        if (at != IDMAP_NONE && !query_integer(&query, 3, &sample))
            amd_counts_add(&rocpd->counts.list[at],
                           rocpd_text(rocpd, &rocpd->counter_of, query_integer_or(&query, 1, 0)),
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
        rocpd_query(rocpd, &query, tables[i], columns);
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

    rocpd_query(rocpd, &query, "metadata", columns);
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
    return tell_version(rocpd, err) && rocpd_read_tables(rocpd, err) && find_streams(rocpd, err) &&
           read_calls(rocpd, err) && read_instants(rocpd, err) && read_dispatches(rocpd, err) &&
           read_copies(rocpd, err) && read_counts(rocpd, err);
}

/* Of every process, in the order of their GUIDs, which is that of their starts. */
static bool each_process(struct recording *recording,
                         bool (*read)(struct rocpd *rocpd, struct error *err), struct error *err)
{
    char table[ROCPD_NAME_MAX / 2] = "";
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
    char table[ROCPD_NAME_MAX / 2] = "";

    return database_next_table(database, METADATA, table, sizeof(table));
}

bool rocpd_read(struct recording *recording, struct error *err)
{
    builder_producer(recording->builder, "ROCprofiler-SDK (rocpd)");
    return each_process(recording, find_start, err) && each_process(recording, read_process, err);
}
