/* unpack_gzip.c — gzip through zlib, with any number of members */
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/grow.h"
#include "base/oom.h"
#include "base/unpack.h"

struct gzip {
    z_stream stream;
    struct input *packed, *owner;
    bool is_between; /* members: the next byte, if any, begins one */
};

static bool knows(struct span head)
{
    return head.len >= 3 && (unsigned char)head.at[0] == 0x1f &&
           (unsigned char)head.at[1] == 0x8b && head.at[2] == 8;
}

static void *gzip_open(struct input *packed, struct input *owner)
{
    struct gzip *gzip = grow_zeroed(1, sizeof(*gzip));

    gzip->packed = packed;
    gzip->owner = owner;
    if (inflateInit2(&gzip->stream, MAX_WBITS + 16) != Z_OK)
        oom();
    return gzip;
}

/* True when another member follows the one that has ended. */
static bool next_member(struct gzip *gzip)
{
    struct span rest = input_peek(gzip->packed, 3);

    if (!knows(rest)) {
        if (rest.len)
            gzip->owner->remark = "bytes after the end of the gzip data, ignored";
        return false;
    }
    inflateReset(&gzip->stream);
    gzip->is_between = false;
    return true;
}

/* One step; false at the end of the input or at a fault. */
static bool inflate_some(struct gzip *gzip, struct error *err)
{
    struct span packed = input_peek(gzip->packed, 1);
    size_t given = packed.len < UINT_MAX ? packed.len : UINT_MAX;

    if (given == 0)
        return error_set_at(err, input_offset(gzip->packed), 0, "the gzip data ends early");
    gzip->stream.next_in = (z_const Bytef *)packed.at;
    gzip->stream.avail_in = (uInt)given;

    int result = inflate(&gzip->stream, Z_NO_FLUSH);

    input_skip(gzip->packed, given - gzip->stream.avail_in);
    if (result == Z_MEM_ERROR)
        oom();
    if (result == Z_STREAM_END)
        gzip->is_between = true;
    else if (result != Z_OK && result != Z_BUF_ERROR)
        return error_set_at(err, input_offset(gzip->packed), 0, "the gzip data is damaged: %s",
                            gzip->stream.msg ? gzip->stream.msg : "no dictionary");
    return true;
}

static size_t gzip_read(void *state, char *to, size_t room, struct error *err)
{
    struct gzip *gzip = state;
    uInt want = room < UINT_MAX ? (uInt)room : UINT_MAX;

    gzip->stream.next_out = (Bytef *)to;
    gzip->stream.avail_out = want;
    while (gzip->stream.avail_out == want) {
        if (gzip->is_between && !next_member(gzip))
            break;
        if (!inflate_some(gzip, err))
            break;
    }
    return want - gzip->stream.avail_out;
}

static void gzip_close(void *state)
{
    struct gzip *gzip = state;

    inflateEnd(&gzip->stream);
    free(gzip);
}

const struct unpacker unpack_gzip = {
    .source = {.name = "gzip", .read = gzip_read, .close = gzip_close},
    .knows = knows,
    .open = gzip_open,
};
