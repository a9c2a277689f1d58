/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_rows.c — threads, streams, counters and other rows: whose they are, and what runs there */
#include <stdio.h>

#include "parsers/perfetto/perfetto.h"

enum { PARENTS_MAX = 64, DEVICES_MAX = 1024 };

static uint32_t row_at(struct perfetto *perfetto, struct idmap *map, uint64_t key)
{
    uint32_t *row = idmap_at(map, key);

    if (*row == IDMAP_NONE) {
        *row = (uint32_t)perfetto->rows.count;
        vector_add(&perfetto->rows,
                   (struct perfetto_row){
                       .uuid = key, .multiplier = 1, .series = UINT32_MAX, .shown_in = *row});
    }
    return *row;
}

uint32_t perfetto_row(struct perfetto *perfetto, uint64_t uuid)
{
    if (!perfetto->last_row || perfetto->last_uuid != uuid) {
        perfetto->last_uuid = uuid;
        perfetto->last_row = row_at(perfetto, &perfetto->row_of, uuid) + 1;
    }
    return perfetto->last_row - 1;
}

uint32_t perfetto_row_of_thread(struct perfetto *perfetto, int64_t pid, int64_t tid)
{
    uint32_t row =
        row_at(perfetto, &perfetto->row_of_thread, idmap_pair((uint32_t)pid, (uint32_t)tid));

    perfetto->rows.list[row].is_thread = true;
    perfetto->rows.list[row].pid = pid;
    perfetto->rows.list[row].tid = tid;
    return row;
}

uint32_t perfetto_row_of_processor(struct perfetto *perfetto, uint32_t cpu)
{
    uint32_t row = row_at(perfetto, &perfetto->row_of_processor, cpu);

    perfetto->rows.list[row].is_processor = true;
    return row;
}

uint32_t perfetto_row_of_operation(struct perfetto *perfetto, uint64_t key, str_id name,
                                   int64_t pid)
{
    const uint64_t shared = UINT64_C(1) << 63;
    uint32_t group =
        row_at(perfetto, &perfetto->row_of_operation, shared ^ idmap_pair((uint32_t)pid, name));
    uint32_t row = row_at(perfetto, &perfetto->row_of_operation, key);

    perfetto->rows.list[row] = (struct perfetto_row){.name = name,
                                                     .pid = pid,
                                                     .is_operation = true,
                                                     .multiplier = 1,
                                                     .series = UINT32_MAX,
                                                     .shown_in = group};
    perfetto->rows.list[group] = perfetto->rows.list[row];
    return row;
}

/* ---- descriptions ---- */

/* The last text among a message's fields of these numbers; 0. */
static str_id text_of(struct perfetto *perfetto, struct span message, uint64_t numbers)
{
    struct wire wire = wire_of(message);
    struct wire_field field;
    str_id text = 0;

    while (wire_next(&wire, &field))
        if (field.type == WIRE_BYTES && field.number < 64 && numbers >> field.number & 1)
            text = builder_intern(perfetto->builder, field.bytes);
    return text;
}

static void name_number(struct idmap *names, int64_t number, str_id name)
{
    if (name)
        *idmap_at(names, (uint64_t)number) = name;
}

static void describe_counter(struct perfetto_row *row, struct span message)
{
    enum { MULTIPLIER = 4, IS_INCREMENTAL = 5 };
    uint64_t said[6] = {0};

    perfetto_fields(message, said, COUNT_OF(said));
    row->is_counter = true;
    row->multiplier = said[MULTIPLIER] ? (int64_t)said[MULTIPLIER] : 1;
    row->is_incremental = said[IS_INCREMENTAL] != 0;
}

void perfetto_describe(struct perfetto *perfetto, struct perfetto_sequence *sequence UNUSED,
                       struct span message, struct perfetto_time time UNUSED)
{
    enum { UUID = 1, PROCESS = 3, THREAD = 4, PARENT = 5, COUNTER = 8 };
    enum { NAME = 2, STATIC_NAME = 10, ATRACE_NAME = 13, PROCESS_NAME = 6, THREAD_NAME = 5 };
    uint64_t said[6] = {0};
    struct wire wire = wire_of(message);
    struct wire_field field;
    struct perfetto_row *row;
    str_id name = text_of(perfetto, message, 1 << NAME | 1 << STATIC_NAME | 1 << ATRACE_NAME);
    uint32_t at;

    perfetto_fields(message, said, COUNT_OF(said));
    at = perfetto_row(perfetto, said[UUID]);
    row = &perfetto->rows.list[at];
    row->name = name ? name : row->name;
    row->parent = said[PARENT] ? said[PARENT] : row->parent;
    while (wire_next(&wire, &field)) {
        uint64_t is[3] = {0};

        if (field.type != WIRE_BYTES)
            continue;
        perfetto_fields(field.bytes, is, COUNT_OF(is));
        if (field.number == PROCESS) {
            row->is_process = true;
            row->pid = (int32_t)is[1];
            name_number(&perfetto->process_names, row->pid,
                        text_of(perfetto, field.bytes, 1 << PROCESS_NAME));
        } else if (field.number == THREAD) {
            row->is_thread = true;
            row->pid = (int32_t)is[1];
            row->tid = (int64_t)is[2];
            name = text_of(perfetto, field.bytes, 1 << THREAD_NAME);
            row->name = name ? name : row->name;
            name_number(&perfetto->thread_names, row->tid, name);
        } else if (field.number == COUNTER) {
            describe_counter(row, field.bytes);
        }
    }
}

void perfetto_describe_thread(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                              struct span message, struct perfetto_time time UNUSED)
{
    enum { PID = 1, TID = 2, NAME = 5, BASE = 6, MICROSECOND = 1000 };
    uint64_t said[7] = {0};

    perfetto_fields(message, said, COUNT_OF(said));
    sequence->has_thread = true;
    sequence->lacks_base = false;
    sequence->pid = (int32_t)said[PID];
    sequence->tid = (int32_t)said[TID];
    sequence->base = checked_mul((int64_t)said[BASE], MICROSECOND);
    name_number(&perfetto->thread_names, sequence->tid, text_of(perfetto, message, 1 << NAME));
}

void perfetto_describe_process(struct perfetto *perfetto, struct perfetto_sequence *sequence UNUSED,
                               struct span message, struct perfetto_time time UNUSED)
{
    enum { PID = 1, NAME = 6 };
    uint64_t said[2] = {0};

    perfetto_fields(message, said, COUNT_OF(said));
    name_number(&perfetto->process_names, (int32_t)said[PID],
                text_of(perfetto, message, 1 << NAME));
}

void perfetto_process_tree(struct perfetto *perfetto, struct perfetto_sequence *sequence UNUSED,
                           struct span message, struct perfetto_time time UNUSED)
{
    enum { PROCESS = 1, THREAD = 2, NUMBER = 1, COMMAND = 3, THREAD_NAME = 2 };
    struct wire wire = wire_of(message);
    struct wire_field field;

    while (wire_next(&wire, &field)) {
        uint64_t said[2] = {0};

        if (field.type != WIRE_BYTES || field.number > THREAD)
            continue;
        perfetto_fields(field.bytes, said, COUNT_OF(said));
        if (field.number == PROCESS) {
            struct wire parts = wire_of(field.bytes);
            struct wire_field part;
            bool is_found = false;

            while (!is_found && wire_next(&parts, &part))
                if ((is_found = part.number == COMMAND && part.type == WIRE_BYTES))
                    name_number(&perfetto->process_names, (int32_t)said[NUMBER],
                                builder_intern(perfetto->builder, part.bytes));
        } else if (idmap_find(&perfetto->thread_names, (uint64_t)(int32_t)said[NUMBER]) ==
                   IDMAP_NONE) {
            name_number(&perfetto->thread_names, (int32_t)said[NUMBER],
                        text_of(perfetto, field.bytes, 1 << THREAD_NAME));
        }
    }
}

/* ---- what a row is ---- */

/* The nearest row from this one up that is a thread or a process; NULL. Parents may go in circles. */
static const struct perfetto_row *owner_of(const struct perfetto *perfetto,
                                           const struct perfetto_row *row)
{
    for (int i = 0; i < PARENTS_MAX; i++) {
        uint32_t parent;

        if (row->is_thread || row->is_process || row->is_operation)
            return row;
        parent = row->parent ? idmap_find(&perfetto->row_of, row->parent) : IDMAP_NONE;
        if (parent == IDMAP_NONE)
            return NULL;
        row = &perfetto->rows.list[parent];
    }
    return NULL;
}

/* The number behind a word of a row's name: "COMPUTE AGENT [4] STREAM [1] (GPU)". */
static bool number_after(struct span name, struct span word, int64_t *number)
{
    size_t at = span_find(name, word);
    struct span digits = span_after(name, at == SIZE_MAX ? name.len : at + word.len);

    digits.len = span_digits(digits);
    return digits.len && span_to_i64(digits, number);
}

/* As rocprofv3 and PyTorch name the rows of devices. */
static bool is_device_name(struct span name)
{
    static const char *const starts[] = {"COMPUTE AGENT [", "COMPUTE QUEUE [", "COPY to AGENT [",
                                         NULL};
    int64_t number;

    return span_starts_any(name, starts) ||
           (span_starts(name, SPAN("COMPUTE ")) && span_ends(name, SPAN("GPU"))) ||
           (span_starts(name, SPAN("stream ")) && number_after(name, SPAN("stream "), &number));
}

bool perfetto_is_device(const struct perfetto *perfetto, uint32_t row)
{
    return is_device_name(builder_text(perfetto->builder, perfetto->rows.list[row].name));
}

bool perfetto_is_operations(const struct perfetto *perfetto, const struct perfetto_row *row)
{
    const struct perfetto_row *owner = owner_of(perfetto, row);

    return owner && owner != row && owner->is_process;
}

static str_id numbered(struct perfetto *perfetto, const char *what, uint64_t number)
{
    char text[64];
    int len = snprintf(text, sizeof(text), "%s %llu", what, (unsigned long long)number);

    return builder_intern(perfetto->builder, (struct span){text, (size_t)len});
}

static str_id known_name(const struct idmap *names, int64_t number)
{
    str_id name = idmap_find(names, (uint64_t)number);

    return name == IDMAP_NONE ? 0 : name;
}

static str_id process_of(struct perfetto *perfetto, const struct perfetto_row *owner)
{
    str_id name = owner ? known_name(&perfetto->process_names, owner->pid) : 0;

    if (name || !owner)
        return name;
    return owner->pid ? numbered(perfetto, "process", (uint64_t)owner->pid) : 0;
}

static str_id name_of(struct perfetto *perfetto, const struct perfetto_row *row,
                      const struct perfetto_row *owner)
{
    str_id name = row->name;

    if (!name && owner && owner->is_thread)
        name = known_name(&perfetto->thread_names, owner->tid);
    if (!name && owner && owner->is_thread)
        name = numbered(perfetto, "thread", (uint64_t)owner->tid);
    if (!name && owner)
        name = process_of(perfetto, owner);
    if (row->is_processor)
        return numbered(perfetto, "CPU", row->uuid);
    return name ? name : numbered(perfetto, "track", row->uuid);
}

static enum track_kind kind_of(enum row_role role)
{
    static const enum track_kind kinds[ROW_ROLE_COUNT] = {
        [ROW_THREAD] = TRACK_THREAD, [ROW_STREAM] = TRACK_STREAM,  [ROW_RANGES] = TRACK_RANGES,
        [ROW_SYNC] = TRACK_STREAM,   [ROW_TOTALS] = TRACK_TOTALS,  [ROW_POINTS] = TRACK_POINTS,
        [ROW_ASYNC] = TRACK_ASYNC,   [ROW_SAMPLES] = TRACK_SAMPLES};

    return kinds[role];
}

uint32_t perfetto_track(struct perfetto *perfetto, uint32_t row, enum row_role role)
{
    struct perfetto_row *of = &perfetto->rows.list[perfetto->rows.list[row].shown_in];
    struct track track = {.kind = kind_of(role), .device = -1};
    const struct perfetto_row *owner;
    struct span name;
    int64_t number;

    if (of->tracks[role])
        return of->tracks[role] - 1;
    owner = owner_of(perfetto, of);
    track.name = name_of(perfetto, of, owner);
    track.process = process_of(perfetto, owner);
    track.pid = owner ? owner->pid : 0;
    track.tid = owner && owner->is_thread ? owner->tid : 0;
    name = builder_text(perfetto->builder, track.name);
    if (span_starts(name, SPAN("THREAD ")) && number_after(name, SPAN("("), &number))
        track.tid = number; /* rocprofv3's */
    if (role == ROW_STREAM || role == ROW_RANGES || role == ROW_SYNC) {
        if (!number_after(name, SPAN("AGENT ["), &number) &&
            !number_after(name, SPAN("GPU "), &number))
            number = track.pid;
        track.device = number >= 0 && number < DEVICES_MAX ? (int32_t)number : 0;
        if (number_after(name, SPAN("STREAM ["), &number) ||
            number_after(name, SPAN("QUEUE ["), &number) ||
            number_after(name, SPAN("stream "), &number))
            track.stream = number;
        track.process = numbered(perfetto, "GPU", (uint64_t)track.device);
    }
    of->tracks[role] = builder_track(builder_timeline(perfetto->builder), &track) + 1;
    return of->tracks[role] - 1;
}

uint32_t perfetto_series(struct perfetto *perfetto, uint32_t row)
{
    struct perfetto_row *of = &perfetto->rows.list[row];
    const struct perfetto_row *owner = owner_of(perfetto, of);

    if (of->series == UINT32_MAX)
        of->series = builder_series(builder_timeline(perfetto->builder),
                                    name_of(perfetto, of, owner), process_of(perfetto, owner), -1);
    return of->series;
}
