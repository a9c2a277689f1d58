/* SPDX-License-Identifier: Apache-2.0 */
/* percentiles.h — how single figures of one kind vary: exact percentiles, and the deviation */
#ifndef PTK_ANALYSIS_TIMELINE_PERCENTILES_H
#define PTK_ANALYSIS_TIMELINE_PERCENTILES_H

#include <stddef.h>
#include <stdint.h>

struct percentiles {
    size_t count;
    int64_t sum;
    int64_t least, median, p95, p99, most; /* the smallest that so many are not above: no value between two */
    double deviation;                      /* the standard deviation of these values, not of a sample's source */
};

/* Puts the values in order. All 0 of none. */
struct percentiles percentiles_of(int64_t *values, size_t count);

#endif
