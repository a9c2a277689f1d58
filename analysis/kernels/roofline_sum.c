/* SPDX-License-Identifier: Apache-2.0 */
/* roofline_sum.c — adds launches up to rows of a roofline: rates, intensities, what limits each, what could be saved */
#include <math.h>
#include <stddef.h>

#include "analysis/kernels/roofline.h"
#include "analysis/timeline/device_work.h"
#include "base/checked.h"
#include "base/memory/memory.h"

static double at_roof(double amount, double peak)
{
    return amount == 0 ? 0 : peak > 0 ? amount / peak * 1e9 : NAN;
}

/* Of a precision's peak: matrix units hold neither their clock nor their feed. */
static double reachable(const struct ceilings *ceilings, int precision)
{
    return ceilings->achievable > 0 && precision >= PRECISION_TF32 && precision < PRECISION_COUNT
               ? ceilings->achievable
               : 1;
}

void effort_take_given(struct effort *effort, const struct roofline_options *options,
                       frame_id frame, int64_t calls)
{
    struct given_work given =
        options->given ? options->given[frame] : (struct given_work){NAN, NAN};

    if (isnan(given.flops) && isnan(given.bytes))
        return;
    if (effort->source == WORK_NONE)
        *effort = (struct effort){.bytes = NAN, .traffic = NAN};
    effort->source = WORK_GIVEN;
    effort->roof = options->ceilings.memory;
    if (!isnan(given.flops)) {
        for (int i = 0; i <= PRECISION_COUNT; i++)
            effort->flops[i] = 0;
        effort->flops[PRECISION_UNKNOWN] = given.flops * (double)calls;
        effort->precision_source = PRECISION_ASSUMED;
    }
    if (!isnan(given.bytes))
        effort->bytes = effort->traffic = given.bytes * (double)calls;
}

void effort_without_caches(struct effort *effort)
{
    for (int i = 0; i < CACHE_COUNT; i++)
        effort->cache_bytes[i] = NAN;
}

/* FLOPs of a bracket are in one precision; without one the low end is the same. */
static void add_low(struct roofline_sum *sum, const struct ceilings *ceilings,
                    const struct effort *effort)
{
    double bytes = effort->has_low ? effort->bytes_low : effort->traffic;

    for (int i = 0; i <= PRECISION_COUNT; i++) {
        double flops = effort->has_low && effort->flops[i] != 0 ? effort->flops_low
                                                               : effort->flops[i];

        sum->flops_low += flops;
        sum->compute_low_ns += at_roof(flops, ceilings->flops[i]);
    }
    sum->bytes_low += effort->has_low ? effort->bytes_low : effort->bytes;
    sum->memory_low_ns += at_roof(bytes, effort->roof);
}

void roofline_sum_add(struct roofline_sum *sum, const struct ceilings *ceilings, int64_t calls,
                      int64_t time, const struct effort *effort)
{
    sum->row.calls = checked_add(sum->row.calls, calls);
    sum->row.time = checked_add(sum->row.time, time);
    if (effort->source == WORK_NONE)
        return;
    sum->is_over_link = effort->is_over_link;
    if (sum->row.source != WORK_INFERRED)
        sum->row.source = effort->source;
    if (effort->precision_source != PRECISION_FROM_NOBODY)
        sum->row.precision_source = effort->precision_source;
    sum->row.explained = checked_add(sum->row.explained, time);
    if (effort->source == WORK_SHARES) {
        sum->flops = sum->bytes = sum->flops_low = sum->bytes_low = NAN;
        sum->compute_ns += effort->compute_share * (double)time;
        sum->reachable_ns = sum->compute_ns;
        sum->memory_ns += effort->memory_share * (double)time;
        return;
    }
    add_low(sum, ceilings, effort);
    for (int i = 0; i <= PRECISION_COUNT; i++) {
        sum->flops += effort->flops[i];
        sum->compute_ns += at_roof(effort->flops[i], ceilings->flops[i]);
        sum->reachable_ns += at_roof(effort->flops[i], ceilings->flops[i] * reachable(ceilings, i));
        sum->flops_in[i] += isnan(effort->flops[i]) ? effort->flops_low : effort->flops[i];
        sum->lacks_peak |= effort->flops[i] > 0 && !(ceilings->flops[i] > 0) &&
                           ceilings->flops[PRECISION_FP32] > 0;
    }
    sum->bytes += effort->bytes;
    for (int i = 0; i < CACHE_COUNT; i++) {
        sum->cache_bytes[i] += effort->cache_bytes[i];
        sum->cache_ns[i] += at_roof(effort->cache_bytes[i], ceilings->cache[i]);
    }
    sum->memory_ns += at_roof(effort->traffic, effort->roof);
}

void roofline_cover(struct roofline *roofline, int64_t time, const struct effort *effort)
{
    roofline->kernel_time = checked_add(roofline->kernel_time, time);
    if (effort->source != WORK_NONE && effort->source != WORK_SHARES &&
        (effort->is_least || !isnan(effort->flops[PRECISION_UNKNOWN])))
        roofline->explained = checked_add(roofline->explained, time);
    if (effort->is_least)
        roofline->least = checked_add(roofline->least, time);
}

static double rate(double amount, int64_t time)
{
    return time > 0 ? amount / (double)time * 1e9 : NAN;
}

static int64_t whole(double figure)
{
    return isnan(figure) ? UNKNOWN : checked_whole(round(figure));
}

/* Which of the memories is nearest to its bandwidth, and how near: all work passes each of them. */
static enum bound tightest(const struct roofline_sum *sum, double time, double *share)
{
    static const enum bound caches[CACHE_COUNT] = {[CACHE_L2] = BOUND_L2, [CACHE_L1] = BOUND_L1};
    enum bound level = BOUND_MEMORY;

    *share = sum->memory_ns / time;
    for (int i = 0; i < CACHE_COUNT && sum->row.source == WORK_COUNTERS; i++) {
        double cache = sum->cache_ns[i] / time;

        if (cache > 0 && !(cache <= *share)) {
            *share = cache;
            level = caches[i];
        }
    }
    return level;
}

static enum bound bound_of(const struct roofline_sum *sum, double compute, double share,
                           enum bound level, const struct roof_limits *limits)
{
    const struct roofline_row *row = &sum->row;
    bool is_copy = row->source == WORK_COPIES;
    enum bound bound = roof_bound(is_copy ? NAN : compute, share, limits->busy);

    if (is_copy && row->efficiency < limits->busy &&
        sum->bytes < limits->small_copy * (double)row->calls)
        return BOUND_LATENCY;
    if (bound == BOUND_LATENCY && isnan(sum->memory_ns))
        return BOUND_UNKNOWN; /* caches do not hold it up, but memory might */
    if (bound != BOUND_MEMORY)
        return bound;
    return sum->is_over_link ? BOUND_LINK : level;
}

static void finish_caches(struct roofline_sum *sum)
{
    struct roofline_row *row = &sum->row;

    for (int i = 0; i < CACHE_COUNT; i++) {
        bool is_known = row->source == WORK_COUNTERS && sum->cache_bytes[i] > 0 && sum->flops > 0;

        row->cache_bytes[i] = row->source == WORK_COUNTERS ? whole(sum->cache_bytes[i]) : UNKNOWN;
        row->cache_intensity[i] = is_known ? sum->flops / sum->cache_bytes[i] : NAN;
    }
}

static void finish_precision(struct roofline_sum *sum)
{
    struct roofline_row *row = &sum->row;
    double most = 0;

    row->precision = PRECISION_UNKNOWN;
    for (int i = 0; i <= PRECISION_COUNT; i++)
        if (sum->flops_in[i] > most) {
            most = sum->flops_in[i];
            row->precision = (enum precision)i;
        }
    if (!(most > 0))
        row->precision_source = PRECISION_FROM_NOBODY;
}

static void finish(struct roofline_sum *sum, const struct roof_limits *limits)
{
    struct roofline_row *row = &sum->row;
    double time = (double)row->explained;
    bool is_move = sum->flops == 0 && work_is_from_shapes(row->source);
    bool has_compute = sum->flops > 0 || row->source == WORK_SHARES;
    double compute = has_compute                         ? sum->compute_ns / time
                     : is_move && !isnan(sum->memory_ns) ? 0
                                                         : NAN;
    double reached = has_compute ? sum->reachable_ns / time : compute;
    double memory;
    enum bound level = tightest(sum, time, &memory);

    row->flops = whole(sum->flops);
    row->bytes = whole(sum->bytes);
    row->flops_low = whole(sum->flops_low);
    row->bytes_low = whole(sum->bytes_low);
    finish_caches(sum);
    finish_precision(sum);
    row->intensity = row->attainable = row->efficiency = row->efficiency_low = NAN;
    row->achieved = row->bandwidth = NAN;
    if (row->explained <= 0)
        return;
    row->intensity = sum->flops > 0 && sum->bytes > 0 ? sum->flops / sum->bytes : NAN;
    row->achieved = sum->flops > 0 ? rate(sum->flops, row->explained) : NAN;
    row->bandwidth = rate(sum->bytes, row->explained);
    if (sum->lacks_peak && !(memory >= limits->busy))
        return; /* memory does not hold it up, and the other roof is not known */
    row->efficiency = row->efficiency_low = roof_efficiency(compute, memory);
    if (row->source != WORK_SHARES &&
        (sum->flops_low != sum->flops || sum->bytes_low != sum->bytes))
        row->efficiency_low = fmin(
            row->efficiency,
            roof_efficiency(sum->flops_low > 0 ? sum->compute_low_ns / time : compute,
                            sum->memory_low_ns / time));
    row->attainable = row->efficiency > 0 ? row->achieved / row->efficiency : NAN;
    row->bound = bound_of(sum, reached, memory, level, limits);
    if (row->efficiency < 1)
        row->headroom = time * (1 - row->efficiency);
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct roofline_sum *sums = context;
    const struct roofline_row *x = &sums[a].row, *y = &sums[b].row;

    if ((x->efficiency > 1) != (y->efficiency > 1))
        return y->efficiency > 1; /* what they could save nobody knows */
    if (x->headroom != y->headroom)
        return x->headroom > y->headroom;
    return x->time > y->time;
}

void roofline_rank(struct roofline_sum *sums, uint32_t count,
                   const struct roofline_options *options, struct arena *arena,
                   struct roofline *roofline)
{
    uint32_t *order = arena_array(arena, count, sizeof(*order));
    uint32_t used = 0;

    roofline->limits = options->limits ? *options->limits : roof_limits_default;
    for (uint32_t i = 0; i < count; i++) {
        sums[i].row.frame = i;
        finish(&sums[i], &roofline->limits);
        if (sums[i].row.calls)
            order[used++] = i;
    }
    sort_stable(order, used, is_before, sums);
    roofline->count = limit_rows(used, options->limit);
    roofline->left_out = used - roofline->count;
    roofline->rows = arena_array(arena, roofline->count, sizeof(*roofline->rows));
    for (uint32_t i = 0; i < roofline->count; i++)
        roofline->rows[i] = sums[order[i]].row;
    for (uint32_t i = 0; i < used; i++) {
        bool is_above = sums[order[i]].row.efficiency > 1;

        roofline->above += is_above;
        roofline->above_left_out += is_above && i >= roofline->count;
    }
}

/* ---- the model ---- */

const struct roof_limits roof_limits_default = {.busy = ROOF_BUSY, .small_copy = SMALL_COPY};

double roof_ridge(const struct roof *roof)
{
    return roof->flops > 0 && roof->bytes > 0 ? roof->flops / roof->bytes : 0;
}

double roof_efficiency(double compute, double memory)
{
    return fmax(compute, memory); /* of a number and a NaN, the number */
}

enum bound roof_bound(double compute, double memory, double busy)
{
    if (memory >= busy && !(compute >= memory))
        return BOUND_MEMORY;
    if (compute >= busy)
        return BOUND_COMPUTE;
    return isnan(compute) || isnan(memory) ? BOUND_UNKNOWN : BOUND_LATENCY;
}

const char *bound_name(enum bound bound)
{
    static const char *const names[] = {NULL, "memory", "compute", "latency", "link", "L2", "L1"};

    return names[bound];
}
