#include "base/parallel/spsc_ring.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory/grow.h"

/* A ring: slot (first + count) % slots is filled next, slot `first` is emptied next. A thread that
 * had to wait is woken when half of the slots are ready for it, so that threads of unequal speed do
 * not wake each other at every slot. */
struct relay {
    bool (*fill)(void *context, size_t slot);
    void *context;
    pthread_t filler;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t slots, first, count;
    bool is_last_filled, is_ended;
};

static bool wait_for_free(struct relay *relay, size_t *slot)
{
    pthread_mutex_lock(&relay->lock);
    while (relay->count == relay->slots && !relay->is_ended)
        pthread_cond_wait(&relay->changed, &relay->lock);
    *slot = (relay->first + relay->count) % relay->slots;
    bool ok = !relay->is_ended;

    pthread_mutex_unlock(&relay->lock);
    return ok;
}

static void hand_over(struct relay *relay, bool is_last)
{
    pthread_mutex_lock(&relay->lock);
    relay->count++;
    relay->is_last_filled = is_last;
    if (is_last || relay->count == (relay->slots + 1) / 2)
        pthread_cond_signal(&relay->changed);
    pthread_mutex_unlock(&relay->lock);
}

static void *fill_all(void *state)
{
    struct relay *relay = state;
    bool is_last = false;
    size_t slot;

    while (!is_last && wait_for_free(relay, &slot)) {
        is_last = !relay->fill(relay->context, slot);
        hand_over(relay, is_last);
    }
    return NULL;
}

static void destroy(struct relay *relay)
{
    pthread_cond_destroy(&relay->changed);
    pthread_mutex_destroy(&relay->lock);
    free(relay);
}

struct relay *relay_start(size_t slots, bool (*fill)(void *context, size_t slot), void *context)
{
    struct relay *relay = grow_zeroed(1, sizeof(*relay));

    *relay = (struct relay){.fill = fill, .context = context, .slots = slots};
    pthread_mutex_init(&relay->lock, NULL);
    pthread_cond_init(&relay->changed, NULL);
    if (pthread_create(&relay->filler, NULL, fill_all, relay) == 0)
        return relay;
    destroy(relay);
    return NULL;
}

bool relay_take(struct relay *relay, size_t *slot)
{
    pthread_mutex_lock(&relay->lock);
    while (relay->count == 0 && !relay->is_last_filled)
        pthread_cond_wait(&relay->changed, &relay->lock);
    *slot = relay->first;
    bool ok = relay->count > 0;

    pthread_mutex_unlock(&relay->lock);
    return ok;
}

void relay_give_back(struct relay *relay)
{
    pthread_mutex_lock(&relay->lock);
    relay->first = (relay->first + 1) % relay->slots;
    relay->count--;
    if (relay->count == relay->slots / 2)
        pthread_cond_signal(&relay->changed);
    pthread_mutex_unlock(&relay->lock);
}

void relay_end(struct relay *relay)
{
    pthread_mutex_lock(&relay->lock);
    relay->is_ended = true;
    pthread_cond_signal(&relay->changed);
    pthread_mutex_unlock(&relay->lock);
    pthread_join(relay->filler, NULL);
    destroy(relay);
}
