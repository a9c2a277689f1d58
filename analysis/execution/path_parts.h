/* SPDX-License-Identifier: Apache-2.0 */
/* path_parts.h — what time on the critical path is, as enum path_part: of tasks, of their pieces, and between them */
#ifndef PTK_ANALYSIS_EXECUTION_PATH_PARTS_H
#define PTK_ANALYSIS_EXECUTION_PATH_PARTS_H

#include "analysis/execution/replay.h"

/* What a task's own time is. */
enum path_part path_part_of_task(const struct execution *execution, task_id task);

/* What a piece of a thread's task is: waits among that are waits. */
enum path_part path_part_of_segment(const struct execution *execution,
                                    const struct task_piece *piece);

/* What the time from a dependency to the start of its task is, and in which call, if in one: the
 * one that waited, or the launch that had not returned yet when its work began; else NO_EVENT. */
enum path_part path_part_of_lag(const struct execution *execution, task_id task,
                                const struct dependency *dependency, event_id *event);

#endif
