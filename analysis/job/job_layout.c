/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/job/job.h"

#include "graph/classify/job_names.h"

void job_place(const struct job_part *part, const uint32_t sizes[3], struct part_leaf *leaf)
{
    uint64_t size[DIMENSION_COUNT] = {1, 1, 1};
    bool is_given = sizes[0] || sizes[1] || sizes[2];

    for (int d = 0; d < DIMENSION_COUNT && is_given; d++)
        size[d] = sizes[d] ? sizes[d] : 1;
    for (uint32_t i = 0; i < part->group_count && !is_given; i++) {
        const struct part_group *group = &part->groups[i];
        enum parallel_dimension dimension = parallel_dimension_of(part_text(part, group->use));

        if (dimension != DIMENSION_NONE && !group->is_pair && group->size > size[dimension])
            size[dimension] = group->size;
    }
    if (!is_given && leaf->world &&
        size[DIMENSION_TENSOR] * size[DIMENSION_DATA] * size[DIMENSION_PIPELINE] != leaf->world)
        size[DIMENSION_TENSOR] = size[DIMENSION_PIPELINE] = 1, size[DIMENSION_DATA] = UINT32_MAX;
    if (!leaf->world && !is_given)
        size[DIMENSION_DATA] = size[DIMENSION_PIPELINE] > 1 ? size[DIMENSION_DATA] : UINT32_MAX;
    leaf->tp = (int32_t)(leaf->rank % size[DIMENSION_TENSOR]);
    leaf->dp = (int32_t)(leaf->rank / size[DIMENSION_TENSOR] % size[DIMENSION_DATA]);
    leaf->stage = (int32_t)(leaf->rank / (size[DIMENSION_TENSOR] * size[DIMENSION_DATA]));
}
