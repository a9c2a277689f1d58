/* SPDX-License-Identifier: Apache-2.0 */
/* launched_work.h — how much device work the events of a range launched, at one look a range
 *
 * What is inside an event follows it on its track, so that it and all inside it are a range. */
#ifndef PTK_ANALYSIS_SUMMARY_LAUNCHED_WORK_H
#define PTK_ANALYSIS_SUMMARY_LAUNCHED_WORK_H

#include "base/memory/bit_set.h"
#include "graph/classify/event_role.h"

/* A kernel, a copy or a fill. */
struct hosted_work {
    event_id event;
    event_id host; /* as host_tree_launcher() */
    uint32_t turn; /* of the host event's thread */
    enum event_role role;
};

/* Owned: see launched_free(). */
struct launched {
    struct bits calls;    /* the events that launched something */
    int64_t *time;        /* by call, ns of what those before it launched; and one more */
    int64_t *kernel_time; /* the same of kernels alone */
};

void launched_make(const struct timeline *timeline, const struct hosted_work *work, uint32_t count,
                   struct launched *launched);

static inline int64_t launched_sum(const struct launched *launched, const int64_t *time,
                                   event_id first, event_id end)
{
    return bits_lack(&launched->calls, first, end) ? 0
                                                   : time[bits_before(&launched->calls, end)] -
                                                         time[bits_before(&launched->calls, first)];
}

/* ns of the work that the events from `first` up to, not with, `end` launched. */
static inline int64_t launched_time(const struct launched *launched, event_id first, event_id end)
{
    return launched_sum(launched, launched->time, first, end);
}

static inline int64_t launched_kernel_time(const struct launched *launched, event_id first,
                                           event_id end)
{
    return launched_sum(launched, launched->kernel_time, first, end);
}

void launched_free(struct launched *launched);

#endif
