/* SPDX-License-Identifier: Apache-2.0 */
/* unpack.h — packed and foreign forms of bytes that an input undoes by itself; one file each */
#ifndef PTK_BASE_IO_UNPACK_H
#define PTK_BASE_IO_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/io/input.h"

/* One gzip member: by ISA-L where the build found it, about three times as fast as zlib, which
 * does it otherwise. */

/* What is to be read and where to; each step moves these on. */
struct inflate_io {
    const char *in;
    size_t in_len;
    char *out;
    size_t out_room;
};

enum inflate_result { INFLATE_MORE, INFLATE_END, INFLATE_DAMAGED };

struct inflate;

struct inflate *inflate_new(void);

/* As far as input and room go. On INFLATE_DAMAGED `*why` is a literal. */
enum inflate_result inflate_step(struct inflate *inflate, struct inflate_io *io, const char **why);

/* For the next member. */
void inflate_again(struct inflate *inflate);

void inflate_free(struct inflate *inflate);

/* ---- packed and foreign forms of bytes that an input undoes by itself; one file each ---- */

struct unpacker {
    struct source source;
    bool (*knows)(struct span head); /* by its magic number */

    /* Never fails; `packed` is borrowed and outlives the state. The remark goes to `owner`. */
    void *(*open)(struct input *packed, struct input *owner);
};

/* What guards against bombs that no limit was named for. Real profiles pack to a tenth or so, at
 * best to a fiftieth; what is small does no harm. False, with an error, for what is neither. */
MUST_CHECK bool unpack_is_likely(const struct input *owner, uint64_t packed, uint64_t unpacked,
                                 struct error *err);

extern const struct unpacker unpack_gzip, unpack_utf16, unpack_zstd;

#endif
