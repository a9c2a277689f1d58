/* SPDX-License-Identifier: Apache-2.0 */
/* leaf_work.h — a rank's device work by name, of which a part keeps what matters */
#ifndef PTK_ANALYSIS_RANKS_LEAF_WORK_H
#define PTK_ANALYSIS_RANKS_LEAF_WORK_H

#include "analysis/ranks/kernel_work.h"

/* Appends the work to a part that has none yet. Names of which there is little, and all beyond some
 * hundred or some thousand characters, become "(other)" of their kind: how many is returned. */
uint32_t leaf_work_by_name(struct job_part *part, const struct kernel_work *work,
                           const struct graph *graph, int32_t stage);

#endif
