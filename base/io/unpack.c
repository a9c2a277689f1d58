/* SPDX-License-Identifier: Apache-2.0 */
/* The decoders that stand on an input: gzip, zstd and UTF-16, in any order, one on the other. */
#include "base/io/io.h"

#include <stdlib.h>
#include <zstd.h>

#include "base/memory/memory.h"
#include "base/text/escape.h"

/* One gzip member: by ISA-L where the build found it, about three times as fast as zlib, which
 * does it otherwise. */

/* How many bytes before `in` must still be there: at the end of a member, `in` may move back by as
 * many, for bytes that were taken in an earlier step and turn out to be the next member's. */
enum { INFLATE_KEEP = 8 };

/* ---- gzip, with any number of members ---- */

enum { WINDOW = 64 * 1024, MAGIC = 3 };

struct gzip {
    struct inflate *inflate;
    struct inflate_io io; /* `in` stands in the window */
    struct input *packed, *owner;
    uint64_t unpacked;
    bool is_between; /* members: the next byte, if any, begins one */
    char window[INFLATE_KEEP + WINDOW];
};

static bool is_gzip(struct span head)
{
    return head.len >= MAGIC && (unsigned char)head.at[0] == 0x1f &&
           (unsigned char)head.at[1] == 0x8b && head.at[2] == 8;
}

static void *gzip_open(struct input *packed, struct input *owner)
{
    struct gzip *gzip = grow_zeroed(1, sizeof(*gzip));

    gzip->packed = packed;
    gzip->owner = owner;
    gzip->inflate = inflate_new();
    gzip->io.in = gzip->window;
    return gzip;
}

/* Reads on behind what is in the window; what has been used leaves it, but for the last bytes.
 * False at the end of the input. */
static bool refill(struct gzip *gzip)
{
    size_t used = (size_t)(gzip->io.in - gzip->window);
    size_t kept = used < INFLATE_KEEP ? used : INFLATE_KEEP, count;

    memmove(gzip->window, gzip->io.in - kept, kept + gzip->io.in_len);
    gzip->io.in = gzip->window + kept;
    count = input_read(gzip->packed, gzip->window + kept + gzip->io.in_len,
                       sizeof(gzip->window) - kept - gzip->io.in_len);
    gzip->io.in_len += count;
    return count > 0;
}

/* True when another member follows the one that has ended. */
static bool next_member(struct gzip *gzip)
{
    while (gzip->io.in_len < MAGIC && refill(gzip))
        ;
    if (!is_gzip((struct span){gzip->io.in, gzip->io.in_len})) {
        if (gzip->io.in_len)
            gzip->owner->remark = "bytes after the end of the gzip data, ignored";
        return false;
    }
    inflate_again(gzip->inflate);
    gzip->is_between = false;
    return true;
}

static uint64_t offset_of(const struct gzip *gzip)
{
    return input_offset(gzip->packed) - gzip->io.in_len;
}

/* One step; false at the end of the input or at a fault. */
static bool inflate_some(struct gzip *gzip, struct error *err)
{
    bool is_drained = gzip->io.in_len == 0 && !refill(gzip);
    size_t room = gzip->io.out_room;
    const char *why;

    switch (inflate_step(gzip->inflate, &gzip->io, &why)) {
    case INFLATE_DAMAGED:
        return error_set_at(err, offset_of(gzip), 0, "the gzip data is damaged: %s", why);
    case INFLATE_END:
        gzip->is_between = true;
        return true;
    case INFLATE_MORE:
        break;
    }
    if (is_drained && gzip->io.out_room == room)
        return error_set_at(err, offset_of(gzip), 0, "the gzip data ends early");
    return true;
}

static size_t gzip_read(void *state, char *to, size_t room, struct error *err)
{
    struct gzip *gzip = state;

    gzip->io.out = to;
    gzip->io.out_room = room;
    while (gzip->io.out_room == room) {
        if (gzip->is_between && !next_member(gzip))
            break;
        if (!inflate_some(gzip, err))
            break;
    }
    gzip->unpacked += room - gzip->io.out_room;
    if (!unpack_is_likely(gzip->owner, offset_of(gzip), gzip->unpacked, err))
        return 0;
    return room - gzip->io.out_room;
}

static void gzip_close(void *state)
{
    struct gzip *gzip = state;

    inflate_free(gzip->inflate);
    free(gzip);
}

const struct unpacker unpack_gzip = {
    .source = {.name = "gzip", .read = gzip_read, .close = gzip_close},
    .knows = is_gzip,
    .open = gzip_open,
};

/* ---- zstd, with any number of frames; the window is bounded ---- */

enum { WINDOW_LOG_MAX = 27 }; /* 128 MiB, what zstd(1) accepts by default */

struct zstd {
    ZSTD_DStream *stream;
    struct input *packed, *owner;
    uint64_t unpacked;
    bool is_between; /* frames: the next byte, if any, begins one */
};

static bool is_zstd(struct span head)
{
    return span_starts(head, SPAN("\x28\xb5\x2f\xfd"));
}

static void *zstd_open(struct input *packed, struct input *owner)
{
    struct zstd *zstd = grow_zeroed(1, sizeof(*zstd));

    zstd->packed = packed;
    zstd->owner = owner;
    zstd->stream = ZSTD_createDStream();
    if (!zstd->stream)
        oom();
    ZSTD_DCtx_setParameter(zstd->stream, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    return zstd;
}

static bool next_frame(struct zstd *zstd)
{
    struct span rest = input_peek(zstd->packed, 4);
    bool is_skipped = rest.len >= 4 && ((unsigned char)rest.at[0] & 0xF0) == 0x50 &&
                      span_starts(span_after(rest, 1), SPAN("\x2a\x4d\x18"));

    if (!is_zstd(rest) && !is_skipped) { /* frames that decoders skip may stand between others */
        if (rest.len)
            zstd->owner->remark = "bytes after the end of the zstd data, ignored";
        return false;
    }
    zstd->is_between = false;
    return true;
}

static bool decode_some(struct zstd *zstd, ZSTD_outBuffer *out, struct error *err)
{
    struct span packed = input_peek(zstd->packed, 1);
    ZSTD_inBuffer in = {packed.at, packed.len, 0};
    size_t produced = out->pos;
    size_t result = ZSTD_decompressStream(zstd->stream, out, &in);

    input_skip(zstd->packed, in.pos);
    if (ZSTD_isError(result))
        return error_set_at(err, input_offset(zstd->packed), 0, "the zstd data is damaged: %s",
                            ZSTD_getErrorName(result));
    if (result == 0)
        zstd->is_between = true;
    else if (packed.len == 0 && out->pos == produced)
        return error_set_at(err, input_offset(zstd->packed), 0, "the zstd data ends early");
    return true;
}

static size_t zstd_read(void *state, char *to, size_t room, struct error *err)
{
    struct zstd *zstd = state;
    ZSTD_outBuffer out = {to, room, 0};

    while (out.pos == 0) {
        if (zstd->is_between && !next_frame(zstd))
            break;
        if (!decode_some(zstd, &out, err))
            break;
    }
    zstd->unpacked += out.pos;
    if (!unpack_is_likely(zstd->owner, input_offset(zstd->packed), zstd->unpacked, err))
        return 0;
    return out.pos;
}

static void zstd_close(void *state)
{
    struct zstd *zstd = state;

    ZSTD_freeDStream(zstd->stream);
    free(zstd);
}

const struct unpacker unpack_zstd = {
    .source = {.name = "zstd", .read = zstd_read, .close = zstd_close},
    .knows = is_zstd,
    .open = zstd_open,
};

/* ---- UTF-16 with a byte order mark, as Windows PowerShell writes what a tool prints ---- */

enum { UTF8_MAX = SOURCE_ROOM_MIN, REPLACEMENT = 0xFFFD };

struct utf16 {
    struct input *packed, *owner;
    bool is_big; /* the high byte comes first */
};

/* UTF-32's mark for little endian begins like that of UTF-16. */
static bool is_utf16(struct span head)
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

static size_t utf16_read(void *state, char *to, size_t room, struct error *err)
{
    struct utf16 *utf16 = state;
    struct span text = input_peek(utf16->packed, 4);
    size_t least = text.len < 4 ? 2 : 4; /* a last unit's other half may be still to come */
    size_t at = 0, done = 0, len;

    (void)err;
    if (text.len == 1)
        utf16->owner->remark = "half a character at the end of the UTF-16, ignored";
    while (text.len - at >= least && room - done >= UTF8_MAX) {
        done += utf8_write(to + done, next_code(utf16, span_after(text, at), &len));
        at += len;
    }
    input_skip(utf16->packed, at);
    return done;
}

const struct unpacker unpack_utf16 = {
    .source = {.name = "utf-16", .read = utf16_read, .close = free},
    .knows = is_utf16,
    .open = utf16_open,
};
