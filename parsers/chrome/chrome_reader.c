/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/chrome_reader.h"

#include <inttypes.h>

#include "parsers/chrome/file_split.h"
#include "parsers/chrome/producers/producers.h"
#include "parsers/chrome/trace_header.h"
#include "parsers/shared/json_value.h"

enum {
    HEADER_MAX = 64 << 20, /* stackFrames and samples may be long */
    LOOK = 64 * 1024,
    KEY_MAX = 256,
};

static struct warnings *warnings(struct reader *reader)
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

static void say_cut(struct reader *reader)
{
    warning_say(warnings(reader), WARNING_LOSS,
                "the file ends inside its events, at byte %" PRIu64
                ": what came before the last whole event is kept",
                input_offset(reader->array.in));
    builder_truncated(reader->array.sink->builder);
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
static void peek_events(struct reader *reader, const struct producer *producer)
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
static bool read_events(struct reader *reader)
{
    size_t threads = reader->threads;

    reader->threads = 1; /* split once a file: what follows the first array is short */
    return split_events(&reader->array, threads, reader->part_min) == ARRAY_CLOSED;
}

static bool read_trace_events(struct reader *reader)
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
static bool read_member(struct reader *reader)
{
    struct input *in = reader->array.in;
    struct token value;
    char key[KEY_MAX];
    size_t len;

    if (!hold_value(in, &value) || value.at[0] != '"')
        return false;
    len = token_raw_text(value).len < KEY_MAX ? token_raw_text(value).len : 0;
    memcpy(key, token_raw_text(value).at, len);
    input_skip(in, value.len);
    if (event_array_peek(in) != ':')
        return false;
    input_skip(in, 1);
    if (event_array_peek(in) == '\0')
        return false;
    if (*in->at == '[' && span_eq((struct span){key, len}, SPAN("traceEvents")))
        return read_trace_events(reader);
    if (header_is_known((struct span){key, len}) && hold_value(in, &value)) {
        header_member(reader->array.sink, (struct span){key, len}, value);
        input_skip(in, value.len);
        return true;
    }
    skip_value(in);
    return in->at < in->end || input_has(in, 1);
}

static bool read_object(struct reader *reader)
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

/* Whether the object is no document but an event, as where each stands on a line of its own. */
static bool is_event(struct reader *reader)
{
    struct span head = input_peek(reader->array.in, LOOK);
    struct event *event;
    const char *next;

    return reader->array.scan(&reader->array.scanner, head.at, head.at + head.len, &event, &next) ==
               SCAN_EVENT &&
           event->field[FIELD_PH].at;
}

static bool read_lines(struct reader *reader)
{
    return event_array_read(&reader->array) == ARRAY_CLOSED ||
           event_array_peek(reader->array.in) == '\0';
}

static bool read_document(struct reader *reader)
{
    if (*reader->array.in->at == '{')
        return is_event(reader) ? read_lines(reader) : read_object(reader);
    input_skip(reader->array.in, 1);
    return read_events(reader);
}

/* Between documents: blanks, commas, line ends, a byte order mark. */
static bool find_document(struct input *in)
{
    char c = event_array_peek(in);

    while (c && c != '{' && c != '[') {
        input_skip(in, 1);
        c = event_array_peek(in);
    }
    return c != '\0';
}

bool reader_read(struct reader *reader, struct error *err)
{
    while (find_document(reader->array.in)) {
        if (!read_document(reader)) {
            say_cut(reader);
            break;
        }
        reader->documents++;
    }
    if (reader->documents > 1)
        warning_say(warnings(reader), WARNING_NOTE, "the file holds %" PRIu64 " traces in a row",
                    reader->documents);
    if (builder_event_count(reader->array.sink->timeline) == 0 && reader->documents == 0) {
        error_set(err, ERROR_INPUT, "no trace event before byte %" PRIu64,
                  input_offset(reader->array.in));
        return false;
    }
    return true;
}
