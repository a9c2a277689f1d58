/* SPDX-License-Identifier: Apache-2.0 */
/* helper_threads.h — threads that work for others, as those that run the backward pass
 *
 * A thread that is in a named range and in nothing else may only wait for another, as a training
 * step does while its backward pass runs; so may one in a Python function. Helpers are threads that
 * run operators, and Python only inside them. */
#ifndef PTK_ANALYSIS_EXECUTION_HELPER_THREADS_H
#define PTK_ANALYSIS_EXECUTION_HELPER_THREADS_H

#include "analysis/execution/innermost.h"

/* ns; half open. */
struct work_time {
    int64_t start, end;
};

struct helper {
    struct work_time *times; /* neither in nothing nor in a named range nor waiting; owned */
    size_t count, cap;
    uint32_t track;
};

/* Owned: see helpers_free(). */
struct helpers {
    const struct graph *graph;
    struct helper *list;
    uint32_t count;
};

/* What a helper did in a time. */
struct help {
    int64_t start, end; /* of its first and last work, cut to that time */
    uint32_t track;     /* UINT32_MAX: no helper did anything */
};

/* `roles`: by frame, enum host_role. */
void helpers_find(const struct graph *graph, const uint8_t *roles, struct helpers *helpers);

/* What the helper that worked last between two moments did, if that is another thread than `track`,
 * which was in `event` then. One that goes on after that time does not work for it; nor, as a
 * Python function does work of its own, one that began before it did. */
struct help helpers_between(const struct helpers *helpers, uint32_t track, event_id event,
                            int64_t start, int64_t end);

void helpers_free(struct helpers *helpers);

#endif
