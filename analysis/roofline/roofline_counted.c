/* SPDX-License-Identifier: Apache-2.0 */
/* roofline_counted.c — the roofline of files that have counters and no timeline */
#include <math.h>
#include <stdlib.h>

#include "analysis/roofline/roofline.h"
#include "base/memory/vector.h"

static double figure(const struct kernel_counts *row, enum counter counter)
{
    return row->figure[counter] == UNKNOWN ? 0 : (double)row->figure[counter];
}

static bool has_flops(const struct kernel_counts *row)
{
    for (int i = COUNTER_FLOP_HALF; i <= COUNTER_FLOP_TENSOR; i++)
        if (row->figure[i] != UNKNOWN)
            return true;
    return false;
}

static struct effort shares_of(const struct kernel_counts *row)
{
    if (row->compute_ppm == UNKNOWN || row->memory_ppm == UNKNOWN)
        return (struct effort){.source = WORK_NONE};
    return (struct effort){.source = WORK_SHARES,
                           .compute_share = (double)row->compute_ppm / 1e6,
                           .memory_share = (double)row->memory_ppm / 1e6};
}

static struct effort effort_of(const struct kernel_counts *row, const struct ceilings *ceilings)
{
    int64_t bytes = row->figure[COUNTER_DRAM_BYTES];
    struct effort effort = {.roof = ceilings->memory, .source = WORK_COUNTERS};

    if (!has_flops(row) && bytes == UNKNOWN)
        return shares_of(row);
    if (!has_flops(row))
        effort.flops[PRECISION_UNKNOWN] = NAN;
    effort.flops[PRECISION_FP64] = figure(row, COUNTER_FLOP_DOUBLE);
    effort.flops[PRECISION_FP32] = figure(row, COUNTER_FLOP_SINGLE);
    effort.flops[PRECISION_FP16] =
        figure(row, COUNTER_FLOP_HALF) + figure(row, COUNTER_FLOP_TENSOR);
    effort.precision_source = PRECISION_FROM_COUNTERS;
    effort.bytes = effort.traffic = bytes == UNKNOWN ? NAN : (double)bytes;
    effort_without_caches(&effort);
    if (row->figure[COUNTER_L2_BYTES] != UNKNOWN)
        effort.cache_bytes[CACHE_L2] = figure(row, COUNTER_L2_BYTES);
    if (row->figure[COUNTER_L1_BYTES] != UNKNOWN)
        effort.cache_bytes[CACHE_L1] = figure(row, COUNTER_L1_BYTES);
    return effort;
}

void roofline_compute_counted(const struct graph *graph, const struct roofline_options *options,
                              struct arena *arena, struct roofline *roofline)
{
    uint32_t count = (uint32_t)graph->frames.count;
    struct roofline_sum *sums = grow_zeroed(count, sizeof(*sums));

    *roofline = (struct roofline){0};
    for (uint32_t i = 0; i < graph->counters.count; i++) {
        const struct kernel_counts *row = &graph->counters.list[i];
        struct effort effort = effort_of(row, &options->ceilings);
        int64_t time = row->time == UNKNOWN ? 0 : row->time;

        if (graph_frame(graph, row->frame)->kind == KIND_OTHER)
            continue; /* counts of the whole run */
        effort_take_given(&effort, options, row->frame, row->launches);
        roofline_sum_add(&sums[options->rows ? options->rows[row->frame] : row->frame],
                         &options->ceilings, row->launches, time, &effort);
        roofline_cover(roofline, time, &effort);
    }
    roofline_rank(sums, count, options->limit, arena, roofline);
    free(sums);
}
