/* what_if.h — the run as it was and as it would be with some of its work faster */
#ifndef PTK_ANALYSIS_EXECUTION_WHAT_IF_H
#define PTK_ANALYSIS_EXECUTION_WHAT_IF_H

#include "analysis/execution/replay.h"

/* A function on either path; ns. */
struct what_if_row {
    frame_id frame;
    int64_t before, after;
};

struct what_if {
    int64_t before, after;      /* spans: as recorded, and replayed */
    struct replay_path path[2]; /* before and after */
    uint32_t guesses;           /* see struct replay */
    bool has_bounds;            /* not where some work gets faster and some slower */
    struct replay_bounds bounds;
    struct what_if_row *rows; /* by the longer of both times, the longest first; the arena's */
    uint32_t row_count;
};

/* `change_of` as in replay_make(); `factors`: of each change, factors[0] being 1 and unused ones
 * too. */
void what_if_compute(const struct graph *graph, const uint8_t *change_of,
                     const double factors[REPLAY_CHANGES_MAX + 1], struct arena *arena,
                     struct what_if *out);

#endif
