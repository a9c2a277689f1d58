/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_events.c — track events as packets have them */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "parsers/perfetto/perfetto.h"

enum { MICROSECOND = 1000 };

/* ---- what an event says besides ---- */

/* What of its annotations, by their names as rocprofv3 and PyTorch have them. */
static const struct {
    struct span name;
    enum property property;
} arguments[] = {
    {LITERAL("correlation"), PROP_CORRELATION},
    {LITERAL("corr_id"), PROP_CORRELATION},
    {LITERAL("stream"), PROP_STREAM},
    {LITERAL("context"), PROP_CONTEXT},
    {LITERAL("bytes"), PROP_BYTES},
    {LITERAL("copy_bytes"), PROP_BYTES},
    {LITERAL("grid"), PROP_GRID},
    {LITERAL("block"), PROP_BLOCK},
    {LITERAL("registers per thread"), PROP_REGISTERS},
    {LITERAL("shared memory"), PROP_SHARED_MEMORY},
    {LITERAL("group_segment_size"), PROP_SHARED_MEMORY},
};

static bool wants(const struct builder *builder, enum property property)
{
    return builder_wants(builder, property) ||
           (property == PROP_CORRELATION && builder_wants_launches(builder));
}

bool perfetto_wants_arguments(const struct builder *builder)
{
    bool wants_any = false;

    for (size_t i = 0; i < COUNT_OF(arguments); i++)
        wants_any |= wants(builder, arguments[i].property);
    return wants_any;
}

/* DebugAnnotation, of debug_annotation.proto. */
struct annotation {
    struct wire_optional name_iid, number, double_value;
    struct span name, string_value;
    struct wire_list array_values;
};

static const struct wire_member annotation_members[] = {
    [1] = WIRE_MEMBER(struct annotation, name_iid),
    [2] = WIRE_MEMBER(struct annotation, number), /* bool_value, */
    [3] = WIRE_MEMBER(struct annotation, number), /* uint_value, */
    [4] = WIRE_MEMBER(struct annotation, number), /* int_value */
    [5] = WIRE_MEMBER(struct annotation, double_value),
    [6] = WIRE_MEMBER(struct annotation, string_value),
    [10] = WIRE_MEMBER(struct annotation, name),
    [12] = WIRE_MEMBER(struct annotation, array_values),
};

static bool value_of(const struct annotation *annotation, int64_t *value)
{
    if (annotation->number.is_there)
        *value = (int64_t)annotation->number.value;
    else if (annotation->double_value.is_there)
        *value = checked_whole(wire_double(annotation->double_value.value));
    else
        return span_to_i64(annotation->string_value, value);
    return true;
}

/* Three numbers of an array: no deeper, however deep it goes. */
static bool array_of(struct wire_list values, int64_t *packed)
{
    struct wire_field field;
    int64_t numbers[3] = {1, 1, 1};
    size_t count = 0;

    while (count < 3 && wire_list_next(&values, &field)) {
        struct annotation item = {.number.value = 0};

        WIRE_READ(field.bytes, annotation_members, &item);
        (void)value_of(&item, &numbers[count++]);
    }
    *packed = property_pack3(numbers[0], numbers[1], numbers[2]);
    return count == 3;
}

static void take_annotation(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                            struct span message)
{
    struct annotation annotation = {.number.value = 0};
    int64_t value = 0;

    WIRE_READ(message, annotation_members, &annotation);
    if (annotation.name_iid.is_there)
        annotation.name = builder_text(perfetto->builder, perfetto_text(sequence, INTERNED_ARGUMENT,
                                                                        annotation.name_iid.value));
    for (size_t i = 0; i < COUNT_OF(arguments); i++) {
        enum property property = arguments[i].property;

        if (!span_eq(annotation.name, arguments[i].name) || !wants(perfetto->builder, property))
            continue;
        if (property == PROP_GRID || property == PROP_BLOCK
                ? array_of(annotation.array_values, &value)
                : value_of(&annotation, &value))
            vector_add(&perfetto->row_events.list[perfetto->last.row].last->arguments,
                       (struct perfetto_argument){perfetto->last.number, property, value});
    }
}

/* ---- counters ---- */

static void add_count(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                      uint64_t uuid, struct perfetto_time time, double value)
{
    vector_add(&perfetto->counts, (struct perfetto_count){.time = time.time,
                                                          .value = value,
                                                          .clock = time.clock,
                                                          .row = perfetto_row(perfetto, uuid),
                                                          .generation = sequence->generation});
}

/* ---- a track event ---- */

/* TrackEvent, of track_event.proto. */
struct track_event {
    uint64_t type;
    struct wire_optional timestamp_delta_us, timestamp_absolute_us, name_iid, track_uuid;
    struct wire_optional counter_value, double_counter_value, callstack_iid;
    double callstack_weight;
    struct span name, legacy_event, callstack;
    struct wire_list categories, debug_annotations, flows, extra_counters;
};

enum {
    CATEGORY_IIDS = 3,
    CATEGORIES = 22,
    EXTRA_COUNTER_VALUES = 12,
    EXTRA_COUNTER_TRACK_UUIDS = 31,
    EXTRA_DOUBLE_COUNTER_TRACK_UUIDS = 45,
    EXTRA_DOUBLE_COUNTER_VALUES = 46,
    FLOW_IDS_OLD = 36,
    TERMINATING_FLOW_IDS_OLD = 42,
    FLOW_IDS = 47,
    TERMINATING_FLOW_IDS = 48
};

static const struct wire_member track_event[] = {
    [1] = WIRE_MEMBER(struct track_event, timestamp_delta_us),
    [CATEGORY_IIDS] = WIRE_MEMBER(struct track_event, categories),
    [4] = WIRE_MEMBER(struct track_event, debug_annotations),
    [6] = WIRE_MEMBER(struct track_event, legacy_event),
    [9] = WIRE_MEMBER(struct track_event, type),
    [10] = WIRE_MEMBER(struct track_event, name_iid),
    [11] = WIRE_MEMBER(struct track_event, track_uuid),
    [EXTRA_COUNTER_VALUES] = WIRE_MEMBER(struct track_event, extra_counters),
    [16] = WIRE_MEMBER(struct track_event, timestamp_absolute_us),
    [CATEGORIES] = WIRE_MEMBER(struct track_event, categories),
    [23] = WIRE_MEMBER(struct track_event, name),
    [30] = WIRE_MEMBER(struct track_event, counter_value),
    [EXTRA_COUNTER_TRACK_UUIDS] = WIRE_MEMBER(struct track_event, extra_counters),
    [FLOW_IDS_OLD] = WIRE_MEMBER(struct track_event, flows),
    [TERMINATING_FLOW_IDS_OLD] = WIRE_MEMBER(struct track_event, flows),
    [44] = WIRE_MEMBER(struct track_event, double_counter_value),
    [EXTRA_DOUBLE_COUNTER_TRACK_UUIDS] = WIRE_MEMBER(struct track_event, extra_counters),
    [EXTRA_DOUBLE_COUNTER_VALUES] = WIRE_MEMBER(struct track_event, extra_counters),
    [FLOW_IDS] = WIRE_MEMBER(struct track_event, flows),
    [TERMINATING_FLOW_IDS] = WIRE_MEMBER(struct track_event, flows),
    [55] = WIRE_MEMBER(struct track_event, callstack),
    [56] = WIRE_MEMBER(struct track_event, callstack_iid),
    [57] = WIRE_MEMBER(struct track_event, callstack_weight),
};

/* Several categories are one text, as the file would have them in JSON. */
static str_id join_category(struct perfetto *perfetto, str_id category, str_id name)
{
    struct span before = builder_text(perfetto->builder, category),
                after = builder_text(perfetto->builder, name);

    if (!category || before.len > 256)
        return category ? category : name;
    perfetto->text.count = 0;
    for (size_t i = 0; i < before.len; i++)
        vector_add(&perfetto->text, before.at[i]);
    vector_add(&perfetto->text, ',');
    for (size_t i = 0; i < after.len; i++)
        vector_add(&perfetto->text, after.at[i]);
    return builder_intern(perfetto->builder,
                          (struct span){perfetto->text.list, perfetto->text.count});
}

static str_id category_of(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                          struct wire_list categories)
{
    struct wire_field field;
    str_id category = 0;

    while (wire_list_next(&categories, &field)) {
        if (field.number == CATEGORIES) {
            category =
                join_category(perfetto, category, perfetto_intern_text(perfetto, field.bytes));
            continue;
        }
        perfetto->numbers.count = 0;
        perfetto_numbers(&field, &perfetto->numbers);
        for (size_t i = 0; i < perfetto->numbers.count; i++)
            category = join_category(
                perfetto, category,
                perfetto_text(sequence, INTERNED_CATEGORY, perfetto->numbers.list[i]));
    }
    return category;
}

/* The counts that stand beside an event: values by place, whose rows it names or the defaults do. */
static void add_counts(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                       struct wire_list counters, struct perfetto_time time, bool is_double)
{
    uint64_t values_at = is_double ? EXTRA_DOUBLE_COUNTER_VALUES : EXTRA_COUNTER_VALUES;
    uint64_t rows_at = is_double ? EXTRA_DOUBLE_COUNTER_TRACK_UUIDS : EXTRA_COUNTER_TRACK_UUIDS;
    const struct perfetto_numbers *rows = &perfetto->more;
    struct wire_field field;

    perfetto->numbers.count = perfetto->more.count = 0;
    while (wire_list_next(&counters, &field))
        if (field.number == rows_at)
            perfetto_numbers(&field, &perfetto->more);
        else if (field.number == values_at && is_double && field.type == WIRE_BYTES) {
            /* Doubles one after the other. */
            for (size_t i = 0; i + 8 <= field.bytes.len; i += 8) {
                uint64_t bits = 0;

                for (int j = 0; j < 8; j++)
                    bits |= (uint64_t)(unsigned char)field.bytes.at[i + (size_t)j] << 8 * j;
                vector_add(&perfetto->numbers, bits);
            }
        } else if (field.number == values_at)
            perfetto_numbers(&field, &perfetto->numbers);
    if (!rows->count)
        rows = is_double ? &sequence->double_counters : &sequence->counters;
    for (size_t i = 0; i < rows->count && i < perfetto->numbers.count; i++)
        add_count(perfetto, sequence, rows->list[i], time,
                  is_double ? wire_double(perfetto->numbers.list[i])
                            : (double)(int64_t)perfetto->numbers.list[i]);
}

static void add_flows(struct perfetto *perfetto, struct wire_list flows, struct perfetto_time time)
{
    struct wire_field field;

    while (wire_list_next(&flows, &field)) {
        bool is_last =
            field.number == TERMINATING_FLOW_IDS_OLD || field.number == TERMINATING_FLOW_IDS;

        perfetto->numbers.count = 0;
        if (field.number < FLOW_IDS || field.type != WIRE_BYTES) /* the newer are never packed */
            perfetto_numbers(&field, &perfetto->numbers);
        for (size_t i = 0; i < perfetto->numbers.count; i++)
            vector_add(&perfetto->flows,
                       (struct perfetto_flow){perfetto->numbers.list[i], time.time, time.clock,
                                              perfetto->last, is_last});
    }
}

/* TrackEvent.LegacyEvent. */
struct legacy_event {
    uint64_t name_iid, phase, unscoped_id, local_id, global_id;
    int64_t duration_us;
    int32_t pid_override, tid_override;
    struct span id_scope;
};

static const struct wire_member legacy_members[] = {
    [1] = WIRE_MEMBER(struct legacy_event, name_iid),
    [2] = WIRE_MEMBER(struct legacy_event, phase),
    [3] = WIRE_MEMBER(struct legacy_event, duration_us),
    [6] = WIRE_MEMBER(struct legacy_event, unscoped_id),
    [7] = WIRE_MEMBER(struct legacy_event, id_scope),
    [10] = WIRE_MEMBER(struct legacy_event, local_id),
    [11] = WIRE_MEMBER(struct legacy_event, global_id),
    [18] = WIRE_MEMBER(struct legacy_event, pid_override),
    [19] = WIRE_MEMBER(struct legacy_event, tid_override),
};

static struct legacy_event legacy_event(struct span message)
{
    struct legacy_event legacy = {0};

    WIRE_READ(message, legacy_members, &legacy);
    return legacy;
}

/* An event as Chrome's JSON knows it. False for one that is none of time's. */
static bool read_legacy(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                        struct span message, struct perfetto_event *event)
{
    struct legacy_event legacy = legacy_event(message);
    int64_t pid = legacy.pid_override ? legacy.pid_override : sequence->pid;
    uint64_t key[5] = {0};

    if (legacy.tid_override)
        event->row = perfetto_row_of_thread(perfetto, pid, legacy.tid_override);
    switch (legacy.phase) {
    case 'B':
        event->type = PERFETTO_BEGIN;
        return true;
    case 'E':
        event->type = PERFETTO_END;
        return true;
    case 'X':
        event->type = PERFETTO_COMPLETE;
        event->duration = checked_mul(not_negative(legacy.duration_us), MICROSECOND);
        return true;
    case 'i':
    case 'I':
    case 'R':
        event->type = PERFETTO_INSTANT;
        return true;
    case 'b':
    case 'S':
        event->type = PERFETTO_BEGIN;
        break;
    case 'e':
    case 'F':
        event->type = PERFETTO_END;
        break;
    case 'n':
    case 'T':
    case 'p':
        event->type = PERFETTO_INSTANT;
        break;
    default:
        return false;
    }
    key[0] = legacy.unscoped_id ? legacy.unscoped_id
             : legacy.local_id  ? legacy.local_id
                                : legacy.global_id;
    key[1] = legacy.local_id ? (uint64_t)pid + 1 : 0;
    key[2] = event->category;
    key[3] = legacy.phase < 'a' || legacy.phase == 'p' ? event->name : 0; /* S, T, p, F: by name */
    key[4] = perfetto_intern_text(perfetto, legacy.id_scope);
    event->row = perfetto_row_of_operation(
        perfetto, XXH3_64bits(key, sizeof(key)),
        event->category ? event->category : builder_intern(perfetto->builder, SPAN("operations")),
        pid);
    event->category = 0; /* an end need not repeat it: the row is its own */
    return true;
}

/* The row of the event, as it says, or the defaults, or whose thread writes. */
static uint32_t row_of(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                       struct wire_optional track_uuid)
{
    if (track_uuid.is_there)
        return perfetto_row(perfetto, track_uuid.value);
    if (sequence->has_default_track)
        return perfetto_row(perfetto, sequence->default_track);
    if (sequence->has_thread)
        return perfetto_row_of_thread(perfetto, sequence->pid, sequence->tid);
    return perfetto_row(perfetto, 0);
}

static struct perfetto_time time_of(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                                    const struct track_event *fields, struct perfetto_time time)
{
    bool has_delta = fields->timestamp_delta_us.is_there;

    if (!has_delta && !fields->timestamp_absolute_us.is_there)
        return time;
    time.clock = perfetto_clock(&perfetto->clocks, CLOCK_MONOTONIC_ID, sequence->id);
    time.is_known = !has_delta || !sequence->lacks_base;
    if (has_delta)
        time.time = sequence->base = checked_add(
            sequence->base, checked_mul((int64_t)fields->timestamp_delta_us.value, MICROSECOND));
    else
        time.time = checked_mul((int64_t)fields->timestamp_absolute_us.value, MICROSECOND);
    return time;
}

/* What came with an event that was added. */
static void add_details(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                        struct track_event *fields, struct perfetto_time time)
{
    bool has_flows = fields->flows.left && builder_wants_launches(perfetto->builder);
    bool has_annotations = fields->debug_annotations.left && perfetto->wants_arguments;
    struct wire_field field;

    if (has_flows) {
        perfetto->row_events.list[perfetto->last.row].is_named = true;
        add_flows(perfetto, fields->flows, time);
    }
    if (fields->extra_counters.left) {
        add_counts(perfetto, sequence, fields->extra_counters, time, false);
        add_counts(perfetto, sequence, fields->extra_counters, time, true);
    }
    while (has_annotations && wire_list_next(&fields->debug_annotations, &field))
        take_annotation(perfetto, sequence, field.bytes);
}

void perfetto_track_event(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                          struct span message, struct perfetto_time time)
{
    struct track_event fields;
    struct perfetto_event event = {.time = 0};

    wire_clear(&fields, sizeof(fields));
    fields.callstack_weight = 1;
    WIRE_READ(message, track_event, &fields);
    time = time_of(perfetto, sequence, &fields, time);
    if (!time.is_known) {
        perfetto_warn(perfetto, WARNING_LOSS, "events without a time, left out");
        return;
    }
    if (fields.type == PERFETTO_COUNTER) {
        if (fields.counter_value.is_there || fields.double_counter_value.is_there)
            add_count(
                perfetto, sequence,
                fields.track_uuid.is_there ? fields.track_uuid.value : sequence->default_track, time,
                fields.double_counter_value.is_there ? wire_double(fields.double_counter_value.value)
                                                   : (double)(int64_t)fields.counter_value.value);
        return;
    }
    event.time = time.time;
    event.clock = time.clock;
    event.name = perfetto_intern_text(perfetto, fields.name);
    if (!event.name && fields.name_iid.is_there)
        event.name = perfetto_text(sequence, INTERNED_NAME, fields.name_iid.value);
    event.category = category_of(perfetto, sequence, fields.categories);
    event.row = row_of(perfetto, sequence, fields.track_uuid);
    event.type = (enum perfetto_event_type)(fields.type <= PERFETTO_STATE ? fields.type : 0);
    if (fields.legacy_event.at && !event.name)
        event.name =
            perfetto_text(sequence, INTERNED_NAME, legacy_event(fields.legacy_event).name_iid);
    if (fields.name_iid.is_there && !event.name)
        perfetto_warn(perfetto, WARNING_LOSS, "events whose name is a number that names nothing");
    if (fields.callstack.at || fields.callstack_iid.is_there)
        perfetto_event_sample(perfetto, sequence, event.row, time, fields.callstack,
                              fields.callstack_iid.value, fields.callstack_weight);
    if (event.type ||
        (fields.legacy_event.at && read_legacy(perfetto, sequence, fields.legacy_event, &event))) {
        perfetto_add_event(perfetto, &event);
        add_details(perfetto, sequence, &fields, time);
    }
}

/* GpuRenderStageEvent, of gpu_render_stage_event.proto. */
struct render_stage {
    int64_t duration, gpu_id;
    uint64_t hw_queue_iid, stage_iid;
};

static const struct wire_member render_stage[] = {
    [2] = WIRE_MEMBER(struct render_stage, duration),
    [11] = WIRE_MEMBER(struct render_stage, gpu_id),
    [13] = WIRE_MEMBER(struct render_stage, hw_queue_iid),
    [14] = WIRE_MEMBER(struct render_stage, stage_iid),
};

void perfetto_render_stage(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                           struct span message, struct perfetto_time time)
{
    enum { APART = 0x47505500 };
    struct render_stage stage = {0};
    uint64_t key[3];
    struct perfetto_event event = {.type = PERFETTO_COMPLETE};

    if (!time.is_known)
        return;
    WIRE_READ(message, render_stage, &stage);
    key[0] = APART;
    key[1] = (uint64_t)stage.gpu_id;
    key[2] = perfetto_text(sequence, INTERNED_STAGE, stage.hw_queue_iid);
    event.row = perfetto_row_of_operation(perfetto, XXH3_64bits(key, sizeof(key)), (str_id)key[2],
                                          stage.gpu_id);
    event.time = time.time;
    event.clock = time.clock;
    event.duration = not_negative(stage.duration);
    event.name = perfetto_text(sequence, INTERNED_STAGE, stage.stage_iid);
    event.category = builder_intern(perfetto->builder, SPAN("kernel"));
    perfetto_add_event(perfetto, &event);
}
