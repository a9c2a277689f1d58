/* SPDX-License-Identifier: Apache-2.0 */
/* rank_waits.h — how long devices waited in collectives for a late rank, and did nothing besides
 *
 * A collective's kernel that has begun before all ranks are there only waits, which the rank's own
 * trace cannot tell from work. Where the device computes meanwhile, nothing is lost. */
#ifndef PTK_ANALYSIS_RANKS_RANK_WAITS_H
#define PTK_ANALYSIS_RANKS_RANK_WAITS_H

#include "analysis/ranks/rank_overlap.h"

/* A rank's device from when it began a collective to when the last rank did; ns on the rank's own
 * clock. */
struct rank_wait {
    int64_t start, end;
    uint32_t rank, last;
    int32_t device;
};

/* Fills each rank's lateness[].idle and .idle_for. Waits of a device that overlap count once, for
 * the one that began first. Needs overlaps with exposed communication (overlap_options). */
void rank_waits_sum(const struct rank_wait *waits, uint32_t count, struct arena *arena,
                    struct ranks *ranks);

#endif
