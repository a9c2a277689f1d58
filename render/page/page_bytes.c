/* SPDX-License-Identifier: Apache-2.0 */
/* page_bytes.c — a page's numbers as text: raw deflate, base 64 */
#include "render/page/page_data.h"

#include <stdlib.h>
#include <zlib.h>

/* zlib alone, because ISA-L's output differs from processor to processor. Level 6 takes three times as long
 * and saves 2 % of a large trace. */
void page_bytes_deflate(struct byte_list *bytes)
{
    enum { LEVEL = 4, MEMORY_LEVEL = 9, PIECE = 1 << 30 };
    z_stream stream = {0};
    struct byte_list packed = {0};
    size_t left = bytes->count;

    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, -MAX_WBITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        oom();
    packed.cap = deflateBound(&stream, bytes->count) + 16;
    packed.list = grow_to(NULL, packed.cap, 1);
    stream.next_in = bytes->list;
    do {
        stream.avail_in = (unsigned)(left < PIECE ? left : PIECE);
        stream.avail_out =
            (unsigned)(packed.cap - packed.count < PIECE ? packed.cap - packed.count : PIECE);
        stream.next_out = packed.list + packed.count;
        left -= stream.avail_in;
        deflate(&stream, left ? Z_NO_FLUSH : Z_FINISH);
        left += stream.avail_in;
        packed.count = (size_t)(stream.next_out - packed.list);
    } while (left);
    deflateEnd(&stream);
    free(bytes->list);
    *bytes = packed;
}

char *page_bytes_base64(const struct byte_list *bytes, size_t *length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = grow_to(NULL, (bytes->count + 2) / 3 * 4 + 1, 1), *to = text;

    for (size_t i = 0; i < bytes->count; i += 3) {
        size_t left = bytes->count - i;
        uint32_t three = (uint32_t)bytes->list[i] << 16 |
                         (uint32_t)(left > 1 ? bytes->list[i + 1] : 0) << 8 |
                         (left > 2 ? bytes->list[i + 2] : 0);

        *to++ = digits[three >> 18];
        *to++ = digits[three >> 12 & 63];
        *to++ = left > 1 ? digits[three >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[three & 63] : '=';
    }
    *length = (size_t)(to - text);
    return text;
}
