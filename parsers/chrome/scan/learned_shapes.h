/* SPDX-License-Identifier: Apache-2.0 */
/* learned_shapes.h — the learned shapes of a producer's events
 *
 * A shape is an event with holes: runs of bytes that all events of its kind share, and between
 * them the values that differ. It is learned from the steps of the general path. At first every
 * value is part of the bytes; one that an event of the same kind has otherwise becomes a hole. */
#ifndef PTK_PARSERS_CHROME_SCAN_LEARNED_SHAPES_H
#define PTK_PARSERS_CHROME_SCAN_LEARNED_SHAPES_H

#include "base/memory/arena.h"
#include "parsers/chrome/scan/event.h"

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
struct step {
    const char *bytes;
    uint32_t len;
    uint8_t field;
    struct token value;
};

struct trail {
    struct step steps[STEPS_MAX];
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

#endif
