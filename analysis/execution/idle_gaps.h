/* idle_gaps.h — when a device had nothing to do, and why
 *
 * A gap is time in which none of a device's streams has work, between its first and its last. Its
 * cause is read off the launch of the work that ended it (HTA's idle breakdown does the same
 * for one stream):
 *
 *     sync          the launch came too late, and the thread had been waiting for the device until
 *                   after the gap began, for half as long as the gap or more
 *     host late     the launch came too late for another reason
 *     dependency    it was launched in time, but its stream had been told to wait for another
 *     launch queue  it was launched in time, and began within 30 µs: what launching costs
 *     other         it was launched in time, and began later than that
 *     unknown       the file does not say what launched it */
#ifndef PTK_ANALYSIS_EXECUTION_IDLE_GAPS_H
#define PTK_ANALYSIS_EXECUTION_IDLE_GAPS_H

#include "analysis/timeline/device_work.h"

enum gap_cause {
    GAP_HOST_LATE,
    GAP_SYNC,
    GAP_DEPENDENCY,
    GAP_LAUNCH_QUEUE,
    GAP_OTHER,
    GAP_UNKNOWN,
    GAP_CAUSE_COUNT
};

/* "host late" */
const char *gap_cause_name(enum gap_cause cause);

struct gap {
    int64_t start, length; /* ns */
    int32_t device;
    enum gap_cause cause;
    event_id before, after; /* the work on both sides */
    event_id waited;        /* GAP_SYNC: the call that waited; else NO_EVENT */
};

struct gap_sum {
    int64_t time;
    uint32_t count;
};

struct gaps {
    struct gap_sum by_cause[GAP_CAUSE_COUNT];
    struct gap *largest; /* by length; of equals the earlier first; the arena's */
    uint32_t count;
};

/* The gaps of all devices; the `limit` largest are kept, all when it is 0. */
void gaps_find(const struct graph *graph, const struct devices_work *devices, uint32_t limit,
               struct arena *arena, struct gaps *gaps);

#endif
