/* SPDX-License-Identifier: Apache-2.0 */
/* timeline_parts.h — a timeline part by part, so that only what is of one is held at a time */
#ifndef PTK_ANALYSIS_TIMELINE_TIMELINE_PARTS_H
#define PTK_ANALYSIS_TIMELINE_TIMELINE_PARTS_H

#include "graph/model/graph.h"

/* Such as the length of a union of spans, which can be summed up over parts: see intervals_take(). */

/* The events that begin in one part of the timeline. Owned: see parts_end(). */
struct parts {
    const struct timeline *timeline;
    event_id *next;        /* by track, its first event that begins later */
    int64_t until, length; /* ns: the end of this part, and how long one is */
    int64_t left;          /* parts after this one */
};

/* Before the first part. */
void parts_begin(struct parts *parts, const struct timeline *timeline);

/* Goes on to the next part; false when that was the last. */
bool parts_next(struct parts *parts);

/* Takes a track's events that begin in this part: from `*first` up to, not with, what is
 * returned. */
event_id parts_take(struct parts *parts, uint32_t track, event_id *first);

void parts_end(struct parts *parts);

#endif
