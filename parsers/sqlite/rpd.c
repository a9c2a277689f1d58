/* SPDX-License-Identifier: Apache-2.0 */
/* rpd.c — databases of rocmProfileData (.rpd): calls, and what they put on a device's queues */
#include <stdlib.h>

#include "graph/classify/event_class.h"
#include "graph/classify/kernel_class.h"
#include "parsers/sqlite/sqlite.h"

#define STRINGS "rocpd_string"
#define CALLS "rocpd_api"
#define OPERATIONS "rocpd_op"
#define LAUNCHES "rocpd_api_ops"
#define COPIES "rocpd_copyapi"

/* A row of any of the tables, with those of the columns that it has. */
struct rpd_row {
    int64_t id, start, end, pid, tid, name, arguments; /* of calls */
    int64_t device, queue, description, type;          /* of operations */
    int64_t call, operation, bytes;                    /* of launches, and of copies */
};

static const struct query_column columns[] = {
    QUERY_COLUMN("id", struct rpd_row, id),
    QUERY_COLUMN("start", struct rpd_row, start),
    QUERY_COLUMN("end", struct rpd_row, end),
    QUERY_COLUMN("pid", struct rpd_row, pid),
    QUERY_COLUMN("tid", struct rpd_row, tid),
    QUERY_COLUMN("apiName_id", struct rpd_row, name),
    QUERY_COLUMN("args_id", struct rpd_row, arguments),
    QUERY_COLUMN("gpuId", struct rpd_row, device),
    QUERY_COLUMN("queueId", struct rpd_row, queue),
    QUERY_COLUMN("description_id", struct rpd_row, description),
    QUERY_COLUMN("opType_id", struct rpd_row, type),
    QUERY_COLUMN("api_id", struct rpd_row, call),
    QUERY_COLUMN("op_id", struct rpd_row, operation),
    QUERY_COLUMN("api_ptr_id", struct rpd_row, call),
    QUERY_COLUMN("size", struct rpd_row, bytes),
};

/* On its way into the graph. */
struct rpd {
    struct recording *recording;
    struct idmap call_of; /* operation → index in `calls` */
    struct idmap copy_of; /* call → index in `bytes` */
    VECTOR(int64_t);      /* calls of operations */
    struct VECTOR_OF(int64_t) bytes;
};

static bool read_rows(struct rpd *rpd, const char *table,
                      void (*add)(struct rpd *rpd, const struct rpd_row *row), struct error *err)
{
    struct rpd_row row;
    struct query query;

    QUERY_BEGIN(&query, &rpd->recording->database, table, columns);
    while (row = (struct rpd_row){.start = UNKNOWN, .end = UNKNOWN}, query_next(&query, &row))
        add(rpd, &row);
    return query_end(&query, err);
}

static void add_launch(struct rpd *rpd, const struct rpd_row *row)
{
    *idmap_at(&rpd->call_of, (uint64_t)row->operation) = (uint32_t)rpd->count;
    vector_add(rpd, row->call);
}

static void add_bytes(struct rpd *rpd, const struct rpd_row *row)
{
    *idmap_at(&rpd->copy_of, (uint64_t)row->call) = (uint32_t)rpd->bytes.count;
    vector_add(&rpd->bytes, row->bytes);
}

/* A range that the program marks is a call, too, whose argument is its text. */
static void add_call(struct rpd *rpd, const struct rpd_row *row)
{
    struct recording *recording = rpd->recording;
    struct track track = recording_thread(recording, row->pid, row->tid);
    str_id name = name_table_at(&recording->names, row->name);
    bool is_mark = span_eq(builder_text(recording->builder, name), SPAN("UserMarker"));
    uint32_t event;

    if (row->start == UNKNOWN || row->end == UNKNOWN)
        return;
    if (is_mark)
        name = name_table_at(&recording->names, row->arguments);
    event = recording_event(recording, &track, row->start, row->end, name,
                            is_mark ? KIND_ANNOTATION : KIND_RUNTIME);
    if (!is_mark)
        builder_launches(recording->timeline, event, row->id);
}

/* Kernels have their name as description, copies and others none. */
static void add_operation(struct rpd *rpd, const struct rpd_row *row)
{
    struct recording *recording = rpd->recording;
    str_id description = name_table_at(&recording->names, row->description);
    str_id type = name_table_at(&recording->names, row->type);
    struct span text = builder_text(recording->builder, type);
    bool is_copy = copy_direction_of_name(text) != 0;
    bool has_name = builder_text(recording->builder, description).len && !is_copy;
    uint32_t call = idmap_find(&rpd->call_of, (uint64_t)row->id), event, copy;
    struct track track;

    if (row->start == UNKNOWN || row->end == UNKNOWN)
        return;
    track = (struct track){.name = recording_numbered(recording, "queue %lld", row->queue),
                           .process = recording_device(recording, row->device),
                           .kind = TRACK_STREAM,
                           .device = (int32_t)row->device,
                           .stream = row->queue};
    type = has_name ? description : type;
    event = recording_event(recording, &track, row->start, row->end, type,
                            is_copy ? KIND_MEMCPY
                                    : device_work_kind(builder_text(recording->builder, type)));
    if (call != IDMAP_NONE)
        builder_launched(recording->timeline, event, rpd->list[call]);
    if (!is_copy)
        return;
    copy = call == IDMAP_NONE ? IDMAP_NONE : idmap_find(&rpd->copy_of, (uint64_t)rpd->list[call]);
    if (copy != IDMAP_NONE)
        builder_property(recording->timeline, event, PROP_BYTES, rpd->bytes.list[copy]);
    if (builder_wants(recording->builder, PROP_COPY_KIND))
        builder_property(recording->timeline, event, PROP_COPY_KIND, copy_direction_of_name(text));
}

bool rpd_is(struct database *database)
{
    return database_has(database, CALLS) || database_has(database, OPERATIONS);
}

bool rpd_read(struct recording *recording, struct error *err)
{
    struct rpd rpd = {.recording = recording};
    bool ok;

    builder_producer(recording->builder, "rocmProfileData");
    recording_starts(recording, CALLS, "start");
    recording_starts(recording, OPERATIONS, "start");
    ok = name_table_read(&recording->names, &recording->database, recording->builder, STRINGS, "id",
                         err) &&
         read_rows(&rpd, LAUNCHES, add_launch, err) && read_rows(&rpd, COPIES, add_bytes, err) &&
         read_rows(&rpd, CALLS, add_call, err) && read_rows(&rpd, OPERATIONS, add_operation, err);
    idmap_free(&rpd.call_of);
    idmap_free(&rpd.copy_of);
    free(rpd.list);
    free(rpd.bytes.list);
    return ok;
}
