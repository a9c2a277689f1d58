/* SPDX-License-Identifier: Apache-2.0 */
/* inventory.h — what a timeline has: tracks, steps, extremes */
#ifndef PTK_ANALYSIS_TIMELINE_INVENTORY_H
#define PTK_ANALYSIS_TIMELINE_INVENTORY_H

#include <stddef.h>
#include <stdint.h>

#include "graph/classify/step_label.h"
#include "graph/model/graph.h"

/* ---- what a timeline holds: how long it is, its steps, and what its tracks do ---- */

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
    uint32_t serving_steps;                /* that a server of language models labelled, */
    uint32_t by_stage[STAGE_COUNT];        /* of each stage, */
    int64_t serving_tokens;                /* and their tokens; UNKNOWN */
};

/* The result lives in `arena`. */
void inventory_take(const struct graph *graph, struct arena *arena, struct inventory *inventory);

/* ---- the training steps of a timeline: annotations that have a number (PROP_STEP) ---- */

/* What has one number is one step, on however many threads: it is there when any of them is. */

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

/* ---- how far apart one figure is where several have it: ranks, steps, runs ---- */

struct extremes {
    int64_t least, median, most; /* the median of an even number is the lower of the two */
    size_t least_at, most_at;    /* the first that has it */
};

/* `values`, at least one, are put in order. */
struct extremes extremes_of(int64_t *values, size_t count);

#endif
