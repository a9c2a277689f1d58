/* SPDX-License-Identifier: Apache-2.0 */
/* replay.h — the execution graph run again with some of its work faster or slower
 *
 * Each task begins when its dependencies let it, and takes its length after the change. Lags stay.
 * A wait that nothing recorded explains ends when it did: what ends it goes by a clock of its own.
 * With all factors 1 the replay is the recorded run to the nanosecond, and its path is the
 * critical path. */
#ifndef PTK_ANALYSIS_EXECUTION_REPLAY_H
#define PTK_ANALYSIS_EXECUTION_REPLAY_H

#include "analysis/execution/task_graph.h"

enum { REPLAY_CHANGES_MAX = 72 };

/* What is changed of a run. Zeroed: nothing. Borrowed. Changes are 1 … REPLAY_CHANGES_MAX; 0: none. */
struct replay_change {
    const uint8_t *of_frame;  /* NULL: none. A host event's change is for all that its thread runs
                                 inside it. */
    const double *factors;    /* by change: so many times faster; INFINITY: it takes no time */
    const uint8_t *of_event;  /* by event: that of device work whose frame has none; NULL */
    uint8_t of_launching;     /* that of the time from calls to their work */
    const bool *is_ignored;   /* by dependency: it holds nothing up any more; NULL */
    const double *of_task;    /* by task: so many times faster, with what held it up; NULL */
    int64_t least;            /* ns that the run takes at least: what else goes on then */
};

/* How long a piece of a task with a change takes after it; ns. */
int64_t replay_piece(const struct replay_change *change, uint8_t part, task_id task,
                     int64_t length);

/* The change of a piece of device work. */
uint8_t replay_change_of_work(const struct execution *execution,
                              const struct replay_change *change, task_id task);

/* The lag of a dependency of `task` after the change; ns. */
int64_t replay_lag(const struct replay_change *change, task_id task,
                   const struct dependency *dependency);

/* How long each task takes after the change; by task. */
void replay_lengths(const struct execution *execution, const struct replay_change *change,
                    int64_t *length);

/* When each task ends with these lengths; by task. Lengths of waits become what they are then.
 * Returns the end of the run. */
int64_t replay_run(const struct execution *execution, const struct replay_change *change,
                   int64_t *length, int64_t *end);

/* The dependency that let a task begin when it did, with these lengths and ends, the first of
 * equals; NULL for the start of the run. */
const struct dependency *replay_decisive(const struct execution *execution,
                                         const struct replay_change *change,
                                         const int64_t *length, const int64_t *end, task_id task);

/* The task that ended last, the first of equals; 0 where there is none. */
task_id replay_last(const struct execution *execution, const int64_t *end);

/* What every new span must lie between: see bracket.h. */
struct replay_bounds {
    int64_t least, most; /* of the new span, ns */
    int64_t exposed[REPLAY_CHANGES_MAX + 1], united[REPLAY_CHANGES_MAX + 1]; /* by change; ns */
    int64_t time[REPLAY_CHANGES_MAX + 1];                                    /* sum of the pieces */
    uint32_t pieces[REPLAY_CHANGES_MAX + 1];
};

/* Lags are activities, too; those from calls to their work may change. Factors are all at least 1, or
 * all at most 1. Where dependencies are ignored or tasks have factors of their own, the run takes at
 * least what a thread or stream does by itself. */
void replay_bound(const struct execution *execution, const struct replay_change *change,
                  struct replay_bounds *bounds);

#endif
