/* SPDX-License-Identifier: Apache-2.0 */
/* jfr.c — Java Flight Recorder's files, as the JVM, async-profiler and Datadog's profiler write them
 *
 * A file is chunks, one after another. Every event that has a stack is a sample of what its class
 * counts: events, and mostly an amount besides. Which classes a file has is known at its end, so the
 * samples are kept until then: stacks once a chunk, a row a sample. */
#include <stdlib.h>
#include <string.h>

#include "parsers/jfr/jfr_chunk.h"

enum { SLOTS_MAX = 64, NS_PER_S = 1000000000 };

/* What events of a class come to, in the order of the values. A class that is not here counts its
 * events, under its own name. */
static const struct jfr_rule {
    const char *event;
    const char *count, *amount; /* the values' names; NULL: none */
    enum unit unit;
    enum jfr_field field; /* where the amount is */
} jfr_rules[] = {
    {"jdk.ExecutionSample", "samples", NULL, UNIT_COUNT, FIELD_OTHER},
    {"profiler.WallClockSample", NULL, "wall", UNIT_COUNT, FIELD_SAMPLES},
    {"jdk.NativeMethodSample", "native", NULL, UNIT_COUNT, FIELD_OTHER},
    {"jdk.CPUTimeSample", "cpu-samples", "cpu-time", UNIT_NS, FIELD_SAMPLING_PERIOD},
    {"jdk.ObjectAllocationSample", "alloc_count", "alloc_bytes", UNIT_BYTES, FIELD_WEIGHT},
    {"jdk.ObjectAllocationInNewTLAB", "tlab_count", "tlab_bytes", UNIT_BYTES, FIELD_TLAB_SIZE},
    {"jdk.ObjectAllocationOutsideTLAB", "outside_tlab_count", "outside_tlab_bytes", UNIT_BYTES,
     FIELD_ALLOCATION_SIZE},
    {"profiler.LiveObject", "live_count", "live_bytes", UNIT_BYTES, FIELD_ALLOCATION_SIZE},
    {"profiler.Malloc", "malloc_count", "malloc_bytes", UNIT_BYTES, FIELD_SIZE},
    {"jdk.JavaMonitorEnter", "contentions", "contention", UNIT_NS, FIELD_DURATION},
    {"jdk.ThreadPark", "parks", "parked", UNIT_NS, FIELD_DURATION},
};
enum { RULES = COUNT_OF(jfr_rules) };

struct jfr_row {
    uint32_t stack, slot;
    str_id thread, state;
    int64_t amount;
};

enum { FRAME_TYPES = 16 }; /* JVMs have eight: interpreted, compiled, inlined, native … */

struct jfr_stack {
    size_t first;
    uint32_t count;
};

struct jfr {
    struct builder *builder;
    struct VECTOR_OF(frame_id) frames; /* of all stacks, the leaf first */
    struct VECTOR_OF(struct jfr_stack) stacks;
    struct VECTOR_OF(struct jfr_row) rows;
    str_id slots[SLOTS_MAX]; /* the events' names; of rules first */
    uint32_t slot_count;
    uint64_t seen[SLOTS_MAX];
    uint64_t chunks, events, unknown, broken, cut, beyond;
    int64_t duration; /* ns */
    str_id jvm;
    struct jfr_text text, more;
    struct idmap stack_of;           /* of the chunk, by number */
    struct idmap frame_of[FRAME_TYPES]; /* likewise, by type and by the method's number */
    bool has_c_frames;               /* of the chunk: "Native" is a function of C */
};

/* ---- stacks ---- */

static frame_id make_frame(struct jfr *jfr, const struct jfr_chunk *chunk,
                           const struct jfr_value *place)
{
    struct frame frame = {.kind = KIND_HOST};
    struct jfr_value method, class;
    struct jfr_text name = {0};
    struct span kind, owner = {"", 0}, function;
    bool is_c;

    if (!jfr_constant(chunk, place, FIELD_METHOD, &method)) {
        frame.name = builder_intern(jfr->builder, SPAN("unknown"));
        return builder_frame(jfr->builder, &frame);
    }
    kind = jfr_text(chunk, place, FIELD_TYPE, &jfr->text);
    is_c = span_eq(kind, SPAN("C++")) || span_eq(kind, SPAN("Kernel")) ||
           (jfr->has_c_frames && span_eq(kind, SPAN("Native")));
    if (jfr_constant(chunk, &method, FIELD_TYPE, &class))
        owner = jfr_text(chunk, &class, FIELD_NAME, &jfr->text);
    for (size_t i = 0; i < owner.len; i++)
        vector_add(&name, owner.at[i] == '/' ? '.' : owner.at[i]);
    function = jfr_text(chunk, &method, FIELD_NAME, &jfr->more);
    if (is_c) { /* the class is the library */
        frame.module = builder_intern(jfr->builder, (struct span){name.list, name.count});
        name.count = 0;
    } else if (name.count && function.len) {
        vector_add(&name, '.');
    }
    for (size_t i = 0; i < function.len; i++)
        vector_add(&name, function.at[i]);
    frame.name = builder_intern(jfr->builder, (struct span){name.list, name.count});
    free(name.list);
    return builder_frame(jfr->builder, &frame);
}

static bool take_frame(struct jfr *jfr, const struct jfr_chunk *chunk, uint32_t class_index,
                       struct jfr_cursor *cursor)
{
    struct jfr_cursor method, type;
    struct jfr_value place;
    uint32_t *known, again = IDMAP_NONE;
    uint64_t number;

    if (!jfr_read(chunk, class_index, cursor, &place))
        return false;
    method = place.field[FIELD_METHOD];
    type = place.field[FIELD_TYPE];
    number = type.at ? jfr_integer(&type, 8) : 0;
    known = number < FRAME_TYPES
                ? idmap_at(&jfr->frame_of[number], method.at ? jfr_integer(&method, 8) : 0)
                : &again;
    if (*known == IDMAP_NONE)
        *known = make_frame(jfr, chunk, &place);
    vector_add(&jfr->frames, *known);
    return true;
}

/* The event's stack by its number; an empty one where the chunk lacks it. */
static uint32_t stack_of_event(struct jfr *jfr, const struct jfr_chunk *chunk,
                               const struct jfr_value *event)
{
    struct jfr_cursor cursor = event->field[FIELD_STACK_TRACE];
    uint32_t *known = idmap_at(&jfr->stack_of, jfr_integer(&cursor, 8));
    struct jfr_stack stack = {.first = jfr->frames.count};
    struct jfr_value trace;

    if (*known != IDMAP_NONE)
        return *known;
    *known = (uint32_t)jfr->stacks.count;
    if (jfr_constant(chunk, event, FIELD_STACK_TRACE, &trace) && jfr_has(&trace, FIELD_FRAMES)) {
        const struct jfr_class_field *of = &trace.of[FIELD_FRAMES];
        uint64_t count;

        cursor = trace.field[FIELD_FRAMES];
        count = of->is_array && !of->is_constant ? jfr_integer(&cursor, 4) : 0;
        while (count-- > 0 && take_frame(jfr, chunk, of->class_index, &cursor))
            stack.count++;
        jfr->cut += jfr_number(chunk, &trace, FIELD_TRUNCATED) != 0;
    }
    vector_add(&jfr->stacks, stack);
    return (uint32_t)jfr->stacks.count - 1;
}

/* ---- events ---- */

/* What events of a class count as, from 1; 0 where there are too many kinds. */
static uint32_t slot_of(struct jfr *jfr, struct jfr_class *class)
{
    str_id name = builder_intern(jfr->builder, class->name);

    for (uint32_t i = 0; i < jfr->slot_count && !class->slot; i++)
        if (jfr->slots[i] == name)
            class->slot = i + 1;
    if (!class->slot && jfr->slot_count < SLOTS_MAX) {
        jfr->slots[jfr->slot_count++] = name;
        class->slot = jfr->slot_count;
    }
    return class->slot;
}

static str_id thread_name(struct jfr *jfr, const struct jfr_chunk *chunk,
                          const struct jfr_value *event)
{
    struct jfr_value thread;
    struct span name;

    if (!jfr_constant(chunk, event, FIELD_SAMPLED_THREAD, &thread) &&
        !jfr_constant(chunk, event, FIELD_EVENT_THREAD, &thread))
        return 0;
    name = jfr_text(chunk, &thread, FIELD_JAVA_NAME, &jfr->text);
    if (!name.len)
        name = jfr_text(chunk, &thread, FIELD_OS_NAME, &jfr->text);
    return name.len ? builder_intern(jfr->builder, name) : 0;
}

static void add_event(struct jfr *jfr, const struct jfr_chunk *chunk, const struct jfr_value *event)
{
    struct jfr_row row = {.slot = slot_of(jfr, event->class)};
    const struct jfr_rule *rule;

    if (!row.slot) {
        jfr->beyond++;
        return;
    }
    row.slot--;
    jfr->seen[row.slot]++;
    row.stack = stack_of_event(jfr, chunk, event);
    if (builder_wants_labels(builder_stacks(jfr->builder))) {
        struct span state = jfr_text(chunk, event, FIELD_STATE, &jfr->text);

        row.state = state.len ? builder_intern(jfr->builder, state) : 0;
        row.thread = thread_name(jfr, chunk, event);
    }
    rule = row.slot < RULES ? &jfr_rules[row.slot] : NULL;
    if (rule && rule->amount) {
        row.amount = not_negative(jfr_number(chunk, event, rule->field));
        if (rule->field == FIELD_DURATION) { /* of ticks */
            __extension__ typedef __int128 wide;
            wide ns = (wide)row.amount * NS_PER_S / chunk->hz;

            row.amount = ns < INT64_MAX ? (int64_t)ns : INT64_MAX;
        }
    }
    vector_add(&jfr->rows, row);
}

static void read_events(struct jfr *jfr, const struct jfr_chunk *chunk)
{
    size_t at = JFR_HEADER_SIZE, end = chunk->bytes.len;

    while (at < end) {
        struct jfr_cursor cursor = jfr_cursor(chunk, at, end);
        uint64_t size = jfr_integer(&cursor, 4), type = jfr_integer(&cursor, 8);
        uint32_t class_index;
        struct jfr_value event;

        if (cursor.is_bad || size == 0 || size > end - at) {
            warning_count_many(builder_warnings(jfr->builder), WARNING_LOSS,
                               "chunks whose events end before their time", 1);
            return;
        }
        cursor.end = (const unsigned char *)chunk->bytes.at + at + size;
        at += (size_t)size;
        if (type <= 1) /* metadata, checkpoints */
            continue;
        jfr->events++;
        class_index = idmap_find(&chunk->class_of, type);
        if (class_index == IDMAP_NONE)
            jfr->unknown++;
        else if (cursor.at > cursor.end || !jfr_read(chunk, class_index, &cursor, &event))
            jfr->broken++;
        else if (jfr_has(&event, FIELD_STACK_TRACE) && event.of[FIELD_STACK_TRACE].is_constant)
            add_event(jfr, chunk, &event);
        else if (!jfr->jvm && jfr_has(&event, FIELD_JVM_VERSION)) {
            struct span version = jfr_text(chunk, &event, FIELD_JVM_VERSION, &jfr->text);

            jfr->jvm = builder_intern(jfr->builder, span_split(&version, '\n'));
        }
    }
}

/* ---- chunks ---- */

/* Big-endian. */
static uint64_t word_at(const char *at)
{
    uint64_t word = 0;

    for (int i = 0; i < 8; i++)
        word = word << 8 | (unsigned char)at[i];
    return word;
}

/* Whether async-profiler wrote it, which samples functions of C, too. */
static bool has_kernel_frames(const struct jfr_chunk *chunk)
{
    return span_find(chunk->bytes, SPAN("\x06Kernel")) != SIZE_MAX;
}

/* All of the chunk, which is asked for bit by bit: its size is the file's word. */
static bool peek_chunk(struct input *in, struct jfr_chunk *chunk, struct error *err)
{
    struct span head = input_peek(in, JFR_HEADER_SIZE);
    uint64_t size, want = 1 << 16;
    unsigned major;

    chunk->offset = input_offset(in);
    if (head.len < JFR_HEADER_SIZE || !span_starts(head, (struct span){"FLR\0", 4}))
        return error_set_at(err, chunk->offset, 0, "no whole header of a chunk is here");
    major = (unsigned char)head.at[4] << 8 | (unsigned char)head.at[5];
    if (major != 1 && major != 2)
        return error_set_at(err, chunk->offset + 4, 0, "version %u of JFR is not known", major);
    size = word_at(head.at + 8);
    chunk->checkpoint = word_at(head.at + 16);
    chunk->metadata = word_at(head.at + 24);
    chunk->hz = (int64_t)word_at(head.at + 56);
    chunk->is_packed = head.at[67] & 1;
    for (; head.len < size; want *= 2) {
        uint64_t ask = want < size ? want : size;

        head = input_peek(in, (size_t)ask);
        if (head.len < ask)
            break;
    }
    if (!size || !chunk->checkpoint || !chunk->metadata || head.len < size) {
        error_set_at(err, chunk->offset, 0, "the JVM did not finish this chunk of the recording");
        return error_hint(err, "jcmd PID JFR.dump writes a finished one; jfr assemble joins what a "
                               "crashed JVM left");
    }
    if (size < JFR_HEADER_SIZE || chunk->checkpoint < JFR_HEADER_SIZE ||
        chunk->checkpoint >= size || chunk->metadata < JFR_HEADER_SIZE || chunk->metadata >= size)
        return error_set_at(err, chunk->offset + 8, 0, "the chunk's places are not in the chunk");
    if (chunk->hz <= 0)
        return error_set_at(err, chunk->offset + 56, 0, "a clock without ticks");
    chunk->bytes = (struct span){head.at, (size_t)size};
    return true;
}

static bool read_chunk(struct jfr *jfr, struct input *in, struct error *err)
{
    struct jfr_chunk chunk = {0};
    bool ok = peek_chunk(in, &chunk, err) && jfr_chunk_open(&chunk, err);

    if (ok) {
        jfr->chunks++;
        jfr->duration =
            checked_add(jfr->duration, not_negative((int64_t)word_at(chunk.bytes.at + 40)));
        jfr->has_c_frames = has_kernel_frames(&chunk);
        read_events(jfr, &chunk);
        input_skip(in, chunk.bytes.len);
    }
    idmap_free(&jfr->stack_of);
    for (size_t i = 0; i < FRAME_TYPES; i++)
        idmap_free(&jfr->frame_of[i]);
    jfr_chunk_free(&chunk);
    return ok;
}

static bool read_chunks(struct jfr *jfr, struct input *in, struct error *err)
{
    while (input_has(in, 1)) {
        struct error trouble = {0};

        if (read_chunk(jfr, in, jfr->chunks ? &trouble : err))
            continue;
        if (!jfr->chunks)
            return false;
        warning_count_many(builder_warnings(jfr->builder), WARNING_LOSS,
                           "chunks that are broken or unfinished; what follows is not read", 1);
        builder_truncated(jfr->builder);
        return true;
    }
    return true;
}

/* ---- onto the graph ---- */

/* Values by slot: that of the events' count and that of their amount, from 1; 0: none. */
struct jfr_values {
    struct value_name names[2 * SLOTS_MAX];
    uint32_t count, of_count[SLOTS_MAX], of_amount[SLOTS_MAX];
};

/* The name of a rule's value. New TLABs are the file's allocations, unless it samples those. */
static struct span value_named(const struct jfr *jfr, const char *name)
{
    bool is_of_tlab = strncmp(name, "tlab_", 5) == 0;

    for (uint32_t i = 0; i < RULES && is_of_tlab; i++)
        if (jfr->seen[i] && jfr_rules[i].field == FIELD_WEIGHT)
            return span_of(name);
    if (is_of_tlab)
        return name[5] == 'b' ? SPAN("alloc_bytes") : SPAN("alloc_count");
    return span_of(name);
}

static void name_values(const struct jfr *jfr, struct jfr_values *values)
{
    for (uint32_t i = 0; i < jfr->slot_count; i++) {
        const struct jfr_rule *rule = i < RULES ? &jfr_rules[i] : NULL;

        if (!jfr->seen[i])
            continue;
        if (rule && rule->amount) {
            values->names[values->count] =
                (struct value_name){value_named(jfr, rule->amount), rule->unit};
            values->of_amount[i] = ++values->count;
        }
        if (!rule || rule->count) {
            values->names[values->count] = (struct value_name){
                rule ? value_named(jfr, rule->count) : builder_text(jfr->builder, jfr->slots[i]),
                UNIT_COUNT};
            values->of_count[i] = ++values->count;
        }
    }
}

static void plant(struct jfr *jfr, const struct jfr_values *values)
{
    str_id thread = builder_intern(jfr->builder, SPAN("thread"));
    str_id state = builder_intern(jfr->builder, SPAN("state"));
    uint64_t stackless = 0;

    for (size_t r = 0; r < jfr->rows.count; r++) {
        const struct jfr_row *row = &jfr->rows.list[r];
        const struct jfr_stack *stack = &jfr->stacks.list[row->stack];
        struct sample_label labels[2];
        int64_t figures[2 * SLOTS_MAX] = {0};
        uint32_t count = 0;

        if (values->of_count[row->slot])
            figures[values->of_count[row->slot] - 1] = 1;
        if (values->of_amount[row->slot])
            figures[values->of_amount[row->slot] - 1] = row->amount;
        if (row->thread)
            labels[count++] = (struct sample_label){.key = thread, .text = row->thread};
        if (row->state)
            labels[count++] = (struct sample_label){.key = state, .text = row->state};
        if (builder_wants_labels(builder_stacks(jfr->builder)))
            builder_labels(builder_stacks(jfr->builder), labels, count);
        stackless += stack->count == 0;
        builder_stack(builder_stacks(jfr->builder),
                      stack->count ? &jfr->frames.list[stack->first] : NULL, stack->count, figures);
    }
    warning_count_many(builder_warnings(jfr->builder), WARNING_NOTE,
                       "samples without a stack, in no function", stackless);
}

static void report(struct jfr *jfr)
{
    struct warnings *warnings = builder_warnings(jfr->builder);

    builder_producer(jfr->builder, "Java Flight Recorder");
    if (jfr->jvm)
        builder_fact_text(jfr->builder, "JVM", builder_text(jfr->builder, jfr->jvm));
    builder_fact(jfr->builder, "chunks", (int64_t)jfr->chunks, UNIT_COUNT);
    builder_fact(jfr->builder, "events", (int64_t)jfr->events, UNIT_COUNT);
    builder_known_fact(jfr->builder, FACT_DURATION, jfr->duration, UNIT_NS);
    warning_count_many(warnings, WARNING_NOTE,
                       "stacks that are cut at their outermost end "
                       "(-XX:FlightRecorderOptions=stackdepth=N records deeper ones)",
                       jfr->cut);
    warning_count_many(warnings, WARNING_NOTE, "events of a class that the file does not have",
                       jfr->unknown);
    warning_count_many(warnings, WARNING_LOSS, "events that are broken, left out", jfr->broken);
    warning_count_many(warnings, WARNING_LOSS, "events of more kinds than are kept, left out",
                       jfr->beyond);
}

static enum sniff sniff(struct span head, bool is_all)
{
    (void)is_all;
    return span_starts(head, (struct span){"FLR\0", 4}) ? SNIFF_YES : SNIFF_NO;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct jfr jfr = {.builder = builder, .slot_count = RULES};
    struct jfr_values values = {0};
    bool ok;

    builder_detail(builder, DETAIL_FUNCTION);
    for (uint32_t i = 0; i < RULES; i++)
        jfr.slots[i] = builder_intern(builder, span_of(jfr_rules[i].event));
    ok = read_chunks(&jfr, in, err);
    if (ok) {
        name_values(&jfr, &values);
        if (!values.count)
            values.names[values.count++] = (struct value_name){SPAN("samples"), UNIT_COUNT};
        ok = builder_begin(builder, LEVEL_CALLTREE, values.names, values.count, 0, err);
    }
    if (ok) {
        plant(&jfr, &values);
        report(&jfr);
        builder_sample_facts(builder_stacks(builder));
    }
    free(jfr.frames.list);
    free(jfr.stacks.list);
    free(jfr.rows.list);
    free(jfr.text.list);
    free(jfr.more.list);
    return ok;
}

const struct parser parser_jfr = {
    .name = "jfr",
    .title = "Java Flight Recorder files",
    .summary = "JFR recordings of the JVM and async-profiler: samples, allocations, locks",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
