/* SPDX-License-Identifier: Apache-2.0 */
/* parallel.h — threads that share out the pieces of a job, or pass them on in order */
#ifndef PTK_BASE_PARALLEL_PARALLEL_H
#define PTK_BASE_PARALLEL_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/checked.h"

/* ---- a few threads share out the numbered pieces of one job ---- */

/* How many threads this process may run at once; at least 1. */
size_t processor_count(void);

/* How many threads the caller may use: as many as the process, or in a piece of parallel_for() its
 * share of them. At least 1. */
size_t thread_budget(void);

/* For the calling thread, and what it shares out; 0: as many as the process. */
void thread_budget_set(size_t threads);

/* Calls `work` once for each of 0 … pieces - 1 and returns when all are done. Up to `threads`
 * threads, the caller's among them, take the pieces in ascending order; with fewer to be had the
 * work is done all the same. */
void parallel_for(size_t threads, size_t pieces, void (*work)(void *context, size_t piece),
                  void *context);

/* ---- what pieces of one job wait for ---- */

/* Shut until one thread opens it. A piece may wait only for what one of a lower number does, which then has been
 * taken, or for what another one has claimed. */
struct latch;

struct latch *latch_new(void);

/* True for the first who asks: that one is to open it, the others may wait for that. */
bool latch_claim(struct latch *latch);

void latch_open(struct latch *latch);
void latch_wait(struct latch *latch);
void latch_free(struct latch *latch);

/* ---- one thread fills slots, another empties them in the same order, both at once ---- */

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
