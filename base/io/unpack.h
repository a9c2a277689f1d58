/* SPDX-License-Identifier: Apache-2.0 */
/* unpack.h — packed and foreign forms of bytes that an input undoes by itself; one file each */
#ifndef PTK_BASE_IO_UNPACK_H
#define PTK_BASE_IO_UNPACK_H

#include "base/io/input.h"

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
