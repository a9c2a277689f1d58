#include "parsers/chrome/reader.h"

#include <inttypes.h>

#include "parsers/chrome/header.h"
#include "parsers/chrome/split.h"
#include "parsers/json/walk.h"

enum {
    EVENT_MAX = 64 << 20,  /* a longer event is a broken one */
    HEADER_MAX = 64 << 20, /* stackFrames and samples may be long */
    LOOK = 64 * 1024,
    KEY_MAX = 256,
};

static struct warnings *warnings(struct reader *reader)
{
    return builder_warnings(reader->sink->builder);
}

/* ---- bytes ---- */

/* The next byte that is no blank; 0 at the end. */
static char next_byte(struct input *in)
{
    for (;;) {
        const char *at = in->at;

        while (at < in->end && (unsigned char)*at <= ' ')
            at++;
        in->at = at;
        if (at < in->end)
            return *at;
        if (!input_has(in, 1))
            return '\0';
    }
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

/* ---- events ---- */

/* After a broken event: the next place that looks like the beginning of one. */
static void resynchronise(struct input *in)
{
    input_skip(in, 1);
    for (;;) {
        const char *open;

        if (!input_has(in, KEY_MAX) && in->at == in->end)
            return;
        open = memchr(in->at, '{', (size_t)(in->end - in->at));
        if (!open) {
            in->at = in->end;
            continue;
        }
        in->at = open;
        input_has(in, KEY_MAX);
        for (open = in->at + 1; open < in->end && (unsigned char)*open <= ' '; open++)
            ;
        if (span_starts((struct span){open, (size_t)(in->end - open)}, SPAN("\"ph\"")) ||
            span_starts((struct span){open, (size_t)(in->end - open)}, SPAN("\"name\"")) ||
            span_starts((struct span){open, (size_t)(in->end - open)}, SPAN("\"cat\"")) ||
            span_starts((struct span){open, (size_t)(in->end - open)}, SPAN("\"pid\"")) ||
            span_starts((struct span){open, (size_t)(in->end - open)}, SPAN("\"ts\"")))
            return;
        input_skip(in, 1);
    }
}

static void drop_event(struct reader *reader)
{
    warning_count(warnings(reader), WARNING_LOSS, "events that are not valid JSON, left out",
                  input_offset(reader->in));
    resynchronise(reader->in);
}

/* At a '{'. False when the input ends inside the event. */
static bool read_event(struct reader *reader)
{
    struct input *in = reader->in;
    struct event *event;
    const char *next;

    for (;;) {
        size_t held = (size_t)(in->end - in->at);
        enum scan_result result = reader->scan(&reader->scanner, in->at, in->end, &event, &next);

        if (result == SCAN_EVENT) {
            event->offset = input_offset(in);
            sink_event(reader->sink, event);
            in->at = next;
            return true;
        }
        if (result == SCAN_BAD || held > EVENT_MAX) {
            drop_event(reader);
            return true;
        }
        if (!input_has(in, held + 1))
            return false;
    }
}

/* Whether an event begins where another thread began. A start that has been passed was none. */
static bool has_met(struct reader *reader)
{
    uint64_t offset = input_offset(reader->in);

    while (reader->start_count && *reader->starts < offset) {
        reader->starts++;
        reader->start_count--;
    }
    return reader->start_count && *reader->starts == offset;
}

enum events_end reader_events(struct reader *reader)
{
    struct input *in = reader->in;

    for (;;) {
        switch (next_byte(in)) {
        case '\0':
            if (in->at < in->end) {
                input_skip(in, 1);
                continue;
            }
            return EVENTS_CUT;
        case ',':
            input_skip(in, 1);
            break;
        case ']':
            input_skip(in, 1);
            return EVENTS_CLOSED;
        case '{':
            if (reader->start_count && has_met(reader))
                return EVENTS_MET;
            if (!read_event(reader))
                return EVENTS_CUT;
            break;
        default:
            drop_event(reader);
            break;
        }
    }
}

static void say_cut(struct reader *reader)
{
    warning_say(warnings(reader), WARNING_LOSS,
                "the file ends inside its events, at byte %" PRIu64
                ": what came before the last whole event is kept",
                input_offset(reader->in));
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

/* The head of the events, looked at without consuming any, tells Paddle's base of time. */
static void confine_paddle(struct reader *reader)
{
    struct input *in = reader->in;
    struct span head = input_peek(in, LOOK);
    const char *at = head.at, *end = head.at + head.len, *next;
    struct event *event;
    int64_t ts;

    while (at < end && *at != '{')
        at++;
    while (at < end && *at == '{') {
        if (reader->scan(&reader->scanner, at, end, &event, &next) != SCAN_EVENT)
            break;
        if (token_is(event->field[FIELD_PH], SPAN("X")) && event->field[FIELD_TS].at &&
            token_scaled(event->field[FIELD_TS], 3, &ts))
            paddle_confine(&reader->sink->paddle, ts, event->field[ARG_START_TIME]);
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
    return split_events(reader, threads) == EVENTS_CLOSED;
}

static bool read_trace_events(struct reader *reader)
{
    input_skip(reader->in, 1);
    if (reader->sink->paddle.is_paddle) {
        reader->scanner.wanted[ARG_START_TIME] = reader->scanner.wants_args = true;
        confine_paddle(reader);
    }
    return read_events(reader);
}

/* A member of the document; false when the input ends inside. */
static bool read_member(struct reader *reader)
{
    struct input *in = reader->in;
    struct token value;
    char key[KEY_MAX];
    size_t len;

    if (!hold_value(in, &value) || value.at[0] != '"')
        return false;
    len = token_raw_text(value).len < KEY_MAX ? token_raw_text(value).len : 0;
    memcpy(key, token_raw_text(value).at, len);
    input_skip(in, value.len);
    if (next_byte(in) != ':')
        return false;
    input_skip(in, 1);
    if (next_byte(in) == '\0')
        return false;
    if (*in->at == '[' && span_eq((struct span){key, len}, SPAN("traceEvents")))
        return read_trace_events(reader);
    if (header_is_known((struct span){key, len}) && hold_value(in, &value)) {
        header_member(reader->sink, (struct span){key, len}, value);
        input_skip(in, value.len);
        return true;
    }
    skip_value(in);
    return in->at < in->end || input_has(in, 1);
}

static bool read_object(struct reader *reader)
{
    input_skip(reader->in, 1);
    for (;;) {
        switch (next_byte(reader->in)) {
        case '}':
            input_skip(reader->in, 1);
            return true;
        case ',':
            input_skip(reader->in, 1);
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
    struct span head = input_peek(reader->in, LOOK);
    struct event *event;
    const char *next;

    return reader->scan(&reader->scanner, head.at, head.at + head.len, &event, &next) ==
               SCAN_EVENT &&
           event->field[FIELD_PH].at;
}

static bool read_lines(struct reader *reader)
{
    return reader_events(reader) == EVENTS_CLOSED || next_byte(reader->in) == '\0';
}

static bool read_document(struct reader *reader)
{
    if (*reader->in->at == '{')
        return is_event(reader) ? read_lines(reader) : read_object(reader);
    input_skip(reader->in, 1);
    return read_events(reader);
}

/* Between documents: blanks, commas, line ends, a byte order mark. */
static bool find_document(struct input *in)
{
    char c = next_byte(in);

    while (c && c != '{' && c != '[') {
        input_skip(in, 1);
        c = next_byte(in);
    }
    return c != '\0';
}

bool reader_read(struct reader *reader, struct error *err)
{
    while (find_document(reader->in)) {
        if (!read_document(reader)) {
            say_cut(reader);
            break;
        }
        reader->documents++;
    }
    if (reader->documents > 1)
        warning_say(warnings(reader), WARNING_NOTE, "the file holds %" PRIu64 " traces in a row",
                    reader->documents);
    if (builder_event_count(reader->sink->builder) == 0 && reader->documents == 0) {
        error_set(err, ERROR_INPUT, "no trace event before byte %" PRIu64,
                  input_offset(reader->in));
        return false;
    }
    return true;
}
