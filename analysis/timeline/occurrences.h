/* SPDX-License-Identifier: Apache-2.0 */
/* occurrences.h — how often functions occur in a timeline, and for how long */
#ifndef PTK_ANALYSIS_TIMELINE_OCCURRENCES_H
#define PTK_ANALYSIS_TIMELINE_OCCURRENCES_H

#include "graph/model/graph.h"

struct occurrences {
    int64_t count, total; /* events; ns of all of them */
    event_id longest;     /* the first of equals; NO_EVENT where there is none */
};

/* Fills `of`, by place in `frames` (0: nobody), in one pass over all events. Needs LEVEL_TIMELINE. */
void occurrences_find(const struct graph *graph, const frame_id *frames, uint32_t count,
                      struct occurrences *of);

#endif
