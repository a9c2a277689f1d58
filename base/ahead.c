#include "base/ahead.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/grow.h"

enum { BLOCKS = 8, BLOCK_SIZE = 256 * 1024 };

struct block {
    char *bytes;
    size_t len, taken;
};

/* A ring: the reader fills blocks[(first + count) % BLOCKS], the user empties blocks[first]. */
struct ahead {
    const struct source *source;
    void *state;
    pthread_t reader;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct block blocks[BLOCKS];
    size_t first, count;
    bool is_drained, is_closed;
    struct error err; /* valid once is_drained */
};

static struct block *next_free(struct ahead *ahead)
{
    struct block *block = NULL;

    pthread_mutex_lock(&ahead->lock);
    while (ahead->count == BLOCKS && !ahead->is_closed)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    if (!ahead->is_closed)
        block = &ahead->blocks[(ahead->first + ahead->count) % BLOCKS];
    pthread_mutex_unlock(&ahead->lock);
    return block;
}

static void hand_over(struct ahead *ahead, bool is_last)
{
    pthread_mutex_lock(&ahead->lock);
    if (is_last)
        ahead->is_drained = true;
    else
        ahead->count++;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
}

static void *read_ahead(void *state)
{
    struct ahead *ahead = state;
    struct block *block;

    while ((block = next_free(ahead))) {
        size_t count = 1;

        block->len = block->taken = 0;
        while (count && block->len < BLOCK_SIZE) {
            count = ahead->source->read(ahead->state, block->bytes + block->len,
                                        BLOCK_SIZE - block->len, &ahead->err);
            block->len += count;
        }
        if (block->len)
            hand_over(ahead, false);
        if (!count)
            break;
    }
    hand_over(ahead, true);
    return NULL;
}

void *ahead_start(const struct source *source, void *state)
{
    struct ahead *ahead = grow_zeroed(1, sizeof(*ahead));

    ahead->source = source;
    ahead->state = state;
    for (size_t i = 0; i < BLOCKS; i++)
        ahead->blocks[i].bytes = grow_to(NULL, BLOCK_SIZE, 1);
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->changed, NULL);
    if (pthread_create(&ahead->reader, NULL, read_ahead, ahead) == 0)
        return ahead;
    for (size_t i = 0; i < BLOCKS; i++)
        free(ahead->blocks[i].bytes);
    free(ahead);
    return NULL;
}

/* The block at the front once it is filled; NULL at the end. */
static struct block *next_filled(struct ahead *ahead, struct error *err)
{
    struct block *block = NULL;

    pthread_mutex_lock(&ahead->lock);
    while (ahead->count == 0 && !ahead->is_drained)
        pthread_cond_wait(&ahead->changed, &ahead->lock);
    if (ahead->count)
        block = &ahead->blocks[ahead->first];
    else if (ahead->err.kind)
        *err = ahead->err;
    pthread_mutex_unlock(&ahead->lock);
    return block;
}

static void give_back(struct ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    ahead->first = (ahead->first + 1) % BLOCKS;
    ahead->count--;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
}

static size_t ahead_read(void *state, char *to, size_t room, struct error *err)
{
    struct ahead *ahead = state;
    struct block *block = next_filled(ahead, err);
    size_t count;

    if (!block)
        return 0;
    count = block->len - block->taken < room ? block->len - block->taken : room;
    memcpy(to, block->bytes + block->taken, count);
    block->taken += count;
    if (block->taken == block->len)
        give_back(ahead);
    return count;
}

static void ahead_close(void *state)
{
    struct ahead *ahead = state;

    pthread_mutex_lock(&ahead->lock);
    ahead->is_closed = true;
    pthread_cond_signal(&ahead->changed);
    pthread_mutex_unlock(&ahead->lock);
    pthread_join(ahead->reader, NULL);
    ahead->source->close(ahead->state);
    pthread_cond_destroy(&ahead->changed);
    pthread_mutex_destroy(&ahead->lock);
    for (size_t i = 0; i < BLOCKS; i++)
        free(ahead->blocks[i].bytes);
    free(ahead);
}

const struct source ahead_source = {.name = "", .read = ahead_read, .close = ahead_close};
