/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_events.c — track events as packets have them */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "parsers/perfetto/perfetto.h"

enum { MICROSECOND = 1000 };

static double as_double(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* ---- what an event says besides ---- */

/* What of its annotations, by their names as rocprofv3 and PyTorch have them. */
static const struct {
    const char *name;
    enum property property;
} arguments[] = {
    {"correlation", PROP_CORRELATION},
    {"corr_id", PROP_CORRELATION},
    {"stream", PROP_STREAM},
    {"context", PROP_CONTEXT},
    {"bytes", PROP_BYTES},
    {"copy_bytes", PROP_BYTES},
    {"grid", PROP_GRID},
    {"block", PROP_BLOCK},
    {"registers per thread", PROP_REGISTERS},
    {"shared memory", PROP_SHARED_MEMORY},
    {"group_segment_size", PROP_SHARED_MEMORY},
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

static bool read_value(const struct wire_field *field, int64_t *value)
{
    enum { BOOL = 2, UINT = 3, INT = 4, DOUBLE = 5, STRING = 6 };

    if (field->type == WIRE_VARINT && field->number >= BOOL && field->number <= INT)
        *value = (int64_t)field->value;
    else if (field->type == WIRE_FIXED64 && field->number == DOUBLE)
        *value = checked_whole(as_double(field->value));
    else
        return field->type == WIRE_BYTES && field->number == STRING &&
               span_to_i64(field->bytes, value);
    return true;
}

/* Three numbers of an array: no deeper, however deep it goes. */
static bool read_array(struct span annotation, int64_t *value)
{
    enum { ITEM = 12 };
    struct wire wire = wire_of(annotation), parts;
    struct wire_field field, part;
    int64_t numbers[3] = {1, 1, 1};
    size_t count = 0;

    while (wire_next(&wire, &field)) {
        if (field.number != ITEM || field.type != WIRE_BYTES || count == 3)
            continue;
        parts = wire_of(field.bytes);
        while (wire_next(&parts, &part))
            (void)read_value(&part, &numbers[count]);
        count++;
    }
    *value = property_pack3(numbers[0], numbers[1], numbers[2]);
    return count == 3;
}

static void take_annotation(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                            struct span annotation)
{
    enum { NUMBER = 1, NAME = 10 };
    struct wire wire = wire_of(annotation);
    struct wire_field field;
    struct span name = {0};
    int64_t value = 0;
    bool has_value = false;

    while (wire_next(&wire, &field)) {
        if (field.number == NAME && field.type == WIRE_BYTES)
            name = field.bytes;
        else if (field.number == NUMBER)
            name = builder_text(perfetto->builder,
                                perfetto_text(sequence, INTERNED_ARGUMENT, field.value));
        else
            has_value |= read_value(&field, &value);
    }
    for (size_t i = 0; i < COUNT_OF(arguments); i++) {
        enum property property = arguments[i].property;

        if (!wants(perfetto->builder, property) || !span_eq(name, span_of(arguments[i].name)))
            continue;
        if (property == PROP_GRID || property == PROP_BLOCK)
            has_value = read_array(annotation, &value);
        if (has_value)
            vector_add(
                &perfetto->arguments,
                (struct perfetto_argument){perfetto->last, perfetto->last_kind, property, value});
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

/* What one says, before it is known where it belongs. */
struct track_event_fields {
    uint64_t type, track, stack;
    bool has_track, has_stack, has_delta, has_absolute, has_count, has_annotations, has_name;
    bool has_flows, has_counts;
    int64_t delta, absolute;
    double count, weight;
    str_id name, category;
    struct span legacy, inlined;
};

/* Several categories are one text, as the file would have them in JSON. */
static void add_category(struct perfetto *perfetto, struct track_event_fields *event, str_id name)
{
    struct span before = builder_text(perfetto->builder, event->category),
                after = builder_text(perfetto->builder, name);

    if (!event->category || before.len > 256) {
        event->category = event->category ? event->category : name;
        return;
    }
    perfetto->text.count = 0;
    for (size_t i = 0; i < before.len; i++)
        vector_add(&perfetto->text, before.at[i]);
    vector_add(&perfetto->text, ',');
    for (size_t i = 0; i < after.len; i++)
        vector_add(&perfetto->text, after.at[i]);
    event->category =
        builder_intern(perfetto->builder, (struct span){perfetto->text.list, perfetto->text.count});
}

static void read_fields(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                        struct span message, struct track_event_fields *event)
{
    struct wire wire = wire_of(message);
    struct wire_field field;

    while (wire_next(&wire, &field)) {
        bool is_text = field.type == WIRE_BYTES;

        switch (field.number) {
        case 1:
            event->has_delta = true;
            event->delta = (int64_t)field.value;
            break;
        case 3:
            perfetto->numbers.count = 0;
            perfetto_numbers(&field, &perfetto->numbers);
            for (size_t i = 0; i < perfetto->numbers.count; i++)
                add_category(perfetto, event,
                             perfetto_text(sequence, INTERNED_CATEGORY, perfetto->numbers.list[i]));
            break;
        case 4:
            event->has_annotations = true;
            break;
        case 6:
            event->legacy = is_text ? field.bytes : event->legacy;
            break;
        case 9:
            event->type = field.value;
            break;
        case 10:
            event->has_name = true;
            if (!event->name)
                event->name = perfetto_text(sequence, INTERNED_NAME, field.value);
            break;
        case 12:
        case 46:
            event->has_counts = true;
            break;
        case 36:
        case 42:
        case 47:
        case 48:
            event->has_flows = true;
            break;
        case 11:
            event->has_track = true;
            event->track = field.value;
            break;
        case 16:
            event->has_absolute = true;
            event->absolute = (int64_t)field.value;
            break;
        case 22:
            if (is_text)
                add_category(perfetto, event, builder_intern(perfetto->builder, field.bytes));
            break;
        case 23:
            if (is_text)
                event->name = builder_intern(perfetto->builder, field.bytes);
            break;
        case 30:
            event->has_count = true;
            event->count = (double)(int64_t)field.value;
            break;
        case 44:
            event->has_count = true;
            event->count = as_double(field.value);
            break;
        case 55:
            event->inlined = is_text ? field.bytes : event->inlined;
            break;
        case 56:
            event->has_stack = true;
            event->stack = field.value;
            break;
        case 57:
            event->weight = as_double(field.value);
            break;
        default:
            break;
        }
    }
}

/* The counts that stand beside an event: values by place, whose rows it names or the defaults do. */
static void add_counts(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                       struct span message, struct perfetto_time time, uint64_t values_at,
                       uint64_t rows_at, const struct perfetto_numbers *defaults)
{
    struct wire wire = wire_of(message);
    struct wire_field field;
    const struct perfetto_numbers *rows = &perfetto->more;

    perfetto->numbers.count = perfetto->more.count = 0;
    while (wire_next(&wire, &field))
        if (field.number == rows_at) {
            perfetto_numbers(&field, &perfetto->more);
        } else if (field.number == values_at && values_at == 46 && field.type == WIRE_BYTES) {
            for (size_t i = 0; i + 8 <= field.bytes.len; i += 8) { /* packed doubles */
                uint64_t bits = 0;

                for (int j = 0; j < 8; j++)
                    bits |= (uint64_t)(unsigned char)field.bytes.at[i + (size_t)j] << 8 * j;
                vector_add(&perfetto->numbers, bits);
            }
        } else if (field.number == values_at) {
            perfetto_numbers(&field, &perfetto->numbers);
        }
    if (!rows->count)
        rows = defaults;
    for (size_t i = 0; i < rows->count && i < perfetto->numbers.count; i++)
        add_count(perfetto, sequence, rows->list[i], time,
                  values_at == 46 ? as_double(perfetto->numbers.list[i])
                                  : (double)(int64_t)perfetto->numbers.list[i]);
}

static void add_flows(struct perfetto *perfetto, struct span message, struct perfetto_time time)
{
    struct wire wire = wire_of(message);
    struct wire_field field;

    while (wire_next(&wire, &field)) {
        bool is_last = field.number == 42 || field.number == 48;

        if (!is_last && field.number != 36 && field.number != 47)
            continue;
        perfetto->numbers.count = 0;
        if (field.number < 47 || field.type != WIRE_BYTES)
            perfetto_numbers(&field, &perfetto->numbers);
        for (size_t i = 0; i < perfetto->numbers.count; i++)
            vector_add(&perfetto->flows,
                       (struct perfetto_flow){perfetto->numbers.list[i], time.time, time.clock,
                                              perfetto->last, is_last});
    }
}

/* An event as Chrome's JSON knows it. False for one that is none of time's. */
static bool read_legacy(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                        struct span message, const struct track_event_fields *fields,
                        struct perfetto_event *event)
{
    enum {
        PHASE = 2,
        DURATION = 3,
        ID = 6,
        SCOPE = 7,
        LOCAL = 10,
        GLOBAL = 11,
        PID = 18,
        TID = 19
    };
    uint64_t said[20] = {0}, key[5] = {0};
    struct wire wire = wire_of(message);
    struct wire_field field;
    int64_t pid = sequence->pid;

    perfetto_fields(message, said, COUNT_OF(said));
    pid = said[PID] ? (int32_t)said[PID] : pid;
    if (said[TID])
        event->row = perfetto_row_of_thread(perfetto, pid, (int32_t)said[TID]);
    switch (said[PHASE]) {
    case 'B':
        event->type = PERFETTO_BEGIN;
        return true;
    case 'E':
        event->type = PERFETTO_END;
        return true;
    case 'X':
        event->type = PERFETTO_COMPLETE;
        event->duration = checked_mul(not_negative((int64_t)said[DURATION]), MICROSECOND);
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
    key[0] = said[ID] ? said[ID] : said[LOCAL] ? said[LOCAL] : said[GLOBAL];
    key[1] = said[LOCAL] ? (uint64_t)pid + 1 : 0;
    key[2] = fields->category;
    key[3] = said[PHASE] < 'a' || said[PHASE] == 'p' ? event->name : 0; /* S, T, p, F: by name */
    while (wire_next(&wire, &field))
        if (field.number == SCOPE && field.type == WIRE_BYTES)
            key[4] = builder_intern(perfetto->builder, field.bytes);
    event->row = perfetto_row_of_operation(
        perfetto, XXH3_64bits(key, sizeof(key)),
        fields->category ? fields->category : builder_intern(perfetto->builder, SPAN("operations")),
        pid);
    event->category = 0; /* an end need not repeat it: the row is its own */
    return true;
}

/* The row of the event, as it says, or the defaults, or whose thread writes. */
static uint32_t row_of(struct perfetto *perfetto, const struct perfetto_sequence *sequence,
                       const struct track_event_fields *fields)
{
    if (fields->has_track)
        return perfetto_row(perfetto, fields->track);
    if (sequence->has_default_track)
        return perfetto_row(perfetto, sequence->default_track);
    if (sequence->has_thread)
        return perfetto_row_of_thread(perfetto, sequence->pid, sequence->tid);
    return perfetto_row(perfetto, 0);
}

static struct perfetto_time time_of(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                                    const struct track_event_fields *fields,
                                    struct perfetto_time time)
{
    if (!fields->has_delta && !fields->has_absolute)
        return time;
    time.clock = perfetto_clock(&perfetto->clocks, CLOCK_MONOTONIC_ID, sequence->id);
    time.is_known = !fields->has_delta || !sequence->lacks_base;
    if (fields->has_delta)
        time.time = sequence->base =
            checked_add(sequence->base, checked_mul(fields->delta, MICROSECOND));
    else
        time.time = checked_mul(fields->absolute, MICROSECOND);
    return time;
}

void perfetto_track_event(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                          struct span message, struct perfetto_time time)
{
    enum { LEGACY_NAME = 1, ANNOTATION = 4 };
    struct track_event_fields fields = {.weight = 1};
    struct perfetto_event event = {.time = 0};
    struct wire wire = wire_of(message);
    struct wire_field field;

    read_fields(perfetto, sequence, message, &fields);
    time = time_of(perfetto, sequence, &fields, time);
    if (!time.is_known) {
        perfetto_warn(perfetto, WARNING_LOSS, "events without a time, left out");
        return;
    }
    if (fields.type == PERFETTO_COUNTER) {
        if (fields.has_count)
            add_count(perfetto, sequence, fields.has_track ? fields.track : sequence->default_track,
                      time, fields.count);
        return;
    }
    event.time = time.time;
    event.clock = time.clock;
    event.name = fields.name;
    event.category = fields.category;
    event.row = row_of(perfetto, sequence, &fields);
    event.type = (enum perfetto_event_type)(fields.type <= PERFETTO_STATE ? fields.type : 0);
    if (fields.legacy.at && !event.name) {
        uint64_t said[2] = {0};

        perfetto_fields(fields.legacy, said, COUNT_OF(said));
        event.name = perfetto_text(sequence, INTERNED_NAME, said[LEGACY_NAME]);
    }
    if (fields.has_name && !event.name)
        perfetto_warn(perfetto, WARNING_LOSS, "events whose name is a number that names nothing");
    if (fields.inlined.at || fields.has_stack)
        perfetto_event_sample(perfetto, sequence, event.row, time, fields.inlined, fields.stack,
                              fields.weight);
    if (!event.type &&
        !(fields.legacy.at && read_legacy(perfetto, sequence, fields.legacy, &fields, &event)))
        return;
    perfetto_add_event(perfetto, &event);
    fields.has_flows &= builder_wants_launches(perfetto->builder);
    fields.has_annotations &= perfetto->wants_arguments;
    if (fields.has_flows || fields.has_annotations)
        perfetto->row_events.list[event.row].is_named = true;
    if (fields.has_flows)
        add_flows(perfetto, message, time);
    if (fields.has_counts) {
        add_counts(perfetto, sequence, message, time, 12, 31, &sequence->counters);
        add_counts(perfetto, sequence, message, time, 46, 45, &sequence->double_counters);
    }
    while (fields.has_annotations && wire_next(&wire, &field))
        if (field.number == ANNOTATION && field.type == WIRE_BYTES)
            take_annotation(perfetto, sequence, field.bytes);
}

void perfetto_render_stage(struct perfetto *perfetto, struct perfetto_sequence *sequence,
                           struct span message, struct perfetto_time time)
{
    enum { DURATION = 2, DEVICE = 11, QUEUE = 13, STAGE = 14, APART = 0x47505500 };
    uint64_t said[15] = {0}, key[3];
    struct perfetto_event event = {.type = PERFETTO_COMPLETE};

    if (!time.is_known)
        return;
    perfetto_fields(message, said, COUNT_OF(said));
    key[0] = APART;
    key[1] = said[DEVICE];
    key[2] = perfetto_text(sequence, INTERNED_STAGE, said[QUEUE]);
    event.row = perfetto_row_of_operation(perfetto, XXH3_64bits(key, sizeof(key)), (str_id)key[2],
                                          (int64_t)said[DEVICE]);
    event.time = time.time;
    event.clock = time.clock;
    event.duration = not_negative((int64_t)said[DURATION]);
    event.name = perfetto_text(sequence, INTERNED_STAGE, said[STAGE]);
    event.category = builder_intern(perfetto->builder, SPAN("kernel"));
    perfetto_add_event(perfetto, &event);
}
