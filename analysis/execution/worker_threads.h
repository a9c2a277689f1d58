/* worker_threads.h — threads that work for others, as those that run the backward pass
 *
 * A thread that is in a named range and in nothing else may only wait for another, as a training
 * step does while its backward pass runs; so may one in a Python function. Helpers are threads that
 * run operators, and Python only inside them. */
#ifndef PTK_ANALYSIS_EXECUTION_WORKER_THREADS_H
#define PTK_ANALYSIS_EXECUTION_WORKER_THREADS_H

#include "analysis/execution/self_spans.h"

/* ns; half open. */
struct work_time {
    int64_t start, end;
};

struct helper {
    uint32_t track;
    struct work_time *times; /* in which it was not in nothing, in a named range or waiting */
    size_t count;
};

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

/* `is_wait`: by frame. Memory is the arena's. */
void helpers_find(const struct graph *graph, const struct self_spans *spans, const bool *is_wait,
                  struct arena *arena, struct helpers *helpers);

/* Whether the event, while its thread is in nothing inside it, may only wait for a helper: a range,
 * or a Python function, which need not be Python code all the time. */
bool may_be_helped(const struct graph *graph, event_id event);

/* What the helper that worked last between two moments did, if that is another thread than the
 * event's. A Python function does work of its own: only a helper that neither began before that
 * time nor went on after it works for it. */
struct help helpers_between(const struct helpers *helpers, event_id event, int64_t start,
                            int64_t end);

#endif
