/* bottleneck.h — what holds a run up: the device's work, or what it waits for?
 *
 * The time of a device over a stretch of the run is told as four numbers that add up to all of it:
 * computing (whatever else goes on), only copying, only communicating (whether it copies or not),
 * and idle. The verdict is the first that holds:
 *
 *     idle a lot                      input, launches, waiting for the device, else the host;
 *                                     launches only for gaps that are as short as those are
 *     only copying a lot              copies
 *     only communicating a lot        communication
 *     else                            compute: see `ptk roofline`
 *
 * Each is a division and a threshold (analysis/verdict/thresholds.h). */
#ifndef PTK_ANALYSIS_VERDICT_BOTTLENECK_H
#define PTK_ANALYSIS_VERDICT_BOTTLENECK_H

#include "analysis/execution/idle_gaps.h"
#include "analysis/timeline/device_times.h"
#include "analysis/verdict/threshold_check.h"

/* Why a device was idle; the causes of idle_gaps.h, and these. Time in which the data loader ran on
 * the host counts for that alone. */
enum idle_cause {
    IDLE_INPUT = GAP_CAUSE_COUNT,
    IDLE_BEFORE, /* before its first work in the stretch */
    IDLE_AFTER,  /* after its last */
    IDLE_CAUSE_COUNT
};

const char *idle_cause_name(enum idle_cause cause);

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
    int64_t idle_by[IDLE_CAUSE_COUNT];                    /* together the idle time */
    int64_t short_gaps; /* idle so shortly that launching is why */
    struct check checks[CHECKS_MAX];
    uint32_t check_count;
    enum bottleneck verdict;
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
void bottleneck_find(const struct graph *graph, enum stretch stretch,
                     const struct thresholds *thresholds, struct arena *arena,
                     struct bottlenecks *found);

#endif
