/* SPDX-License-Identifier: Apache-2.0 */
/* what_if.h — the run as it was and as it would be with some of its work faster */
#ifndef PTK_ANALYSIS_EXECUTION_WHAT_IF_H
#define PTK_ANALYSIS_EXECUTION_WHAT_IF_H

#include "analysis/execution/critical_path.h"

/* A function on either path; ns. */
struct what_if_row {
    frame_id frame;
    int64_t before, after;
};

struct what_if {
    int64_t before, after;        /* spans: as recorded, and replayed */
    struct critical_path path[2]; /* before and after */
    bool has_bounds;              /* not where some work gets faster and some slower */
    struct replay_bounds bounds;
    struct what_if_row *rows; /* by the longer of both times, the longest first; the arena's */
    uint32_t row_count;
};

/* `change->factors`: of all REPLAY_CHANGES_MAX + 1 changes, factors[0] being 1 and unused ones
 * too. */
void what_if_compute(const struct execution *execution, const struct replay_change *change,
                     struct arena *arena, struct what_if *out);

#endif
