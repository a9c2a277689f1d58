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

enum { REPLAY_CHANGES_MAX = 64 };

struct replay_change {
    const uint8_t *of_frame; /* 1 … REPLAY_CHANGES_MAX, or 0; NULL: nothing is changed. A host
                                event's change is for all that its thread runs inside it. */
    const double *factors;   /* by change: so many times faster; INFINITY: it takes no time */
};

/* How long something with a change takes after it; ns. */
int64_t replay_scaled(const struct replay_change *change, uint8_t part, int64_t length);

/* How long each task takes after the change; by task. */
void replay_lengths(const struct execution *execution, const struct replay_change *change,
                    int64_t *length);

/* When each task ends with these lengths; by task. Lengths of waits become what they are then.
 * Returns the end of the run. */
int64_t replay_run(const struct execution *execution, int64_t *length, int64_t *end);

/* The same without some of the dependencies; by dependency. */
int64_t replay_run_without(const struct execution *execution, const bool *is_ignored,
                           int64_t *length, int64_t *end);

/* The dependency that let a task begin when it did, with these lengths and ends, the first of
 * equals; NULL for the start of the run. */
const struct dependency *replay_decisive(const struct execution *execution, const int64_t *length,
                                         const int64_t *end, task_id task);

/* The task that ended last, the first of equals; 0 where there is none. */
task_id replay_last(const struct execution *execution, const int64_t *end);

/* What every new span must lie between: see bracket.h. */
struct replay_bounds {
    int64_t least, most; /* of the new span, ns */
    int64_t exposed[REPLAY_CHANGES_MAX + 1], united[REPLAY_CHANGES_MAX + 1]; /* by change; ns */
    int64_t time[REPLAY_CHANGES_MAX + 1];                                    /* sum of the pieces */
    uint32_t pieces[REPLAY_CHANGES_MAX + 1];
};

/* Lags are activities that do not change. Factors are all at least 1, or all at most 1. */
void replay_bound(const struct execution *execution, const struct replay_change *change,
                  struct replay_bounds *bounds);

#endif
