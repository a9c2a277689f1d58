/* SPDX-License-Identifier: Apache-2.0 */
/* thresholds.h — every limit of a verdict: one table, which the user may change */
#ifndef PTK_ANALYSIS_ADVICE_THRESHOLDS_H
#define PTK_ANALYSIS_ADVICE_THRESHOLDS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/execution/task_graph.h"
#include "analysis/kernels/roofline.h"
#include "analysis/ranks/job.h"
#include "analysis/serving/serve.h"
#include "base/cli/cli.h"
#include "base/error/error.h"

/* A new limit is a name here and a row of the table in thresholds.c, a line of the manual (man/advise.txt) and
 * a case that moves it (tests/thresholds.txt): tests fail where one of them lacks. */

enum threshold {
    LIMIT_IDLE,
    LIMIT_INPUT,
    LIMIT_LAUNCH,
    LIMIT_SYNC,
    LIMIT_COPY,
    LIMIT_COMMUNICATION,
    LIMIT_SMALL_KERNEL,
    LIMIT_SHORT_GAP,
    LIMIT_LAUNCH_COST,
    LIMIT_OPERATOR_COST,
    LIMIT_WAIT,
    LIMIT_SETUP,
    LIMIT_PAGEABLE,
    LIMIT_SMALL_COPY,
    LIMIT_SMALL_COPIES,
    LIMIT_HIDDEN,
    LIMIT_WAITING,
    LIMIT_ONE_THREAD,
    LIMIT_CPU,
    LIMIT_SYSTEM,
    LIMIT_MAJOR_FAULTS,
    LIMIT_MINOR_FAULTS,
    LIMIT_FILE_BYTES,
    LIMIT_SWITCHES,
    LIMIT_HOST,
    LIMIT_GAIN,
    LIMIT_LONG_GAP,
    LIMIT_GAPS,
    LIMIT_USE,
    LIMIT_CHUNKS,
    LIMIT_COPY_RATE,
    LIMIT_COMPUTE_COPIES,
    LIMIT_COPY_HIDDEN,
    LIMIT_ENGINES,
    LIMIT_WORTH,
    LIMIT_IMBALANCE,
    LIMIT_HOT_KERNEL,
    LIMIT_CONCURRENT,
    LIMIT_FILL,
    LIMIT_MEMORY,
    LIMIT_UNEVEN,
    LIMIT_PROFILING,
    LIMIT_RECORDED,
    LIMIT_COLLECTIVE_WAITS,
    LIMIT_TINY_US,
    LIMIT_TINY,
    LIMIT_CAUSE,
    LIMIT_GROUP,
    LIMIT_ROOF,
    LIMIT_FEW_TILES,
    LIMIT_TAIL,
    LIMIT_WAVES,
    LIMIT_TILE_USE,
    LIMIT_LONG_K,
    LIMIT_SKINNY,
    LIMIT_SMALL_BATCH,
    LIMIT_CHANNELS,
    LIMIT_SEQUENCE,
    LIMIT_HEAD,
    LIMIT_TOKENS,
    LIMIT_EXPERTS,
    LIMIT_REPEATS,
    LIMIT_CASTS,
    LIMIT_CHAIN,
    LIMIT_LAYOUT,
    LIMIT_TINY_KERNEL,
    LIMIT_TINY_CALLS,
    LIMIT_OCCUPANCY,
    LIMIT_FAR,
    LIMIT_ABOVE,
    LIMIT_HOT_FUNCTION,
    LIMIT_BLOCKING,
    LIMIT_OVERHEAD,
    LIMIT_IMPORTS,
    LIMIT_COLLISIONS,
    LIMIT_LEAK,
    LIMIT_TRAPPED,
    LIMIT_AWAITING,
    LIMIT_POOLS,
    LIMIT_OOM,
    LIMIT_HUGE,
    LIMIT_KNOWN,
    LIMIT_STAGE_IDLE,
    LIMIT_NEAR_BOUND,
    LIMIT_JOB_SLOW,
    LIMIT_JOB_GAIN,
    LIMIT_HOSTS_GAIN,
    LIMIT_GAP,
    LIMIT_GAP_OF_FEW,
    LIMIT_GAP_NOISE,
    LIMIT_HEALTHY,
    LIMIT_ALIKE,
    LIMIT_PLACE,
    LIMIT_TRANSFER,
    LIMIT_LATE,
    LIMIT_LATE_CHANCE,
    LIMIT_LATE_ONCE,
    LIMIT_LINKS,
    LIMIT_LINK_TIME,
    LIMIT_CLOCK,
    LIMIT_APART,
    LIMIT_APART_USUAL,
    LIMIT_MEETINGS,
    LIMIT_COUNT
};

enum threshold_unit { LIMIT_SHARE, LIMIT_US, LIMIT_KB, LIMIT_RATE /* a second */, LIMIT_NUMBER };

struct threshold_row {
    const char
        *name; /* "idle"; as the user writes it, with the unit in the name where there is one */
    enum threshold_unit unit;
    double value;       /* the default, in that unit */
    const char *source; /* the tool that has this value, where one does */
    const char *what;   /* it limits */
    const char *moves;  /* rules and commands whose answers change with it */
};

extern const struct threshold_row threshold_rows[LIMIT_COUNT];

struct thresholds {
    double of[LIMIT_COUNT]; /* in the unit of each */
};

void thresholds_default(struct thresholds *thresholds);

/* "idle=0.2" or "idle=20%"; ERROR_USAGE for what is no threshold or no number. */
MUST_CHECK bool thresholds_set(struct thresholds *thresholds, const char *given, struct error *err);

/* The defaults, and what the user gave: "NAME=VALUE" each. */
MUST_CHECK bool thresholds_take(struct thresholds *thresholds, const struct option_values *given,
                                struct error *err);

/* What passes below this room go by. */
struct idle_limits thresholds_of_idle(const struct thresholds *thresholds);
struct roof_limits thresholds_of_roofs(const struct thresholds *thresholds);
struct serve_limits thresholds_of_serving(const struct thresholds *thresholds);
struct job_limits thresholds_of_job(const struct thresholds *thresholds);

#endif
