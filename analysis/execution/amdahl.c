/* SPDX-License-Identifier: Apache-2.0 */
/* amdahl.c — Amdahl's law, and what each part of a profile could give by it */
#include "analysis/execution/amdahl.h"

#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"

/* ---- the laws ---- */

double speedup_overall(double share, double factor)
{
    double left = 1 - share + share / factor;

    return left > 0 ? 1 / left : INFINITY;
}

double speedup_limit(double share)
{
    return speedup_overall(share, INFINITY);
}

double speedup_needed(double share, double target)
{
    double left = 1 / target - (1 - share);

    if (target <= 1)
        return 1;
    return left > 0 ? share / left : INFINITY;
}

double speedup_scaled(double share, double workers)
{
    return 1 - share + share * workers;
}

double speedup_serial_share(double measured, double workers)
{
    return (1 / measured - 1 / workers) / (1 - 1 / workers);
}

double speedup_share_error(double share, int64_t samples)
{
    double variance = share * (1 - share);

    return samples > 0 && variance > 0 ? sqrt(variance / (double)samples) : 0;
}

/* ---- rows ---- */

const double amdahl_factors[AMDAHL_FACTORS] = {1.5, 2, 10};

/* The limit of a row that gets a curve. */
static const double AMDAHL_CURVE_LEAST = 1.01;

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
    for (uint32_t i = 0; i < AMDAHL_FACTORS; i++)
        row->overall[i] = gain_of(row, amdahl_factors[i]);
    row->limit = gain_of(row, INFINITY);
    if (options->target > 1)
        row->needed = (struct gain){speedup_needed(row->share_high, options->target),
                                    speedup_needed(row->share_low, options->target)};
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
    uint32_t count = limit_rows(amdahl->count, limit);

    amdahl->rows =
        sorted_copy(arena, amdahl->rows, sizeof(*amdahl->rows), amdahl->count, count, is_before);
    amdahl->left_out = amdahl->count - count;
    amdahl->count = count;
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

/* The bounds on a run of `span` when `part` alone gets `factor` times faster. */
static struct gain bounded_gain(const struct speedup_bounds *b, uint32_t part, double factor,
                                bool has_low)
{
    double span = (double)b->span, saved = 1 - 1 / factor;
    double slow = has_low ? span - saved * (double)b->exposed[part] : span;
    double fast = fmax(span - saved * (double)b->united[part], speedup_floor_of(b, part, factor));

    return (struct gain){slow > 0 ? span / slow : INFINITY, fast > 0 ? span / fast : INFINITY};
}

/* The factor at which a bound reaches the target. Floors only cut, so the bounds' shares decide
 * unless the floor forbids the target whatever the factor. */
static struct gain needed_of(const struct amdahl_row *row, double target)
{
    return (struct gain){
        row->limit.high >= target ? speedup_needed(row->share_high, target) : INFINITY,
        row->limit.low >= target ? speedup_needed(row->share_low, target) : INFINITY,
    };
}

static struct gain *curve_of(const struct speedup_bounds *b, uint32_t part, bool has_low,
                             struct arena *arena)
{
    struct gain *curve = arena_array(arena, AMDAHL_POINTS, sizeof(*curve));

    for (uint32_t i = 0; i < AMDAHL_POINTS; i++)
        curve[i] = bounded_gain(b, part, amdahl_point(i), has_low);
    return curve;
}

static void add_part(const struct graph *graph, const struct amdahl_options *options,
                     const struct speedup_bounds *b, frame_id frame, struct arena *arena,
                     struct amdahl *amdahl)
{
    bool has_low =
        !(amdahl->waits_for_launches && frame_kind_is_device(graph_frame(graph, frame)->kind));
    struct amdahl_row *row = &amdahl->rows[amdahl->count++];

    *row = (struct amdahl_row){.frame = frame, .time = b->united[frame]};
    row->share_low = has_low ? share_of(b->exposed[frame], b->span) : 0;
    row->share_high = row->share = share_of(b->united[frame], b->span);
    for (uint32_t i = 0; i < AMDAHL_FACTORS; i++)
        row->overall[i] = bounded_gain(b, frame, amdahl_factors[i], has_low);
    row->limit = bounded_gain(b, frame, INFINITY, has_low);
    if (options->target > 1)
        row->needed = needed_of(row, options->target);
    if (options->roofs && options->roofs[frame].efficiency > 0) {
        row->efficiency = options->roofs[frame].efficiency;
        row->at_roof = options->roofs[frame].factor;
        row->roof = bounded_gain(b, frame, row->at_roof, has_low);
    }
    if (options->has_curves && row->limit.high >= AMDAHL_CURVE_LEAST)
        row->curve = curve_of(b, frame, has_low, arena);
}

static void bound_workload(struct workload *workload, uint32_t parts, struct speedup_bounds *bounds)
{
    struct activity_sweep sweep;
    struct activity activity;

    speedup_bounds_begin(&sweep, workload->span, parts, workload->graph->timeline.track_count,
                         bounds);
    while (workload_next(workload, &activity))
        speedup_bounds_add(&sweep, &activity);
    speedup_bounds_end(&sweep);
}

/* One row a frame that was at work, in the order of frames. */
static void amdahl_timeline(const struct graph *graph, const struct amdahl_options *options,
                            struct arena *arena, struct amdahl *amdahl)
{
    uint32_t count = (uint32_t)graph->frames.count;
    uint32_t *part_of = arena_array(arena, count, sizeof(*part_of));
    struct workload workload;
    struct speedup_bounds bounds;

    for (uint32_t i = 0; i < count; i++)
        part_of[i] = i;
    workload_open(graph, options->execution, part_of, &workload);
    bound_workload(&workload, count, &bounds);
    amdahl->whole = workload.span;
    amdahl->waits_for_launches = workload.waits_for_launches;
    amdahl->rows = arena_array(arena, count, sizeof(*amdahl->rows));
    for (frame_id frame = 0; frame < count; frame++)
        if (bounds.united[frame])
            add_part(graph, options, &bounds, frame, arena, amdahl);
    speedup_bounds_free(&bounds);
    workload_close(&workload);
}

/* ---- several parts ---- */

/* A part that holds any device work loses its lower bound where launches hold the device up. */
static void count_functions(const struct graph *graph, const uint32_t *part_of,
                            struct amdahl_plan *plan, bool *has_device)
{
    for (frame_id frame = 0; frame < graph->frames.count; frame++) {
        uint32_t part = part_of[frame];

        if (part == plan->count)
            continue;
        plan->parts[part].functions++;
        has_device[part] |= frame_kind_is_device(graph_frame(graph, frame)->kind);
    }
}

static void sum_parts(const struct speedup_bounds *b, const bool *has_device,
                      bool waits_for_launches, struct amdahl_plan *plan)
{
    double span = (double)b->span, slow = span, fast = span;
    double factors[AMDAHL_PARTS_MAX + 1];

    for (uint32_t i = 0; i < plan->count; i++) {
        int64_t exposed = waits_for_launches && has_device[i] ? 0 : b->exposed[i];
        double saved = 1 - 1 / plan->factors[i];

        plan->parts[i].time = b->united[i];
        plan->parts[i].share_low = share_of(exposed, b->span);
        plan->parts[i].share_high = share_of(b->united[i], b->span);
        slow -= saved * (double)exposed;
        fast -= saved * (double)b->united[i];
        factors[i] = plan->factors[i];
    }
    factors[plan->count] = 1;
    fast = fmax(fast, speedup_floor(b, factors));
    plan->overall =
        (struct gain){slow > 0 ? span / slow : INFINITY, fast > 0 ? span / fast : INFINITY};
}

static void amdahl_timeline_combine(const struct graph *graph, const struct amdahl_options *options,
                                    const uint32_t *part_of, struct amdahl_plan *plan)
{
    bool has_device[AMDAHL_PARTS_MAX] = {false};
    struct workload workload;
    struct speedup_bounds bounds;

    count_functions(graph, part_of, plan, has_device);
    workload_open(graph, options->execution, part_of, &workload);
    bound_workload(&workload, plan->count + 1, &bounds);
    sum_parts(&bounds, has_device, workload.waits_for_launches, plan);
    speedup_bounds_free(&bounds);
    workload_close(&workload);
}

/* ---- whichever level there is ---- */

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

void amdahl_combine(const struct graph *graph, const struct amdahl_options *options,
                    const uint32_t *part_of, struct amdahl_plan *plan)
{
    if (graph->has[LEVEL_TIMELINE])
        amdahl_timeline_combine(graph, options, part_of, plan);
    else
        combine_flat(graph, options, part_of, plan);
}
