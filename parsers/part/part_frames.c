/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/part/part_reader.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/memory/memory.h"
#include "graph/model/job_part.h"

/* A message in memory is at most so many times its bytes: a byte of a column is eight. */
enum { GROWTH_MOST = 64, ROOM_LEAST = 1 << 16 };

bool part_damaged(struct part_frames *frames, const char *what)
{
    return error_set_at(frames->err, frames->at, 0, "a part's %s", what);
}

static void *take_room(void *context, size_t size)
{
    struct part_frames *frames = context;

    if (size > frames->room)
        return NULL;
    frames->room -= size;
    return grow_to(NULL, size ? size : 1, 1);
}

static void give_back(void *context, void *memory)
{
    (void)context;
    free(memory);
}

static uint32_t get32(const unsigned char *from)
{
    uint32_t value = 0;

    for (int i = 0; i < 4; i++)
        value |= (uint32_t)from[i] << 8 * i;
    return value;
}

static uint64_t get64(const unsigned char *from)
{
    return (uint64_t)get32(from) | (uint64_t)get32(from + 4) << 32;
}

/* Its bytes as they were before they were packed. */
static bool unpack(struct part_frames *frames, struct part_frame *frame, uint32_t plain)
{
    if (plain > (uint64_t)frame->packed * PART_PACKED_MOST)
        return part_damaged(frames, "frame is of a kind that is not known");
    frames->plain = grow_to(frames->plain, plain + (size_t)1, 1);
    if (ZSTD_decompress(frames->plain, plain, frame->bytes.at, frame->packed) != plain)
        return part_damaged(frames, "frame does not have the bytes that it says");
    frame->bytes = (struct span){frames->plain, plain};
    return true;
}

bool part_frame_next(struct part_frames *frames, struct part_frame *frame)
{
    struct span head = input_peek(frames->in, PART_HEAD_LEN), whole;
    const unsigned char *at = (const unsigned char *)head.at;
    uint32_t packed, plain;
    uint64_t hash;

    frames->at = input_offset(frames->in);
    if (head.len < PART_HEAD_LEN)
        return part_damaged(frames, "end is missing: the file is cut");
    packed = get32(at + 4);
    plain = get32(at + 8);
    frame->section = (enum part_section)at[0];
    if (at[1] > PART_ZSTD || (at[1] == PART_PLAIN && packed != plain) || plain > PART_FRAME_MOST ||
        packed > PART_FRAME_MOST)
        return part_damaged(frames, "frame is of a kind that is not known");
    whole = input_peek(frames->in, PART_HEAD_LEN + (size_t)packed);
    if (whole.len < PART_HEAD_LEN + (size_t)packed)
        return part_damaged(frames, "frame ends before its time: the file is cut");
    at = (const unsigned char *)whole.at;
    frame->bytes = (struct span){whole.at + PART_HEAD_LEN, packed};
    frame->packed = packed;
    hash = get64(at + 12);
    if (at[1] == PART_ZSTD && !unpack(frames, frame, plain))
        return false;
    if (XXH3_64bits(frame->bytes.at, plain) != hash)
        return part_damaged(frames, "frame does not have the bytes that it says");
    if (frame->section != PART_END) {
        frames->hashes = XXH3_64bits_withSeed(&hash, sizeof(hash), frames->hashes);
        frames->count++;
    }
    return true;
}

void part_frame_skip(struct part_frames *frames, const struct part_frame *frame)
{
    input_skip(frames->in, PART_HEAD_LEN + frame->packed);
}

ProtobufCMessage *part_message(struct part_frames *frames,
                               const ProtobufCMessageDescriptor *descriptor, struct span bytes)
{
    ProtobufCAllocator allocator = {take_room, give_back, frames};
    ProtobufCMessage *message;

    frames->room = ROOM_LEAST + bytes.len * GROWTH_MOST;
    message =
        protobuf_c_message_unpack(descriptor, &allocator, bytes.len, (const uint8_t *)bytes.at);
    if (!message)
        part_damaged(frames, "frame is no message of its kind");
    return message;
}

void part_message_drop(struct part_frames *frames, ProtobufCMessage *message)
{
    ProtobufCAllocator allocator = {take_room, give_back, frames};

    protobuf_c_message_free_unpacked(message, &allocator);
}

bool part_is_one(struct span head)
{
    return head.len >= PART_MAGIC_LEN - 1 && memcmp(head.at, PART_MAGIC, PART_MAGIC_LEN - 1) == 0;
}

bool part_frames_begin(struct part_frames *frames, struct input *in, struct error *err)
{
    struct span head = input_peek(in, PART_MAGIC_LEN);

    *frames = (struct part_frames){.in = in, .err = err};
    if (head.len < PART_MAGIC_LEN || !part_is_one(head))
        return part_damaged(frames, "first bytes are missing: it is no part");
    if (head.at[PART_MAGIC_LEN - 1] != PART_MAJOR) {
        part_damaged(frames, "version is not known");
        return error_hint(err, "it is of version %d; this ptk reads version %d",
                          (unsigned char)head.at[PART_MAGIC_LEN - 1], PART_MAJOR);
    }
    input_skip(in, PART_MAGIC_LEN);
    return true;
}
