/* SPDX-License-Identifier: Apache-2.0 */
/* worker_threads.h — threads that work for others, as those that run the backward pass
 *
 * A thread that is in a named range and in nothing else may only wait for another, as a training
 * step does while its backward pass runs; so may one in a Python function. Workers are threads that
 * run operators, and Python only inside them. */
#ifndef PTK_ANALYSIS_EXECUTION_WORKER_THREADS_H
#define PTK_ANALYSIS_EXECUTION_WORKER_THREADS_H

#include "analysis/execution/innermost.h"

/* ns; half open. */
struct work_time {
    int64_t start, end;
};

struct worker_thread {
    struct work_time *times; /* neither in nothing nor in a named range nor waiting; owned */
    size_t count, cap;
    uint32_t track;
};

/* Owned: see worker_threads_free(). */
struct worker_threads {
    const struct graph *graph;
    struct worker_thread *list;
    uint32_t count;
};

/* What a worker thread did in a time. */
struct worker_stretch {
    int64_t start, end; /* of its first and last work, cut to that time */
    uint32_t track;     /* UINT32_MAX: no worker did anything */
};

/* `roles`: by frame, enum host_role. */
void worker_threads_find(const struct graph *graph, const uint8_t *roles,
                         struct worker_threads *workers);

/* What the worker thread that was busy last between two moments did, if that is another thread than `track`,
 * which was in `event` then. One that goes on after that time does not work for it; nor, as a
 * Python function does work of its own, one that began before it did. */
struct worker_stretch worker_between(const struct worker_threads *workers, uint32_t track,
                                     event_id event, int64_t start, int64_t end);

void worker_threads_free(struct worker_threads *workers);

#endif
