/* SPDX-License-Identifier: Apache-2.0 */
/* innermost.h — what a thread was in, innermost, from moment to moment */
#ifndef PTK_ANALYSIS_EXECUTION_INNERMOST_H
#define PTK_ANALYSIS_EXECUTION_INNERMOST_H

#include "graph/model/graph.h"
#include "graph/model/walks.h"

/* ns, half open, not empty. */
struct segment {
    int64_t start, end;
    event_id event;    /* NO_EVENT: in nothing */
    uint8_t mark;      /* of the innermost event around it whose frame has one; 0 */
    bool is_after_end; /* it begins where an event ends */
};

/* A place in a track's events. Owned: see innermost_free(). */
struct innermost {
    const struct timeline *timeline;
    const uint8_t *mark_of; /* by frame; NULL: nothing is marked */
    event_id next, past;
    struct open_events open; /* that the thread is in, tagged with their marks */
    int64_t time;
    bool is_after_end;
};

/* Goes to the start of a track; ready for that when zeroed. `mark_of` is borrowed. */
void innermost_begin(struct innermost *place, const struct timeline *timeline, uint32_t track,
                     const uint8_t *mark_of);

/* The next segment, from the start of the track's first event to the end of its last, without
 * holes; false at the end. Events without duration are in none. Linear in events over all calls. */
bool innermost_next(struct innermost *place, struct segment *segment);

void innermost_free(struct innermost *place);

#endif
