/* SPDX-License-Identifier: Apache-2.0 */
/* rocpd.c — AMD's databases: rocprofv3, by default from ROCm 7 on, and rocprof-sys */
#include "parsers/sqlite/rocpd.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "graph/classify/event_class.h"
#include "graph/classify/kernel_class.h"

#define METADATA "rocpd_metadata"

/* A table's name with this process's suffix. */
static const char *rocpd_table(const struct rocpd *rocpd, const char *table,
                               char name[static ROCPD_NAME_MAX])
{
    snprintf(name, ROCPD_NAME_MAX, "rocpd_%s%s", table, rocpd->suffix);
    return name;
}

void rocpd_query(const struct rocpd *rocpd, struct query *query, const char *table,
                 const struct query_column *columns, size_t count)
{
    char name[ROCPD_NAME_MAX];

    query_begin(query, &rocpd->recording->database, rocpd_table(rocpd, table, name), columns,
                count);
}

/* ---- what happened ---- */

/* A row of regions, samples, dispatches or copies, with those of the columns that its table has. */
struct rocpd_row {
    int64_t track, start, end, event, name;
    struct rocpd_place place;
    int64_t kernel, shared_memory, block[3], grid[3], graph_node; /* of dispatches */
    int64_t target_agent, source_agent, bytes;                    /* of copies */
};

static const struct rocpd_row no_row = {.track = -1,
                                        .start = UNKNOWN,
                                        .end = UNKNOWN,
                                        .place = {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN},
                                        .block = {1, 1, 1},
                                        .grid = {1, 1, 1},
                                        .target_agent = -1,
                                        .source_agent = -1};

#define PLACE_COLUMNS                                                                              \
    QUERY_COLUMN("track_id", struct rocpd_row, track),                                             \
        QUERY_COLUMN("pid", struct rocpd_row, place.pid),                                          \
        QUERY_COLUMN("tid", struct rocpd_row, place.tid),                                          \
        QUERY_COLUMN("agent_id", struct rocpd_row, place.agent),                                   \
        QUERY_COLUMN("queue_id", struct rocpd_row, place.queue),                                   \
        QUERY_COLUMN("stream_id", struct rocpd_row, place.stream)

static const struct query_column place_columns[] = {PLACE_COLUMNS};

static const struct query_column row_columns[] = {
    PLACE_COLUMNS,
    QUERY_COLUMN("start", struct rocpd_row, start),
    QUERY_COLUMN("timestamp", struct rocpd_row, start), /* of samples */
    QUERY_COLUMN("end", struct rocpd_row, end),
    QUERY_COLUMN("event_id", struct rocpd_row, event),
    QUERY_COLUMN("name_id", struct rocpd_row, name),
    QUERY_COLUMN("kernel_id", struct rocpd_row, kernel),
    QUERY_COLUMN("group_segment_size", struct rocpd_row, shared_memory),
    QUERY_COLUMN("workgroup_size_x", struct rocpd_row, block[0]),
    QUERY_COLUMN("workgroup_size_y", struct rocpd_row, block[1]),
    QUERY_COLUMN("workgroup_size_z", struct rocpd_row, block[2]),
    QUERY_COLUMN("grid_size_x", struct rocpd_row, grid[0]),
    QUERY_COLUMN("grid_size_y", struct rocpd_row, grid[1]),
    QUERY_COLUMN("grid_size_z", struct rocpd_row, grid[2]),
    QUERY_COLUMN("graph_node_id", struct rocpd_row, graph_node),
    QUERY_COLUMN("dst_agent_id", struct rocpd_row, target_agent),
    QUERY_COLUMN("src_agent_id", struct rocpd_row, source_agent),
    QUERY_COLUMN("size", struct rocpd_row, bytes),
};

/* Hands each row of a table to `add`, with where it was. */
static bool
read_rows(struct rocpd *rocpd, const char *table, const struct query_column *columns, size_t count,
          void (*add)(struct rocpd *rocpd, const struct rocpd_row *row, struct rocpd_place place),
          struct error *err)
{
    struct rocpd_row row;
    struct query query;

    rocpd_query(rocpd, &query, table, columns, count);
    while (row = no_row, query_next(&query, &row))
        add(rocpd, &row, rocpd_place_of(rocpd, row.track, row.place));
    return query_end(&query, err);
}
#define READ_ROWS(rocpd, table, columns, add, err)                                                 \
    read_rows(rocpd, table, columns, COUNT_OF(columns), add, err)

static int64_t key_of(const struct rocpd *rocpd, int64_t stack)
{
    return correlation_key(rocpd->number, stack);
}

static void add_call(struct rocpd *rocpd, const struct rocpd_row *row, struct rocpd_place place)
{
    struct recording *recording = rocpd->recording;
    struct rocpd_event fields = rocpd_event_at(rocpd, row->event);
    struct track track = recording_thread(recording, place.pid, place.tid);
    uint32_t name = idmap_find(&rocpd->strings, (uint64_t)row->name);
    uint32_t event;

    if (row->start == UNKNOWN || row->end == UNKNOWN)
        return;
    event = recording_event(recording, &track, row->start, row->end,
                            fields.message       ? fields.message
                            : name == IDMAP_NONE ? 0
                                                 : name,
                            fields.is_mark   ? KIND_ANNOTATION
                            : fields.is_call ? KIND_RUNTIME
                                             : KIND_HOST);
    if (fields.stack && !fields.is_mark)
        builder_launches(recording->timeline, event, key_of(rocpd, fields.stack));
}

/* Instants, which are in the row of what they are of. */
static void add_instant(struct rocpd *rocpd, const struct rocpd_row *row, struct rocpd_place place)
{
    struct recording *recording = rocpd->recording;
    struct rocpd_event fields = rocpd_event_at(rocpd, row->event);
    struct track track;

    if (!fields.is_mark || !fields.message || row->start == UNKNOWN ||
        idmap_find(&rocpd->place_of, (uint64_t)row->track) == IDMAP_NONE)
        return;
    track = recording_thread(recording, place.pid, place.tid);
    track.kind = TRACK_POINTS;
    track.name = builder_intern(recording->builder, SPAN("marks"));
    recording_event(recording, &track, row->start, row->start, fields.message, KIND_ANNOTATION);
}

static struct track device_track(const struct rocpd *rocpd, const struct rocpd_place *place)
{
    struct recording *recording = rocpd->recording;
    uint32_t ordinal = idmap_find(&rocpd->device_of, (uint64_t)place->agent);
    int64_t number = rocpd->has_streams ? place->stream : place->queue;

    return (struct track){
        .name = recording_numbered(recording, rocpd->has_streams ? "stream %lld" : "queue %lld",
                                   number),
        .process = recording_device(recording, ordinal == IDMAP_NONE ? 0 : (int64_t)ordinal),
        .kind = TRACK_STREAM,
        .device = ordinal == IDMAP_NONE ? 0 : (int32_t)ordinal,
        .pid = place->pid,
        .stream = number};
}

static void find_stream(struct rocpd *rocpd, const struct rocpd_row *row UNUSED,
                        struct rocpd_place place)
{
    rocpd->has_streams |= place.stream != 0;
}

/* A grid is in threads here, and in blocks in CUDA. */
static void add_shape(const struct rocpd *rocpd, const struct rocpd_row *row, uint32_t event)
{
    struct timeline_builder *timeline = rocpd->recording->timeline;
    int64_t grid[3];

    for (int i = 0; i < 3; i++)
        grid[i] = row->block[i] > 0 && row->grid[i] > 0 ? (row->grid[i] - 1) / row->block[i] + 1
                                                        : row->grid[i];
    builder_property(timeline, event, PROP_GRID, property_pack3(grid[0], grid[1], grid[2]));
    builder_property(timeline, event, PROP_BLOCK,
                     property_pack3(row->block[0], row->block[1], row->block[2]));
    builder_property(timeline, event, PROP_SHARED_MEMORY, row->shared_memory);
}

static void add_dispatch(struct rocpd *rocpd, const struct rocpd_row *row, struct rocpd_place place)
{
    struct recording *recording = rocpd->recording;
    uint32_t at = idmap_find(&rocpd->kernel_of, (uint64_t)row->kernel), event;
    struct rocpd_kernel kernel = {0};
    struct track track = device_track(rocpd, &place);

    if (row->start == UNKNOWN || row->end == UNKNOWN)
        return;
    if (at != IDMAP_NONE)
        kernel = rocpd->kernels.list[at];
    event = recording_event(recording, &track, row->start, row->end, kernel.name,
                            device_work_kind(builder_text(recording->builder, kernel.name)));
    builder_launched(recording->timeline, event,
                     key_of(rocpd, rocpd_event_at(rocpd, row->event).stack));
    add_shape(rocpd, row, event);
    builder_property(recording->timeline, event, PROP_REGISTERS, kernel.registers);
    if (row->graph_node)
        builder_property(recording->timeline, event, PROP_GRAPH_NODE, row->graph_node);
    *idmap_at(&rocpd->dispatch_of, (uint64_t)row->event) = (uint32_t)rocpd->dispatches.count;
    vector_add(&rocpd->dispatches, event);
}

/* A copy is where the device is that it goes to, or comes from. */
static void add_copy(struct rocpd *rocpd, const struct rocpd_row *row, struct rocpd_place place)
{
    struct recording *recording = rocpd->recording;
    struct span name = rocpd_text(rocpd, &rocpd->strings, row->name);
    struct track track;
    uint32_t event;

    if (row->start == UNKNOWN || row->end == UNKNOWN)
        return;
    place.agent = row->target_agent;
    if (idmap_find(&rocpd->device_of, (uint64_t)place.agent) == IDMAP_NONE)
        place.agent = row->source_agent;
    track = device_track(rocpd, &place);
    event = recording_event(recording, &track, row->start, row->end,
                            builder_intern(recording->builder, name), KIND_MEMCPY);
    builder_launched(recording->timeline, event,
                     key_of(rocpd, rocpd_event_at(rocpd, row->event).stack));
    builder_property(recording->timeline, event, PROP_BYTES, row->bytes);
    if (builder_wants(recording->builder, PROP_COPY_KIND))
        builder_property(recording->timeline, event, PROP_COPY_KIND, copy_direction_of_name(name));
}

/* ---- counters ---- */

struct count_row {
    int64_t event, counter, sample;
    double value;
};

static const struct query_column count_columns[] = {
    QUERY_COLUMN("event_id", struct count_row, event),
    QUERY_COLUMN("pmc_id", struct count_row, counter),
    QUERY_COLUMN("value", struct count_row, value),
    QUERY_COLUMN("sample_id", struct count_row, sample),
};

/* A row each instance of the hardware; those that are samples of a running kernel are no sums. */
static bool read_counts(struct rocpd *rocpd, struct error *err)
{
    struct count_row row;
    struct query query;

    if (!rocpd_read_texts(rocpd, "info_pmc", "name", &rocpd->counter_of, err))
        return false;
    if (rocpd->counter_of.count == 0)
        return true;
    while (rocpd->counts.count < rocpd->dispatches.count)
        vector_add(&rocpd->counts, (struct amd_counts){0});
    ROCPD_QUERY(rocpd, &query, "pmc_event", count_columns);
    while (row = (struct count_row){.sample = UNKNOWN}, query_next(&query, &row)) {
        uint32_t at = idmap_find(&rocpd->dispatch_of, (uint64_t)row.event);

        if (at != IDMAP_NONE && row.sample == UNKNOWN)
            amd_counts_add(&rocpd->counts.list[at],
                           rocpd_text(rocpd, &rocpd->counter_of, row.counter), row.value);
    }
    for (size_t i = 0; i < rocpd->counts.count; i++)
        amd_counts_give(&rocpd->counts.list[i], rocpd->recording->builder,
                        rocpd->dispatches.list[i]);
    return query_end(&query, err);
}

/* ---- the whole ---- */

static bool find_starts(struct rocpd *rocpd, struct error *err UNUSED)
{
    static const char *const timed[] = {"region", "kernel_dispatch", "memory_copy"};
    char name[ROCPD_NAME_MAX];

    for (size_t i = 0; i < COUNT_OF(timed); i++)
        recording_starts(rocpd->recording, rocpd_table(rocpd, timed[i], name), "start");
    return true;
}

static bool note_version(struct rocpd *rocpd, struct error *err)
{
    struct metadata_row {
        struct span tag, value;
    } row;
    static const struct query_column columns[] = {
        QUERY_COLUMN("tag", struct metadata_row, tag),
        QUERY_COLUMN("value", struct metadata_row, value)};
    struct query query;

    ROCPD_QUERY(rocpd, &query, "metadata", columns);
    while (row = (struct metadata_row){.tag.len = 0}, query_next(&query, &row))
        if (rocpd->number == 0 && span_eq(row.tag, SPAN("schema_version")))
            builder_fact_text(rocpd->recording->builder, "schema_version", row.value);
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
    return note_version(rocpd, err) && rocpd_read_tables(rocpd, err) &&
           READ_ROWS(rocpd, "kernel_dispatch", place_columns, find_stream, err) &&
           READ_ROWS(rocpd, "region", row_columns, add_call, err) &&
           READ_ROWS(rocpd, "sample", row_columns, add_instant, err) &&
           READ_ROWS(rocpd, "kernel_dispatch", row_columns, add_dispatch, err) &&
           READ_ROWS(rocpd, "memory_copy", row_columns, add_copy, err) && read_counts(rocpd, err);
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
    return each_process(recording, find_starts, err) && each_process(recording, read_process, err);
}
