#include "graph/frame.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/oom.h"

enum { FIRST_CAP = 256 };

static uint64_t mixed(uint64_t hash, uint64_t part)
{
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static size_t home_of(const struct frame *frame, size_t cap)
{
    uint64_t hash = mixed(mixed(frame->name, frame->file), (uint64_t)frame->line);

    return (size_t)mixed(hash, (uint64_t)frame->module << 8 | frame->kind) & (cap - 1);
}

static bool same(const struct frame *a, const struct frame *b)
{
    return a->name == b->name && a->file == b->file && a->line == b->line &&
           a->module == b->module && a->kind == b->kind;
}

static size_t slot_of(const struct frames *frames, const struct frame *frame)
{
    size_t slot = home_of(frame, frames->cap);

    while (frames->slots[slot] && !same(&frames->list[frames->slots[slot]], frame))
        slot = (slot + 1) & (frames->cap - 1);
    return slot;
}

static void resize(struct frames *frames, size_t cap)
{
    if (cap > UINT32_MAX)
        oom(); /* ids have 32 bits */
    free(frames->slots);
    frames->cap = cap;
    frames->slots = grow_zeroed(cap, sizeof(*frames->slots));
    frames->list = grow_to(frames->list, cap / 2, sizeof(*frames->list));
    for (size_t id = 1; id < frames->count; id++)
        frames->slots[slot_of(frames, &frames->list[id])] = (uint32_t)id;
}

void frames_init(struct frames *frames)
{
    *frames = (struct frames){0};
    resize(frames, FIRST_CAP);
    frames->list[0] = (struct frame){.kind = KIND_OTHER};
    frames->count = 1;
}

frame_id frame_intern(struct frames *frames, const struct frame *frame)
{
    if (frames->count == frames->cap / 2)
        resize(frames, frames->cap * 2);

    size_t slot = slot_of(frames, frame);

    if (!frames->slots[slot]) {
        frames->list[frames->count] = *frame;
        frames->slots[slot] = (uint32_t)frames->count++;
    }
    return frames->slots[slot];
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
    free(frames->slots);
    *frames = (struct frames){0};
}
