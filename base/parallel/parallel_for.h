/* SPDX-License-Identifier: Apache-2.0 */
/* parallel_for.h — a few threads share out the numbered pieces of one job */
#ifndef PTK_BASE_PARALLEL_PARALLEL_FOR_H
#define PTK_BASE_PARALLEL_PARALLEL_FOR_H

#include <stddef.h>

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

#endif
