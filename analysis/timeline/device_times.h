/* SPDX-License-Identifier: Apache-2.0 */
/* device_times.h — when a device computed, communicated and copied, as sets of points in time */
#ifndef PTK_ANALYSIS_TIMELINE_DEVICE_TIMES_H
#define PTK_ANALYSIS_TIMELINE_DEVICE_TIMES_H

#include "analysis/timeline/device_work.h"
#include "analysis/timeline/intervals.h"

/* Over all streams of one device. Owned: see device_times_free(). */
struct device_times {
    struct intervals of[WORK_COUNT];
};

/* The lengths of those sets, in ns, and of what each hides: compute first, then communication. */
struct device_shares {
    int64_t compute, communication, memory;
    int64_t exposed_communication; /* communication − compute */
    int64_t exposed_memory;        /* copies − compute − communication */
    int64_t busy;                  /* of all together */
};

void device_times_collect(const struct graph *graph, const struct device_work *work,
                          struct device_times *times);

/* The part of `times` between two times. `out` must be empty. */
void device_times_clip(const struct device_times *times, int64_t start, int64_t end,
                       struct device_times *out);

void device_times_measure(const struct device_times *times, struct device_shares *shares);

void device_times_free(struct device_times *times);

#endif
