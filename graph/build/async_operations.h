/* SPDX-License-Identifier: Apache-2.0 */
/* async_operations.h — rows for the events of asynchronous operations, each of which nests on its
 * own */
#ifndef PTK_GRAPH_BUILD_ASYNC_OPERATIONS_H
#define PTK_GRAPH_BUILD_ASYNC_OPERATIONS_H

#include "graph/model/graph.h"

/* As lanes_assign(), where operation[i] is a number of the operation that the sorted track's event
 * i is of: an event stands inside events of its own operation alone, so an operation has a lane to
 * itself for as long as it takes. There are as many lanes as operations that run at once. */
uint32_t operations_assign(struct timeline *timeline, const struct track *track,
                           const uint32_t *operation, uint16_t **lane_of,
                           struct warnings *warnings);

#endif
