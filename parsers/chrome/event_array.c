/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/event_array.h"

enum {
    EVENT_MAX = 64 << 20, /* a longer event is a broken one */
    HEAD_MAX = 256,       /* in which what looks like an event has shown it */
};

char event_array_peek(struct input *in)
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

/* After a broken event: the next place that looks like the beginning of one. */
static void resynchronise(struct input *in)
{
    input_skip(in, 1);
    for (;;) {
        const char *open;

        if (!input_has(in, HEAD_MAX) && in->at == in->end)
            return;
        open = memchr(in->at, '{', (size_t)(in->end - in->at));
        if (!open) {
            in->at = in->end;
            continue;
        }
        in->at = open;
        input_has(in, HEAD_MAX);
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

static void drop_event(struct event_array *array)
{
    warning_count(builder_warnings(array->sink->builder), WARNING_LOSS,
                  "events that are not valid JSON, left out", input_offset(array->in));
    resynchronise(array->in);
}

/* At a '{'. False when the input ends inside the event. */
static bool read_event(struct event_array *array)
{
    struct input *in = array->in;
    struct event *event;
    const char *next;

    for (;;) {
        size_t held = (size_t)(in->end - in->at);
        enum scan_result result = array->scan(&array->scanner, in->at, in->end, &event, &next);

        if (result == SCAN_EVENT) {
            event->offset = input_offset(in);
            sink_event(array->sink, event);
            in->at = next;
            return true;
        }
        if (result == SCAN_BAD || held > EVENT_MAX) {
            drop_event(array);
            return true;
        }
        if (!input_has(in, held + 1))
            return false;
    }
}

/* Whether an event begins where another thread began. A start that has been passed was none. */
static bool has_met(struct event_array *array)
{
    uint64_t offset = input_offset(array->in);

    while (array->start_count && *array->starts < offset) {
        array->starts++;
        array->start_count--;
    }
    return array->start_count && *array->starts == offset;
}

enum array_end event_array_read(struct event_array *array)
{
    struct input *in = array->in;

    for (;;) {
        switch (event_array_peek(in)) {
        case '\0':
            if (in->at < in->end) {
                input_skip(in, 1);
                continue;
            }
            return ARRAY_CUT;
        case ',':
            input_skip(in, 1);
            break;
        case ']':
            input_skip(in, 1);
            return ARRAY_CLOSED;
        case '{':
            if (array->start_count && has_met(array))
                return ARRAY_MET;
            if (!read_event(array))
                return ARRAY_CUT;
            break;
        default:
            drop_event(array);
            break;
        }
    }
}
