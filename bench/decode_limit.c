/* SPDX-License-Identifier: Apache-2.0 */
/* decode_limit.c — how fast a file can be taken apart by what does nothing else: the yardstick of readers
 *
 *     decode_limit xspace|perfetto|pickle FILE
 *
 * Each field of each event is decoded and added to a sum; nothing is kept, named or checked. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef const uint8_t *place;

static uint64_t events, sum;

/* ---- protocol buffers ---- */

static inline uint64_t varint(place *at)
{
    uint64_t value = 0;
    int shift = 0;

    while (**at >= 0x80 && shift < 63) {
        value |= (uint64_t)(*(*at)++ & 0x7f) << shift;
        shift += 7;
    }
    return value | (uint64_t) * (*at)++ << shift;
}

/* Which fields of a message are messages to go into, and which of those is an event. */
struct shape {
    unsigned field;
    int is_event;
    const struct shape *inside; /* ends with a field 0 */
};

static void walk(place at, place end, const struct shape *shapes)
{
    while (at < end) {
        uint64_t tag = varint(&at), length;
        const struct shape *shape = shapes;

        switch (tag & 7) {
        case 0:
            sum += varint(&at);
            break;
        case 1:
            at += 8;
            break;
        case 5:
            at += 4;
            break;
        case 2:
            length = varint(&at);
            if (length > (uint64_t)(end - at))
                return;
            while (shape->field && shape->field != tag >> 3)
                shape++;
            if (shape->field) {
                events += (uint64_t)shape->is_event;
                walk(at, at + length, shape->inside);
            }
            at += length;
            break;
        default:
            return;
        }
    }
}

static const struct shape nothing[] = {{0, 0, NULL}};
static const struct shape xevent[] = {{4, 0, nothing}, {0, 0, NULL}};
static const struct shape xline[] = {{4, 1, xevent}, {0, 0, NULL}};
static const struct shape xplane[] = {{3, 0, xline}, {0, 0, NULL}};
static const struct shape xspace[] = {{1, 0, xplane}, {0, 0, NULL}};
static const struct shape track_event[] = {{4, 0, nothing}, {0, 0, NULL}};
static const struct shape packet[] = {{11, 1, track_event}, {0, 0, NULL}};
static const struct shape perfetto[] = {{1, 0, packet}, {0, 0, NULL}};

/* ---- pickles ---- */

/* How many bytes follow an instruction; with 0x80 they are the length of a text that follows them. */
static void walk_pickle(place at, place end)
{
    static const struct {
        uint8_t code, bytes;
    } codes[] = {{'K', 1},     {'M', 2},    {'J', 4},     {'h', 1},    {'q', 1},     {'j', 4},
                 {'r', 4},     {'G', 8},    {0x80, 1},    {0x95, 8},   {0x8A, 0x81}, {0x8B, 0x84},
                 {0x8C, 0x81}, {'X', 0x84}, {0x8D, 0x88}, {'U', 0x81}, {'T', 0x84}};
    uint8_t follows[256] = {0};

    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
        follows[codes[i].code] = codes[i].bytes;
    while (at < end) {
        uint8_t code = *at++, width = follows[code] & 0x7f;
        uint64_t number = 0;

        events += code == '}';
        if (width > end - at)
            return;
        for (int i = 0; i < width; i++)
            number |= (uint64_t)at[i] << 8 * i;
        at += width;
        sum += number;
        if (follows[code] & 0x80) {
            if (number > (uint64_t)(end - at))
                return;
            at += number;
        }
    }
}

int main(int count, char **words)
{
    struct stat about;
    int file = count == 3 ? open(words[2], O_RDONLY) : -1;
    place begin;

    if (file < 0 || fstat(file, &about) != 0 || about.st_size == 0)
        return 2;
    begin = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (begin == MAP_FAILED)
        return 2;
    if (strcmp(words[1], "pickle") == 0)
        walk_pickle(begin, begin + about.st_size);
    else
        walk(begin, begin + about.st_size, strcmp(words[1], "xspace") == 0 ? xspace : perfetto);
    printf("%llu events, sum %llu\n", (unsigned long long)events, (unsigned long long)sum);
    return 0;
}
