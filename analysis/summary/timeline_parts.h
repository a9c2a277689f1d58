/* SPDX-License-Identifier: Apache-2.0 */
/* timeline_parts.h — a timeline part by part
 *
 * The length of a union of spans can be summed up over parts, so that only a part's spans are held
 * at a time: see intervals_take(). */
#ifndef PTK_ANALYSIS_SUMMARY_TIMELINE_PARTS_H
#define PTK_ANALYSIS_SUMMARY_TIMELINE_PARTS_H

#include "analysis/summary/host_tree.h"
#include "graph/model/graph.h"

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

/* The threads by which tables are separated, or all of them as one. */
struct summary_threads {
    uint32_t *of_track; /* by track, the index of its thread; lanes share their thread's */
    int64_t *numbers;   /* by thread, its number in the file; ascending */
    uint32_t count;
};

/* Lives in the arena. When threads are not told apart there is one, number 0. */
void summary_threads_make(const struct host_tree *tree, bool is_by_thread, struct arena *arena,
                          struct summary_threads *threads);

#endif
