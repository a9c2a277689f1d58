/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/ranks/leaves.h"

#include "analysis/ranks/job_part.h"
#include "analysis/ranks/rank_overlap.h"

uint64_t leaves_properties(void)
{
    return collectives_properties() | property_bit(PROP_STEP) | property_bit(PROP_IN_STEP) |
           property_bit(PROP_MODEL_CHUNK) | property_bit(PROP_BEGUN) |
           property_bit(PROP_WAIT_STREAM) | property_bit(PROP_WAIT_LAUNCH) |
           property_bit(PROP_CORRELATION);
}

bool leaves_make(const struct graph *graph, const struct leaves_options *options,
                 struct job_part *part, struct error *err)
{
    *part = (struct job_part){0};
    if (!leaves_of_phases(graph, options, part) && !leaves_of_kernels(graph, options, part)) {
        error_set(err, ERROR_LACK, "no work of a device and no phase of a training job is in it");
        return error_hint(err, "ptk job reads traces of ranks, as torch.profiler writes them");
    }
    for (uint32_t i = 0; i < part->leaf_count; i++)
        part_hash_leaf(part, &part->leaves[i]);
    return true;
}
