/* SPDX-License-Identifier: Apache-2.0 */
/* event_rows.h — events as the rows of a timeline's columns, to be moved about */
#ifndef PTK_GRAPH_BUILD_EVENT_ROWS_H
#define PTK_GRAPH_BUILD_EVENT_ROWS_H

#include "graph/model/graph.h"

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
