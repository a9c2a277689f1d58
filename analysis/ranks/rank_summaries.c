/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/ranks/rank_summaries.h"

#include "analysis/ranks/job_shard.h"
#include "analysis/ranks/rank_overlap.h"

uint64_t phase_summaries_properties(void)
{
    return collectives_properties() | property_bit(PROP_STEP) | property_bit(PROP_IN_STEP) |
           property_bit(PROP_MODEL_CHUNK);
}

uint64_t rank_summaries_properties(void)
{
    return phase_summaries_properties() | property_bit(PROP_BEGUN) |
           property_bit(PROP_WAIT_STREAM) | property_bit(PROP_WAIT_LAUNCH) |
           property_bit(PROP_CORRELATION);
}

bool rank_summaries_make(const struct graph *graph, const struct rank_summaries_options *options,
                         struct job_shard *shard, struct error *err)
{
    *shard = (struct job_shard){0};
    if (!summaries_of_phases(graph, options, shard) &&
        !summaries_of_kernels(graph, options, shard)) {
        error_set(err, ERROR_LACK, "no work of a device and no phase of a training job is in it");
        return error_hint(err, "ptk job reads traces of ranks, as torch.profiler writes them");
    }
    for (uint32_t i = 0; i < shard->summary_count; i++)
        rank_summary_hash(shard, &shard->summaries[i]);
    return true;
}
