/* SPDX-License-Identifier: Apache-2.0 */
/* task_build.h — what the parts of execution_build() share: the columns that it is made from
 *
 * First each thread is looked at for where it stopped and where calls blocked; then who let it go
 * on; then it is cut into tasks where one of both is, and these are joined by dependencies. */
#ifndef PTK_ANALYSIS_EXECUTION_TASK_BUILD_H
#define PTK_ANALYSIS_EXECUTION_TASK_BUILD_H

#include "analysis/execution/stream_dependencies.h"
#include "analysis/execution/task_graph.h"
#include "analysis/execution/worker_threads.h"

/* A call in which a thread waited for device work. */
struct blocked_call {
    event_id call, work;  /* NO_EVENT: an unknown one */
    int64_t start;        /* of the call's part */
    int64_t submitted_at; /* it was at work until then, as nothing else was; `start`: not known */
    int64_t blocked_at;   /* it had done its own work by then, */
    int64_t resumed_at;   /* went on then, */
    uint32_t track;       /* on this thread */
    bool is_slot;         /* it waited for the work to begin, which made room in a queue */
    bool is_blocked;      /* else the work had been done before: it would have waited, had it not */
    bool is_inferred;
};

/* When a thread did nothing, or waited for another one. */
struct thread_stop {
    int64_t from, to;
    int64_t waker_time; /* when the one that it waited for did what let it go on */
    uint32_t track;
    uint32_t waker; /* its track; UINT32_MAX: nobody is known */
    event_id event; /* in which it waited; NO_EVENT: in none */
    bool is_wait;   /* it says that it waits for another thread */
    bool is_read;   /* the file says who the waker is */
};

/* A moment at which a thread's tasks are parted. */
struct cut {
    int64_t time;
    uint32_t track;
};

struct task_builder {
    const struct graph *graph;
    const struct timeline *timeline;
    struct execution *execution;
    uint32_t task_cap;
    size_t dependency_count, dependency_cap;

    event_id *by_end;    /* device work by its end */
    event_id *by_launch; /* launched device work by its launch */
    uint32_t work_count, launched_count;
    event_id *sync_rows; /* rows on streams that say what calls wait for, by their calls */
    uint32_t sync_row_count;
    struct stream_waits waits;
    struct idmap one_by_one; /* device → whether its kernels take turns */
    struct worker_threads workers;

    struct blocked_call *blocked; /* by track and time */
    size_t blocked_count, blocked_cap;
    int64_t *least_cost;       /* by frame: what the quickest call took by itself; INT64_MAX */
    struct thread_stop *stops; /* by track and time */
    size_t stop_count, stop_cap;
    struct cut *cuts; /* by track and time, once sorted */
    size_t cut_count, cut_cap;
};

/* device_index.c: lists device work in the orders above. */
void build_device_index(struct task_builder *builder);

/* The launched work of a call: by_launch[first …] as long as launch[] is the call. `near`: any
 * index, the last answer for a later call makes this quick. */
uint32_t first_launched_by(const struct task_builder *builder, event_id call, uint32_t near);

/* blocked_calls.c: whether the call that `segment` is a part of blocked in it. */
void find_blocked_calls(struct task_builder *builder);

/* thread_stops.c: where threads stopped, and who let them go on; which threads take part. */
void find_thread_stops(struct task_builder *builder);

void builder_cut(struct task_builder *builder, uint32_t track, int64_t time);

#endif
