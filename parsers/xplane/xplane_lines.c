/* SPDX-License-Identifier: Apache-2.0 */
/* xplane_lines.c — the rows of a plane as tracks, and what is in them as events */
#define XXH_INLINE_ALL
#include <stdio.h>
#include <xxhash.h>

#include "base/checked.h"
#include "graph/classify/event_class.h"
#include "parsers/device/xla_details.h"
#include "parsers/xplane/xplane.h"

/* Times that count from the epoch and not from the profile's start: this is in 1973. */
#define EPOCH_TIMES INT64_C(100000000000000000)

/* A row of the plane. */
struct line {
    int64_t id, time; /* ns */
    struct span name;
    uint32_t track;
    enum track_kind kind;
};

/* XLine. */
struct line_message {
    int64_t id, timestamp_ns;
    struct span name, display_name;
    struct wire_list events;
};

static const struct wire_member line_members[] = {
    [1] = WIRE_MEMBER(struct line_message, id),
    [2] = WIRE_MEMBER(struct line_message, name),
    [3] = WIRE_MEMBER(struct line_message, timestamp_ns),
    [4] = WIRE_MEMBER(struct line_message, events),
    [11] = WIRE_MEMBER(struct line_message, display_name),
};

/* XEvent: one event, or with num_occurrences the sum of several, which have no place in time. */
struct line_event {
    uint64_t type;
    struct wire_optional offset, occurrences;
    int64_t duration; /* ps, as is the offset */
    struct wire_list stats;
};

static const struct wire_member event_members[] = {
    [1] = WIRE_MEMBER(struct line_event, type),        [2] = WIRE_MEMBER(struct line_event, offset),
    [3] = WIRE_MEMBER(struct line_event, duration),    [4] = WIRE_MEMBER(struct line_event, stats),
    [5] = WIRE_MEMBER(struct line_event, occurrences),
};

/* ---- rows ---- */

/* What older writers and viewers derive from the streams and add: rows with these numbers. */
static bool is_derived(int64_t id)
{
    enum { ROWS = 49 + 240 };
    uint32_t number = (uint32_t)id;

    return (id >> 32 == 0 || id >> 32 == -1) && number >= 0xdeadbeef && number <= 0xdeadbeef + ROWS;
}

static enum track_kind line_kind(const struct xspace *space, const struct line *line)
{
    static const char *const derived[] = {"Steps",
                                          "Framework Name Scope",
                                          "TensorFlow Name Scope",
                                          "Framework Ops",
                                          "XLA Modules",
                                          "TensorFlow Ops",
                                          "XLA Ops",
                                          "Launch Stats",
                                          "Source code",
                                          "Sparse Core Steps",
                                          "Sparse Core Modules",
                                          "Sparse Core Ops",
                                          "_counters_",
                                          NULL};

    switch (space->kind) {
    case PLANE_HOST:
        return TRACK_THREAD;
    case PLANE_GPU:
        return is_derived(line->id) || span_is_any(line->name, derived) ? TRACK_RANGES
                                                                        : TRACK_STREAM;
    case PLANE_TPU: /* its operators are what it does; it has no streams */
        if (span_eq(line->name, SPAN("Async XLA Ops")))
            return TRACK_ASYNC;
        return span_eq(line->name, SPAN("XLA Ops")) || span_eq(line->name, SPAN("Sparse Core Ops"))
                   ? TRACK_STREAM
                   : TRACK_RANGES;
    case PLANE_OTHER_DEVICE:
        return TRACK_STREAM;
    case PLANE_PROCESSORS:
        break;
    }
    return TRACK_RANGES;
}

/* Lines of one plane and one number are one row. */
static uint32_t find_track(struct xspace *space, const struct line *line)
{
    uint32_t *number = idmap_at(&space->line_ids, (uint64_t)line->id), *at;

    if (*number == IDMAP_NONE)
        *number = (uint32_t)space->line_ids.count;
    at = idmap_at(&space->tracks, idmap_pair(space->plane_name, *number));
    if (*at == IDMAP_NONE)
        *at = builder_track(space->timeline,
                            &(struct track){.name = builder_intern(space->builder, line->name),
                                            .process = space->plane_name,
                                            .kind = line->kind,
                                            .device = space->device,
                                            .tid = line->id});
    return *at;
}

/* ---- what an event is ---- */

/* "MatMul:MatMul", an operator's name and its type, but not "Client::Run". */
static bool is_operator_name(struct span name)
{
    size_t colon = span_find(name, SPAN(":"));

    return colon != SIZE_MAX && colon > 0 && colon + 1 < name.len && name.at[colon + 1] >= 'A' &&
           name.at[colon + 1] <= 'Z' && span_find(name, SPAN(" ")) == SIZE_MAX &&
           span_find(span_after(name, colon + 1), SPAN(":")) == SIZE_MAX;
}

static enum frame_kind host_kind(const struct stat_set *stats, struct span name)
{
    if (span_starts(name, SPAN("$"))) /* of JAX's tracer: "$file.py:12 function" */
        return KIND_PYTHON;
    if (stat_number(stats, STAT_CORRELATION, 0) || is_runtime_call(name))
        return KIND_RUNTIME;
    if (stat_has(stats, STAT_STEP_NUMBER) || stat_has(stats, STAT_ITERATION))
        return KIND_ANNOTATION;
    if (stat_has(stats, STAT_HLO_OP) || stat_has(stats, STAT_TF_OP) || is_operator_name(name))
        return KIND_OPERATOR;
    return KIND_HOST;
}

/* A compiler's operators are of categories: collectives, and copies, are apart. */
static enum frame_kind device_kind(const struct stat_set *stats, struct span name)
{
    static const char *const transfers[] = {
        "all-reduce",         "all-gather", "all-to-all", "reduce-scatter",
        "collective-permute", "send",       "recv",       NULL};
    static const char *const copies[] = {"copy-start", "copy-done", NULL};
    struct span category = stat_text(stats, STAT_HLO_CATEGORY);

    if (span_starts_any(category, transfers))
        return KIND_COMMUNICATION;
    if (span_starts_any(category, copies))
        return KIND_MEMCPY;
    return category.len ? KIND_KERNEL : device_work_kind(name);
}

static enum frame_kind event_kind(const struct xspace *space, const struct line *line,
                                  const struct stat_set *stats, struct span name)
{
    switch (line->kind) {
    case TRACK_THREAD:
        return host_kind(stats, name);
    case TRACK_STREAM:
    case TRACK_ASYNC:
        return device_kind(stats, name);
    default:
        return space->kind == PLANE_PROCESSORS ? KIND_OTHER : KIND_ANNOTATION;
    }
}

/* What is true of all events of a type; NULL where the file does not name it. */
static struct event_type *find_type(struct xspace *space, uint64_t id)
{
    struct plane_tables *tables = &space->tables;
    uint32_t at = idmap_find(&tables->event_of_id, id);
    struct event_type *type = at == IDMAP_NONE ? NULL : &tables->events.list[at];
    struct wire_field field;

    if (!type || type->is_read)
        return type;
    type->is_read = true;
    type->first_stat = tables->type_stats.count;
    space->stats.known = 0;
    while (wire_list_next(&type->stats, &field))
        xspace_take_stat(space, field.bytes, &space->stats);
    for (unsigned stat = 0; stat < STAT_COUNT; stat++)
        if (stat_has(&space->stats, (enum xplane_stat)stat))
            vector_add(&tables->type_stats,
                       (struct known_stat){(enum xplane_stat)stat, space->stats.list[stat]});
    type->stat_count = tables->type_stats.count - type->first_stat;
    return type;
}

/* What is true of all events of a type, before what is true of this one. */
static void take_type_stats(struct xspace *space, const struct event_type *type)
{
    space->stats.known = 0;
    for (size_t i = 0; type && i < type->stat_count; i++) {
        const struct known_stat *known = &space->tables.type_stats.list[type->first_stat + i];

        space->stats.list[known->stat] = known->value;
        space->stats.known |= UINT64_C(1) << known->stat;
    }
}

/* The name that is shown of events of a type. */
static str_id type_name(struct xspace *space, struct event_type *type, uint64_t id)
{
    char text[32];
    int len;

    if (type && !type->shown)
        type->shown =
            builder_intern(space->builder, type->display.len ? type->display : type->name);
    if (type)
        return type->shown;
    warning_count(builder_warnings(space->builder), WARNING_LOSS,
                  "events of a kind that the file does not name", space->offset);
    len = snprintf(text, sizeof(text), "?%lld", (long long)id);
    return builder_intern(space->builder, (struct span){text, (size_t)len});
}

static bool is_same(struct span a, struct span b)
{
    return a.len == b.len && (a.at == b.at || span_eq(a, b));
}

/* Decided again only where something differs from the last event of the type. */
static void decide_frame(struct xspace *space, const struct line *line, struct decided_frame *last,
                         str_id name)
{
    const uint64_t deciding = UINT64_C(1) << STAT_STEP_NUMBER | UINT64_C(1) << STAT_ITERATION |
                              UINT64_C(1) << STAT_HLO_OP | UINT64_C(1) << STAT_TF_OP;
    const struct stat_set *stats = &space->stats;
    struct span category = stat_text(stats, STAT_HLO_CATEGORY), module = {0};
    uint64_t known = (stats->known & deciding) | (stat_number(stats, STAT_CORRELATION, 0) != 0);
    struct frame frame = {.name = name};

    if (line->kind != TRACK_THREAD)
        module = stat_text(stats, STAT_HLO_MODULE);
    if (last->frame && last->name == name && last->track == line->kind && last->known == known &&
        is_same(last->category, category) && is_same(last->module, module))
        return;
    frame.kind = event_kind(space, line, stats, builder_text(space->builder, name));
    if (line->kind != TRACK_THREAD && stat_has(stats, STAT_HLO_MODULE))
        frame.module = builder_intern(space->builder, module);
    *last = (struct decided_frame){.frame = builder_frame(space->builder, &frame),
                                   .name = name,
                                   .kind = frame.kind,
                                   .track = line->kind,
                                   .known = known,
                                   .category = category,
                                   .module = module};
}

/* ---- what else an event says ---- */

/* One end of an arrow from who made something to who runs it: they agree in a type and a number. */
static void add_flow(const struct xspace *space, const struct stat_set *stats, uint32_t event,
                     int64_t time, bool is_producer)
{
    enum xplane_stat number = is_producer ? STAT_PRODUCER : STAT_CONSUMER;
    enum xplane_stat type = is_producer ? STAT_PRODUCER_TYPE : STAT_CONSUMER_TYPE;
    int64_t key[2];

    if (!stat_has(stats, number) || !stat_has(stats, type))
        return;
    key[0] = stats->list[type].number;
    key[1] = stats->list[number].number;
    builder_flow(space->timeline, &(struct flow_point){.flow = XXH3_64bits(key, sizeof(key)),
                                                       .time = time,
                                                       .event = event,
                                                       .is_of_event = true,
                                                       .is_start = is_producer,
                                                       .is_branch = !is_producer});
}

/* MemoryAccessBreakdown and its MemoryAccessed, of op_metrics.proto. */
struct memory_breakdown {
    struct wire_list accesses;
};

static const struct wire_member memory_breakdown[] = {
    [1] = WIRE_MEMBER(struct memory_breakdown, accesses),
};

struct memory_access {
    uint64_t memory_space, bytes_accessed;
};

static const struct wire_member memory_access[] = {
    [2] = WIRE_MEMBER(struct memory_access, memory_space),
    [3] = WIRE_MEMBER(struct memory_access, bytes_accessed),
};

/* Bytes between the last cache and memory, of all accesses. */
static int64_t memory_bytes(struct span message)
{
    enum { HBM = 1 };
    struct memory_breakdown breakdown = {.accesses.left = 0};
    struct wire_field field;
    int64_t total = 0;

    WIRE_READ(message, memory_breakdown, &breakdown);
    while (wire_list_next(&breakdown.accesses, &field)) {
        struct memory_access access = {0};

        WIRE_READ(field.bytes, memory_access, &access);
        if (access.memory_space == HBM && access.bytes_accessed <= INT64_MAX)
            total = checked_add(total, (int64_t)access.bytes_accessed);
    }
    return total;
}

static void add_work(const struct xspace *space, const struct line *line,
                     const struct stat_set *stats, uint32_t event, struct decided_frame *decided)
{
    struct builder *builder = space->builder;
    int64_t bytes = memory_bytes(stat_text(stats, STAT_MEMORY_BREAKDOWN));

    if (space->kind == PLANE_GPU)
        builder_property(space->timeline, event, PROP_STREAM, line->id);
    xla_details_add(builder, event, stat_text(stats, STAT_KERNEL_DETAILS));
    xla_details_add(builder, event, stat_text(stats, STAT_MEMCPY_DETAILS));
    xla_details_add(builder, event, stat_text(stats, STAT_MEMSET_DETAILS));
    if (stat_has(stats, STAT_MEMCPY_DETAILS) && builder_wants(builder, PROP_COPY_KIND))
        builder_property(space->timeline, event, PROP_COPY_KIND,
                         copy_direction_of_name(builder_text(builder, decided->name)));
    if (stat_number(stats, STAT_FLOPS, 0) > 0)
        builder_property(space->timeline, event, PROP_FLOP, stats->list[STAT_FLOPS].number);
    if (bytes == 0)
        bytes = stat_number(stats, STAT_BYTES_ACCESSED, 0);
    if (bytes > 0)
        builder_property(space->timeline, event, PROP_DRAM_BYTES, bytes);
    if (stat_has(stats, STAT_HLO_CATEGORY)) {
        if (!decided->category_name)
            decided->category_name = builder_intern(builder, decided->category);
        builder_category(space->timeline,
                         builder_category_number(space->timeline, decided->category_name));
    }
}

/* What an allocator has handed out, at each of its calls. */
static bool take_allocation(struct xspace *space, const struct stat_set *stats, int64_t time)
{
    struct span name = stat_text(stats, STAT_ALLOCATOR);
    uint32_t *at;
    str_id text;

    if (!name.len || !stat_has(stats, STAT_ALLOCATED))
        return false;
    text = builder_intern(space->builder, name);
    at = idmap_at(&space->series, text);
    if (*at == IDMAP_NONE)
        *at = builder_series(space->timeline, text, space->plane_name, -1);
    builder_sample(space->timeline, *at, time, (double)stats->list[STAT_ALLOCATED].number);
    return true;
}

/* ---- events ---- */

static int64_t floor_ns(int64_t ps)
{
    return ps / 1000 - (ps % 1000 < 0);
}

/* Both ends are rounded down: what nests in picoseconds does in nanoseconds. False: no possible time. */
static bool place_in_time(const struct line *line, const struct line_event *event, int64_t *start,
                          int64_t *end)
{
    int64_t offset = (int64_t)event->offset.value, stop;

    return !__builtin_add_overflow(offset, event->duration, &stop) &&
           !__builtin_add_overflow(line->time, floor_ns(offset), start) &&
           !__builtin_add_overflow(line->time, floor_ns(stop), end) && time_is_possible(*start) &&
           time_is_possible(*end);
}

static void add_event(struct xspace *space, const struct line *line, const struct line_event *event,
                      struct event_type *type)
{
    const struct stat_set *stats = &space->stats;
    struct span step = stat_text(stats, STAT_STEP_NAME);
    str_id name =
        step.len ? builder_intern(space->builder, step) : type_name(space, type, event->type);
    struct decided_frame of_one = {0}, *decided = type ? &type->last : &of_one;
    int64_t start, end, correlation = stat_number(stats, STAT_CORRELATION, 0);
    uint32_t added;

    if (!place_in_time(line, event, &start, &end)) {
        warning_count(builder_warnings(space->builder), WARNING_LOSS,
                      "events at times that cannot be, left out", space->offset);
        return;
    }
    if (line->kind == TRACK_THREAD && take_allocation(space, stats, start))
        return;
    decide_frame(space, line, decided, name);
    added =
        builder_event(space->timeline, line->track, start, checked_sub(end, start), decided->frame);
    space->events++;
    if (correlation && line->kind == TRACK_THREAD)
        builder_launches(space->timeline, added, correlation);
    else if (correlation && line->kind == TRACK_STREAM)
        builder_launched(space->timeline, added, correlation);
    add_flow(space, stats, added, start, true);
    add_flow(space, stats, added, start, false);
    if (decided->kind == KIND_ANNOTATION && line->kind == TRACK_THREAD)
        builder_property(
            space->timeline, added, PROP_STEP,
            stat_number(stats, STAT_STEP_NUMBER, stat_number(stats, STAT_ITERATION, 0)));
    else if (line->kind == TRACK_STREAM || line->kind == TRACK_ASYNC)
        add_work(space, line, stats, added, decided);
}

static void read_event(struct xspace *space, const struct line *line, struct span message)
{
    struct line_event event = {.type = 0};
    struct wire_field field;
    struct event_type *type;

    WIRE_READ(message, event_members, &event);
    if (event.occurrences.is_there && !event.offset.is_there) {
        warning_count(builder_warnings(space->builder), WARNING_NOTE,
                      "sums over several events, which have no place in time, left out",
                      space->offset);
        return;
    }
    type = find_type(space, event.type);
    take_type_stats(space, type);
    while (wire_list_next(&event.stats, &field))
        xspace_take_stat(space, field.bytes, &space->stats);
    add_event(space, line, &event, type);
}

void xspace_add_line(struct xspace *space, struct span message)
{
    struct line_message fields = {.id = 0};
    struct line line;
    struct wire_field field;

    WIRE_READ(message, line_members, &fields);
    line = (struct line){.id = fields.id,
                         .time = fields.timestamp_ns,
                         .name = fields.display_name.len ? fields.display_name : fields.name};
    line.kind = line_kind(space, &line);
    if (line.time > EPOCH_TIMES) {
        if (!space->absolute_start) {
            space->absolute_start = line.time;
            builder_origin(space->timeline, line.time);
        }
        line.time -= space->absolute_start;
    }
    line.track = find_track(space, &line);
    while (wire_list_next(&fields.events, &field))
        read_event(space, &line, field.bytes);
}
