/* SPDX-License-Identifier: Apache-2.0 */
/* rank_work.h — a rank's device work by name, of which a shard keeps what matters */
#ifndef PTK_ANALYSIS_RANKS_RANK_WORK_H
#define PTK_ANALYSIS_RANKS_RANK_WORK_H

#include "analysis/ranks/kernel_work.h"

/* Appends the work to a shard that has none yet. Names of which there is little, and all beyond some
 * hundred or some thousand characters, become "(other)" of their kind: how many is returned. */
uint32_t rank_work_by_name(struct job_shard *shard, const struct kernel_work *work,
                           const struct graph *graph, int32_t stage);

#endif
