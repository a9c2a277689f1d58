/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of a shard's file: their lengths and hashes are checked, and what is in them is unpacked. */
#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "analysis/ranks/shard_file.h"
#include "base/memory/memory.h"

/* The error "a part's WHAT" at the frame being read; false. */
bool shard_damaged(struct shard_frames *frames, const char *what)
{
    return error_set_at(frames->err, frames->offset, 0, "a part's %s", what);
}

static uint64_t get_bytes(const char *from, int bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)(unsigned char)from[i] << 8 * i;
    return value;
}

/* Its bytes as they were before they were packed. */
static bool unpack(struct shard_frames *frames, struct span packed, uint32_t plain)
{
    size_t len;

    if (plain > (uint64_t)packed.len * SHARD_PACKED_MOST)
        return shard_damaged(frames, "frame is of a kind that is not known");
    frames->plain = grow_to(frames->plain, plain + (size_t)1, 1);
    len = ZSTD_decompress(frames->plain, plain, packed.at, packed.len);
    if (ZSTD_getErrorCode(len) == ZSTD_error_memory_allocation)
        oom();
    if (len != plain)
        return shard_damaged(frames, "frame does not have the bytes that it says");
    frames->at = frames->plain;
    return true;
}

/* The next frame, which stays until `*len` bytes are skipped. */
bool shard_frame_length(struct span head, size_t *len)
{
    uint64_t packed = get_bytes(head.at + 4, 4);

    *len = SHARD_HEAD_LEN + (size_t)packed;
    return packed <= SHARD_FRAME_MOST;
}

bool shard_frame_next(struct shard_frames *frames, enum shard_section *section, size_t *len)
{
    struct span head = input_peek(frames->in, SHARD_HEAD_LEN), whole;
    unsigned char codec;
    uint32_t packed, plain;
    uint64_t hash;

    frames->offset = input_offset(frames->in);
    if (head.len < SHARD_HEAD_LEN)
        return shard_damaged(frames, "end is missing: the file is cut");
    *section = (enum shard_section)(unsigned char)head.at[0];
    codec = (unsigned char)head.at[1];
    packed = (uint32_t)get_bytes(head.at + 4, 4);
    plain = (uint32_t)get_bytes(head.at + 8, 4);
    hash = get_bytes(head.at + 12, 8);
    if (codec > SHARD_ZSTD || (codec == SHARD_PLAIN && packed != plain) ||
        plain > SHARD_FRAME_MOST || packed > SHARD_FRAME_MOST)
        return shard_damaged(frames, "frame is of a kind that is not known");
    *len = SHARD_HEAD_LEN + (size_t)packed;
    whole = input_peek(frames->in, *len);
    if (whole.len < *len)
        return shard_damaged(frames, "frame ends before its time: the file is cut");
    frames->at = whole.at + SHARD_HEAD_LEN;
    if (codec == SHARD_ZSTD && !unpack(frames, (struct span){frames->at, packed}, plain))
        return false;
    frames->end = frames->at + plain;
    if (SHARD_CHECKS_HASHES && XXH3_64bits(frames->at, plain) != hash)
        return shard_damaged(frames, "frame does not have the bytes that it says");
    if (*section != SHARD_END) {
        frames->hashes = XXH3_64bits_withSeed(&hash, sizeof(hash), frames->hashes);
        frames->count++;
    }
    return true;
}

bool shard_number(struct shard_frames *frames, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && frames->at < frames->end; shift += 7) {
        unsigned char byte = (unsigned char)*frames->at++;

        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return shard_damaged(frames, "frame lacks numbers");
}

/* How many of something follow, of which each has a byte at least. */
bool shard_count(struct shard_frames *frames, uint32_t *count)
{
    uint64_t value;

    if (!shard_number(frames, &value))
        return false;
    *count = (uint32_t)value;
    return value <= (uint64_t)(frames->end - frames->at) ||
           shard_damaged(frames, "frame lacks numbers");
}

bool span_is_shard(struct span head)
{
    return head.len >= SHARD_MAGIC_LEN - 1 &&
           memcmp(head.at, SHARD_MAGIC, SHARD_MAGIC_LEN - 1) == 0;
}

bool shard_frames_begin(struct shard_frames *frames)
{
    struct span head = input_peek(frames->in, SHARD_MAGIC_LEN);

    if (head.len < SHARD_MAGIC_LEN || !span_is_shard(head))
        return shard_damaged(frames, "first bytes are missing: it is not a part");
    if (head.at[SHARD_MAGIC_LEN - 1] != SHARD_MAJOR) {
        shard_damaged(frames, "version is not known");
        return error_hint(frames->err,
                          "it is of version %d, this ptk reads version %d: make it again from the "
                          "traces, with ptk map",
                          (unsigned char)head.at[SHARD_MAGIC_LEN - 1], SHARD_MAJOR);
    }
    input_skip(frames->in, SHARD_MAGIC_LEN);
    return true;
}
