/* SPDX-License-Identifier: Apache-2.0 */
/* nesting.h — which host event is around which, and what that makes of it
 *
 * Threads do not nest in each other, so that several can be nested at once. */
#ifndef PTK_ANALYSIS_SUMMARY_NESTING_H
#define PTK_ANALYSIS_SUMMARY_NESTING_H

#include "graph/classify/event_class.h"

/* Beside an event's role. */
enum host_mark {
    MARK_IN_PHASE = 0x80,    /* below an event whose role_is_phase() */
    MARK_REPEATED = 0x40,    /* below an event of the same frame */
    MARK_IN_TRANSFER = 0x20, /* moves data between devices, or is below an event that does */
    MARK_ROLE = 0x1F
};

_Static_assert((int)ROLE_COUNT <= (int)MARK_ROLE + 1, "a role must fit the marks");

/* What is known of events, and by event what is found. */
struct nesting {
    const struct graph *graph;
    const struct roles *roles;
    const uint8_t *transfer_marks; /* by frame */
    uint8_t *marks;   /* role and host_mark; 0 before, but for steps that are known by number */
    event_id *parent; /* the innermost host event around it, or NO_EVENT */
    event_id *after;  /* what follows all that is inside it on its track */
};

/* Some of the threads' tracks, and what is on them. */
struct nest {
    const struct nesting *nesting;
    uint32_t *tracks; /* indices */
    uint32_t track_count;
    bool has_role[ROLE_COUNT];
    event_id *transfers; /* host events that move data between devices */
    size_t transfer_count, transfer_cap;
    struct nest_open *opened; /* those open at the point of the sweep */
    size_t depth, cap;
    uint32_t *of_frame; /* by frame, how many of them have it */
};

/* Shares out tracks. The first nest has the longest of them. */
struct nest *nests_new(const struct nesting *nesting, const uint32_t *tracks, uint32_t track_count,
                       size_t count);

/* Gives the events of a nest their roles, parents and marks; beside the others. */
void nest_run(struct nest *nest);

void nests_free(struct nest *nests, size_t count);

#endif
