/* SPDX-License-Identifier: Apache-2.0 */
/* spsc_ring.h — one thread fills slots, another empties them in the same order, both at once */
#ifndef PTK_BASE_PARALLEL_SPSC_RING_H
#define PTK_BASE_PARALLEL_SPSC_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct spsc_ring;

/* Starts a thread that calls `fill` for slot 0, 1, … slots - 1, 0, … as they are free, until it
 * returns false, which makes that slot the last. What is in the slots is the caller's affair.
 * NULL when there is no thread to be had. */
struct spsc_ring *ring_start(size_t slots, bool (*fill)(void *context, size_t slot), void *context);

/* Waits for the next filled slot, which is the taker's until ring_release(). False when the last
 * has been taken. */
MUST_CHECK bool ring_take(struct spsc_ring *ring, size_t *slot);
void ring_release(struct spsc_ring *ring);

/* Waits until the thread has filled the slot it is at, and frees the ring. */
void ring_stop(struct spsc_ring *ring);

#endif
