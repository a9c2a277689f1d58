/* SPDX-License-Identifier: Apache-2.0 */
#include "base/io/unpack.h"

#ifndef PTK_ISAL
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/memory/grow.h"

struct inflate {
    z_stream stream;
};

struct inflate *inflate_new(void)
{
    struct inflate *inflate = grow_zeroed(1, sizeof(*inflate));

    if (inflateInit2(&inflate->stream, MAX_WBITS + 16) != Z_OK)
        oom();
    return inflate;
}

static uInt at_most(size_t len)
{
    return len < UINT_MAX ? (uInt)len : UINT_MAX;
}

enum inflate_result inflate_step(struct inflate *state, struct inflate_io *io, const char **why)
{
    z_stream *stream = &state->stream;
    uInt in_len = at_most(io->in_len), out_room = at_most(io->out_room);

    stream->next_in = (z_const Bytef *)io->in;
    stream->avail_in = in_len;
    stream->next_out = (Bytef *)io->out;
    stream->avail_out = out_room;

    int result = inflate(stream, Z_NO_FLUSH);

    io->in += in_len - stream->avail_in;
    io->in_len -= in_len - stream->avail_in;
    io->out += out_room - stream->avail_out;
    io->out_room -= out_room - stream->avail_out;
    if (result == Z_MEM_ERROR)
        oom();
    if (result == Z_STREAM_END)
        return INFLATE_END;
    if (result == Z_OK || result == Z_BUF_ERROR)
        return INFLATE_MORE;
    *why = stream->msg ? stream->msg : "no dictionary";
    return INFLATE_DAMAGED;
}

void inflate_again(struct inflate *inflate)
{
    inflateReset(&inflate->stream);
}

void inflate_free(struct inflate *inflate)
{
    inflateEnd(&inflate->stream);
    free(inflate);
}
#endif
