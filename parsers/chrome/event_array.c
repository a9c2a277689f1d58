/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the events of an array, whole, cut off or broken; several threads share a large plain file. */
#include "parsers/chrome/chrome.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/parallel/parallel.h"
#include "parsers/chrome/producers/producers.h"

/* ---- finds the events of an array, whole, cut off or broken, and hands them on ---- */

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
            /* another thread begins at an event; a start that has been passed was none */
            for (; array->start_count && *array->starts < input_offset(in); array->starts++)
                array->start_count--;
            if (array->start_count && *array->starts == input_offset(in))
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

/* ---- reads the events of a large plain file with several threads ---- */

enum {
    PARTS_MAX = 64,
    LOOK_MIN = 1 << 14,       /* how far to look for the beginning of an event, at first */
    LOOK_MAX = 1 << 20,       /* and at most */
    EVENT_HEAD_MAX = 1 << 16, /* how far to look for the names of devices */
};

struct array_part {
    struct event_array array;
    struct input in;
    struct sink sink;
    enum array_end end;
};

struct array_split {
    struct event_array *whole; /* it reads what stands before the parts */
    enum array_end end;        /* of that */
    struct array_part parts[PARTS_MAX];
    uint64_t starts[PARTS_MAX];
    size_t count;
};

/* ---- where to cut ---- */

static size_t after_blanks(struct span text, size_t at)
{
    while (at < text.len && (unsigned char)text.at[at] <= ' ')
        at++;
    return at;
}

/* The first '{' that follows "}," and is followed by '"': nothing like it stands in a string,
 * where quotes are escaped. SIZE_MAX when there is none. */
static size_t find_event(struct span text)
{
    for (size_t at = 0; at < text.len; at++) {
        size_t open;

        if (text.at[at] != '}')
            continue;
        open = after_blanks(text, at + 1);
        if (open == text.len || text.at[open] != ',')
            continue;
        open = after_blanks(text, open + 1);
        if (open == text.len || text.at[open] != '{')
            continue;
        at = after_blanks(text, open + 1);
        if (at < text.len && text.at[at] == '"')
            return open;
        at = open;
    }
    return SIZE_MAX;
}

/* Opens a part at the first event after `offset`; false when none is near. */
static bool open_part(struct array_part *part, const struct input *in, uint64_t offset)
{
    size_t event = SIZE_MAX;

    input_part(in, offset, &part->in);
    for (size_t look = LOOK_MIN; event == SIZE_MAX && look <= LOOK_MAX; look *= 8)
        event = find_event(input_peek(&part->in, look));
    if (event == SIZE_MAX) {
        input_close(&part->in);
        return false;
    }
    input_skip(&part->in, event);
    return true;
}

static void add_part(struct array_split *split, uint64_t offset)
{
    const struct event_array *whole = split->whole;
    struct array_part *part = &split->parts[split->count];

    if (!open_part(part, whole->in, offset))
        return;
    sink_init_part(&part->sink, whole->sink);
    part->array = (struct event_array){.in = &part->in, .sink = &part->sink, .scan = whole->scan};
    part->array.scanner.wanted = whole->scanner.wanted;
    split->starts[split->count++] = input_offset(&part->in);
}

/* Parts grow smaller towards the end, so that the threads end at about the same time. */
static void cut(struct array_split *split, size_t threads, uint64_t part_min)
{
    const struct event_array *whole = split->whole;
    uint64_t offset = input_offset(whole->in), end = input_plain_size(whole->in);

    while (split->count < PARTS_MAX && offset < end) {
        uint64_t size = (end - offset) / (2 * threads);

        if (size < part_min)
            break;
        add_part(split, offset += size);
    }
    for (size_t i = 0; i < split->count; i++) {
        split->parts[i].array.starts = &split->starts[i + 1];
        split->parts[i].array.start_count = split->count - i - 1;
    }
    split->whole->starts = split->starts;
    split->whole->start_count = split->count;
}

/* ---- the whole ---- */

static void read_part(void *context, size_t piece)
{
    struct array_split *split = context;

    if (piece == 0)
        split->end = event_array_read(split->whole);
    else
        split->parts[piece - 1].end = event_array_read(&split->parts[piece - 1].array);
}

/* Puts the proved parts behind what `whole` has read. */
static enum array_end append_proved_parts(struct array_split *split)
{
    struct event_array *whole = split->whole;
    const struct event_array *last = whole;
    enum array_end end = split->end;

    for (size_t i = 0; i < split->count; i++) {
        struct array_part *part = &split->parts[i];

        if (end != ARRAY_MET || *last->starts != split->starts[i]) {
            sink_abandon(&part->sink);
            continue;
        }
        sink_absorb(whole->sink, &part->sink);
        last = &part->array;
        end = part->end;
    }
    if (last != whole)
        input_seek(whole->in, input_offset(last->in));
    whole->start_count = 0;
    return end;
}

enum array_end split_events(struct event_array *whole, size_t threads, uint64_t part_min)
{
    struct array_split *split;
    enum array_end end;

    if (threads < 2 || !input_plain_size(whole->in) ||
        planes_are_in(input_peek(whole->in, EVENT_HEAD_MAX)))
        return event_array_read(whole);
    split = grow_zeroed(1, sizeof(*split));
    split->whole = whole;
    cut(split, threads, part_min);
    parallel_for(threads, split->count + 1, read_part, split);
    end = append_proved_parts(split);
    for (size_t i = 0; i < split->count; i++) {
        shapes_free(&split->parts[i].array.scanner.shapes);
        input_close(&split->parts[i].in);
    }
    free(split);
    return end;
}
