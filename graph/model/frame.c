/* SPDX-License-Identifier: Apache-2.0 */
/* The table of frames: each function, line or address once, by name, file, line, module and
 * kind. */
#include "graph/model/frame.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

static uint64_t mixed(uint64_t hash, uint64_t part)
{
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint32_t hash_of(const struct frames *frames, const struct frame *frame, int64_t begins_at)
{
    uint64_t hash = mixed(frames->index.key, (uint64_t)frame->name << 32 | frame->file);

    hash = mixed(hash, (uint64_t)frame->line);
    if (begins_at)
        hash = mixed(hash, (uint64_t)begins_at);
    if (frame->address)
        hash = mixed(hash, frame->address);
    if (frame->column)
        hash = mixed(hash, frame->column);
    return (uint32_t)mixed(hash, (uint64_t)frame->module << 8 | frame->kind);
}

static bool same(const struct frame *a, const struct frame *b)
{
    return a->name == b->name && a->file == b->file && a->line == b->line &&
           a->module == b->module && a->kind == b->kind && a->address == b->address &&
           a->column == b->column && a->is_inlined == b->is_inlined;
}

void frames_init(struct frames *frames)
{
    *frames = (struct frames){0};
    vector_add(frames, (struct frame){.kind = KIND_OTHER});
}

frame_id frame_intern_in(struct frames *frames, const struct frame *frame, int64_t begins_at)
{
    frame_id id;

    index_reserve(&frames->index);

    struct index_place place = index_start(&frames->index, hash_of(frames, frame, begins_at));

    while ((id = index_next(&frames->index, &place)))
        if (same(&frames->list[id], frame) &&
            begins_at == (id < frames->begins_count ? frames->begins_at[id] : 0))
            return id;
    vector_add(frames, *frame);
    id = index_add(&frames->index, &place);
    if (begins_at && id >= frames->begins_count) {
        uint32_t old = frames->begins_count, count = (uint32_t)grow_cap(old, (size_t)id + 1);

        frames->begins_at = grow_to(frames->begins_at, count, sizeof(*frames->begins_at));
        memset(frames->begins_at + old, 0, (count - old) * sizeof(*frames->begins_at));
        frames->begins_count = count;
    }
    if (begins_at)
        frames->begins_at[id] = begins_at;
    return id;
}

frame_id frame_intern(struct frames *frames, const struct frame *frame)
{
    return frame_intern_in(frames, frame, 0);
}

frame_id frame_split(struct frames *frames, frame_id id, str_id group)
{
    const struct frame frame = frames->list[id];
    uint32_t old = frames->group_count;

    index_reserve(&frames->index);

    struct index_place place =
        index_start(&frames->index, (uint32_t)mixed(hash_of(frames, &frame, 0), group));

    while (index_next(&frames->index, &place))
        continue;
    vector_add(frames, frame);
    id = index_add(&frames->index, &place);
    if (id >= old) {
        frames->group_count = (uint32_t)grow_cap(old, (size_t)id + 1);
        frames->group = grow_to(frames->group, frames->group_count, sizeof(*frames->group));
        memset(frames->group + old, 0, (frames->group_count - old) * sizeof(*frames->group));
    }
    frames->group[id] = group;
    return id;
}

void frame_prefetch(const struct frames *frames, const struct frame *frame)
{
    if (frames->index.cap)
        hash_index_prefetch(&frames->index, hash_of(frames, frame, 0));
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

void frame_add_inlining(struct frames *frames, frame_id id, uint8_t places)
{
    if (id >= frames->inlining_count) {
        uint32_t old = frames->inlining_count, count = (uint32_t)grow_cap(old, (size_t)id + 1);

        frames->inlining = grow_to(frames->inlining, count, sizeof(*frames->inlining));
        memset(frames->inlining + old, 0, count - old);
        frames->inlining_count = count;
    }
    frames->inlining[id] |= places;
}

void frames_free(struct frames *frames)
{
    free(frames->inlining);
    free(frames->group);
    free(frames->begins_at);
    free(frames->list);
    index_free(&frames->index);
    *frames = (struct frames){0};
}
