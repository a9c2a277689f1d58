/* SPDX-License-Identifier: Apache-2.0 */
/* job_layout.h — where in a job a rank stands: its stage, data-parallel and tensor-parallel rank */
#ifndef PTK_ANALYSIS_JOB_JOB_LAYOUT_H
#define PTK_ANALYSIS_JOB_JOB_LAYOUT_H

#include "graph/model/job_part.h"

/* Sets stage, dp and tp of a leaf from its rank: tensor fastest, then data, then pipeline
 * (Megatron's order). The dimensions' sizes are those given, else the largest of the part's groups
 * that are for them; where they do not make up the world all ranks are data-parallel. */
void job_place(const struct job_part *part, const uint32_t sizes[3], struct part_leaf *leaf);

#endif
