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

static bool read_nvprof_calls(struct recording *recording, const char *table, bool is_driver,
                              struct error *err)
{
    static const char *const columns[] = {"start",    "end",           "cbid", "processId",
                                          "threadId", "correlationId", NULL};
    struct query query;
    int64_t start, end;

    query_begin(&query, &recording->database, table, columns);
    while (query_next(&query)) {
        struct track track;
        uint32_t event;

        if (!query_integer(&query, 0, &start) || !query_integer(&query, 1, &end))
            continue;
        track = recording_thread(recording, query_integer_or(&query, 3, 0),
                                 query_integer_or(&query, 4, 0) & UINT32_MAX);
        event = recording_event(recording, &track, start, end,
                                numbered_name(recording, is_driver, query_integer_or(&query, 2, 0)),
                                KIND_RUNTIME);
        builder_launches(recording->timeline, event,
                         correlation_key(0, query_integer_or(&query, 5, 0) & UINT32_MAX));
    }
    return query_end(&query, err);
}

static bool read_nsys_calls(struct recording *recording, struct error *err)
{
    static const char *const columns[] = {"start",         "end",    "globalTid",
                                          "correlationId", "nameId", NULL};
    struct query query;
    int64_t start, end, pid, tid;

    query_begin(&query, &recording->database, "CUPTI_ACTIVITY_KIND_RUNTIME", columns);
    while (query_next(&query)) {
        struct track track;
        struct span name = builder_text(
            recording->builder, name_table_at(&recording->names, query_integer_or(&query, 4, -1)));
        size_t mark = span_find(name, SPAN("_v")); /* "cudaLaunchKernel_v7000" */
        uint32_t event;

        if (mark != SIZE_MAX && span_is_digits(span_after(name, mark + 2)))
            name.len = mark;

        if (!query_integer(&query, 0, &start) || !query_integer(&query, 1, &end))
            continue;
        split_global(query_integer_or(&query, 2, 0), &pid, &tid);
        track = recording_thread(recording, pid, tid);
        event = recording_event(recording, &track, start, end,
                                builder_intern(recording->builder, name), KIND_RUNTIME);
        builder_launches(recording->timeline, event,
                         correlation_key(pid, query_integer_or(&query, 3, 0) & UINT32_MAX));
    }
    return query_end(&query, err);
}

bool recording_read_calls(struct recording *recording, struct error *err)
{
    if (recording->writer == WRITER_NSYS)
        return read_nsys_calls(recording, err);
    return read_nvprof_calls(recording, "CUPTI_ACTIVITY_KIND_DRIVER", true, err) &&
           read_nvprof_calls(recording, "CUPTI_ACTIVITY_KIND_RUNTIME", false, err);
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

bool recording_read_nvtx(struct recording *recording, struct error *err)
{
    enum { MARK = 34, PUSH_POP = 59, START_END = 60 };
    static const char *const columns[] = {"start", "end",    "eventType", "globalTid",
                                          "text",  "textId", NULL};
    struct query query;
    int64_t start, end, pid, tid;

    query_begin(&query, &recording->database, "NVTX_EVENTS", columns);
    while (query_next(&query)) {
        int64_t type = query_integer_or(&query, 2, 0);
        struct span text = query_text(&query, 4);
        struct track track;

        if (type != MARK && type != PUSH_POP && type != START_END)
            continue;
        if (!query_integer(&query, 0, &start))
            continue;
        end = query_integer_or(&query, 1, start);
        if (!text.len)
            text = builder_text(recording->builder,
                                name_table_at(&recording->names, query_integer_or(&query, 5, -1)));
        split_global(query_integer_or(&query, 3, 0), &pid, &tid);
        track = recording_thread(recording, pid, tid);
        if (type != PUSH_POP)
            track = apart(recording, track, type == MARK ? TRACK_POINTS : TRACK_ASYNC);
        add_range(recording, &track, start, end, text);
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

static void take_marker(struct recording *recording, const struct query *query, int64_t time,
                        struct open_ranges *open)
{
    enum { INSTANT = 1, BEGINS = 2, ENDS = 4 };
    int64_t flags = query_integer_or(query, 1, 0), id = query_integer_or(query, 2, 0);
    struct span object = query_text(query, 3);
    str_id name = name_table_at(&recording->names, query_integer_or(query, 4, -1));
    struct span text = builder_text(recording->builder, name);
    struct track track =
        recording_thread(recording, little_endian(object, 0, 4), little_endian(object, 4, 4));
    uint32_t at = idmap_find(&open->place, (uint64_t)id);

    if (flags & ENDS) {
        if (at != IDMAP_NONE)
            builder_set_duration(recording->timeline, open->list[at].event,
                                 checked_sub(time, open->list[at].start));
    } else if (flags & BEGINS) {
        *idmap_at(&open->place, (uint64_t)id) = (uint32_t)open->count;
        vector_add(open, (struct open_range){add_range(recording, &track, time, time, text), time});
    } else if (flags & INSTANT) {
        track = apart(recording, track, TRACK_POINTS);
        add_range(recording, &track, time, time, text);
    }
}

bool recording_read_markers(struct recording *recording, struct error *err)
{
    static const char *const columns[] = {"timestamp", "flags", "id", "objectId", "name", NULL};
    struct open_ranges open = {0};
    struct query query;
    int64_t time;

    query_begin(&query, &recording->database, "CUPTI_ACTIVITY_KIND_MARKER", columns);
    while (query_next(&query))
        if (query_integer(&query, 0, &time))
            take_marker(recording, &query, time, &open);
    idmap_free(&open.place);
    free(open.list);
    return query_end(&query, err);
}
