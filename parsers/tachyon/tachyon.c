/* SPDX-License-Identifier: Apache-2.0 */
/* tachyon.c — what Python 3.15's sampling profiler writes with --binary
 *
 * A header of 64 bytes, in one of two layouts that share a version number; the samples, which zstd may have
 * packed; tables of strings and frames; a footer of 32 bytes with the tables' lengths. Fixed numbers have the
 * writer's byte order, which the magic number shows. Each thread's stack is kept from record to record. */
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/parser.h"
#include "parsers/stacks/language_names.h"
#include "parsers/tachyon/tachyon.h"

enum {
    HEADER = 64,
    FOOTER = 32,
    DEPTH_MAX = 256, /* the writer cuts deeper stacks at their root */
    FRAME_BYTES_MIN = 7,
    STEP = 1 << 20,
    PLAIN_MAX = 1 << 30, /* where Python's own reader stops */
    NS_PER_US = 1000
};

enum record { RECORD_REPEAT, RECORD_FULL, RECORD_SUFFIX, RECORD_POP_PUSH };
enum status { HAS_GIL = 1, ON_CPU = 2, IS_UNKNOWN = 4, WAITS_FOR_GIL = 8 };

struct thread {
    uint64_t id;
    uint32_t interpreter, depth, room;
    str_id name;
    uint32_t *stack; /* frames, the root first; room for as many as records had */
};

struct tachyon {
    struct builder *builder;
    struct span file;
    bool is_big_endian;
    uint64_t samples_declared, interval, strings_at, frames_at, compression;
    struct VECTOR_OF(str_id) strings;
    struct VECTOR_OF(struct frame) frames;
    frame_id *ids; /* by frame */
    struct VECTOR_OF(struct thread) threads;
    struct idmap by_key; /* hash of thread and interpreter → its number */
    struct VECTOR_OF(char) plain;
    uint64_t samples, without_stack;
    str_id thread_key, state_key, states[4];
};

/* ---- numbers ---- */

struct tachyon_bytes {
    const unsigned char *at, *end;
    bool is_bad; /* something was cut or out of range */
};

static struct tachyon_bytes bytes_of(struct span span)
{
    const unsigned char *at = (const unsigned char *)span.at;

    return (struct tachyon_bytes){at, at + span.len, false};
}

static size_t left(const struct tachyon_bytes *bytes)
{
    return (size_t)(bytes->end - bytes->at);
}

/* A fixed number of `size` bytes. */
static uint64_t fixed(const struct tachyon *tachyon, const char *at, unsigned size)
{
    uint64_t number = 0;

    for (unsigned i = 0; i < size; i++)
        number = number << 8 | (unsigned char)at[tachyon->is_big_endian ? i : size - 1 - i];
    return number;
}

static uint64_t take_fixed(const struct tachyon *tachyon, struct tachyon_bytes *bytes,
                           unsigned size)
{
    if (left(bytes) < size) {
        bytes->is_bad = true;
        return 0;
    }
    bytes->at += size;
    return fixed(tachyon, (const char *)bytes->at - size, size);
}

/* LEB128. */
static uint64_t take_varint(struct tachyon_bytes *bytes)
{
    uint64_t number = 0;

    for (unsigned shift = 0; left(bytes) && shift < 64; shift += 7) {
        unsigned char byte = *bytes->at++;

        if (shift == 63 && byte > 1)
            break;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return number;
    }
    bytes->is_bad = true;
    return 0;
}

/* One that must be below `limit`. */
static uint32_t take_below(struct tachyon_bytes *bytes, uint64_t limit)
{
    uint64_t number = take_varint(bytes);

    if (number < limit)
        return (uint32_t)number;
    bytes->is_bad = true;
    return 0;
}

/* ---- header and tables ---- */

static bool are_in_order(const struct tachyon *tachyon, uint64_t strings, uint64_t frames)
{
    return strings >= HEADER && frames >= strings && frames <= tachyon->file.len - FOOTER;
}

/* The layout is the one whose offsets are in order; the other one gives offsets far beyond the file. */
static bool read_header(struct tachyon *tachyon, struct error *err)
{
    const char *at = tachyon->file.at;
    uint64_t version;

    if (tachyon->file.len < HEADER + FOOTER)
        return error_set_at(err, tachyon->file.len, 0, "the profile is cut in its header");
    tachyon->is_big_endian = at[0] == 'T';
    version = fixed(tachyon, at + 4, 4);
    if (version != 1)
        return error_set_at(
            err, 4, 0, "version %llu of the format, by Python %u.%u; ptk reads version 1",
            (unsigned long long)version, (unsigned char)at[8], (unsigned char)at[9]);
    tachyon->interval = fixed(tachyon, at + 20, 8);
    if (are_in_order(tachyon, fixed(tachyon, at + 40, 8), fixed(tachyon, at + 48, 8))) {
        tachyon->samples_declared = fixed(tachyon, at + 28, 8);
        tachyon->strings_at = fixed(tachyon, at + 40, 8);
        tachyon->frames_at = fixed(tachyon, at + 48, 8);
        tachyon->compression = fixed(tachyon, at + 56, 4);
    } else if (are_in_order(tachyon, fixed(tachyon, at + 36, 8), fixed(tachyon, at + 44, 8))) {
        tachyon->samples_declared = fixed(tachyon, at + 28, 4);
        tachyon->strings_at = fixed(tachyon, at + 36, 8);
        tachyon->frames_at = fixed(tachyon, at + 44, 8);
        tachyon->compression = fixed(tachyon, at + 52, 4);
    } else {
        error_set_at(err, 36, 0, "the tables of strings and frames are not where the header says");
        return error_hint(err, "is the file whole? The profiler writes them when it ends");
    }
    if (tachyon->interval > INT64_MAX / NS_PER_US)
        return error_set_at(err, 20, 0, "an interval that cannot be");
    if (tachyon->compression > 1)
        return error_set_at(err, 52, 0, "unknown compression %llu",
                            (unsigned long long)tachyon->compression);
    return true;
}

static bool read_strings(struct tachyon *tachyon, uint64_t count, struct error *err)
{
    struct span table = {tachyon->file.at + tachyon->strings_at,
                         (size_t)(tachyon->frames_at - tachyon->strings_at)};
    struct tachyon_bytes bytes = bytes_of(table);

    for (uint64_t i = 0; i < count && !bytes.is_bad; i++) {
        uint64_t length = take_varint(&bytes);

        if (bytes.is_bad || length > left(&bytes))
            return error_set_at(err, tachyon->frames_at, 0, "the table of strings is cut");
        vector_add(&tachyon->strings,
                   builder_intern(tachyon->builder,
                                  (struct span){(const char *)bytes.at, (size_t)length}));
        bytes.at += length;
    }
    return true;
}

struct frame tachyon_frame(struct builder *builder, str_id name, str_id file, int64_t line)
{
    struct frame frame = {.name = name, .kind = KIND_PYTHON};
    struct span path = builder_text(builder, file);
    char room[PYTHON_MODULE_MAX];

    if (span_eq(path, SPAN("~"))) {
        frame.kind = KIND_HOST;
        return frame;
    }
    frame.file = file;
    frame.module = builder_intern(builder, python_module(path, room));
    frame.line = line < 0 || line > INT32_MAX ? 0 : line;
    return frame;
}

static struct frame read_frame(struct tachyon *tachyon, struct tachyon_bytes *bytes)
{
    uint32_t file = take_below(bytes, tachyon->strings.count),
             name = take_below(bytes, tachyon->strings.count);
    uint64_t line = take_varint(bytes);

    for (int i = 0; i < 3; i++) /* the end line, and two columns */
        (void)take_varint(bytes);
    (void)take_fixed(tachyon, bytes, 1); /* the instruction */
    if (bytes->is_bad)
        return (struct frame){0};
    return tachyon_frame(tachyon->builder, tachyon->strings.list[name], tachyon->strings.list[file],
                         line & 1 ? -1 : (int64_t)(line >> 1)); /* zigzag; -1: none */
}

static bool read_frames(struct tachyon *tachyon, uint64_t count, struct error *err)
{
    struct span table = {tachyon->file.at + tachyon->frames_at,
                         (size_t)(tachyon->file.len - FOOTER - tachyon->frames_at)};
    struct tachyon_bytes bytes = bytes_of(table);

    if (count > table.len / FRAME_BYTES_MIN)
        return error_set_at(err, tachyon->frames_at, 0, "more frames than the table has bytes for");
    for (uint64_t i = 0; i < count; i++) {
        struct frame frame = read_frame(tachyon, &bytes);

        if (bytes.is_bad)
            return error_set_at(err, tachyon->frames_at, 0, "frame %llu of the table is damaged",
                                (unsigned long long)i);
        vector_add(&tachyon->frames, frame);
    }
    return true;
}

static bool read_tables(struct tachyon *tachyon, struct error *err)
{
    const char *footer = tachyon->file.at + tachyon->file.len - FOOTER;

    if (fixed(tachyon, footer + 8, 8) != tachyon->file.len) {
        error_set_at(err, tachyon->file.len - FOOTER, 0, "the end is not that of a whole profile");
        return error_hint(err, "is the file cut, or is there something behind its end?");
    }
    if (!read_strings(tachyon, fixed(tachyon, footer, 4), err) ||
        !read_frames(tachyon, fixed(tachyon, footer + 4, 4), err))
        return false;
    tachyon->ids = grow_zeroed(tachyon->frames.count, sizeof(*tachyon->ids));
    python_frames_give(tachyon->builder, tachyon->frames.list, tachyon->frames.count,
                       PYTHON_LINES_THAT_RAN, tachyon->ids);
    return true;
}

/* ---- samples ---- */

/* The samples as they were before zstd; what comes before damage is kept. */
static bool unpack(struct tachyon *tachyon, struct input *in, struct span packed, struct error *err)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer from = {packed.at, packed.len, 0};
    size_t result = 1, before = 1;
    bool is_likely = true;

    while (stream && is_likely && (from.pos < from.size || before)) {
        ZSTD_outBuffer to = {0};

        if (tachyon->plain.cap - tachyon->plain.count < STEP) {
            tachyon->plain.cap = grow_cap(tachyon->plain.cap, tachyon->plain.count + STEP);
            tachyon->plain.list = grow_to(tachyon->plain.list, tachyon->plain.cap, 1);
        }
        to = (ZSTD_outBuffer){tachyon->plain.list + tachyon->plain.count, STEP, 0};
        result = ZSTD_decompressStream(stream, &to, &from);
        if (ZSTD_isError(result))
            break;
        before = to.pos;
        tachyon->plain.count += to.pos;
        is_likely = tachyon->plain.count <= PLAIN_MAX &&
                    unpack_is_likely(in, packed.len, tachyon->plain.count, err);
    }
    ZSTD_freeDStream(stream);
    if (!is_likely)
        return err->kind != ERROR_NONE
                   ? false
                   : error_set_at(err, HEADER, 0, "the samples unpack to more than 1 GiB");
    if (ZSTD_isError(result) || result)
        warning_count(builder_warnings(tachyon->builder), WARNING_LOSS,
                      "the packed samples are damaged or cut: the rest is left out",
                      HEADER + from.pos);
    return true;
}

static struct thread *thread_of(struct tachyon *tachyon, uint64_t id, uint32_t interpreter)
{
    uint64_t key[2] = {id, interpreter};
    uint32_t *number = idmap_at(&tachyon->by_key, XXH3_64bits(key, sizeof(key)));
    char name[32];

    if (*number == IDMAP_NONE) {
        struct thread thread = {.id = id, .interpreter = interpreter};

        snprintf(name, sizeof(name), "%llu", (unsigned long long)id);
        thread.name = builder_intern(tachyon->builder, span_of(name));
        *number = (uint32_t)tachyon->threads.count;
        vector_add(&tachyon->threads, thread);
    }
    return &tachyon->threads.list[*number];
}

/* Waits for the GIL; runs, with the GIL or without; idle; unknown. */
static str_id state_of(const struct tachyon *tachyon, unsigned status)
{
    return tachyon->states[status & IS_UNKNOWN           ? 3
                           : status & WAITS_FOR_GIL      ? 2
                           : status & (HAS_GIL | ON_CPU) ? 0
                                                         : 1];
}

static void give_sample(struct tachyon *tachyon, const struct thread *thread, unsigned status)
{
    struct stack_builder *stacks = builder_stacks(tachyon->builder);
    int64_t values[] = {1, (int64_t)tachyon->interval * NS_PER_US};
    struct sample_label labels[] = {{.key = tachyon->thread_key, .text = thread->name},
                                    {.key = tachyon->state_key, .text = state_of(tachyon, status)}};
    frame_id frames[DEPTH_MAX];

    tachyon->samples++;
    if (!thread->depth) {
        tachyon->without_stack++;
        return;
    }
    for (uint32_t i = 0; i < thread->depth; i++)
        frames[i] = tachyon->ids[thread->stack[thread->depth - 1 - i]];
    if (builder_wants_labels(stacks))
        builder_labels(stacks, labels, COUNT_OF(labels)); /* borrowed until the stack is given */
    builder_stack(stacks, frames, thread->depth, values);
}

/* Keeps `kept` frames of the root and puts as many as the record has, the leaf first, on them. */
static void take_frames(struct tachyon *tachyon, struct tachyon_bytes *bytes, struct thread *thread,
                        uint32_t kept)
{
    uint32_t pushed = take_below(bytes, DEPTH_MAX + 1);

    if (kept > thread->depth || pushed > DEPTH_MAX - kept || pushed > left(bytes))
        bytes->is_bad = true;
    if (!bytes->is_bad && kept + pushed > thread->room) {
        thread->room = kept + pushed;
        thread->stack = grow_to(thread->stack, thread->room, sizeof(*thread->stack));
    }
    for (uint32_t i = 0; i < pushed && !bytes->is_bad; i++)
        thread->stack[kept + pushed - 1 - i] = take_below(bytes, tachyon->frames.count);
    thread->depth = bytes->is_bad ? 0 : kept + pushed;
}

static void read_record(struct tachyon *tachyon, struct tachyon_bytes *bytes)
{
    uint64_t id = take_fixed(tachyon, bytes, 8), count;
    uint32_t interpreter = (uint32_t)take_fixed(tachyon, bytes, 4), popped;
    enum record record = (enum record)take_fixed(tachyon, bytes, 1);
    struct thread *thread;
    unsigned status;

    if (bytes->is_bad)
        return;
    thread = thread_of(tachyon, id, interpreter);
    if (record == RECORD_REPEAT) {
        for (count = take_varint(bytes); count && !bytes->is_bad; count--) {
            (void)take_varint(bytes); /* µs since the thread's last sample */
            status = (unsigned)take_fixed(tachyon, bytes, 1);
            if (!bytes->is_bad)
                give_sample(tachyon, thread, status);
        }
        return;
    }
    (void)take_varint(bytes);
    status = (unsigned)take_fixed(tachyon, bytes, 1);
    if (record == RECORD_FULL) {
        take_frames(tachyon, bytes, thread, 0);
    } else if (record == RECORD_SUFFIX) {
        take_frames(tachyon, bytes, thread, take_below(bytes, DEPTH_MAX + 1));
    } else if (record == RECORD_POP_PUSH) {
        popped = take_below(bytes, (uint64_t)thread->depth + 1);
        take_frames(tachyon, bytes, thread, thread->depth - popped);
    } else {
        bytes->is_bad = true;
    }
    if (!bytes->is_bad)
        give_sample(tachyon, thread, status);
}

static bool read_samples(struct tachyon *tachyon, struct input *in, struct error *err)
{
    struct span samples = {tachyon->file.at + HEADER, (size_t)(tachyon->strings_at - HEADER)};
    struct warnings *warnings = builder_warnings(tachyon->builder);
    struct tachyon_bytes bytes;

    if (tachyon->compression) {
        if (!unpack(tachyon, in, samples, err))
            return false;
        samples = (struct span){tachyon->plain.list, tachyon->plain.count};
    }
    bytes = bytes_of(samples);
    while (left(&bytes) && !bytes.is_bad)
        read_record(tachyon, &bytes);
    if (!tachyon->samples && (bytes.is_bad || tachyon->samples_declared))
        return error_set_at(err, HEADER, 0, "the samples are damaged from the first one on");
    if (bytes.is_bad)
        warning_count(warnings, WARNING_LOSS,
                      "a record of samples is damaged: the rest is left out", tachyon->strings_at);
    else if (tachyon->samples != tachyon->samples_declared)
        warning_say(warnings, WARNING_LOSS, "%llu samples, but the header says %llu",
                    (unsigned long long)tachyon->samples,
                    (unsigned long long)tachyon->samples_declared);
    warning_count_many(warnings, WARNING_NOTE,
                       "samples of threads without a Python frame, left out",
                       tachyon->without_stack);
    return true;
}

/* ---- the whole ---- */

static void intern_labels(struct tachyon *tachyon)
{
    static const char *const states[] = {"running", "idle", "waits for the GIL", "unknown"};

    tachyon->thread_key = builder_intern(tachyon->builder, SPAN("thread"));
    tachyon->state_key = builder_intern(tachyon->builder, SPAN("state"));
    for (size_t i = 0; i < COUNT_OF(states); i++)
        tachyon->states[i] = builder_intern(tachyon->builder, span_of(states[i]));
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("samples"), UNIT_COUNT},
                                               {LITERAL("time"), UNIT_NS}};
    struct tachyon tachyon = {.builder = builder, .file = input_peek(in, SIZE_MAX)};
    bool ok;

    if (!builder_begin(builder, LEVEL_CALLTREE, values, COUNT_OF(values), 0, err))
        return false;
    ok = read_header(&tachyon, err);
    if (ok) {
        builder_producer(builder, "profiling.sampling, Python %u.%u",
                         (unsigned char)tachyon.file.at[8], (unsigned char)tachyon.file.at[9]);
        intern_labels(&tachyon);
        ok = read_tables(&tachyon, err) && read_samples(&tachyon, in, err);
    }
    if (ok)
        input_skip(in, tachyon.file.len);
    free(tachyon.strings.list);
    free(tachyon.frames.list);
    free(tachyon.ids);
    for (size_t i = 0; i < tachyon.threads.count; i++)
        free(tachyon.threads.list[i].stack);
    free(tachyon.threads.list);
    idmap_free(&tachyon.by_key);
    free(tachyon.plain.list);
    return ok;
}

/* "TACH" in the writer's byte order. */
static enum sniff sniff(struct span head, bool is_all)
{
    if (head.len < 8)
        return is_all ? SNIFF_NO : SNIFF_MORE;
    if (span_starts(head, SPAN("HCAT")))
        return !head.at[6] && !head.at[7] ? SNIFF_YES : SNIFF_NO;
    return span_starts(head, SPAN("TACH")) && !head.at[4] && !head.at[5] ? SNIFF_YES : SNIFF_NO;
}

const struct parser parser_tachyon = {
    .name = "tachyon",
    .title = "profiles of Python's sampler",
    .summary = "Python 3.15's profiling.sampling with --binary (.bin)",
    .tried = "made files of both layouts of version 1",
    .omitted = "times of samples, columns, instructions",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
