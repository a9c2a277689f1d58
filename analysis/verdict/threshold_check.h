/* SPDX-License-Identifier: Apache-2.0 */
/* threshold_check.h — one division, and the threshold from which it tells something */
#ifndef PTK_ANALYSIS_VERDICT_THRESHOLD_CHECK_H
#define PTK_ANALYSIS_VERDICT_THRESHOLD_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/verdict/thresholds.h"
#include "base/text/format.h"

/* What holds a run up. */
enum bottleneck {
    HELD_BY_NOTHING, /* no verdict */
    HELD_BY_INPUT,   /* a device: these, */
    HELD_BY_LAUNCH,
    HELD_BY_SYNC,
    HELD_BY_ALLOCATOR,
    HELD_BY_HOST,
    HELD_BY_DEPENDENCY,
    HELD_BY_COPY,
    HELD_BY_COMMUNICATION,
    HELD_BY_COMPUTE,
    HELD_BY_PAGING, /* a process: and these */
    HELD_BY_IO,
    HELD_BY_WAITING, /* for what, is not known */
    HELD_BY_SYSTEM,
    HELD_BY_LOCKS,
    HELD_BY_ONE_THREAD,
    HELD_BY_FEW_THREADS,
    HELD_BY_CPU,
};

/* "launch-bound"; "unknown" */
const char *bottleneck_name(enum bottleneck bottleneck);

struct check {
    const char *what;    /* "idle / time"; lasts as long as the arena of who asks */
    int64_t part, whole; /* `whole` in ns; 0: `part` alone is compared */
    enum threshold limit;
    enum bottleneck verdict; /* that it speaks for; HELD_BY_NOTHING: it only explains */
    enum unit unit;          /* of `part` */
    bool is_below;           /* it holds below the threshold, not from it on */
    bool is_largest;         /* it is of the largest loss, and so holds whatever the threshold */

    /* set by check_judge() */
    double value; /* a share, a rate a second, or `part` in the threshold's unit; NaN: not known */
    bool holds;
};

/* UNKNOWN parts, and shares of nothing, hold nothing up. */
void check_judge(struct check *check, const struct thresholds *thresholds);

#endif
