/* SPDX-License-Identifier: Apache-2.0 */
/* task_graph.h — the execution graph: what ran, and what each piece of it had to wait for
 *
 * A task is a stretch of one thread between two points at which something else depends on it or it
 * on something else, or a piece of device work. A task begins when the latest of its dependencies
 * lets it: the end (for DEPENDS_ON_SLOT the start) of an earlier task, and a lag. Of the lags,
 * that of the dependency that held the task up in the recorded run makes up the recorded start;
 * those of the others are the least that is known of their kind. So the run as recorded is what
 * the dependencies and the tasks' lengths give, to the nanosecond, and every change of lengths can
 * be replayed.
 *
 * Waiting is no task: a call that blocks is its own work until it blocks, and what its thread does
 * next depends on the work that it waited for. Whether a call blocked is decided call by call, by
 * the work that ended in it (blocked_calls.h). A wait whose end nothing recorded explains is a
 * task of its own.
 *
 * Task 0 is the start of the run. Columns are by task; threads' and streams' tasks are each in
 * order of time. */
#ifndef PTK_ANALYSIS_EXECUTION_TASK_GRAPH_H
#define PTK_ANALYSIS_EXECUTION_TASK_GRAPH_H

#include "analysis/execution/innermost.h"

typedef uint32_t task_id;

#define NO_TASK UINT32_MAX

enum task_kind {
    TASK_START,  /* of the run: takes no time */
    TASK_HOST,   /* a thread ran something */
    TASK_WAIT,   /* a thread waited, and nothing recorded says for what */
    TASK_DEVICE, /* a stream worked */
};

enum dependency_kind {
    DEPENDS_ON_START,  /* nothing is known to have held it up: it stays where it was */
    DEPENDS_ON_THREAD, /* program order */
    DEPENDS_ON_STREAM, /* the work before it on its stream */
    DEPENDS_ON_LAUNCH, /* device work: on the call that submitted it */
    DEPENDS_ON_EVENT,  /* device work: on other streams' work, which its stream waited for */
    DEPENDS_ON_WORK,   /* a thread: on device work that it waited for */
    DEPENDS_ON_SLOT,   /* a thread: on the start of device work, which left room in a full queue */
    DEPENDS_ON_HAND_OVER, /* a thread: on another one that it waited for */
    DEPENDENCY_KIND_COUNT
};

struct dependency {
    int64_t lag; /* ns after the end of `from`, not negative */
    task_id from;
    uint8_t kind;     /* enum dependency_kind */
    bool is_inferred; /* from times; else the file says so */
};

struct execution {
    const struct graph *graph;
    uint32_t count;       /* tasks */
    int64_t *start, *end; /* ns, as recorded, since the timeline's origin */
    uint32_t *track;
    event_id *event; /* of device work, itself; of a thread's task the call or wait that it
                             follows, if it follows one; NO_EVENT */
    uint8_t *kind;   /* enum task_kind */
    uint32_t *first; /* by task, and one more: its dependencies in `dependencies` */
    struct dependency *dependencies;
    uint32_t *order;            /* tasks: none before one that it depends on */
    task_id *first_task;        /* by track, and one more */
    bool *takes_part;           /* by track: threads that only sleep and wait for others do not */
    uint8_t *role;              /* by frame: enum host_role (blocked_calls.h) */
    int64_t run_start, run_end; /* of the tasks; equal where there are none */
    uint32_t guesses; /* device work taken to have waited for another stream, for the file has no
                         such waits */
};

/* What it wants of a parser, as builder_options.properties; besides, launches and flows. */
uint64_t execution_properties(void);

/* All memory is the execution's: see execution_free(). Linear in events. Needs LEVEL_TIMELINE. */
void execution_build(const struct graph *graph, struct execution *execution);

/* Frees what only replays and paths need: the dependencies and the order. */
void execution_drop_dependencies(struct execution *execution);

void execution_free(struct execution *execution);

/* ns from the first start to the last end of all tasks. */
static inline int64_t execution_span(const struct execution *execution)
{
    return execution->run_end - execution->run_start;
}

static inline int64_t task_length(const struct execution *execution, task_id task)
{
    return execution->end[task] - execution->start[task];
}

/* The device work's task; NO_TASK. Logarithmic. */
task_id task_of_work(const struct execution *execution, event_id work);

/* The thread's last task that ends at `time` or before it; NO_TASK. Logarithmic. */
task_id task_ending_by(const struct execution *execution, uint32_t track, int64_t time);

/* The dependency that held a task up in the recorded run, the first of equals; NULL for task 0. */
const struct dependency *task_decisive(const struct execution *execution, task_id task);

/* ---- what a thread ran in its tasks ---- */

/* A part of a thread's task, in one event. */
struct task_piece {
    task_id task;
    struct segment segment;
};

/* A place in a thread's tasks. Owned: see task_pieces_free(). */
struct task_pieces {
    const struct execution *execution;
    struct innermost innermost;
    struct segment segment; /* what is left of it */
    task_id task, past;
    bool has_segment;
};

/* The pieces of a thread's tasks, by time; marks as in innermost_begin(). */
void task_pieces_begin(struct task_pieces *pieces, const struct execution *execution,
                       uint32_t track, const uint8_t *mark_of);
bool task_pieces_next(struct task_pieces *pieces, struct task_piece *piece);
void task_pieces_free(struct task_pieces *pieces);

#endif
