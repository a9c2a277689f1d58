/* SPDX-License-Identifier: Apache-2.0 */
/* scanner.h — the fields of a trace's events, found in its bytes */
#ifndef PTK_PARSERS_CHROME_SCAN_SCANNER_H
#define PTK_PARSERS_CHROME_SCAN_SCANNER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "parsers/json/json.h"

/* ---- the members that a trace event has by its format ---- */

/* Which member of an event, or of its args, a value is. */
enum field {
    FIELD_PH,
    FIELD_NAME,
    FIELD_CAT,
    FIELD_PID,
    FIELD_TID,
    FIELD_TS,
    FIELD_DUR,
    FIELD_TTS, /* these two by the thread's CPU clock */
    FIELD_TDUR,
    FIELD_ARGS,
    FIELD_ID,
    FIELD_ID2,
    FIELD_SCOPE,
    FIELD_BP,
    FIELD_SF,
    FIELD_BIND_ID,
    FIELD_FLOW_IN,
    FIELD_FLOW_OUT,
    FIELD_FIRST_ARG, /* from here on they are members of args, which who takes the */
    FIELD_COUNT = FIELD_FIRST_ARG + 96, /* events numbers as it likes */
    FIELD_OTHER = 255,                  /* nobody wants it */
};

/* The field of a member of an event, FIELD_OTHER when it means nothing. */
enum field field_of_event(struct span key);

/* ---- one trace event's members as they stand in the buffer ---- */

enum { SHAPES_MAX = 128, NO_SHAPE = 0 };

struct event {
    struct token field[FIELD_COUNT];
    uint8_t set[FIELD_COUNT];                         /* those that have a token, each once */
    uint8_t arguments[FIELD_COUNT - FIELD_FIRST_ARG]; /* of these the members of args */
    uint32_t set_count, argument_count;
    uint32_t
        shape; /* its number, at most SHAPES_MAX: who takes events may keep something for each */
    uint32_t constant; /* bit i: member i, none of args, is the same in all events of the shape */
    bool is_unwanted;  /* nothing is made of such events: said by who takes them */
    uint64_t offset;   /* of its '{' in the input */
};

static inline void event_set(struct event *event, enum field field, struct token token)
{
    if (!event->field[field].at) {
        event->set[event->set_count++] = (uint8_t)field;
        if (field >= FIELD_FIRST_ARG)
            event->arguments[event->argument_count++] = (uint8_t)field;
    }
    event->field[field] = token;
}

static inline bool event_is_constant(const struct event *event, enum field field)
{
    return event->constant >> field & 1;
}

static inline void event_clear(struct event *event)
{
    for (uint32_t i = 0; i < event->set_count; i++)
        event->field[event->set[i]] = (struct token){.len = 0};
    event->set_count = event->argument_count = 0;
    event->constant = 0;
    event->is_unwanted = false;
}

/* ---- one trace event after the other out of a buffer, at the speed of memory ---- */

/* No document is built and nothing is validated that nobody reads. A producer writes all events
 * of a kind alike: same members, same order, same blanks. So the scanner learns shapes (shapes.h)
 * and matches most events by comparing a few runs of bytes; whatever matches no shape takes the
 * general path, which accepts any order and spacing and teaches the next shape. */

/* ---- the learned shapes of a producer's events ---- */

/* A shape is an event with holes: runs of bytes that all events of its kind share, and between
 * them the values that differ. It is learned from the steps of the general path. At first every
 * value is part of the bytes; one that an event of the same kind has otherwise becomes a hole. */

enum {
    STEPS_MAX = 48,
    PIECE_LEN = 32,
    PIECES_MAX = 96,
};

/* What stands in a hole. */
enum hole {
    HOLE_NONE,   /* no hole: the run of bytes goes on with the next piece */
    HOLE_STRING, /* up to, not with, the closing quote; the opening one is in the bytes before */
    HOLE_SCALAR, /* a number, true, false, null, NaN ... */
    HOLE_NEST,   /* an object or an array */
    HOLE_END,    /* the event ends here */
};

/* Some bytes, and the hole after them. It remembers lengths of scalar values only. */
struct piece {
    char bytes[PIECE_LEN];
    uint32_t ignored; /* bit i: byte i is past the end of the bytes */
    uint8_t len, hole, field;
    uint8_t sameness;    /* bit i: i events ago the value was as long as in the one before */
    uint32_t last_len;   /* of the value */
    struct token *value; /* takes what stands in the hole */
};

struct shape {
    struct event event; /* has what all events of the shape share, and takes the rest */
    struct piece pieces[PIECES_MAX];
    uint32_t piece_count;  /* 0: it would have too many, and matches nothing */
    uint32_t head;         /* pieces that end with the first hole */
    uint32_t tail;         /* pieces after the last hole */
    uint32_t tail_len;     /* of their bytes; 0: the two do not tell what the event is */
    uint32_t index;        /* in the list */
    uint32_t successor;    /* the shape that came after it last */
    struct token unwanted; /* takes what nobody wants */
    struct lesson *lesson;
};

/* What the general path saw: the bytes up to each value, and the value. */
struct scan_step {
    const char *bytes;
    uint32_t len;
    uint8_t field;
    struct token value;
};

struct trail {
    struct scan_step steps[STEPS_MAX];
    uint32_t count;
    const char *tail; /* the bytes after the last value, up to the event's end */
    uint32_t tail_len;
    bool is_long; /* had more steps than fit: nothing can be learned from it */
};

struct shapes {
    struct arena arena;
    struct shape *list[SHAPES_MAX];
    uint8_t common[SHAPES_MAX][SHAPES_MAX]; /* how many pieces two shapes begin with alike */
    uint32_t count;
    uint32_t last; /* index of the shape that matched last */
};

/* Learns from an event that the general path read. */
void shapes_learn(struct shapes *shapes, const struct trail *trail);

void shapes_free(struct shapes *shapes);

/* ---- one trace event after the other out of a buffer, at the speed of memory ---- */

/* What who takes the events wants of their args. It is asked only of events of no known shape: what it
 * answers must follow from what events of a shape have in common. */
struct wanted {
    const void *context;

    /* The number of a member of args, from FIELD_FIRST_ARG on; FIELD_OTHER: not wanted. */
    enum field (*field_of)(const void *context, struct span key);

    /* Whether members of args are wanted at all, by the event's own that came before. NULL: no. */
    bool (*has_members)(const void *context, const struct event *event);

    /* Whether args are wanted as they stand, which events of a learned shape do not have. NULL:
     * no. */
    bool (*has_whole)(const void *context, const struct event *event);
};

struct scanner {
    struct wanted wanted; /* set before scanning */
    struct shapes shapes;
    struct event general; /* the one that matched no shape */
};

enum scan_result {
    SCAN_EVENT, /* an event was read; `*next` is past its '}' */
    SCAN_CUT,   /* the buffer ends before the event does */
    SCAN_BAD,   /* no JSON object: `*next` is where that showed */
};

/* `at` is at a '{'; `end` is followed by INPUT_PAD NULs. The event is the scanner's, and good until
 * the next call. */
typedef enum scan_result scan_function(struct scanner *scanner, const char *at, const char *end,
                                       struct event **event, const char **next);

/* The fastest that this machine has instructions for. */
scan_function *scanner_select(void);

/* One for each instruction set; NULL where the compiler or the machine type has none. */
extern scan_function *const scan_event_avx2, *const scan_event_sse2, *const scan_event_portable;

#endif
