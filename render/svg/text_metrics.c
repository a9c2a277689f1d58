/* SPDX-License-Identifier: Apache-2.0 */
/* text_metrics.c — how wide a text is drawn */
#include "render/svg/svg.h"

#include <string.h>

#include "base/text/escape.h"

enum { ELLIPSIS_WIDTH = 1000, BEYOND_ASCII = 800, LEAST_CHARACTERS = 3 };

/* In 1/1000 of the size, from the blank to the tilde. */
static const uint16_t ascii_width[] = {
    278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, /*  !"#… */
    556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, /* 0123… */
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, /* @ABC… */
    667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, /* PQRS… */
    333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, /* `abc… */
    556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,      /* pqrs… */
};

static uint32_t character_width(uint32_t code)
{
    unsigned cells = utf8_cells(code);

    if (code >= ' ' && code < 0x7f)
        return ascii_width[code - ' '];
    return cells == 1 ? BEYOND_ASCII : cells * 600;
}

/* How many bytes of the text's beginning fit into `room`, and what of it they take. */
static size_t prefix_in(struct span text, double room, double *taken)
{
    size_t at = 0;

    *taken = 0;
    while (at < text.len) {
        struct utf8 c = utf8_next(span_after(text, at));
        double width = character_width(c.code);

        if (*taken + width > room)
            break;
        *taken += width;
        at += c.len;
    }
    return at;
}

/* Where the part of the text's end begins that fits into `room`. */
static size_t suffix_in(struct span text, double room)
{
    double whole = text_width(text) * 1000;
    size_t at = 0;

    while (at < text.len && whole > room) {
        struct utf8 c = utf8_next(span_after(text, at));

        whole -= character_width(c.code);
        at += c.len;
    }
    return at;
}

double text_width(struct span plain)
{
    double width = 0;

    for (size_t at = 0; at < plain.len;) {
        struct utf8 c = utf8_next(span_after(plain, at));

        width += character_width(c.code);
        at += c.len;
    }
    return width / 1000;
}

struct span text_fit(struct arena *arena, struct span plain, double width, double size)
{
    double room = width / size * 1000, taken;
    size_t head = prefix_in(plain, room, &taken), tail;
    char *cut;

    if (head == plain.len)
        return plain;
    head = prefix_in(plain, (room - ELLIPSIS_WIDTH) / 2, &taken);
    tail = suffix_in(plain, room - ELLIPSIS_WIDTH - taken);
    if (head == 0 || head + (plain.len - tail) < LEAST_CHARACTERS)
        return SPAN("");
    cut = arena_array(arena, head + 3 + (plain.len - tail), 1);
    memcpy(cut, plain.at, head);
    memcpy(cut + head, "…", 3);
    memcpy(cut + head + 3, plain.at + tail, plain.len - tail);
    return (struct span){cut, head + 3 + (plain.len - tail)};
}

size_t text_line_length(struct span plain, double width, double size)
{
    double taken;
    size_t most = prefix_in(plain, width / size * 1000, &taken), at = most;

    if (most == plain.len)
        return most;
    while (at > 0 && plain.at[at] != ' ')
        at--;
    return at ? at : most ? most : utf8_next(plain).len;
}
