/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that share out numbered pieces of work, and a ring between one that fills and one that
 * empties. */
#define _GNU_SOURCE /* sched_getaffinity */

#include "base/parallel/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/memory.h"

enum { THREADS_MAX = 64 };

struct shared_work {
    void (*work)(void *context, size_t piece);
    void *context;
    size_t pieces;
    atomic_size_t next;
    size_t budget; /* of each thread */
};

static _Thread_local size_t budget;

/* A batch system gives a job some of the machine's processors only. */
size_t processor_count(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef CPU_COUNT
    cpu_set_t ours;

    if (sched_getaffinity(0, sizeof(ours), &ours) == 0)
        return (size_t)CPU_COUNT(&ours);
#endif
    return online > 1 ? (size_t)online : 1;
}

size_t thread_budget(void)
{
    return budget ? budget : processor_count();
}

void thread_budget_set(size_t threads)
{
    budget = threads;
}

static void *take_pieces(void *state)
{
    struct shared_work *shared = state;
    size_t piece, mine = budget;

    budget = shared->budget;
    while ((piece = atomic_fetch_add(&shared->next, 1)) < shared->pieces)
        shared->work(shared->context, piece);
    budget = mine;
    return NULL;
}

void parallel_for(size_t threads, size_t pieces, void (*work)(void *context, size_t piece),
                  void *context)
{
    struct shared_work shared = {work, context, pieces, 0, 1};
    pthread_t others[THREADS_MAX];
    size_t wanted = threads < pieces ? threads : pieces, started = 0;

    shared.budget = wanted > 1 ? (thread_budget() + wanted - 1) / wanted : budget;
    while (started + 1 < wanted && started < THREADS_MAX &&
           pthread_create(&others[started], NULL, take_pieces, &shared) == 0)
        started++;
    take_pieces(&shared);
    for (size_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
}

/* ---- latches ---- */

struct latch {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    bool is_claimed, is_open;
};

struct latch *latch_new(void)
{
    struct latch *latch = grow_zeroed(1, sizeof(*latch));

    pthread_mutex_init(&latch->lock, NULL);
    pthread_cond_init(&latch->opened, NULL);
    return latch;
}

bool latch_claim(struct latch *latch)
{
    bool is_first;

    pthread_mutex_lock(&latch->lock);
    is_first = !latch->is_claimed;
    latch->is_claimed = true;
    pthread_mutex_unlock(&latch->lock);
    return is_first;
}

void latch_open(struct latch *latch)
{
    pthread_mutex_lock(&latch->lock);
    latch->is_open = true;
    pthread_cond_broadcast(&latch->opened);
    pthread_mutex_unlock(&latch->lock);
}

void latch_wait(struct latch *latch)
{
    pthread_mutex_lock(&latch->lock);
    while (!latch->is_open)
        pthread_cond_wait(&latch->opened, &latch->lock);
    pthread_mutex_unlock(&latch->lock);
}

void latch_free(struct latch *latch)
{
    pthread_cond_destroy(&latch->opened);
    pthread_mutex_destroy(&latch->lock);
    free(latch);
}

/* A ring: slot (first + count) % slots is filled next, slot `first` is emptied next. A thread that
 * had to wait is woken when half of the slots are ready for it, so that threads of unequal speed do
 * not wake each other at every slot. */
struct spsc_ring {
    bool (*fill)(void *context, size_t slot);
    void *context;
    pthread_t filler;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t slots, first, count;
    bool is_last_filled, is_ended;
};

static void *fill_all(void *state)
{
    struct spsc_ring *ring = state;

    pthread_mutex_lock(&ring->lock);
    while (!ring->is_last_filled) {
        while (ring->count == ring->slots && !ring->is_ended)
            pthread_cond_wait(&ring->changed, &ring->lock);
        if (ring->is_ended)
            break;

        size_t slot = (ring->first + ring->count) % ring->slots;

        pthread_mutex_unlock(&ring->lock);
        bool is_last = !ring->fill(ring->context, slot);

        pthread_mutex_lock(&ring->lock);
        ring->count++;
        ring->is_last_filled = is_last;
        if (is_last || ring->count == (ring->slots + 1) / 2)
            pthread_cond_signal(&ring->changed);
    }
    pthread_mutex_unlock(&ring->lock);
    return NULL;
}

static void destroy(struct spsc_ring *ring)
{
    pthread_cond_destroy(&ring->changed);
    pthread_mutex_destroy(&ring->lock);
    free(ring);
}

struct spsc_ring *ring_start(size_t slots, bool (*fill)(void *context, size_t slot), void *context)
{
    struct spsc_ring *ring = grow_zeroed(1, sizeof(*ring));

    *ring = (struct spsc_ring){.fill = fill, .context = context, .slots = slots};
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->changed, NULL);
    if (pthread_create(&ring->filler, NULL, fill_all, ring) == 0)
        return ring;
    destroy(ring);
    return NULL;
}

bool ring_take(struct spsc_ring *ring, size_t *slot)
{
    pthread_mutex_lock(&ring->lock);
    while (ring->count == 0 && !ring->is_last_filled)
        pthread_cond_wait(&ring->changed, &ring->lock);
    *slot = ring->first;
    bool ok = ring->count > 0;

    pthread_mutex_unlock(&ring->lock);
    return ok;
}

void ring_release(struct spsc_ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->first = (ring->first + 1) % ring->slots;
    ring->count--;
    if (ring->count == ring->slots / 2)
        pthread_cond_signal(&ring->changed);
    pthread_mutex_unlock(&ring->lock);
}

void ring_stop(struct spsc_ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->is_ended = true;
    pthread_cond_signal(&ring->changed);
    pthread_mutex_unlock(&ring->lock);
    pthread_join(ring->filler, NULL);
    destroy(ring);
}
