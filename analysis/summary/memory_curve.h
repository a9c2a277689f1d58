/* SPDX-License-Identifier: Apache-2.0 */
/* memory_curve.h — memory in use over time, where allocators tell */
#ifndef PTK_ANALYSIS_SUMMARY_MEMORY_CURVE_H
#define PTK_ANALYSIS_SUMMARY_MEMORY_CURVE_H

#include "analysis/summary/items.h"

/* How much memory was in use on a place after each change. */
struct memory_point {
    struct span place;
    int64_t time;                /* ns since the first event that takes time */
    int64_t allocated, reserved; /* bytes, or UNKNOWN */
};

struct memory_curve {
    struct memory_point *rows; /* in the arena; by time */
    uint32_t count;
};

/* `peaks_only`: of each place the point of most allocated memory, with the most reserved, which may
 * have been at another time. */
void summary_memory_curve(const struct host_tree *tree, bool peaks_only, struct arena *arena,
                          struct memory_curve *curve);

#endif
