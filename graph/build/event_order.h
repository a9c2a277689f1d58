/* event_order.h — puts the events of one track in order, in place */
#ifndef PTK_GRAPH_BUILD_EVENT_ORDER_H
#define PTK_GRAPH_BUILD_EVENT_ORDER_H

#include "graph/model/graph.h"

/* Earlier first; of those that start together the longer, which is the parent; else as they came.
 * `number` has a column of the caller's that goes with the timeline's; it may be NULL. Touches no
 * other track's events. */
void event_order_set(const struct timeline *timeline, uint32_t *number, const struct track *track);

#endif
