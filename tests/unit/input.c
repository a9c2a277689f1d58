/* SPDX-License-Identifier: Apache-2.0 */
/* input.c — inputs larger than their buffer, whatever they are packed in */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/io/io.h"

enum { PLAIN_LEN = 3 << 20, PACKED_MAX = 2 * PLAIN_LEN + 1024 };

/* Text without a period that a buffer's size could hide. */
static char *make_plain(void)
{
    char *plain = malloc(PLAIN_LEN);
    unsigned seed = 1;

    for (size_t i = 0; i < PLAIN_LEN; i++) {
        seed = seed * 1103515245u + 12345u;
        plain[i] = "abcdefgh{\"ts\":}\n"[seed >> 27 & 15];
    }
    return plain;
}

static size_t pack_none(const char *plain, char *to)
{
    memcpy(to, plain, PLAIN_LEN);
    return PLAIN_LEN;
}

static size_t pack_gzip(const char *plain, char *to)
{
    z_stream stream = {.next_in = (z_const Bytef *)plain, .avail_in = PLAIN_LEN};

    cr_assert_eq(deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_out = (Bytef *)to;
    stream.avail_out = PACKED_MAX;
    cr_assert_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return stream.total_out;
}

static size_t pack_zstd(const char *plain, char *to)
{
    return ZSTD_compress(to, PACKED_MAX, plain, PLAIN_LEN, 1);
}

static size_t pack_utf16(const char *plain, char *to)
{
    memcpy(to, "\xff\xfe", 2);
    for (size_t i = 0; i < PLAIN_LEN; i++) {
        to[2 + 2 * i] = plain[i];
        to[3 + 2 * i] = '\0';
    }
    return 2 + 2 * (size_t)PLAIN_LEN;
}

static const struct packing {
    const char *name;
    size_t (*pack)(const char *plain, char *to);
    const struct unpacker *unpacker;
} packings[] = {
    {"plain", pack_none, NULL},
    {"gzip", pack_gzip, &unpack_gzip},
    {"zstd", pack_zstd, &unpack_zstd},
    {"utf-16", pack_utf16, &unpack_utf16},
};

struct packed {
    char *plain, *bytes;
    struct input in;
};

static void open_packed(struct packed *packed, const struct packing *packing)
{
    struct error err = {0};

    packed->plain = make_plain();
    packed->bytes = malloc(PACKED_MAX);
    cr_assert(input_open_memory(
                  &packed->in,
                  (struct span){packed->bytes, packing->pack(packed->plain, packed->bytes)},
                  &(struct input_options){0}, &err),
              "%s: %s", packing->name, err.text);
}

static void close_packed(struct packed *packed)
{
    input_close(&packed->in);
    free(packed->plain);
    free(packed->bytes);
}

/* Looks at all of it at once, by asking for more than there can be. */
Test(input, shows_all_that_there_is)
{
    for (size_t i = 0; i < sizeof(packings) / sizeof(*packings); i++)
        for (int ahead = 0; ahead < 2; ahead++) {
            struct packed packed;
            struct span all;

            open_packed(&packed, &packings[i]);
            if (ahead)
                input_read_ahead(&packed.in);
            all = input_peek(&packed.in, SIZE_MAX);
            cr_expect_eq(all.len, PLAIN_LEN, "%s: %zu bytes", packings[i].name, all.len);
            cr_expect(all.len == PLAIN_LEN && memcmp(all.at, packed.plain, PLAIN_LEN) == 0, "%s",
                      packings[i].name);
            cr_expect_eq(packed.in.trouble.kind, ERROR_NONE, "%s", packed.in.trouble.text);
            close_packed(&packed);
        }
}

/* Copies it, in pieces of any size, unpacked by another thread. */
Test(input, copies_all_that_there_is)
{
    char *to = malloc(PLAIN_LEN + 1);

    for (size_t i = 0; i < sizeof(packings) / sizeof(*packings); i++) {
        struct packed packed;
        size_t len = 0, count = 1;

        open_packed(&packed, &packings[i]);
        input_read_ahead(&packed.in);
        for (size_t step = 1; count; step = step * 7 % 65521) {
            size_t room = PLAIN_LEN + 1 - len < step ? PLAIN_LEN + 1 - len : step;

            count = input_read(&packed.in, to + len, room);
            len += count;
        }
        cr_expect_eq(len, PLAIN_LEN, "%s: %zu bytes", packings[i].name, len);
        cr_expect_eq(memcmp(to, packed.plain, PLAIN_LEN), 0, "%s", packings[i].name);
        close_packed(&packed);
    }
    free(to);
}

Test(input, fails_to_read_into_no_room)
{
    for (size_t i = 1; i < sizeof(packings) / sizeof(*packings); i++)
        for (size_t room = 0; room < SOURCE_ROOM_MIN; room++) {
            struct packed packed;
            struct error err = {0};
            char to[SOURCE_ROOM_MIN];

            open_packed(&packed, &packings[i]);
            cr_expect_eq(
                source_read(&packings[i].unpacker->source, packed.in.state, to, room, &err), 0);
            cr_expect_eq(err.kind, ERROR_INPUT, "%s, room for %zu", packings[i].name, room);
            close_packed(&packed);
        }
}

/* 10,000 parts of a job are 10,000 small files. */
Test(input, small_file_has_a_small_buffer)
{
    char path[] = "/tmp/ptk-input-XXXXXX", grown[8192];
    int fd = mkstemp(path);
    struct error err = {0};
    struct input in;

    cr_assert(fd >= 0);
    memset(grown, 'x', sizeof(grown));
    cr_assert_eq(write(fd, "begin", 5), 5);
    cr_assert(input_open(&in, path, &(struct input_options){0}, &err), "%s", err.text);
    cr_assert_lt(in.cap, 16 * 1024);
    cr_assert_eq(input_peek(&in, SIZE_MAX).len, 5);
    input_close(&in);

    cr_assert(input_open(&in, path, &(struct input_options){0}, &err), "%s", err.text);
    for (int i = 0; i < 8; i++) /* longer than it was when it was opened */
        cr_assert_eq(write(fd, grown, sizeof(grown)), (ssize_t)sizeof(grown));
    cr_assert_eq(input_peek(&in, SIZE_MAX).len, 5 + 8 * sizeof(grown));
    input_close(&in);
    close(fd);
    unlink(path);
}
