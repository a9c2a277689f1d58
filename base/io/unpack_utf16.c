/* SPDX-License-Identifier: Apache-2.0 */
/* unpack_utf16.c — UTF-16 with a byte order mark, as Windows PowerShell writes what a tool
 * prints */
#include <stdlib.h>

#include "base/io/unpack.h"
#include "base/memory/grow.h"
#include "base/text/utf8.h"

enum { UTF8_MAX = 4, REPLACEMENT = 0xFFFD };

struct utf16 {
    struct input *packed, *owner;
    bool is_big; /* the high byte comes first */
};

/* UTF-32's mark for little endian begins like that of UTF-16. */
static bool knows(struct span head)
{
    return span_starts(head, SPAN("\xfe\xff")) ||
           (span_starts(head, SPAN("\xff\xfe")) && !span_starts(head, SPAN("\xff\xfe\0\0")));
}

static void *utf16_open(struct input *packed, struct input *owner)
{
    struct utf16 *utf16 = grow_zeroed(1, sizeof(*utf16));

    utf16->packed = packed;
    utf16->owner = owner;
    utf16->is_big = input_peek(packed, 2).at[0] == '\xfe';
    input_skip(packed, 2);
    return utf16;
}

static uint32_t unit_at(const struct utf16 *utf16, struct span text, size_t at)
{
    unsigned char first = (unsigned char)text.at[at], second = (unsigned char)text.at[at + 1];

    return utf16->is_big ? (uint32_t)first << 8 | second : (uint32_t)second << 8 | first;
}

/* The code point that the text begins with; half of a pair alone is none. */
static uint32_t next_code(struct utf16 *utf16, struct span text, size_t *len)
{
    uint32_t unit = unit_at(utf16, text, 0), low;

    *len = 2;
    if (unit < 0xD800 || unit > 0xDFFF)
        return unit;
    low = text.len >= 4 && unit < 0xDC00 ? unit_at(utf16, text, 2) : 0;
    if (low >= 0xDC00 && low <= 0xDFFF) {
        *len = 4;
        return 0x10000 + ((unit - 0xD800) << 10 | (low - 0xDC00));
    }
    utf16->owner->remark = "halves of UTF-16 pairs alone, replaced";
    return REPLACEMENT;
}

/* Takes what is there, but for a last unit whose other half may be still to come. */
static size_t decode(struct utf16 *utf16, struct span text, char *to, size_t room)
{
    size_t least = text.len < 4 ? 2 : 4, at = 0, done = 0, len;

    while (text.len - at >= least && room - done >= UTF8_MAX) {
        done += utf8_write(to + done, next_code(utf16, span_after(text, at), &len));
        at += len;
    }
    input_skip(utf16->packed, at);
    return done;
}

static size_t utf16_read(void *state, char *to, size_t room, struct error *err)
{
    struct utf16 *utf16 = state;
    struct span text = input_peek(utf16->packed, 4);

    (void)err;
    if (text.len == 1)
        utf16->owner->remark = "half a character at the end of the UTF-16, ignored";
    return text.len < 2 ? 0 : decode(utf16, text, to, room);
}

const struct unpacker unpack_utf16 = {
    .source = {.name = "utf-16", .read = utf16_read, .close = free},
    .knows = knows,
    .open = utf16_open,
};
