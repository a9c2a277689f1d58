/* SPDX-License-Identifier: Apache-2.0 */
/* unpack_gzip.c — gzip, with any number of members */
#include <stdlib.h>

#include "base/io/inflate.h"
#include "base/io/unpack.h"
#include "base/memory/grow.h"

enum { WINDOW = 64 * 1024, MAGIC = 3 };

struct gzip {
    struct inflate *inflate;
    struct inflate_io io; /* `in` stands in the window */
    struct input *packed, *owner;
    uint64_t unpacked;
    bool is_between; /* members: the next byte, if any, begins one */
    char window[INFLATE_KEEP + WINDOW];
};

static bool knows(struct span head)
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
    if (!knows((struct span){gzip->io.in, gzip->io.in_len})) {
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
    .knows = knows,
    .open = gzip_open,
};
