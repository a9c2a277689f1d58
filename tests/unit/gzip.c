/* SPDX-License-Identifier: Apache-2.0 */
/* gzip.c — members of any size, one after the other, cut off or damaged anywhere */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/io/io.h"

enum { MEMBERS = 3000, MEMBER_MAX = 400, PLAIN_MAX = MEMBERS * MEMBER_MAX };

struct packed {
    char *plain, *gzip;
    size_t plain_len, gzip_len;
};

/* Bytes that pack well in some members and not at all in others; many members are empty. */
static size_t make_member(char *to, unsigned *seed)
{
    size_t len = *seed % 5 == 0 ? 0 : *seed / 7 % MEMBER_MAX;

    for (size_t i = 0; i < len; i++) {
        *seed = *seed * 1103515245u + 12345u;
        to[i] = len % 2 ? (char)(*seed >> 16) : "ab{\"ts\":"[*seed >> 24 & 7];
    }
    *seed = *seed * 1103515245u + 12345u;
    return len;
}

static void add_member(struct packed *packed, const char *plain, size_t len)
{
    z_stream stream = {0};

    cr_assert_eq(deflateInit2(&stream, 1 + (int)(len % 9), Z_DEFLATED, MAX_WBITS + 16, 8,
                              Z_DEFAULT_STRATEGY),
                 Z_OK);
    stream.next_in = (z_const Bytef *)plain;
    stream.avail_in = (uInt)len;
    stream.next_out = (Bytef *)packed->gzip + packed->gzip_len;
    stream.avail_out = 2 * MEMBER_MAX;
    cr_assert_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed->gzip_len += stream.total_out;
    deflateEnd(&stream);
}

static struct packed make(void)
{
    struct packed packed = {.plain = malloc(PLAIN_MAX), .gzip = malloc(2 * PLAIN_MAX)};
    unsigned seed = 1;

    for (int i = 0; i < MEMBERS; i++) {
        char *at = packed.plain + packed.plain_len;
        size_t len = make_member(at, &seed);

        packed.plain_len += len;
        add_member(&packed, at, len);
    }
    return packed;
}

/* Reads all there is; the length, up to where trouble began. */
static size_t unpack(struct span gzip, char *to, struct error *trouble)
{
    struct input in;
    size_t len;

    if (!input_open_memory(&in, gzip, &(struct input_options){0}, trouble))
        return 0;
    len = input_read(&in, to, PLAIN_MAX);
    *trouble = in.trouble;
    input_close(&in);
    return len;
}

Test(gzip, undoes_many_members)
{
    struct packed packed = make();
    struct error trouble = {0};
    char *to = malloc(PLAIN_MAX);

    cr_assert_eq(unpack((struct span){packed.gzip, packed.gzip_len}, to, &trouble),
                 packed.plain_len);
    cr_expect_eq(memcmp(to, packed.plain, packed.plain_len), 0);
    cr_expect_eq(trouble.kind, ERROR_NONE);
    free(to);
    free(packed.plain);
    free(packed.gzip);
}

Test(gzip, keeps_what_came_before_the_end_or_a_fault)
{
    struct packed packed = make();
    char *to = malloc(PLAIN_MAX);

    for (size_t cut = 3; cut < packed.gzip_len; cut += 997) {
        struct error trouble = {0};
        size_t len = unpack((struct span){packed.gzip, cut}, to, &trouble);

        cr_expect_leq(len, packed.plain_len);
        cr_expect_eq(memcmp(to, packed.plain, len), 0, "cut at %zu", cut);
    }
    for (size_t at = 20; at < packed.gzip_len; at += 4999) {
        struct error trouble = {0};
        char whole = packed.gzip[at];

        packed.gzip[at] = (char)~whole;
        unpack((struct span){packed.gzip, packed.gzip_len}, to, &trouble);
        packed.gzip[at] = whole;
    }
    free(to);
    free(packed.plain);
    free(packed.gzip);
}
