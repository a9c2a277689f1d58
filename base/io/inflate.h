/* SPDX-License-Identifier: Apache-2.0 */
/* inflate.h — one gzip member: by ISA-L where the build found it, about three times as fast as
 * zlib, which does it otherwise */
#ifndef PTK_BASE_IO_INFLATE_H
#define PTK_BASE_IO_INFLATE_H

#include <stdbool.h>
#include <stddef.h>

/* How many bytes before `in` must still be there: at the end of a member, `in` may move back by as
 * many, for bytes that were taken in an earlier step and turn out to be the next member's. */
enum { INFLATE_KEEP = 8 };

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

#endif
