/* SPDX-License-Identifier: Apache-2.0 */
/* inventory.h — what a timeline holds: how long it is, its steps, and what its tracks do */
#ifndef PTK_ANALYSIS_TIMELINE_INVENTORY_H
#define PTK_ANALYSIS_TIMELINE_INVENTORY_H

#include "graph/model/graph.h"

/* Lanes of one track are one. */
struct track_use {
    uint32_t track; /* its first lane */
    uint32_t lanes;
    uint64_t events;
    int64_t busy;      /* ns in which it has at least one event: a union */
    double busy_share; /* of the span; NaN when the span is empty */
};

struct inventory {
    int64_t first, last; /* ns: of the earliest start and the latest end, without instants, and */
    int64_t span;        /* without sums that the file repeats; 0 when there are no events */
    uint64_t events;
    uint32_t steps; /* training steps: needs PROP_STEP */
    int64_t first_step, last_step;
    struct track_use *tracks; /* in the order of the file */
    uint32_t track_count;
};

/* The result lives in `arena`. */
void inventory_take(const struct graph *graph, struct arena *arena, struct inventory *inventory);

#endif
