/* SPDX-License-Identifier: Apache-2.0 */
/* instances.h — every event of some functions, and how long they took */
#ifndef PTK_ANALYSIS_TIMELINE_INSTANCES_H
#define PTK_ANALYSIS_TIMELINE_INSTANCES_H

#include "analysis/timeline/percentiles.h"
#include "base/memory/memory.h"
#include "graph/model/graph.h"

enum instance_order { INSTANCES_BY_TIME, INSTANCES_BY_DURATION };

struct instance {
    event_id event;
    event_id launch;  /* what launched it; NO_EVENT: not known */
    frame_id launcher; /* its function; 0: not known */
    uint32_t track;
    int64_t step; /* the training step that it is of, by its launch where that is known; UNKNOWN */
};

struct instances {
    struct instance *list; /* as ordered, at most so many as asked for */
    uint32_t count, total;
    struct percentiles percentiles; /* of the durations of all */
    int64_t origin;       /* of the times that people see: when the first event begins */
};

/* `is_wanted`: by frame. 0 for `limit`: all. The result lives in `arena`. Needs LEVEL_TIMELINE; steps need
 * PROP_STEP. */
void instances_find(const struct graph *graph, const bool *is_wanted, enum instance_order order,
                    uint32_t limit, struct arena *arena, struct instances *instances);

#endif
