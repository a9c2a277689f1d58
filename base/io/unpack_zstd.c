/* SPDX-License-Identifier: Apache-2.0 */
/* unpack_zstd.c — zstd, with any number of frames; the window is bounded */
#include <stdlib.h>
#include <zstd.h>

#include "base/io/unpack.h"
#include "base/memory/grow.h"
#include "base/memory/oom.h"

enum { WINDOW_LOG_MAX = 27 }; /* 128 MiB, what zstd(1) accepts by default */

struct zstd {
    ZSTD_DStream *stream;
    struct input *packed, *owner;
    uint64_t unpacked;
    bool is_between; /* frames: the next byte, if any, begins one */
};

static bool knows(struct span head)
{
    return span_starts(head, SPAN("\x28\xb5\x2f\xfd"));
}

/* Frames that decoders skip; they may stand between others. */
static bool is_frame(struct span head)
{
    return knows(head) || (head.len >= 4 && ((unsigned char)head.at[0] & 0xF0) == 0x50 &&
                           span_starts(span_after(head, 1), SPAN("\x2a\x4d\x18")));
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

    if (!is_frame(rest)) {
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
    .knows = knows,
    .open = zstd_open,
};
