/* launched.h — how much device work the events of a range launched, at one look a range
 *
 * What is inside an event follows it on its track, so that it and all inside it are a range. */
#ifndef PTK_ANALYSIS_SUMMARY_LAUNCHED_H
#define PTK_ANALYSIS_SUMMARY_LAUNCHED_H

#include "graph/graph.h"

/* A kernel, a copy or a fill. */
struct hosted_work {
    event_id event;
    event_id host; /* as host_tree_launcher() */
    uint32_t turn; /* of the host event's thread */
};

/* Owned: see launched_free(). */
struct launched {
    uint64_t *calls;  /* by 64 events, a bit for each that launched something */
    uint32_t *before; /* by 64 events, how many calls there are before them */
    int64_t *time;    /* by call, ns of what those before it launched; and one more */
};

void launched_make(const struct timeline *timeline, const struct hosted_work *work, uint32_t count,
                   struct launched *launched);

/* How many of the calls are before this event. */
static inline uint32_t launched_before(const struct launched *launched, event_id event)
{
    uint64_t below = (UINT64_C(1) << event % 64) - 1;

    return launched->before[event / 64] +
           (uint32_t)__builtin_popcountll(launched->calls[event / 64] & below);
}

/* ns of the work that the events from `first` up to, not with, `end` launched. */
static inline int64_t launched_time(const struct launched *launched, event_id first, event_id end)
{
    return launched->time[launched_before(launched, end)] -
           launched->time[launched_before(launched, first)];
}

void launched_free(struct launched *launched);

#endif
