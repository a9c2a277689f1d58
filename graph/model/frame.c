/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/model/frame.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/memory/grow.h"

static uint64_t mixed(uint64_t hash, uint64_t part)
{
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint32_t hash_of(const struct frames *frames, const struct frame *frame)
{
    uint64_t hash = mixed(frames->index.key, (uint64_t)frame->name << 32 | frame->file);

    hash = mixed(hash, (uint64_t)frame->line);

    if (frame->address)
        hash = mixed(hash, frame->address);
    return (uint32_t)mixed(hash, (uint64_t)frame->module << 8 | frame->kind);
}

static bool same(const struct frame *a, const struct frame *b)
{
    return a->name == b->name && a->file == b->file && a->line == b->line &&
           a->module == b->module && a->kind == b->kind && a->address == b->address &&
           a->is_inlined == b->is_inlined;
}

static void add_frame(struct frames *frames, const struct frame *frame)
{
    frames->list = grow_one(frames->list, frames->count, &frames->cap, sizeof(*frames->list));
    frames->list[frames->count++] = *frame;
}

void frames_init(struct frames *frames)
{
    *frames = (struct frames){0};
    add_frame(frames, &(struct frame){.kind = KIND_OTHER});
}

frame_id frame_intern(struct frames *frames, const struct frame *frame)
{
    frame_id id;

    index_reserve(&frames->index);

    struct index_place place = index_start(&frames->index, hash_of(frames, frame));

    while ((id = index_next(&frames->index, &place)))
        if (same(&frames->list[id], frame))
            return id;
    add_frame(frames, frame);
    return index_add(&frames->index, &place);
}

void frame_prefetch(const struct frames *frames, const struct frame *frame)
{
    if (frames->index.cap)
        hash_index_prefetch(&frames->index, hash_of(frames, frame));
}

const char *frame_kind_name(enum frame_kind kind)
{
    static const char *const names[KIND_COUNT] = {
        [KIND_HOST] = "host",
        [KIND_PYTHON] = "python",
        [KIND_OPERATOR] = "operator",
        [KIND_ANNOTATION] = "annotation",
        [KIND_RUNTIME] = "runtime",
        [KIND_KERNEL] = "kernel",
        [KIND_MEMCPY] = "memcpy",
        [KIND_MEMSET] = "memset",
        [KIND_COMMUNICATION] = "communication",
        [KIND_SYNC] = "sync",
        [KIND_OTHER] = "other",
    };

    return names[kind];
}

bool frame_kind_is_device(enum frame_kind kind)
{
    return kind == KIND_KERNEL || kind == KIND_MEMCPY || kind == KIND_MEMSET ||
           kind == KIND_COMMUNICATION;
}

void frames_free(struct frames *frames)
{
    free(frames->list);
    index_free(&frames->index);
    *frames = (struct frames){0};
}
