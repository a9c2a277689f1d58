/* steps.h — the training steps of a timeline: annotations that have a number (PROP_STEP) */
#ifndef PTK_ANALYSIS_STEPS_H
#define PTK_ANALYSIS_STEPS_H

#include "graph/graph.h"

struct step {
    int64_t number;
    int64_t start, end; /* ns */
    event_id event;
};

/* By start. */
struct steps {
    struct step *list; /* the arena's */
    uint32_t count;
};

/* Those that the host marked; where it marked none, those on devices. Needs PROP_STEP. */
void steps_find(const struct graph *graph, struct arena *arena, struct steps *steps);

#endif
