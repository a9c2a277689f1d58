/* SPDX-License-Identifier: Apache-2.0 */
/* amdahl_steps.h — how the shares of parts vary from one training step to the next
 *
 * Each step is a run of its own: the bracket of what ran on the host and the devices while it did.
 * A step that is slow to begin with, or that stands out, shows in how far the shares are apart. */
#ifndef PTK_ANALYSIS_AMDAHL_AMDAHL_STEPS_H
#define PTK_ANALYSIS_AMDAHL_AMDAHL_STEPS_H

#include "base/memory/arena.h"
#include "graph/model/graph.h"

/* Shares of a step's time: while the part ran at all, and while nothing else did. */
struct step_shares {
    double least, median, most; /* of the steps, while it ran at all */
    double exposed;             /* the median */
};

struct amdahl_steps {
    struct step_shares *of;            /* by frame; in the arena */
    int64_t shortest, median, longest; /* ns: of the steps */
    uint32_t count, left_out;          /* nested steps, and those for which there is no room */
};

/* Needs LEVEL_TIMELINE with PROP_STEP. No steps: a count of 0. */
void amdahl_steps_find(const struct graph *graph, struct arena *arena, struct amdahl_steps *found);

#endif
