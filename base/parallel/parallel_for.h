/* SPDX-License-Identifier: Apache-2.0 */
/* parallel_for.h — a few threads share out the numbered pieces of one job */
#ifndef PTK_BASE_PARALLEL_PARALLEL_FOR_H
#define PTK_BASE_PARALLEL_PARALLEL_FOR_H

#include <stddef.h>

/* How many threads this process may run at once; at least 1. */
size_t processor_count(void);

/* Calls `work` once for each of 0 … pieces - 1 and returns when all are done. Up to `threads`
 * threads, the caller's among them, take the pieces in ascending order; with fewer to be had the
 * work is done all the same. */
void parallel_for(size_t threads, size_t pieces, void (*work)(void *context, size_t piece),
                  void *context);

#endif
