/* SPDX-License-Identifier: Apache-2.0 */
/* device_copies.h — how the copies of a device went: from pageable memory, in small pieces */
#ifndef PTK_ANALYSIS_TIMELINE_DEVICE_COPIES_H
#define PTK_ANALYSIS_TIMELINE_DEVICE_COPIES_H

#include "analysis/timeline/device_work.h"

/* Sums over copies, not unions. */
struct copy_sum {
    int64_t time, bytes; /* ns; bytes where the file has them */
    uint32_t count;
};

struct copies {
    struct copy_sum all, sized, pageable, small;
    event_id longest_pageable; /* NO_EVENT: none */
};

/* Those that begin in [start, end). `small` is below so many bytes; `sized` those whose size is
 * known. Needs PROP_BYTES, PROP_SRC_KIND and PROP_DST_KIND. */
void copies_sum(const struct graph *graph, const struct device_work *work, int64_t start,
                int64_t end, int64_t small, struct copies *copies);

#endif
