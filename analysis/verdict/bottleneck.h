/* SPDX-License-Identifier: Apache-2.0 */
/* bottleneck.h — what holds a run up: the device's work, or what it waits for?
 *
 * The time of a device over a stretch of the run is told as four numbers that add up to all of it:
 * computing (whatever else goes on), only copying, only communicating (whether it copies or not),
 * and idle, which is told by class (idle_gaps.h). Time that is not computing is lost, to
 *
 *     input, launches, waiting for the device, the allocator, the host's other work, other streams
 *                                     idle time of that class
 *     copies                          only copying, and idle time after large copies that blocked
 *     communication                   only communicating
 *
 * The verdict is the largest of these; the device's own work where all together are little. Idle
 * time that nothing recorded explains is launching's where kernels are small and gaps as short as
 * launches are, else the host's. */
#ifndef PTK_ANALYSIS_VERDICT_BOTTLENECK_H
#define PTK_ANALYSIS_VERDICT_BOTTLENECK_H

#include "analysis/execution/idle_gaps.h"
#include "analysis/timeline/device_work.h"
#include "analysis/verdict/threshold_check.h"

/* What a device's time is told of. */
enum stretch {
    STRETCH_AUTO,  /* the steps, where there are any, else the run */
    STRETCH_STEPS, /* from the first training step's start to the last one's end */
    STRETCH_RUN,   /* from the first start to the last end of anything, on the host or a device */
    STRETCH_DEVICE /* from the first start to the last end of the device's work */
};

enum { CHECKS_MAX = 16 };

struct device_bottleneck {
    int32_t device;                                       /* ordinal, or -1 */
    int64_t start, span;                                  /* ns: of the stretch */
    int64_t compute, copy_only, communication_only, idle; /* together the span */
    int64_t idle_by[IDLE_CLASS_COUNT];                    /* together the idle time */
    int64_t unrecorded;            /* idle, and nothing that the host has on record says why */
    int64_t short_gaps;            /* idle so shortly that launching may be why */
    int64_t outside;               /* idle before its first work in the stretch or after its last */
    int64_t lost[HELD_BY_COMPUTE]; /* by verdict: together what is not compute */
    struct gaps gaps;              /* the idle time and its owners */
    struct check checks[CHECKS_MAX];
    uint32_t check_count;
    enum bottleneck verdict;
    enum bottleneck runner_up; /* what most is lost to but for that; HELD_BY_NOTHING */
};

struct bottlenecks {
    struct device_bottleneck *devices; /* the arena's */
    uint32_t count;
    enum stretch stretch; /* the one that was used; for want of steps another than was asked for */
    uint32_t steps;
};

/* What the pass wants of a parser, as builder_options.properties; besides, launches and
 * categories. */
uint64_t bottleneck_properties(void);

/* Needs LEVEL_TIMELINE. */
void bottleneck_find(const struct execution *execution, enum stretch stretch,
                     const struct thresholds *thresholds, struct arena *arena,
                     struct bottlenecks *found);

#endif
