/* SPDX-License-Identifier: Apache-2.0 */
/* chrome.c — traces in the Trace Event Format: PyTorch, Paddle, Chrome, Node, clang … */
#include "parsers/chrome/chrome.h"

#include <inttypes.h>

#include "base/parallel/parallel.h"
#include "parsers/chrome/chrome_events.h"
#include "parsers/chrome/producers/producers.h"
#include "parsers/json/json.h"
#include "parsers/parser.h"

/* ---- what stands in a trace beside its events: who wrote it, on which devices ---- */

static int64_t number(struct token object, struct span key)
{
    struct token token = walk_find(object, key);
    int64_t value;

    return token.at && token_integer(token, &value) && value > 0 ? value : 0;
}

/* The first of several names of one thing that the object has. */
static int64_t number_of(struct token object, const char *const *keys)
{
    int64_t value = 0;

    for (; *keys && !value; keys++)
        value = number(object, span_of(*keys));
    return value;
}

static void take_device(struct sink *sink, struct token object)
{
    static const char *const sms[] = {"numSms", "smCount", "multiProcessorCount", NULL};
    static const char *const major[] = {"computeMajor", "major", NULL};
    static const char *const minor[] = {"computeMinor", "minor", NULL};
    static const char *const threads[] = {"maxThreadsPerMultiprocessor",
                                          "maxThreadsPerMultiProcessor", NULL};
    static const char *const registers[] = {"regsPerMultiprocessor", "regsPerBlock", NULL};
    static const char *const shared[] = {"sharedMemPerMultiprocessor",
                                         "maxSharedMemoryPerMultiProcessor", "sharedMemPerBlock",
                                         NULL};
    struct arena unescaped = {0};
    struct token name = walk_find(object, SPAN("name"));
    struct device device = {
        .ordinal = (int32_t)number(object, SPAN("id")),
        .major = (int32_t)number_of(object, major),
        .minor = (int32_t)number_of(object, minor),
        .memory = number(object, SPAN("totalGlobalMem")),
        .sms = number_of(object, sms),
        .warp_size = number(object, SPAN("warpSize")),
        .max_threads_per_sm = number_of(object, threads),
        .registers_per_sm = number_of(object, registers),
        .shared_memory_per_sm = number_of(object, shared),
    };

    if (name.at)
        device.name = builder_intern(sink->builder, token_text(name, &unescaped));
    builder_device(sink->builder, &device);
    arena_free(&unescaped);
}

static void take_devices(struct sink *sink, struct token value)
{
    struct json_walk walk = walk_into(value);
    struct token object;

    while (walk_item(&walk, &object))
        if (object.at[0] == '{')
            take_device(sink, object);
}

static void take_stack_frames(struct sink *sink, struct token value)
{
    stack_samples_keep_frames(&sink->stacks, value);
}

static void take_samples(struct sink *sink, struct token value)
{
    stack_samples_keep_samples(&sink->stacks, value);
}

/* The format's, and devices, which several describe; see producers.h for all others. */
static const struct producer_member members[] = {
    {LITERAL("deviceProperties"), take_devices},
    {LITERAL("stackFrames"), take_stack_frames},
    {LITERAL("samples"), take_samples},
};

/* Whether a member of the document means anything. All others are skipped unseen: real traces
 * carry whole environments, with tokens in them. */
static bool header_is_known(struct span key)
{
    for (size_t i = 0; i < COUNT_OF(members); i++)
        if (span_eq(key, members[i].key))
            return true;
    return producers_know(key);
}

/* Reads the documents of a trace file: their headers, and the arrays of events in them. */

enum {
    HEADER_MAX = 64 << 20, /* stackFrames and samples may be long */
    LOOK = 64 * 1024,
    KEY_MAX = 256,
};

static struct warnings *warnings(struct chrome_reader *reader)
{
    return builder_warnings(reader->array.sink->builder);
}

/* Skips a value of any length, of which nothing is kept. */
static void skip_value(struct input *in)
{
    int64_t depth = 0;
    bool in_string = false, is_escaped = false;

    for (;; in->at++) {
        if (in->at == in->end && !input_has(in, 1))
            return;
        if (is_escaped) {
            is_escaped = false;
        } else if (in_string) {
            is_escaped = *in->at == '\\';
            in_string = *in->at != '"';
            if (!in_string && depth == 0) {
                in->at++;
                return;
            }
        } else if (*in->at == '"') {
            in_string = true;
        } else if (*in->at == '{' || *in->at == '[') {
            depth++;
        } else if (*in->at == '}' || *in->at == ']') {
            if (depth == 0)
                return; /* of what the value stands in */
            if (--depth == 0) {
                in->at++;
                return;
            }
        } else if (depth == 0 && *in->at == ',') {
            return;
        }
    }
}

/* ---- documents ---- */

/* A value that is wanted whole, which header members are only up to a limit. */
static bool hold_value(struct input *in, struct token *value)
{
    for (;;) {
        size_t held = (size_t)(in->end - in->at);
        const char *after = walk_past_value(in->at, in->end);

        if (after && (after < in->end || in->is_drained)) {
            *value = (struct token){in->at, (uint32_t)(after - in->at)};
            return true;
        }
        if (held > HEADER_MAX || !input_has(in, held + 1))
            return false;
    }
}

/* Shows the producer the head of the events, of which none is consumed. */
static void peek_events(struct chrome_reader *reader, const struct producer *producer)
{
    struct span head = input_peek(reader->array.in, LOOK);
    const char *at = head.at, *end = head.at + head.len, *next;
    struct event *event;

    while (at < end && *at != '{')
        at++;
    while (at < end && *at == '{') {
        if (reader->array.scan(&reader->array.scanner, at, end, &event, &next) != SCAN_EVENT)
            break;
        producer->peek(reader->array.sink, event);
        for (at = next; at < end && *at != '{'; at++)
            if (*at == ']')
                return;
    }
}

/* An array of events to its end; false when the input ends before it. */
static bool read_events(struct chrome_reader *reader)
{
    size_t threads = reader->threads;

    reader->threads = 1; /* split once a file: what follows the first array is short */
    return split_events(&reader->array, threads, reader->part_min) == ARRAY_CLOSED;
}

static bool read_trace_events(struct chrome_reader *reader)
{
    const struct producer *producer = reader->array.sink->producer;

    input_skip(reader->array.in, 1);
    if (producer->wanted_arg)
        reader->wanted.fields[producer->wanted_arg] = reader->wanted.any = true;
    if (producer->peek)
        peek_events(reader, producer);
    return read_events(reader);
}

/* A member of the document; false when the input ends inside. */
static bool read_member(struct chrome_reader *reader)
{
    struct input *in = reader->array.in;
    struct token value;
    struct span key;
    char room[KEY_MAX];

    if (!hold_value(in, &value) || value.at[0] != '"')
        return false;
    key = token_raw_text(value);
    key.len = key.len < KEY_MAX ? key.len : 0;
    key.at = memcpy(room, key.at, key.len);
    input_skip(in, value.len);
    if (event_array_peek(in) != ':')
        return false;
    input_skip(in, 1);
    if (event_array_peek(in) == '\0')
        return false;
    if (*in->at == '[' && span_eq(key, SPAN("traceEvents")))
        return read_trace_events(reader);
    if (header_is_known(key) && hold_value(in, &value)) {
        for (size_t i = 0; value.len && i < COUNT_OF(members); i++)
            if (span_eq(key, members[i].key))
                members[i].take(reader->array.sink, value);
        if (value.len)
            producers_take(reader->array.sink, key, value);
        input_skip(in, value.len);
        return true;
    }
    if (span_eq(key, SPAN("systemTraceEvents")))
        reader->array.sink->has_system_trace = true;
    skip_value(in);
    return in->at < in->end || input_has(in, 1);
}

static bool read_object(struct chrome_reader *reader)
{
    input_skip(reader->array.in, 1);
    for (;;) {
        switch (event_array_peek(reader->array.in)) {
        case '}':
            input_skip(reader->array.in, 1);
            return true;
        case ',':
            input_skip(reader->array.in, 1);
            break;
        case '"':
            if (!read_member(reader))
                return false;
            break;
        default:
            return false;
        }
    }
}

static bool read_document(struct chrome_reader *reader)
{
    struct event_array *array = &reader->array;
    struct span head;
    struct event *event;
    const char *next;

    if (*array->in->at == '[') {
        input_skip(array->in, 1);
        return read_events(reader);
    }
    head = input_peek(array->in, LOOK);
    /* an object may be no document but an event, where each stands on a line of its own */
    if (array->scan(&array->scanner, head.at, head.at + head.len, &event, &next) == SCAN_EVENT &&
        event->field[FIELD_PH].at)
        return event_array_read(array) == ARRAY_CLOSED || event_array_peek(array->in) == '\0';
    return read_object(reader);
}

bool reader_read(struct chrome_reader *reader, struct error *err)
{
    struct input *in = reader->array.in;

    for (char c; (c = event_array_peek(in)) != '\0';) {
        if (c != '{' && c != '[') { /* a comma, or a byte order mark */
            input_skip(in, 1);
            continue;
        }
        if (!read_document(reader)) {
            warning_say(warnings(reader), WARNING_LOSS,
                        "the file ends inside its events, at byte %" PRIu64
                        ": what came before the last whole event is kept",
                        input_offset(in));
            builder_truncated(reader->array.sink->builder);
            break;
        }
        reader->documents++;
    }
    if (reader->documents > 1)
        warning_say(warnings(reader), WARNING_NOTE, "the file holds %" PRIu64 " traces in a row",
                    reader->documents);
    return builder_event_count(reader->array.sink->timeline) || reader->documents ||
           error_set(err, ERROR_INPUT, "no trace event before byte %" PRIu64, input_offset(in));
}

/* ---- traces in the Trace Event Format: PyTorch, Paddle, Chrome, Node, clang … ---- */

enum { PART_MIN = 4 << 20 };

static bool has_word(struct span head, const char *word)
{
    return span_find(head, span_of(word)) != SIZE_MAX;
}

/* An array of objects with a phase, or an object with one of the members that go with events. */
static enum sniff sniff(struct span head, bool is_all)
{
    static const struct span mark = LITERAL("\xEF\xBB\xBF");
    struct span text = span_trim(span_starts(head, mark) ? span_after(head, mark.len) : head);

    if (text.len == 0)
        return is_all ? SNIFF_NO : SNIFF_MORE;
    if (text.at[0] != '[' && text.at[0] != '{')
        return SNIFF_NO;
    if (has_word(text, "\"traceEvents\"") || has_word(text, "\"ph\""))
        return SNIFF_YES;
    if (has_word(text, "\"schemaVersion\"") || has_word(text, "\"deviceProperties\""))
        return SNIFF_MAYBE;
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct sink sink;
    struct chrome_reader reader = {.array = {.in = in, .sink = &sink, .scan = scanner_select()},
                                   .threads = thread_budget(),
                                   .part_min = PART_MIN};
    bool is_read;

    if (!builder_begin_timeline(builder, err))
        return false;
    input_read_ahead(in);
    sink_init(&sink, builder);
    wanted_args_init(&reader.wanted, builder);
    reader.array.scanner.wanted = wanted_args(&reader.wanted);
    is_read = reader_read(&reader, err);
    if (is_read)
        sink_finish(&sink, input_bytes_read(in));
    shapes_free(&reader.array.scanner.shapes);
    sink_free(&sink);
    return is_read;
}

const struct parser parser_chrome = {
    .name = "chrome",
    .title = "Chrome traces",
    .summary = "Trace Event Format: PyTorch on NVIDIA, AMD, Intel XPU, Ascend (trace_view.json), "
               "Gaudi and "
               "Neuron; Paddle, Chrome, Node, viztracer, bazel, ninja, clang -ftime-trace ...",
    .tried = "PyTorch 1.4 to 2, Paddle, Chrome, Node 20, clang 14, TensorFlow 1",
    .omitted = "object snapshots, embedded system traces",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
