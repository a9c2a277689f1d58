#include "parsers/chrome/split.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/grow.h"

enum {
    PARTS_MAX = 16,
    LOOK_MAX = 1 << 20, /* how far to look for the beginning of an event */
    HEAD_MAX = 1 << 16, /* how far to look for the names of devices */
};

/* What another thread reads. */
struct part {
    struct reader reader;
    struct input in;
    struct sink sink;
    pthread_t thread;
    bool has_thread;
    enum events_end end;
};

struct split {
    struct part parts[PARTS_MAX];
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
static bool open_part(struct part *part, const struct input *in, uint64_t offset)
{
    size_t event;

    input_part(in, offset, &part->in);
    event = find_event(input_peek(&part->in, LOOK_MAX));
    if (event == SIZE_MAX) {
        input_close(&part->in);
        return false;
    }
    input_skip(&part->in, event);
    return true;
}

static void add_part(struct split *split, const struct reader *whole, uint64_t offset)
{
    struct part *part = &split->parts[split->count];

    if (!open_part(part, whole->in, offset))
        return;
    sink_init_part(&part->sink, whole->sink);
    part->reader = (struct reader){.in = &part->in, .sink = &part->sink, .scan = whole->scan};
    memcpy(part->reader.scanner.wanted, whole->scanner.wanted, sizeof(whole->scanner.wanted));
    part->reader.scanner.wants_args = whole->scanner.wants_args;
    split->starts[split->count++] = input_offset(&part->in);
}

size_t split_threads(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    return cores > 1 ? (size_t)cores : 1;
}

static size_t count_parts(const struct reader *whole, size_t threads)
{
    uint64_t size = input_plain_size(whole->in), offset = input_offset(whole->in);
    uint64_t parts = size > offset ? (size - offset) / whole->part_min : 0;

    parts = parts < threads ? parts : threads;
    return parts < PARTS_MAX ? (size_t)parts : PARTS_MAX;
}

/* Names that decide what the events are: who starts in the middle does not know them. */
static bool depends_on_names(const struct reader *whole)
{
    struct span head = input_peek(whole->in, HEAD_MAX);

    return span_find(head, SPAN("/device:")) != SIZE_MAX ||
           span_find(head, SPAN("\"/gpu:")) != SIZE_MAX ||
           span_find(head, SPAN(" functions\"")) != SIZE_MAX ||
           span_find(head, SPAN("\"Ascend Hardware")) != SIZE_MAX;
}

/* ---- threads ---- */

static void *read_part(void *context)
{
    struct part *part = context;

    part->end = reader_events(&part->reader);
    return NULL;
}

static void start(struct split *split)
{
    for (size_t i = 0; i < split->count; i++) {
        struct part *part = &split->parts[i];

        part->reader.starts = &split->starts[i + 1];
        part->reader.start_count = split->count - i - 1;
        part->has_thread = pthread_create(&part->thread, NULL, read_part, part) == 0;
    }
}

/* A part that got no thread is read when its turn has come. */
static void wait_for(struct part *part, bool is_proved)
{
    if (part->has_thread)
        pthread_join(part->thread, NULL);
    else if (is_proved)
        read_part(part);
}

/* Puts the proved parts behind what `whole` has read. */
static enum events_end gather(struct split *split, struct reader *whole, enum events_end end)
{
    const struct reader *last = whole;

    for (size_t i = 0; i < split->count; i++) {
        struct part *part = &split->parts[i];
        bool is_proved = end == EVENTS_MET && *last->starts == split->starts[i];

        wait_for(part, is_proved);
        if (!is_proved) {
            sink_abandon(&part->sink);
            continue;
        }
        sink_absorb(whole->sink, &part->sink);
        last = &part->reader;
        end = part->end;
    }
    if (last != whole)
        input_seek(whole->in, input_offset(last->in));
    return end;
}

enum events_end split_events(struct reader *whole, size_t threads)
{
    uint64_t first = input_offset(whole->in), size = input_plain_size(whole->in);
    size_t parts = threads > 1 ? count_parts(whole, threads) : 1;
    struct split *split;
    enum events_end end;

    if (parts < 2 || depends_on_names(whole))
        return reader_events(whole);
    split = grow_zeroed(1, sizeof(*split));
    for (size_t i = 1; i < parts; i++)
        add_part(split, whole, first + (size - first) / parts * i);
    start(split);
    whole->starts = split->starts;
    whole->start_count = split->count;
    end = gather(split, whole, reader_events(whole));
    whole->start_count = 0;
    for (size_t i = 0; i < split->count; i++) {
        shapes_free(&split->parts[i].reader.scanner.shapes);
        input_close(&split->parts[i].in);
    }
    free(split);
    return end;
}
