/* SPDX-License-Identifier: Apache-2.0 */
/* A thread that fills blocks of the input while the parser reads the one before. */
#include "base/io/io.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/parallel/parallel.h"

enum { BLOCKS = 8, BLOCK_SIZE = 512 * 1024 };

struct block {
    char *memory; /* with room before the bytes for what the user holds, and NULs behind them */
    char *bytes;
    size_t len, taken;
};

struct readahead {
    const struct source *source;
    void *state;
    struct spsc_ring *ring;
    struct block blocks[BLOCKS];
    struct block *front;                   /* the one that is being emptied, or NULL */
    char held[INPUT_HELD_MAX + INPUT_PAD]; /* what was in the block before it */
    struct error err;                      /* the user's once the last block is */
};

static bool fill_block(void *context, size_t slot)
{
    struct readahead *ahead = context;
    struct block *block = &ahead->blocks[slot];
    size_t count = 1;

    block->len = block->taken = 0;
    while (count && BLOCK_SIZE - block->len >= SOURCE_ROOM_MIN) {
        count = source_read(ahead->source, ahead->state, block->bytes + block->len,
                            BLOCK_SIZE - block->len, &ahead->err);
        block->len += count;
    }
    return count > 0;
}

static void free_blocks(struct readahead *ahead)
{
    for (size_t i = 0; i < BLOCKS; i++)
        free(ahead->blocks[i].memory);
    free(ahead);
}

void *readahead_start(const struct source *source, void *state)
{
    struct readahead *ahead = grow_zeroed(1, sizeof(*ahead));

    ahead->source = source;
    ahead->state = state;
    for (size_t i = 0; i < BLOCKS; i++) {
        struct block *block = &ahead->blocks[i];

        block->memory = grow_to(NULL, INPUT_HELD_MAX + BLOCK_SIZE + INPUT_PAD, 1);
        block->bytes = block->memory + INPUT_HELD_MAX;
    }
    ahead->ring = ring_start(BLOCKS, fill_block, ahead);
    if (ahead->ring)
        return ahead;
    free_blocks(ahead);
    return NULL;
}

/* Makes `front` a block with something in it; false at the end. The last may be empty. */
static bool next_block(struct readahead *ahead)
{
    size_t slot;

    if (ahead->front && ahead->front->taken < ahead->front->len)
        return true;
    if (ahead->front)
        ring_release(ahead->ring);
    ahead->front = ring_take(ahead->ring, &slot) ? &ahead->blocks[slot] : NULL;
    return ahead->front && ahead->front->len > 0;
}

static size_t readahead_read(void *state, char *to, size_t room, struct error *err)
{
    struct readahead *ahead = state;
    struct block *block;
    size_t count;

    if (!next_block(ahead)) {
        if (ahead->err.kind)
            *err = ahead->err;
        return 0;
    }
    block = ahead->front;
    count = block->len - block->taken < room ? block->len - block->taken : room;
    memcpy(to, block->bytes + block->taken, count);
    block->taken += count;
    return count;
}

static struct span readahead_lend(void *state, struct span held, struct error *err)
{
    struct readahead *ahead = state;
    struct block *block;
    char *from;

    if (held.len) /* the block that it is in is given back */
        memcpy(ahead->held, held.at, held.len);
    if (!next_block(ahead)) {
        if (ahead->err.kind)
            *err = ahead->err;
        memset(ahead->held + held.len, 0, INPUT_PAD);
        return (struct span){ahead->held, held.len};
    }
    block = ahead->front;
    from = block->bytes + block->taken - held.len;
    memcpy(from, ahead->held, held.len);
    memset(block->bytes + block->len, 0, INPUT_PAD);
    block->taken = block->len;
    return (struct span){from, (size_t)(block->bytes + block->len - from)};
}

static void readahead_close(void *state)
{
    struct readahead *ahead = state;

    ring_stop(ahead->ring);
    ahead->source->close(ahead->state);
    free_blocks(ahead);
}

const struct source readahead_source = {
    .name = "", .read = readahead_read, .lend = readahead_lend, .close = readahead_close};
