/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite_host.c — calls of the runtime and driver, and the ranges that programs name with NVTX */
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/device/operator_input_text.h"
#include "parsers/sqlite/sqlite.h"

/* ---- calls ---- */

static str_id numbered_name(struct recording *recording, bool is_driver, int64_t cbid)
{
    const char *name = is_driver ? driver_call_name(cbid) : runtime_call_name(cbid);
    char made[48];

    if (name)
        return builder_intern(recording->builder, span_of(name));
    recording->nameless++;
    snprintf(made, sizeof(made), "%s call %lld", is_driver ? "driver" : "runtime", (long long)cbid);
    return builder_intern(recording->builder, span_of(made));
}

struct call_row {
    int64_t start, end, correlation;
    int64_t cbid, pid, tid;      /* nvprof's */
    int64_t name_id, global_tid; /* Nsight's */
};

static const struct query_column call_columns[] = {
    QUERY_COLUMN("start", struct call_row, start),
    QUERY_COLUMN("end", struct call_row, end),
    QUERY_COLUMN("correlationId", struct call_row, correlation),
    QUERY_COLUMN("cbid", struct call_row, cbid),
    QUERY_COLUMN("processId", struct call_row, pid),
    QUERY_COLUMN("threadId", struct call_row, tid),
    QUERY_COLUMN("nameId", struct call_row, name_id),
    QUERY_COLUMN("globalTid", struct call_row, global_tid),
};

/* "cudaLaunchKernel" of "cudaLaunchKernel_v7000". */
static str_id unversioned_name(struct recording *recording, int64_t id)
{
    str_id raw = name_table_at(&recording->names, id);
    uint32_t *known = idmap_at(&recording->call_names, raw);
    struct span name;
    size_t mark;

    if (*known != IDMAP_NONE)
        return *known;
    name = builder_text(recording->builder, raw);
    mark = span_find(name, SPAN("_v"));
    if (mark != SIZE_MAX && span_is_digits(span_after(name, mark + 2)))
        name.len = mark;
    return *known = builder_intern(recording->builder, name);
}

static bool read_calls(struct recording *recording, const char *table, bool is_driver,
                       struct error *err)
{
    bool is_nsys = recording->writer == WRITER_NSYS;
    struct call_row row;
    struct query query;

    QUERY_BEGIN(&query, &recording->database, table, call_columns);
    while (row = (struct call_row){.start = UNKNOWN, .end = UNKNOWN, .name_id = -1},
           query_next(&query, &row)) {
        int64_t pid = row.pid, tid = row.tid & UINT32_MAX;
        struct track track;
        uint32_t event;

        if (row.start == UNKNOWN || row.end == UNKNOWN)
            continue;
        if (is_nsys)
            split_global(row.global_tid, &pid, &tid);
        track = recording_thread(recording, pid, tid);
        event = recording_event(recording, &track, row.start, row.end,
                                is_nsys ? unversioned_name(recording, row.name_id)
                                        : numbered_name(recording, is_driver, row.cbid),
                                KIND_RUNTIME);
        builder_launches(recording->timeline, event,
                         correlation_key(is_nsys ? pid : 0, row.correlation & UINT32_MAX));
    }
    return query_end(&query, err);
}

bool recording_read_calls(struct recording *recording, struct error *err)
{
    if (recording->writer == WRITER_NVPROF &&
        !read_calls(recording, "CUPTI_ACTIVITY_KIND_DRIVER", true, err))
        return false;
    return read_calls(recording, "CUPTI_ACTIVITY_KIND_RUNTIME", false, err);
}

/* ---- ranges ---- */

/* A range as PyTorch's emit_nvtx names it, one name a call: "aten::mm, seq = 7, op_id = 9, sizes =
 * [[8, 3], [3, 4]]". Takes the operator's name off the front. */
static bool is_operator(struct span *text, struct span *sizes)
{
    size_t sequence = span_find(*text, SPAN(", seq = ")), id = span_find(*text, SPAN(", op_id = "));
    size_t at = span_find(*text, SPAN(", sizes = ")), end = sequence < id ? sequence : id;

    *sizes = (struct span){0};
    if (end == SIZE_MAX)
        return false;
    if (at != SIZE_MAX && at > end)
        *sizes = span_after(*text, at + 10);
    text->len = end;
    return true;
}

static uint32_t add_range(struct recording *recording, const struct track *track, int64_t start,
                          int64_t end, struct span text)
{
    struct builder *builder = recording->builder;
    struct span sizes;
    bool is_op = is_operator(&text, &sizes);
    uint32_t event = recording_event(recording, track, start, end, builder_intern(builder, text),
                                     is_op ? KIND_OPERATOR : KIND_ANNOTATION);

    if (sizes.len && builder_wants(builder, PROP_SHAPES)) {
        str_id shapes = builder_intern(builder, sizes);

        operator_inputs_note(builder, PROP_SHAPES, shapes);
        builder_property(builder_timeline(builder), event, PROP_SHAPES, shapes);
    }
    return event;
}

/* Where ranges stand that may begin on one thread and end on another, and marks. */
static struct track apart(struct recording *recording, struct track track, enum track_kind kind)
{
    track.kind = kind;
    track.name =
        builder_intern(recording->builder, kind == TRACK_POINTS ? SPAN("marks") : SPAN("ranges"));
    return track;
}

struct range_row {
    int64_t start, end, type, global_tid, text_id;
    struct span text;
};

static const struct query_column range_columns[] = {
    QUERY_COLUMN("start", struct range_row, start),
    QUERY_COLUMN("end", struct range_row, end),
    QUERY_COLUMN("eventType", struct range_row, type),
    QUERY_COLUMN("globalTid", struct range_row, global_tid),
    QUERY_COLUMN("text", struct range_row, text),
    QUERY_COLUMN("textId", struct range_row, text_id),
};

bool recording_read_nvtx(struct recording *recording, struct error *err)
{
    enum { MARK = 34, PUSH_POP = 59, START_END = 60 };
    struct range_row row;
    struct query query;
    int64_t pid, tid;

    QUERY_BEGIN(&query, &recording->database, "NVTX_EVENTS", range_columns);
    while (row = (struct range_row){.start = UNKNOWN, .end = UNKNOWN, .text_id = -1},
           query_next(&query, &row)) {
        struct track track;

        if (row.type != MARK && row.type != PUSH_POP && row.type != START_END)
            continue;
        if (row.start == UNKNOWN)
            continue;
        if (!row.text.len)
            row.text =
                builder_text(recording->builder, name_table_at(&recording->names, row.text_id));
        split_global(row.global_tid, &pid, &tid);
        track = recording_thread(recording, pid, tid);
        if (row.type != PUSH_POP)
            track = apart(recording, track, row.type == MARK ? TRACK_POINTS : TRACK_ASYNC);
        add_range(recording, &track, row.start, row.end == UNKNOWN ? row.start : row.end, row.text);
    }
    return query_end(&query, err);
}

static int64_t little_endian(struct span bytes, size_t from, size_t count)
{
    uint64_t value = 0;

    for (size_t i = count; i-- > 0;)
        value = value << 8 | (from + i < bytes.len ? (unsigned char)bytes.at[from + i] : 0u);
    return (int64_t)value;
}

struct open_range {
    uint32_t event;
    int64_t start;
};

/* Ranges that have begun, by the number that the file gives them. */
struct open_ranges {
    struct idmap place;
    VECTOR(struct open_range);
};

struct marker_row {
    int64_t time, flags, id, name_id;
    struct span object; /* the process's number and the thread's, of four bytes each */
};

static const struct query_column marker_columns[] = {
    QUERY_COLUMN("timestamp", struct marker_row, time),
    QUERY_COLUMN("flags", struct marker_row, flags),
    QUERY_COLUMN("id", struct marker_row, id),
    QUERY_COLUMN("objectId", struct marker_row, object),
    QUERY_COLUMN("name", struct marker_row, name_id),
};

static void take_marker(struct recording *recording, const struct marker_row *row,
                        struct open_ranges *open)
{
    enum { INSTANT = 1, BEGINS = 2, ENDS = 4 };
    int64_t flags = row->flags, time = row->time;
    struct span text =
        builder_text(recording->builder, name_table_at(&recording->names, row->name_id));
    struct track track = recording_thread(recording, little_endian(row->object, 0, 4),
                                          little_endian(row->object, 4, 4));
    uint32_t at = idmap_find(&open->place, (uint64_t)row->id);

    if (flags & ENDS) {
        if (at != IDMAP_NONE)
            builder_set_duration(recording->timeline, open->list[at].event,
                                 checked_sub(time, open->list[at].start));
    } else if (flags & BEGINS) {
        *idmap_at(&open->place, (uint64_t)row->id) = (uint32_t)open->count;
        vector_add(open, (struct open_range){add_range(recording, &track, time, time, text), time});
    } else if (flags & INSTANT) {
        track = apart(recording, track, TRACK_POINTS);
        add_range(recording, &track, time, time, text);
    }
}

bool recording_read_markers(struct recording *recording, struct error *err)
{
    struct open_ranges open = {0};
    struct marker_row row;
    struct query query;

    QUERY_BEGIN(&query, &recording->database, "CUPTI_ACTIVITY_KIND_MARKER", marker_columns);
    while (row = (struct marker_row){.time = UNKNOWN, .name_id = -1}, query_next(&query, &row))
        if (row.time != UNKNOWN)
            take_marker(recording, &row, &open);
    idmap_free(&open.place);
    free(open.list);
    return query_end(&query, err);
}
