/* SPDX-License-Identifier: Apache-2.0 */
/* path_marks.h — the critical path as marks on events and arrows between them, to be drawn */
#ifndef PTK_ANALYSIS_EXECUTION_PATH_MARKS_H
#define PTK_ANALYSIS_EXECUTION_PATH_MARKS_H

#include "analysis/execution/critical_path.h"

/* From the end of one task on the path to the start of the next, on another track. */
struct path_arrow {
    uint32_t from_track, to_track;
    int64_t from, to; /* ns */
    enum path_part part;
};

/* Arrays are the arena's. */
struct path_marks {
    bool *is_on_path; /* by event: device work, and what threads were innermost in */
    struct path_arrow *arrows; /* by time */
    uint32_t arrow_count;
};

void path_marks_find(const struct execution *execution, const struct critical_path *path,
                     struct arena *arena, struct path_marks *marks);

#endif
