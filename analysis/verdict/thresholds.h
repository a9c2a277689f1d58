/* SPDX-License-Identifier: Apache-2.0 */
/* thresholds.h — where a figure begins to be a verdict: one table, which the user may change
 *
 * Each value is that of the tool named in thresholds.c, where one has said it. */
#ifndef PTK_ANALYSIS_VERDICT_THRESHOLDS_H
#define PTK_ANALYSIS_VERDICT_THRESHOLDS_H

#include "base/attr.h"
#include "base/cli/error.h"
#include "base/cli/option.h"

enum threshold {
    LIMIT_IDLE,           /* shares of the run: a device has nothing to do, */
    LIMIT_INPUT,          /* ... while the data loader runs, */
    LIMIT_LAUNCH,         /* the host launches, */
    LIMIT_SYNC,           /* a device is idle since the host waited for it, */
    LIMIT_COPY,           /* it only copies, */
    LIMIT_COMMUNICATION,  /* it only communicates */
    LIMIT_SMALL_KERNEL,   /* us: the median kernel */
    LIMIT_SHORT_GAP,      /* us: what a framework needs for an operator and its launch, at most */
    LIMIT_PAGEABLE,       /* share of copy time: from or to pageable memory */
    LIMIT_SMALL_COPY,     /* kB */
    LIMIT_SMALL_COPIES,   /* share of copy time: in small copies */
    LIMIT_HIDDEN,         /* share of communication that compute hides */
    LIMIT_WAITING,        /* CPU time a second of a process: below it waits, */
    LIMIT_ONE_THREAD,     /* ... and below this it does what one thread can */
    LIMIT_CPU,            /* share of all CPUs that it may use */
    LIMIT_SYSTEM,         /* share of CPU time in the kernel */
    LIMIT_MAJOR_FAULTS,   /* a second: pages read from disk, */
    LIMIT_MINOR_FAULTS,   /* ... and only mapped */
    LIMIT_FILE_BYTES,     /* a second */
    LIMIT_SWITCHES,       /* a second: the process blocked */
    LIMIT_HOST,           /* share of the run: a device is idle since the host launched late */
    LIMIT_GAIN,           /* share of the whole that a finding could save at most */
    LIMIT_LONG_GAP,       /* us: gaps of a device that are looked at, */
    LIMIT_GAPS,           /* ... and their share of the time */
    LIMIT_USE,            /* share of a device's time: used less, */
    LIMIT_CHUNKS,         /* ... in so many parts of the run */
    LIMIT_COPY_RATE,      /* share of the link's peak */
    LIMIT_COMPUTE_COPIES, /* compute / copies */
    LIMIT_COPY_HIDDEN,    /* share of copies that other work hides */
    LIMIT_ENGINES,        /* share of copies one way beside those the other way */
    LIMIT_WORTH,          /* share of the time that is worth looking at */
    LIMIT_IMBALANCE,      /* most / least compute of devices */
    LIMIT_HOT_KERNEL,     /* shares of kernel time: of one kernel, */
    LIMIT_CAUSE,          /* of kernels that are slow for one cause, */
    LIMIT_CONCURRENT,     /* of two kernels at once, */
    LIMIT_FILL,           /* lost by small grids, */
    LIMIT_TAIL,           /* lost in last waves, */
    LIMIT_OCCUPANCY,      /* occupancy, */
    LIMIT_TENSOR,         /* of matrix kernels without tensor cores */
    LIMIT_MEMORY,         /* share of a device's memory */
    LIMIT_UNEVEN,         /* slowest / median step */
    LIMIT_PROFILING,      /* Python events a second */
    LIMIT_TINY_US,        /* us: a collective that is all latency, */
    LIMIT_TINY,           /* ... and the share of collectives' time in such */
    LIMIT_HOT_FUNCTION,   /* shares of a profile of functions: one's self, */
    LIMIT_BLOCKING,       /* of those that wait, */
    LIMIT_OVERHEAD,       /* of one class of what is no work of the program, */
    LIMIT_IMPORTS,        /* of importing, */
    LIMIT_COLLISIONS,     /* lost to label collisions */
    LIMIT_COUNT
};

enum threshold_unit { LIMIT_SHARE, LIMIT_US, LIMIT_KB, LIMIT_RATE /* a second */ };

struct thresholds {
    double of[LIMIT_COUNT]; /* in the unit of each */
};

/* "idle"; as the user writes it, with the unit in the name where there is one. */
const char *threshold_name(enum threshold threshold);

enum threshold_unit threshold_unit(enum threshold threshold);

void thresholds_default(struct thresholds *thresholds);

/* "idle=0.2" or "idle=20%"; ERROR_USAGE for what is no threshold or no number. */
MUST_CHECK bool thresholds_set(struct thresholds *thresholds, const char *given, struct error *err);

/* The defaults, and what the user gave: "NAME=VALUE" each. */
MUST_CHECK bool thresholds_take(struct thresholds *thresholds, const struct option_values *given,
                                struct error *err);

#endif
