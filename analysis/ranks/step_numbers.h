/* SPDX-License-Identifier: Apache-2.0 */
/* step_numbers.h — which step of one rank is which of another, by the collectives in them
 *
 * Ranks that were resumed, or profiled apart, may count their steps from other numbers. A numbered
 * collective is in one step of the job, whatever its ranks call that. */
#ifndef PTK_ANALYSIS_RANKS_STEP_NUMBERS_H
#define PTK_ANALYSIS_RANKS_STEP_NUMBERS_H

#include "analysis/ranks/job_shard.h"

/* By summary, how much higher it counts than most that it shares collectives with do; the arena's. */
int64_t *step_numbers_find(const struct job_shard *shard, struct arena *arena);

#endif
