/* SPDX-License-Identifier: Apache-2.0 */
#include <zlib.h>

#include "base/io/pack.h"
#include "base/memory/oom.h"

enum { CHUNK = 1 << 16, MEMORY_LEVEL = 8 };

/* Everything that the compressor has to say on what it was given. */
static bool drain(z_stream *stream, int flush, FILE *to)
{
    unsigned char packed[CHUNK];

    do {
        stream->next_out = packed;
        stream->avail_out = CHUNK;
        deflate(stream, flush);
        if (fwrite(packed, 1, CHUNK - stream->avail_out, to) != CHUNK - stream->avail_out)
            return false;
    } while (stream->avail_out == 0);
    return true;
}

bool pack_gzip(FILE *from, FILE *to)
{
    unsigned char plain[CHUNK];
    z_stream stream = {0};
    bool ok, is_last;

    if (fseek(from, 0, SEEK_SET) != 0)
        return false;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        oom();
    do {
        stream.avail_in = (unsigned)fread(plain, 1, CHUNK, from);
        stream.next_in = plain;
        is_last = stream.avail_in < CHUNK;
        ok = drain(&stream, is_last ? Z_FINISH : Z_NO_FLUSH, to) && !ferror(from);
    } while (ok && !is_last);
    deflateEnd(&stream);
    return ok;
}
