/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h — which rows a track's events need: those that overlap, operations, what an event's row
 * is */
#ifndef PTK_GRAPH_BUILD_LANES_H
#define PTK_GRAPH_BUILD_LANES_H

#include "graph/model/graph.h"

/* ---- rows for events of one track that overlap, which only nested events may ---- */

/* Gives each event of a sorted track the first lane where it nests in, or is disjoint from, the
 * events before it; on a stream nothing nests. An overlap of at most the track's tolerance is the
 * file's rounding: the inner event is cut to end with the outer, and work on a stream moved to the
 * end of the work before it. The Python functions that enter and leave a named range are cut to
 * nest with it. Returns the number of lanes. When that is more than 1, (*lane_of)[i] is the lane of
 * the track's event i, and the caller frees it. Touches no other track's events. */
uint32_t lanes_assign(struct timeline *timeline, const struct frames *frames,
                      const struct track *track, uint16_t **lane_of, struct warnings *warnings);

/* ---- rows for the events of asynchronous operations, each of which nests on its own ---- */

/* As lanes_assign(), where operation[i] is a number of the operation that the sorted track's event
 * i is of: an event stands inside events of its own operation alone, so an operation has a lane to
 * itself for as long as it takes. There are as many lanes as operations that run at once. */
uint32_t operations_assign(struct timeline *timeline, const struct track *track,
                           const uint32_t *operation, uint16_t **lane_of,
                           struct warnings *warnings);

/* ---- events as the rows of a timeline's columns, to be moved about ---- */

struct event_rows {
    int64_t *start, *duration;
    frame_id *frame;
    uint16_t *category; /* NULL: they have none */
    uint32_t *number;   /* which event of the file each is; NULL: nobody asks */
};

/* A track's rows in the timeline's columns and in `number`, which goes with them. */
struct event_rows event_rows_of(const struct timeline *timeline, uint32_t *number,
                                const struct track *track);

/* Room for as many rows with the same columns; the caller's to free. */
struct event_rows event_rows_like(const struct event_rows *rows, size_t count);

void event_rows_free(struct event_rows *rows);

/* Rows `i` and up become the rows `at` and up; they may overlap. */
void event_rows_move(const struct event_rows *to, size_t at, const struct event_rows *from,
                     size_t i, size_t count);

static inline void event_rows_move_one(const struct event_rows *to, size_t at,
                                       const struct event_rows *from, size_t i)
{
    to->start[at] = from->start[i];
    to->duration[at] = from->duration[i];
    to->frame[at] = from->frame[i];
    if (to->category)
        to->category[at] = from->category[i];
    if (to->number)
        to->number[at] = from->number[i];
}

#endif
