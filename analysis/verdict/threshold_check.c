/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/verdict/bottleneck.h"

#include <math.h>

#include "graph/model/graph.h"

const char *bottleneck_name(enum bottleneck bottleneck)
{
    static const char *const names[] = {
        [HELD_BY_NOTHING] = "unknown",
        [HELD_BY_INPUT] = "input-bound",
        [HELD_BY_LAUNCH] = "launch-bound",
        [HELD_BY_SYNC] = "sync-bound",
        [HELD_BY_ALLOCATOR] = "allocator-bound",
        [HELD_BY_HOST] = "host-bound",
        [HELD_BY_DEPENDENCY] = "dependency-bound",
        [HELD_BY_COPY] = "copy-bound",
        [HELD_BY_COMMUNICATION] = "communication-bound",
        [HELD_BY_COMPUTE] = "compute-bound",
        [HELD_BY_PAGING] = "memory-bound (paging)",
        [HELD_BY_IO] = "I/O-bound",
        [HELD_BY_WAITING] = "waiting",
        [HELD_BY_SYSTEM] = "system-bound",
        [HELD_BY_LOCKS] = "lock-bound",
        [HELD_BY_ONE_THREAD] = "single-thread-bound",
        [HELD_BY_FEW_THREADS] = "few-threads-bound",
        [HELD_BY_CPU] = "CPU-bound",
    };

    return names[bottleneck];
}

static double measure(const struct check *check, enum threshold_unit unit)
{
    double part = (double)check->part, whole = (double)check->whole;

    if (check->part == UNKNOWN || check->whole == UNKNOWN)
        return NAN;
    switch (unit) {
    case LIMIT_SHARE:
        return check->whole > 0 ? part / whole : NAN;
    case LIMIT_RATE:
        return check->whole > 0 ? part / whole * 1e9 : NAN;
    case LIMIT_US:
    case LIMIT_KB:
        return part / 1e3;
    }
    return NAN;
}

void check_judge(struct check *check, const struct thresholds *thresholds)
{
    double limit = thresholds->of[check->limit];

    check->value = measure(check, threshold_unit(check->limit));
    check->holds =
        check->is_largest || (check->is_below ? check->value < limit : check->value >= limit);
}
