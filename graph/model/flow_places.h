/* SPDX-License-Identifier: Apache-2.0 */
/* flow_places.h — which event a place in time means, where an arrow of a trace begins or ends */
#ifndef PTK_GRAPH_MODEL_FLOW_PLACES_H
#define PTK_GRAPH_MODEL_FLOW_PLACES_H

#include "graph/model/graph.h"

/* A place on a track of the file, which may have become several lanes. */
struct flow_place {
    int64_t time;
    bool is_next; /* means the next event, not the innermost around `time` */
};

/* The event that is meant; NO_EVENT: there is none. `near`: by lane, about how many events begin
 * before then; becomes how many do, as the next place is seldom far from it. NULL: nobody knows. */
event_id flow_place_event(const struct timeline *timeline, const struct track *lanes,
                          uint32_t count, struct flow_place place, uint32_t *near);

/* A place that means the event, not before `earliest`. False when none does, as where others cover
 * all of it. */
bool flow_place_of(const struct timeline *timeline, const struct track *lanes, uint32_t count,
                   event_id event, int64_t earliest, struct flow_place *place);

#endif
