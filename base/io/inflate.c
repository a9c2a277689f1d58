/* SPDX-License-Identifier: Apache-2.0 */
/* One gzip member at a time into plain bytes, by ISA-L where the build found it, else by zlib. */
#include <limits.h>
#include <stdlib.h>

#include "base/io/io.h"
#include "base/memory/memory.h"

#ifdef PTK_ISAL
#include <isa-l/igzip_lib.h>

struct inflate {
    struct inflate_state state;
};

static void inflate_member_begin(struct inflate *inflate)
{
    isal_inflate_init(&inflate->state);
    inflate->state.crc_flag = ISAL_GZIP;
}

struct inflate *inflate_new(void)
{
    struct inflate *inflate = grow_zeroed(1, sizeof(*inflate));

    inflate_member_begin(inflate);
    return inflate;
}

static uint32_t at_most(size_t len)
{
    return len < UINT32_MAX ? (uint32_t)len : UINT32_MAX;
}

static const char *reason(int result)
{
    switch (result) {
    case ISAL_INVALID_BLOCK:
        return "invalid block";
    case ISAL_INVALID_SYMBOL:
        return "invalid symbol";
    case ISAL_INVALID_LOOKBACK:
        return "invalid distance";
    case ISAL_INVALID_WRAPPER:
        return "invalid header";
    case ISAL_INCORRECT_CHECKSUM:
        return "incorrect checksum";
    default:
        return "unsupported method";
    }
}

enum inflate_result inflate_step(struct inflate *inflate, struct inflate_io *io, const char **why)
{
    struct inflate_state *state = &inflate->state;
    uint32_t out_room = at_most(io->out_room);

    state->next_in = (uint8_t *)io->in; /* read only, whatever its type says */
    state->avail_in = at_most(io->in_len);
    state->next_out = (uint8_t *)io->out;
    state->avail_out = out_room;

    int result = isal_inflate(state);

    io->in_len -= (size_t)((const char *)state->next_in - io->in); /* adds what is handed back */
    io->in = (const char *)state->next_in;
    io->out += out_room - state->avail_out;
    io->out_room -= out_room - state->avail_out;
    if (result < 0) {
        *why = reason(result);
        return INFLATE_DAMAGED;
    }
    return state->block_state == ISAL_BLOCK_FINISH ? INFLATE_END : INFLATE_MORE;
}

void inflate_again(struct inflate *inflate)
{
    inflate_member_begin(inflate);
}

void inflate_free(struct inflate *inflate)
{
    free(inflate);
}

#else
#include <zlib.h>

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
