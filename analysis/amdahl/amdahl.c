/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/amdahl/amdahl.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/amdahl/amdahl_timeline.h"
#include "analysis/amdahl/speedup.h"
#include "base/checked.h"
#include "base/memory/sort.h"
#include "graph/derive/need.h"

const double amdahl_factors[AMDAHL_FACTORS] = {1.5, 2, 10};

const double AMDAHL_CURVE_LEAST = 1.01;

double amdahl_point(uint32_t index)
{
    return exp2(index / 4.0);
}

/* Two standard errors on each side: 19 times of 20. */
static void spread(double share, int64_t samples, double *low, double *high)
{
    double error = 2 * speedup_share_error(share, samples);

    *low = fmax(share - error, 0);
    *high = fmin(share + error, 1);
}

static struct gain gain_of(const struct amdahl_row *row, double factor)
{
    return (struct gain){speedup_overall(row->share_low, factor),
                         speedup_overall(row->share_high, factor)};
}

static void fill_curve(struct amdahl_row *row, struct arena *arena)
{
    row->curve = arena_array(arena, AMDAHL_POINTS, sizeof(*row->curve));
    for (uint32_t i = 0; i < AMDAHL_POINTS; i++)
        row->curve[i] = gain_of(row, amdahl_point(i));
}

static void fill_gains(struct amdahl_row *row, double target)
{
    for (uint32_t i = 0; i < AMDAHL_FACTORS; i++)
        row->overall[i] = gain_of(row, amdahl_factors[i]);
    row->limit = gain_of(row, INFINITY);
    if (target > 1)
        row->needed = (struct gain){speedup_needed(row->share_high, target),
                                    speedup_needed(row->share_low, target)};
}

static void add_function(const struct graph *graph, const struct amdahl_options *options,
                         uint32_t at, struct arena *arena, struct amdahl *amdahl)
{
    const struct functions *f = &graph->functions;
    int64_t time = options->is_cum ? f->cum[at] : f->self[at];
    double share = share_of(time, amdahl->whole);

    if (share < 0 || share > 1) {
        amdahl->odd++;
        return;
    }

    struct amdahl_row *row = &amdahl->rows[amdahl->count++];

    *row = (struct amdahl_row){.frame = f->frame[at], .time = time, .share = share};
    spread(share, options->samples, &row->share_low, &row->share_high);
    fill_gains(row, options->target);
    if (options->has_curves && row->limit.high >= AMDAHL_CURVE_LEAST)
        fill_curve(row, arena);
}

static void compute_flat(const struct graph *graph, const struct amdahl_options *options,
                         struct arena *arena, struct amdahl *amdahl)
{
    const struct functions *f = &graph->functions;

    amdahl->whole = options->is_cum ? graph_whole(graph) : graph_work(graph);
    amdahl->rows = arena_array(arena, f->listed, sizeof(*amdahl->rows));
    for (uint32_t i = 0; i < f->listed; i++)
        if (!graph_is_waiting(graph, i))
            add_function(graph, options, i, arena, amdahl);
}

/* ---- order ---- */

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct amdahl_row *rows = context;

    if (rows[a].limit.high != rows[b].limit.high)
        return rows[a].limit.high > rows[b].limit.high;
    return rows[a].limit.low > rows[b].limit.low;
}

static void rank(struct amdahl *amdahl, uint32_t limit, struct arena *arena)
{
    uint32_t count = limit && limit < amdahl->count ? limit : amdahl->count;
    uint32_t *order = arena_array(arena, amdahl->count, sizeof(*order));
    struct amdahl_row *ranked = arena_array(arena, count, sizeof(*ranked));

    for (uint32_t i = 0; i < amdahl->count; i++)
        order[i] = i;
    sort_stable(order, amdahl->count, is_before, amdahl->rows);
    for (uint32_t i = 0; i < count; i++)
        ranked[i] = amdahl->rows[order[i]];
    amdahl->rows = ranked;
    amdahl->left_out = amdahl->count - count;
    amdahl->count = count;
}

void amdahl_compute(const struct graph *graph, const struct amdahl_options *options,
                    struct arena *arena, struct amdahl *amdahl)
{
    *amdahl = (struct amdahl){.is_timeline = graph->has[LEVEL_TIMELINE]};
    if (amdahl->is_timeline)
        amdahl_timeline(graph, options, arena, amdahl);
    else
        compute_flat(graph, options, arena, amdahl);
    rank(amdahl, options->limit, arena);
}

/* ---- several parts ---- */

static void combine_flat(const struct graph *graph, const struct amdahl_options *options,
                         const uint32_t *part_of, struct amdahl_plan *plan)
{
    const struct functions *f = &graph->functions;
    double left_low = 1, left_high = 1; /* of the whole, when least and when most is saved */

    for (uint32_t i = 0; i < f->listed; i++) {
        uint32_t part = part_of[f->frame[i]];

        if (part == plan->count || graph_is_waiting(graph, i))
            continue;
        plan->parts[part].functions++;
        plan->parts[part].time = checked_add(plan->parts[part].time, f->self[i]);
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        struct amdahl_part *part = &plan->parts[i];
        double saved = 1 - 1 / plan->factors[i];

        spread(share_of(part->time, graph_work(graph)), options->samples, &part->share_low,
               &part->share_high);
        left_low -= part->share_low * saved;
        left_high -= part->share_high * saved;
    }
    plan->overall = (struct gain){left_low > 0 ? 1 / left_low : INFINITY,
                                  left_high > 0 ? 1 / left_high : INFINITY};
}

void amdahl_combine(const struct graph *graph, const struct amdahl_options *options,
                    const uint32_t *part_of, struct amdahl_plan *plan)
{
    if (graph->has[LEVEL_TIMELINE])
        amdahl_timeline_combine(graph, options, part_of, plan);
    else
        combine_flat(graph, options, part_of, plan);
}
