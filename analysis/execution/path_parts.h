/* SPDX-License-Identifier: Apache-2.0 */
/* path_parts.h — what time on the critical path is, as enum path_part: of tasks, of their pieces, and between them */
#ifndef PTK_ANALYSIS_EXECUTION_PATH_PARTS_H
#define PTK_ANALYSIS_EXECUTION_PATH_PARTS_H

#include "analysis/execution/replay.h"

/* What a task's own time is. */
enum path_part path_part_of_task(const struct execution *execution, task_id task);

/* What the time from a dependency to the start of its task is, and in which call, if in one: the
 * one that waited, or the launch that had not returned yet when its work began; else NO_EVENT. */
enum path_part path_part_of_lag(const struct execution *execution, task_id task,
                                const struct dependency *dependency, event_id *event);

/* Pieces of a path as they are found. Long runs have many, most of which nobody keeps: the short ones are left out
 * as soon as there are twice as many as are asked for. */
struct path_collector {
    struct path_pieces *pieces;
    uint64_t most;
    uint64_t longer[64]; /* by the logarithm of their length: how many were found */
    int64_t least;       /* ns: shorter ones are left out; 1 at first */
};

/* One of no length is none. */
void path_collect(struct path_collector *all, struct path_piece piece);

/* critical_path_compute(), and what threads ran in the tasks that are on the path. */
void critical_path_collect(const struct execution *execution, struct arena *arena,
                           struct critical_path *path, struct path_collector *all);

#endif
