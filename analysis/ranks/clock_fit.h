/* SPDX-License-Identifier: Apache-2.0 */
/* clock_fit.h — by how much one clock is ahead of another, from when both saw the same things end
 *
 * Clocks of hosts are off by a constant, drift, or are set while a job runs. The model with one more
 * number is taken where it halves the mean distance from what was seen, and that is no noise. */
#ifndef PTK_ANALYSIS_RANKS_CLOCK_FIT_H
#define PTK_ANALYSIS_RANKS_CLOCK_FIT_H

#include "analysis/ranks/job_shard.h"
#include "base/memory/memory.h"

struct clock_reading {
    int64_t when;       /* on the one clock, ns */
    int64_t difference; /* of the other after it, ns */
};

/* The clock of `count` readings by time, of which there is one at least. `scratch` holds what is
 * needed meanwhile. */
struct member_clock clock_fit(const struct clock_reading *readings, uint32_t count,
                              struct arena *scratch);

/* Of a list that is put in order by it. */
int64_t lower_median(int64_t *list, uint32_t count);

#endif
