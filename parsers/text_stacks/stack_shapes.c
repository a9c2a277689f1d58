/* SPDX-License-Identifier: Apache-2.0 */
/* stack_shapes.c — texts with one stack after another, the leaf first, each with a number: DTrace, bpftrace, Rprof */
#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/json/json.h"
#include "parsers/text_stacks/text_stacks.h"

/* "f+0x1f" or "f+31" without what stands behind the name. */
static struct span without_offset(struct span name)
{
    size_t plus = span_rfind(name, '+');
    struct span offset = plus == SIZE_MAX ? (struct span){0} : span_after(name, plus + 1);
    uint64_t ignored;

    if (span_starts(offset, SPAN("0x")) ? span_hex_to_u64(span_after(offset, 2), &ignored)
                                        : span_is_digits(offset))
        name.len = plus;
    return name;
}

/* ---- DTrace: @[stack()], @[ustack()] ----
 *
 *     CPU     ID                    FUNCTION:NAME
 *       0  64091                        :tick-60s
 *
 *                   genunix`segvn_fault+0x96
 *                   unix`trap+0x2c7
 *                     1
 *
 * An empty line between frames has no meaning: a user's stack follows the kernel's under one number. */

enum { FRAME_INDENT = 8 }; /* frames are indented by 14, what else is in a key by 2 */
enum { NS_PER_US = 1000 };

static bool knows_dtrace(struct span line)
{
    size_t indent;
    struct span frame = text_unindented(line, &indent);

    return (span_starts(line, SPAN("CPU ")) &&
            span_find(line, SPAN("FUNCTION:NAME")) != SIZE_MAX) ||
           (indent > FRAME_INDENT && memchr(frame.at, '`', frame.len) && frame.len > 1);
}

/* "  0  64091                        :tick-60s": which probe fired, and where. */
static bool is_probe(struct span line)
{
    struct span cpu = span_word(&line), id = span_word(&line), probe = span_word(&line);

    return span_is_digits(cpu) && span_is_digits(id) && memchr(probe.at, ':', probe.len);
}

static bool read_dtrace(struct text_stacks *text, struct span line)
{
    size_t indent;
    struct span frame = span_trim(text_unindented(line, &indent)), name;
    size_t tick = span_rfind(frame, '`');
    int64_t count;

    if (!frame.len)
        return true;
    if (span_starts(frame, SPAN("dtrace:"))) {
        warning_count_many(builder_warnings(text->builder), WARNING_LOSS,
                           "messages of dtrace, such as of dropped records", 1);
    } else if (!indent || is_probe(frame)) {
        text->stack.count = text->outside.count = 0;
    } else if (span_is_digits(frame)) {
        if (!span_to_i64(frame, &count))
            return false;
        if (text->stack.count)
            text_stack_end(text, count);
    } else if (indent <= FRAME_INDENT && tick == SIZE_MAX && !text->stack.count) {
        vector_add(&text->outside, text_frame(text, frame, (struct span){0}));
    } else {
        name = without_offset(frame);
        vector_add(&text->stack,
                   text_frame(text, name, (struct span){frame.at, tick == SIZE_MAX ? 0 : tick}));
    }
    return true;
}

const struct stack_shape shape_dtrace = {
    .producer = "DTrace", .knows = knows_dtrace, .read = read_dtrace};

/* ---- bpftrace: @[kstack, ustack, comm] ----
 *
 *     @stacks[
 *         vfs_read+211
 *     ,
 *         main+96
 *     , python3, 4242]: 435
 *
 * The other parts of a key become frames outside of the stack. Keys in JSON are the same texts. */

static bool knows_bpftrace(struct span line)
{
    return (span_starts(line, SPAN("@")) && span_ends(line, SPAN("["))) ||
           (span_starts(line, SPAN("Attaching ")) && span_find(line, SPAN(" probe")) != SIZE_MAX);
}

/* "main+96", or with ustack(perf) "7f3a24 main+96 (/usr/bin/app)". */
static void add_frame(struct text_stacks *text, struct span frame)
{
    size_t blank = span_find(frame, SPAN(" ")), open = span_rfind(frame, '(');
    struct span module = {0};

    if (blank != SIZE_MAX && blank == span_hex_digits(frame)) {
        if (span_ends(frame, SPAN(")")) && open != SIZE_MAX && open > blank) {
            module = (struct span){frame.at + open + 1, frame.len - open - 2};
            frame.len = open;
        }
        frame = span_trim(span_after(frame, blank));
    }
    vector_add(&text->stack, text_frame(text, without_offset(frame), module));
}

/* A line of a key: a frame is indented, all else is not. */
static void read_key(struct text_stacks *text, struct span line)
{
    struct span word;

    if (span_starts(line, SPAN("  ")) || span_starts(line, SPAN("\t"))) {
        add_frame(text, span_trim(line));
        return;
    }
    while (line.len)
        if ((word = span_trim(span_split(&line, ','))).len)
            vector_add(&text->outside, text_frame(text, word, (struct span){0}));
}

/* Takes "]: 435", which ends a key, off the line. */
static bool take_count(struct span *line, int64_t *count)
{
    size_t close = span_rfind(*line, ']');

    if (close == SIZE_MAX || !span_starts(span_after(*line, close), SPAN("]: ")) ||
        !span_to_i64(span_after(*line, close + 3), count) || *count < 0)
        return false;
    line->len = close;
    return true;
}

static void end_key(struct text_stacks *text, int64_t count)
{
    if (text->stack.count)
        text_stack_end(text, count);
    else
        text->left_out++;
    text->outside.count = 0;
    text->is_inside = false;
}

static bool read_bpftrace(struct text_stacks *text, struct span line)
{
    size_t open = span_find(line, SPAN("["));
    int64_t count;
    bool is_last;

    if (!text->is_inside && (!span_starts(line, SPAN("@")) || open == SIZE_MAX)) {
        text->left_out += span_starts(line, SPAN("@"));
        return true; /* what the program printed, a histogram, a number */
    }
    if (!text->is_inside)
        line = span_after(line, open + 1);
    text->is_inside = true;
    is_last = take_count(&line, &count);
    read_key(text, line);
    if (is_last)
        end_key(text, count);
    return true;
}

const struct stack_shape shape_bpftrace = {
    .producer = "bpftrace", .knows = knows_bpftrace, .read = read_bpftrace};

/* {"type": "map", "data": {"@": {"\n    f+1\n    g+2\n,python3": 10}}} */

static bool knows_bpftrace_json(struct span line)
{
    return span_starts(line, SPAN("{\"type\"")) &&
           (span_find(line, SPAN("\"attached_probes\"")) != SIZE_MAX ||
            span_find(line, SPAN("\"map\"")) != SIZE_MAX);
}

static bool read_bpftrace_json(struct text_stacks *text, struct span line)
{
    struct token document = token_of(line), map, value;
    struct json_walk maps = walk_into(walk_find(document, SPAN("data"))), keys;
    struct span name, key;
    int64_t count;

    if (span_trim(line).len && !walk_find(document, SPAN("type")).at)
        return false;
    if (!token_is(walk_find(document, SPAN("type")), SPAN("map")))
        return true;
    while (walk_member(&maps, &name, &map)) {
        keys = walk_into(map);
        while (walk_member(&keys, &key, &value)) {
            struct span rest = walk_key(key, &text->arena);

            while (rest.len)
                read_key(text, span_split(&rest, '\n'));
            if (token_integer(value, &count) && count >= 0)
                end_key(text, count);
            text->stack.count = text->outside.count = 0;
        }
    }
    return true;
}

const struct stack_shape shape_bpftrace_json = {
    .producer = "bpftrace -f json", .knows = knows_bpftrace_json, .read = read_bpftrace_json};

/* ---- R's Rprof: a sample a line, the functions in quotes ----
 *
 *     line profiling: sample.interval=20000
 *     #File 1: work.R
 *     "sum" 1#7 "work" 1#12 "main"
 *
 * Memory's figures stand before, as ":23:45:0:3:". */

static bool knows_rprof(struct span line)
{
    return span_find(line, SPAN("sample.interval=")) != SIZE_MAX &&
           (span_starts(line, SPAN("sample.")) ||
            span_find(line, SPAN(" profiling: ")) != SIZE_MAX);
}

static bool read_rprof(struct text_stacks *text, struct span line)
{
    size_t quote;

    if (knows_rprof(line)) {
        line = span_after(line, span_find(line, SPAN("=")) + 1);
        if (text_take_number(&line, &text->period))
            text->period = checked_mul(text->period, NS_PER_US);
        return true;
    }
    if (line.len == 0 || *line.at == '#')
        return true;
    while ((quote = span_find(line, SPAN("\""))) != SIZE_MAX) {
        struct span name;

        line = span_after(line, quote + 1);
        quote = span_find(line, SPAN("\""));
        if (quote == SIZE_MAX)
            return false;
        name = (struct span){line.at, quote};
        line = span_after(line, quote + 1);
        vector_add(&text->stack, text_frame(text, name, (struct span){0}));
    }
    text_stack_end(text, 1);
    return true;
}

const struct stack_shape shape_rprof = {
    .producer = "R, Rprof", .knows = knows_rprof, .read = read_rprof};
