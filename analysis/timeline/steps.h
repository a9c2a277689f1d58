/* SPDX-License-Identifier: Apache-2.0 */
/* steps.h — the training steps of a timeline: annotations that have a number (PROP_STEP)
 *
 * What has one number is one step, on however many threads: it is there when any of them is. */
#ifndef PTK_ANALYSIS_TIMELINE_STEPS_H
#define PTK_ANALYSIS_TIMELINE_STEPS_H

#include "graph/model/graph.h"

struct step {
    int64_t number;
    int64_t start, end; /* ns: of the first and the last of its spans */
    int64_t length;     /* ns of all of them: less than from start to end when it has gaps */
    event_id event;     /* its first */
};

/* One step's spans neither overlap nor touch. */
struct step_span {
    int64_t start, end; /* ns */
    uint32_t step;
};

/* By start; the arena's. */
struct steps {
    struct step *list;
    uint32_t count;
    struct step_span *spans; /* of all steps */
    uint32_t span_count;
};

/* Those that the host marked; where it marked none, those on devices. Needs PROP_STEP. */
void steps_find(const struct graph *graph, struct arena *arena, struct steps *steps);

#endif
