/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h — rows for events of one track that overlap, which only nested events may */
#ifndef PTK_GRAPH_BUILD_LANES_H
#define PTK_GRAPH_BUILD_LANES_H

#include "graph/model/graph.h"

/* Gives each event of a sorted track the first lane where it nests in, or is disjoint from, the
 * events before it; on a stream nothing nests. An overlap of at most the track's tolerance is the
 * file's rounding: the inner event is cut to end with the outer, and work on a stream moved to the
 * end of the work before it. The Python functions that enter and leave a named range are cut to
 * nest with it. Returns the number of lanes. When that is more than 1, (*lane_of)[i] is the lane of
 * the track's event i, and the caller frees it. Touches no other track's events. */
uint32_t lanes_assign(struct timeline *timeline, const struct frames *frames,
                      const struct track *track, uint16_t **lane_of, struct warnings *warnings);

#endif
