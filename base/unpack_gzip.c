/* unpack_gzip.c — gzip, with any number of members */
#include <stdlib.h>

#include "base/grow.h"
#include "base/inflate.h"
#include "base/unpack.h"

struct gzip {
    struct inflate *inflate;
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
    gzip->inflate = inflate_new();
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
    inflate_again(gzip->inflate);
    gzip->is_between = false;
    return true;
}

/* One step; false at the end of the input or at a fault. */
static bool inflate_some(struct gzip *gzip, struct inflate_io *io, struct error *err)
{
    struct span packed = input_peek(gzip->packed, 1);
    enum inflate_result result;
    const char *why;

    io->in = packed.at;
    io->in_len = packed.len;
    if (packed.len == 0)
        return error_set_at(err, input_offset(gzip->packed), 0, "the gzip data ends early");
    result = inflate_step(gzip->inflate, io, &why);
    input_skip(gzip->packed, packed.len - io->in_len);
    if (result == INFLATE_DAMAGED)
        return error_set_at(err, input_offset(gzip->packed), 0, "the gzip data is damaged: %s",
                            why);
    gzip->is_between = result == INFLATE_END;
    return true;
}

static size_t gzip_read(void *state, char *to, size_t room, struct error *err)
{
    struct gzip *gzip = state;
    struct inflate_io io = {.out = to, .out_room = room};

    while (io.out_room == room) {
        if (gzip->is_between && !next_member(gzip))
            break;
        if (!inflate_some(gzip, &io, err))
            break;
    }
    return room - io.out_room;
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
