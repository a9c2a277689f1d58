/* SPDX-License-Identifier: Apache-2.0 */
/* run_measures.h — how long a traced run took, or a step of it, and what its devices did then
 *
 * Of a trace the sum over all functions is nobody's time: threads and devices run side by side.
 * What a change gave is told by these. */
#ifndef PTK_ANALYSIS_COMPARE_RUN_MEASURES_H
#define PTK_ANALYSIS_COMPARE_RUN_MEASURES_H

#include "graph/model/graph.h"

enum run_measure {
    MEASURE_TIME,          /* from start to end */
    MEASURE_BUSY,          /* devices did anything: all of these are means over the devices */
    MEASURE_IDLE,          /* the time less that */
    MEASURE_COMPUTE,       /* they computed */
    MEASURE_COMMUNICATION, /* they communicated, and did not compute */
    MEASURE_COPIES,        /* they copied, and did neither */
    MEASURE_COUNT
};

/* "time"; "exposed_communication": for machines */
const char *run_measure_name(enum run_measure measure);

struct run_measures {
    uint32_t steps;                  /* 0: it has none */
    uint32_t devices;                /* that did anything; without any only the time is known */
    int64_t of_run[MEASURE_COUNT];   /* ns */
    int64_t of_steps[MEASURE_COUNT]; /* ns a step, from the first one's start to the last's end */
    bool is_known;                   /* it is a timeline, and holds something */
};

/* What it wants of a parser, as builder_options.properties. */
uint64_t run_measures_properties(void);

/* Nothing is known of a graph that has no timeline (any more). */
void run_measures_take(const struct graph *graph, struct run_measures *measures);

#endif
