/* SPDX-License-Identifier: Apache-2.0 */
/* jfr.c — Java Flight Recorder's files, as the JVM, async-profiler and Datadog's profiler write them
 *
 * A file is chunks, one after another. Every event that has a stack is a sample of what its class
 * counts: events, and mostly amounts besides. Which classes a file has is known at its end, so sums
 * by stack and class are kept until then. */
#include <stdlib.h>
#include <string.h>

#include "parsers/jfr/jfr.h"
#include "parsers/parser.h"

/* ---- events ---- */

/* What is read of a class's events: nothing of those that tell nothing of the program. */
static void plan_class(struct jfr *jfr, struct jfr_class *class)
{
    uint32_t kind = jfr_kind_of(jfr, class->name);
    uint64_t labels =
        jfr_bit(FIELD_SAMPLED_THREAD) | jfr_bit(FIELD_EVENT_THREAD) | jfr_bit(FIELD_STATE);
    uint64_t times = jfr_bit(FIELD_SUM_OF_PAUSES) | jfr_bit(FIELD_DURATION) | jfr_bit(FIELD_NAME) |
                     jfr_bit(FIELD_CAUSE);

    class->kind = kind + 1;
    if (kind == JFR_COLLECTION || kind == JFR_PAUSE)
        class->wanted = times;
    else if (kind == JFR_LOAD)
        class->wanted = jfr_bit(FIELD_START) | jfr_bit(FIELD_JVM_USER) | jfr_bit(FIELD_JVM_SYSTEM);
    else if (kind != JFR_NO_KIND && class->fields & jfr_bit(FIELD_STACK_TRACE))
        class->wanted = jfr_bit(FIELD_STACK_TRACE) | (jfr->wants_labels ? labels : 0) |
                        (jfr->wants_times ? labels | jfr_bit(FIELD_START) : 0);
    else
        class->wanted = class->fields & (jfr_bit(FIELD_JVM_VERSION) | jfr_bit(FIELD_HW_THREADS));
    if (class->wanted & jfr_bit(FIELD_STACK_TRACE) && kind < JFR_RULES)
        for (size_t i = 0; i < JFR_AMOUNTS; i++)
            class->wanted |= jfr_bit(jfr_rules[kind].amounts[i].field);
    class->wanted &= class->fields;
}

/* By what collected, and why. */
static void add_collection(struct jfr *jfr, const struct jfr_chunk *chunk,
                           const struct jfr_value *event, uint32_t kind)
{
    static const enum jfr_field fields[] = {FIELD_NAME, FIELD_CAUSE};
    uint32_t node = 0;

    for (size_t i = 0; i < COUNT_OF(fields); i++) {
        struct span name = jfr_text(chunk, event, fields[i], &jfr->text);

        if (name.len)
            node = jfr_named_node(jfr, node, name);
    }
    jfr_add(jfr, chunk, event, kind, node);
}

static void add_event(struct jfr *jfr, const struct jfr_chunk *chunk, const struct jfr_value *event)
{
    uint32_t kind = event->class->kind - 1;

    if (kind == JFR_BEYOND) {
        jfr->beyond++;
    } else if (kind == JFR_COLLECTION || kind == JFR_PAUSE) {
        add_collection(jfr, chunk, event, kind);
    } else if (kind == JFR_LOAD) {
        jfr_add_load(jfr, chunk, event);
    } else if (jfr_has(event, FIELD_STACK_TRACE)) {
        if (event->of[FIELD_STACK_TRACE]->is_constant)
            jfr_add(jfr, chunk, event, kind, jfr_stack_of(jfr, chunk, event));
    } else if (jfr_has(event, FIELD_HW_THREADS)) {
        jfr->load.processors = not_negative(jfr_number(chunk, event, FIELD_HW_THREADS));
    } else if (!jfr->jvm && jfr_has(event, FIELD_JVM_VERSION)) {
        struct span version = jfr_text(chunk, event, FIELD_JVM_VERSION, &jfr->text);

        jfr->jvm = builder_intern(jfr->builder, span_split(&version, '\n'));
    }
}

static void read_events(struct jfr *jfr, const struct jfr_chunk *chunk)
{
    size_t at = JFR_HEADER_SIZE, end = chunk->bytes.len;

    while (at < end) {
        struct jfr_cursor cursor = jfr_cursor(chunk, at, end);
        uint64_t size = jfr_integer(&cursor, 4), type = jfr_integer(&cursor, 8);
        uint32_t class_index;
        struct jfr_class *class;
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
        class_index = jfr_class_of(chunk, type);
        if (class_index == UINT32_MAX) {
            jfr->unknown++;
            continue;
        }
        class = &chunk->classes.list[class_index];
        if (!class->kind)
            plan_class(jfr, class);
        if (!class->wanted && class->kind - 1 != JFR_BEYOND)
            continue;
        if (cursor.at > cursor.end || !jfr_read(chunk, class_index, class->wanted, &cursor, &event))
            jfr->broken++;
        else
            add_event(jfr, chunk, &event);
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
    if (head.len < JFR_HEADER_SIZE || !span_starts(head, SPAN("FLR\0")))
        return error_set_at(err, chunk->offset, 0, "no whole header of a chunk is here");
    major = (unsigned char)head.at[4] << 8 | (unsigned char)head.at[5];
    if (major != 1 && major != 2)
        return error_set_at(err, chunk->offset + 4, 0, "version %u of JFR is not known", major);
    size = word_at(head.at + 8);
    chunk->checkpoint = word_at(head.at + 16);
    chunk->metadata = word_at(head.at + 24);
    chunk->start = not_negative((int64_t)word_at(head.at + 32));
    chunk->start_ticks = (int64_t)word_at(head.at + 48);
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
    idmap_free(&jfr->frame_of);
    memset(jfr->recent, 0, sizeof(jfr->recent));
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

/* ---- the whole ---- */

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
    warning_count_many(warnings, WARNING_NOTE,
                       "source files named after classes, because a recording names no files",
                       jfr->by_line);
    warning_count_many(warnings, WARNING_NOTE, "events of a class that the file does not have",
                       jfr->unknown);
    warning_count_many(warnings, WARNING_LOSS, "events that are broken, left out", jfr->broken);
    warning_count_many(warnings, WARNING_LOSS, "events of more kinds than are kept, left out",
                       jfr->beyond);
}

static enum sniff sniff(struct span head, bool is_all)
{
    (void)is_all;
    return span_starts(head, SPAN("FLR\0")) ? SNIFF_YES : SNIFF_NO;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct jfr *jfr = grow_zeroed(1, sizeof(*jfr));
    bool ok;

    jfr->builder = builder;
    jfr->kind_count = JFR_RULES;
    jfr->by_line = builder_detail(builder, DETAIL_LINE) == DETAIL_LINE;
    jfr->wants_labels = builder_wants_labels(builder_stacks(builder));
    jfr->wants_times = builder_wants_times(builder);
    jfr->in = in;
    ok = read_chunks(jfr, in, err) && jfr_plant(jfr, err);
    if (ok) {
        report(jfr);
        if (!jfr->timed.count)
            builder_sample_facts(builder_stacks(builder));
    }
    stack_tree_free(&jfr->stacks);
    idmap_free(&jfr->row_of);
    idmap_free(&jfr->labels_of);
    free(jfr->rows.list);
    free(jfr->timed.list);
    free(jfr->labels.list);
    free(jfr->path.list);
    free(jfr->last.list);
    free(jfr->text.list);
    free(jfr->more.list);
    free(jfr);
    return ok;
}

const struct parser parser_jfr = {
    .name = "jfr",
    .title = "Java Flight Recorder files",
    .summary = "JFR recordings of the JVM and async-profiler: samples, allocations, locks",
    .tried = "JDK 9 and 17, async-profiler",
    .omitted = "settings and the recorder's own events",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
