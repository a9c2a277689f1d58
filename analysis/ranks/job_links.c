/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what the links of a job reach, beside what they should: a link that is slow for all ranks has no equals. */
#include <math.h>

#include "analysis/kernels/roofline.h"
#include "analysis/ranks/job.h"
#include "analysis/ranks/job_shard.h"
#include "analysis/ranks/rank_overlap.h"
#include "graph/classify/event_class.h"

bool group_crosses_hosts(const struct job_shard *shard, const struct shard_group *group)
{
    str_id host = 0;
    bool is_first = true;

    for (uint32_t i = 0; i < group->rank_count; i++) {
        const struct rank_summary *summary = rank_summary_of(shard, group->ranks[i]);

        if (!summary)
            continue;
        if (!is_first && summary->host != host)
            return true;
        host = summary->host;
        is_first = false;
    }
    return false;
}

/* Bytes a second on the bus in the median transfer, as NCCL's tests count; 0 where they are too short to tell. */
static double bus_of(const struct job_shard *shard, const struct shard_traffic *traffic,
                     double peak, double shortest)
{
    const struct shard_group *group = &shard->groups[traffic->group];
    const struct collective like = {.traffic =
                                        traffic_of_operation(shard_text(shard, traffic->operation)),
                                    .group_size = group->size};
    int64_t median = distribution_quantile(&traffic->transfer, 0.5);
    double bytes;

    if (traffic->bytes <= 0 || !traffic->transfer.count || median <= 0)
        return 0;
    bytes = (double)traffic->bytes / (double)traffic->transfer.count * collective_bus_factor(&like);
    return bytes * 1e9 / peak >= shortest ? bytes * 1e9 / (double)median : 0;
}

/* What GPUs of a host reach among each other, by the device of the ranks there. */
static void take_known_peak(const struct job_shard *shard, struct job_links *links)
{
    for (uint32_t l = 0; l < shard->summary_count; l++) {
        const struct gpu *gpu = gpu_named(shard_text(shard, shard->summaries[l].device));
        double peak = gpu ? gpu_peer_link(gpu) : 0;

        if (!(peak > 0) || (links->peak > 0 && links->gpu != gpu->pattern)) {
            links->peak = 0;
            return;
        }
        links->peak = peak;
        links->gpu = gpu->pattern;
    }
}

void job_links_find(const struct job_shard *shard, const struct job_options *options,
                    struct job_links links[LINKS_COUNT])
{
    bool has_across = false;

    links[LINKS_WITHIN] = links[LINKS_ACROSS] = (struct job_links){0};
    for (uint32_t g = 0; g < shard->group_count && !has_across; g++)
        has_across = group_crosses_hosts(shard, &shard->groups[g]);
    links[has_across ? LINKS_ACROSS : LINKS_WITHIN].peak = options->peak_link;
    if (!(links[LINKS_WITHIN].peak > 0))
        take_known_peak(shard, &links[LINKS_WITHIN]);
    for (uint32_t i = 0; i < shard->traffic_count; i++) {
        const struct shard_traffic *traffic = &shard->traffic[i];
        struct job_links *of =
            &links[group_crosses_hosts(shard, &shard->groups[traffic->group]) ? LINKS_ACROSS
                                                                              : LINKS_WITHIN];

        if (of->peak > 0)
            of->bus = fmax(of->bus, bus_of(shard, traffic, of->peak, options->limits.link_time));
    }
}
