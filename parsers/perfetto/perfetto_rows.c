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

/* TrackDescriptor, of track_descriptor.proto. */
struct track_descriptor {
    uint64_t uuid, parent_uuid;
    struct span name, process, thread, counter;
};

static const struct wire_member track_descriptor[] = {
    [1] = WIRE_MEMBER(struct track_descriptor, uuid),
    [2] = WIRE_MEMBER(struct track_descriptor, name),
    [3] = WIRE_MEMBER(struct track_descriptor, process),
    [4] = WIRE_MEMBER(struct track_descriptor, thread),
    [5] = WIRE_MEMBER(struct track_descriptor, parent_uuid),
    [8] = WIRE_MEMBER(struct track_descriptor, counter),
    [10] = WIRE_MEMBER(struct track_descriptor, name), /* static_name */
    [13] = WIRE_MEMBER(struct track_descriptor, name), /* atrace_name */
};

/* CounterDescriptor, of counter_descriptor.proto. */
struct counter_descriptor {
    int64_t unit_multiplier;
    bool is_incremental;
};

static const struct wire_member counter_descriptor[] = {
    [4] = WIRE_MEMBER(struct counter_descriptor, unit_multiplier),
    [5] = WIRE_MEMBER(struct counter_descriptor, is_incremental),
};

/* ProcessDescriptor, of process_descriptor.proto. */
struct process_descriptor {
    int32_t pid;
    struct span process_name;
};

static const struct wire_member process_descriptor[] = {
    [1] = WIRE_MEMBER(struct process_descriptor, pid),
    [6] = WIRE_MEMBER(struct process_descriptor, process_name),
};

/* ThreadDescriptor, of thread_descriptor.proto. */
struct thread_descriptor {
    int32_t pid;
    int64_t tid, reference_timestamp_us;
    struct span thread_name;
};

static const struct wire_member thread_descriptor[] = {
    [1] = WIRE_MEMBER(struct thread_descriptor, pid),
    [2] = WIRE_MEMBER(struct thread_descriptor, tid),
    [5] = WIRE_MEMBER(struct thread_descriptor, thread_name),
    [6] = WIRE_MEMBER(struct thread_descriptor, reference_timestamp_us),
};

static void name_number(struct idmap *names, int64_t number, str_id name)
{
    if (name)
        *idmap_at(names, (uint64_t)number) = name;
}

void perfetto_describe(struct perfetto *perfetto, struct perfetto_sequence *sequence UNUSED,
                       struct span message, struct perfetto_time time UNUSED)
{
    struct track_descriptor fields = {0};
    struct process_descriptor process = {0};
    struct thread_descriptor thread = {0};
    struct counter_descriptor counter = {0};
    struct perfetto_row *row;
    str_id name;
    uint32_t at;

    WIRE_READ(message, track_descriptor, &fields);
    WIRE_READ(fields.process, process_descriptor, &process);
    WIRE_READ(fields.thread, thread_descriptor, &thread);
    WIRE_READ(fields.counter, counter_descriptor, &counter);
    name = perfetto_intern_text(perfetto, fields.name);
    at = perfetto_row(perfetto, fields.uuid);
    row = &perfetto->rows.list[at];
    row->name = name ? name : row->name;
    row->parent = fields.parent_uuid ? fields.parent_uuid : row->parent;
    if (fields.process.at) {
        row->is_process = true;
        row->pid = process.pid;
        name_number(&perfetto->process_names, row->pid,
                    perfetto_intern_text(perfetto, process.process_name));
    }
    if (fields.thread.at) {
        row->is_thread = true;
        row->pid = thread.pid;
        row->tid = thread.tid;
        name = perfetto_intern_text(perfetto, thread.thread_name);
        row->name = name ? name : row->name;
        name_number(&perfetto->thread_names, row->tid, name);
    }
    if (fields.counter.at) {
        row->is_counter = true;
        row->multiplier = counter.unit_multiplier ? counter.unit_multiplier : 1;
        row->is_incremental = counter.is_incremental;
    }
}

void perfetto_describe_thread(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                              struct span message, struct perfetto_time time UNUSED)
{
    enum { MICROSECOND = 1000 };
    struct thread_descriptor fields = {0};

    WIRE_READ(message, thread_descriptor, &fields);
    sequence->has_thread = true;
    sequence->lacks_base = false;
    sequence->pid = fields.pid;
    sequence->tid = (int32_t)fields.tid;
    sequence->base = checked_mul(fields.reference_timestamp_us, MICROSECOND);
    name_number(&perfetto->thread_names, sequence->tid,
                perfetto_intern_text(perfetto, fields.thread_name));
}

void perfetto_describe_process(struct perfetto *perfetto, struct perfetto_sequence *sequence UNUSED,
                               struct span message, struct perfetto_time time UNUSED)
{
    struct process_descriptor fields = {0};

    WIRE_READ(message, process_descriptor, &fields);
    name_number(&perfetto->process_names, fields.pid,
                perfetto_intern_text(perfetto, fields.process_name));
}

/* ProcessTree, and its Process and Thread, of process_tree.proto. */
struct process_tree {
    struct wire_list members;
};

enum { TREE_PROCESS = 1, TREE_THREAD = 2 };

static const struct wire_member process_tree[] = {
    [TREE_PROCESS] = WIRE_MEMBER(struct process_tree, members),
    [TREE_THREAD] = WIRE_MEMBER(struct process_tree, members),
};

struct tree_member {
    int32_t id;               /* pid or tid */
    struct span name;         /* of a thread */
    struct wire_list cmdline; /* of a process */
};

static const struct wire_member tree_process[] = {
    [1] = WIRE_MEMBER(struct tree_member, id),
    [3] = WIRE_MEMBER(struct tree_member, cmdline),
};

static const struct wire_member tree_thread[] = {
    [1] = WIRE_MEMBER(struct tree_member, id),
    [2] = WIRE_MEMBER(struct tree_member, name),
};

void perfetto_process_tree(struct perfetto *perfetto, struct perfetto_sequence *sequence UNUSED,
                           struct span message, struct perfetto_time time UNUSED)
{
    struct process_tree tree = {0};
    struct wire_field field, command;

    WIRE_READ(message, process_tree, &tree);
    while (wire_list_next(&tree.members, &field)) {
        struct tree_member fields = {0};

        if (field.number == TREE_PROCESS) {
            WIRE_READ(field.bytes, tree_process, &fields);
            if (wire_list_next(&fields.cmdline, &command))
                name_number(&perfetto->process_names, fields.id,
                            perfetto_intern_text(perfetto, command.bytes));
        } else {
            WIRE_READ(field.bytes, tree_thread, &fields);
            if (idmap_find(&perfetto->thread_names, (uint64_t)fields.id) == IDMAP_NONE)
                name_number(&perfetto->thread_names, fields.id,
                            perfetto_intern_text(perfetto, fields.name));
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
