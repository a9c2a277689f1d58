/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_causes.c — the condition of each cause that makes kernels slow: tiles, waves, occupancy, precision, fusion */
#include "analysis/advice/causes.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/kernels/roofline.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

/* What a name does not tell of a tile, a kernel's blocks of queries, and the bytes that are read at once. */
enum { ASSUMED_TILE = 128, ATTENTION_TILE = 128, ALIGNED = 16 };

#define IN(cause) ((uint64_t)1 << (cause))

/* Named whatever the kernel attains. */
static const uint64_t whatever_attained =
    IN(CAUSE_SMALL_BATCH) | IN(CAUSE_FULL_PRECISION) | IN(CAUSE_UNFUSED_ATTENTION) |
    IN(CAUSE_MATH_BACKEND) | IN(CAUSE_CAST_TRAFFIC) | IN(CAUSE_UNFUSED_CHAIN) | IN(CAUSE_DECODE) |
    IN(CAUSE_BROADCAST_COPY) | IN(CAUSE_FEW_TOKENS) | IN(CAUSE_TINY_KERNEL) |
    IN(CAUSE_LAYOUT_CONVERSION) | IN(CAUSE_CACHE_RESIDENT) | IN(CAUSE_ABOVE_ROOF);

struct cause_context {
    const struct graph *graph;
    const struct thresholds *thresholds;
    const struct ceilings *ceilings;
    double units;
    double casting; /* share of the device's kernel time in which types are changed */
    struct slow_group *slow;
};

bool cause_is_to_roof(enum kernel_cause cause)
{
    static const uint64_t to_roof =
        IN(CAUSE_SMALL_BATCH) | IN(CAUSE_MISALIGNED) | IN(CAUSE_SKINNY) | IN(CAUSE_DEPTHWISE) |
        IN(CAUSE_FEW_CHANNELS) | IN(CAUSE_ASYMMETRIC_FILTER) | IN(CAUSE_DILATED) |
        IN(CAUSE_TRANSPOSED_CONVOLUTION) | IN(CAUSE_POINTWISE_IS_GEMM) | IN(CAUSE_DECODE) |
        IN(CAUSE_LARGE_HEAD) | IN(CAUSE_SHORT_SEQUENCE) | IN(CAUSE_STRIDED_ACCESS) |
        IN(CAUSE_FEW_TOKENS) | IN(CAUSE_UNFUSED_EXPERTS) | IN(CAUSE_UNFUSED_ATTENTION) |
        IN(CAUSE_MATH_BACKEND) | IN(CAUSE_TINY_KERNEL) | IN(CAUSE_FAR_FROM_ROOF);

    return to_roof & IN(cause);
}

static double limit(const struct cause_context *context, enum threshold threshold)
{
    return context->thresholds->of[threshold];
}

/* What work at its roof takes may be less than the work itself needs to take. */
static void name_cause_beyond(struct slow_group *slow, enum kernel_cause cause, double saving)
{
    slow->causes |= IN(cause);
    slow->saving[cause] = saving > 0   ? fmin(saving, (double)slow->group.time)
                          : saving < 0 ? 0
                                       : saving;
}

/* At most what the kernels are from their roof. */
static void name_cause(struct slow_group *slow, enum kernel_cause cause, double saving)
{
    double most = (double)slow->group.time - (isnan(slow->roof) ? 0 : slow->roof);

    name_cause_beyond(slow, cause, fmin(saving, most));
}

/* What using `use` of the device costs. */
static double lost(const struct slow_group *slow, double use)
{
    return (double)slow->group.time * (1 - use);
}

/* ns of so much work at the roof; NaN when nothing is known of either side. */
static double time_at(double amount, double peak)
{
    return amount > 0 && peak > 0 ? amount / peak * 1e9 : NAN;
}

static double compute_time(const struct slow_group *slow, const struct ceilings *ceilings,
                           enum precision precision)
{
    return time_at(slow->group.flops, ceilings->flops[precision]);
}

static double memory_time(const struct slow_group *slow, const struct ceilings *ceilings)
{
    return time_at(slow->group.bytes, ceilings->memory);
}

/* ---- products, and convolutions as products ---- */

static void cut(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    const struct problem *p = &slow->group.work.problem;
    struct kernel_tile tile = graph_class(context->graph, slow->group.kernel).tile;
    struct tiling *tiling = &slow->tiling;
    double down, across;

    tiling->is_assumed = !tile.rows;
    tiling->rows = tile.rows ? tile.rows : ASSUMED_TILE;
    tiling->columns = tile.rows ? tile.columns : ASSUMED_TILE;
    tiling->split = tile.split ? tile.split : 1;
    down = ceil(p->m / tiling->rows);
    across = ceil(p->n / tiling->columns);
    tiling->tiles = down * across * p->batch * tiling->split;
    tiling->use = p->m * p->n / (down * tiling->rows * across * tiling->columns);
    tiling->waves = context->units > 0 ? tiling->tiles / context->units : 0;
}

/* The last wave of blocks or tiles leaves many of its places empty, and there are few others. */
static bool is_partial_wave(const struct cause_context *context, double waves)
{
    return waves > 0 && waves / ceil(waves) < 1 - limit(context, LIMIT_TAIL) &&
           waves < limit(context, LIMIT_WAVES);
}

static void judge_tiles(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    const struct problem *p = &slow->group.work.problem;
    const struct tiling *tiling = &slow->tiling;

    if (tiling->waves > 0 && tiling->waves < limit(context, LIMIT_FEW_TILES))
        name_cause(slow, CAUSE_TOO_FEW_TILES, lost(slow, tiling->waves));
    else if (is_partial_wave(context, tiling->waves))
        name_cause(slow, CAUSE_PARTIAL_WAVE, lost(slow, tiling->waves / ceil(tiling->waves)));
    if (tiling->use < limit(context, LIMIT_TILE_USE))
        name_cause(slow, CAUSE_PARTIAL_TILES, lost(slow, tiling->use));
    if (slow->group.work.problem.kind == PROBLEM_PRODUCT &&
        p->k > limit(context, LIMIT_LONG_K) * fmax(p->m, p->n) &&
        kernel_has_cause(slow, CAUSE_TOO_FEW_TILES))
        name_cause(slow, CAUSE_LONG_K, lost(slow, tiling->waves));
}

/* Rows that do not begin at multiples of 16 bytes cannot be read 16 bytes at once. */
static bool is_aligned(double elements, const struct problem *p)
{
    return fmod(elements * p->element_bytes, ALIGNED) == 0;
}

/* FP32 is done by the plain cores although the device has units for less. Where memory is the roof,
 * they would gain nothing. */
static void judge_precision(const struct cause_context *context, bool by_name)
{
    struct slow_group *slow = context->slow;
    const double *peak = context->ceilings->flops;
    struct frame_class kernel = graph_class(context->graph, slow->group.kernel);
    enum precision better = peak[PRECISION_TF32] > 0 ? PRECISION_TF32 : PRECISION_FP16;
    double memory = memory_time(slow, context->ceilings);
    double then = fmax(compute_time(slow, context->ceilings, better), memory);

    if (slow->group.work.precision != PRECISION_FP32 || slow->group.precision != PRECISION_FP32 ||
        (peak[PRECISION_FP32] > 0 && peak[better] <= peak[PRECISION_FP32]) ||
        (by_name && kernel.matrix != MATRIX_ON_CORES) || slow->roof <= memory)
        return;
    name_cause_beyond(slow, CAUSE_FULL_PRECISION, lost(slow, then / slow->roof));
}

/* The kernel's name tells of single precision on plain cores. */
static bool is_named_single(const struct cause_context *context)
{
    struct frame_class kernel = graph_class(context->graph, context->slow->group.kernel);

    return kernel.matrix == MATRIX_ON_CORES && kernel.precision == PRECISION_FP32;
}

static void judge_product(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    const struct problem *p = &slow->group.work.problem;
    double rest = (double)slow->group.time;

    if (fmin(p->m, p->n) <= limit(context, LIMIT_SMALL_BATCH) && p->batch == 1) {
        name_cause(slow, CAUSE_SMALL_BATCH, rest);
    } else {
        judge_tiles(context);
        if (p->element_bytes && (!is_aligned(p->k, p) || !is_aligned(p->n, p)))
            name_cause(slow, CAUSE_MISALIGNED, rest);
        if (fmin(fmin(p->m, p->n), p->k) < limit(context, LIMIT_SKINNY) && p->batch == 1)
            name_cause(slow, CAUSE_SKINNY, rest);
    }
    judge_precision(context, true);
}

static void judge_convolution(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    const struct problem *p = &slow->group.work.problem;
    double rest = (double)slow->group.time;

    if (p->is_depthwise)
        name_cause(slow, CAUSE_DEPTHWISE, rest);
    else if (p->channels < limit(context, LIMIT_CHANNELS) ||
             (p->element_bytes && !is_aligned(p->channels, p)))
        name_cause(slow, CAUSE_FEW_CHANNELS, rest);
    if (p->is_asymmetric)
        name_cause(slow, CAUSE_ASYMMETRIC_FILTER, rest);
    if (p->is_dilated)
        name_cause(slow, CAUSE_DILATED, rest);
    if (p->is_transposed)
        name_cause(slow, CAUSE_TRANSPOSED_CONVOLUTION, rest);
    if (p->is_pointwise)
        name_cause(slow, CAUSE_POINTWISE_IS_GEMM, rest);
    if (!p->is_depthwise)
        judge_tiles(context);
    judge_precision(context, false);
}

/* ---- attention, experts, streams ---- */

static void judge_attention(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    const struct problem *p = &slow->group.work.problem;
    double blocks = p->batch * ceil(p->m / ATTENTION_TILE), rest = (double)slow->group.time;
    double padded = exp2(ceil(log2(p->depth)));

    if (p->m <= limit(context, LIMIT_SMALL_BATCH) && p->n > limit(context, LIMIT_SEQUENCE))
        name_cause(slow, CAUSE_DECODE, rest);
    else if (context->units > 0 && blocks < context->units)
        name_cause(slow, CAUSE_TOO_FEW_BLOCKS, lost(slow, blocks / context->units));
    if (p->depth > 0 && padded != p->depth)
        name_cause(slow, CAUSE_HEAD_PADDED, lost(slow, p->depth / padded));
    if (p->depth > limit(context, LIMIT_HEAD))
        name_cause(slow, CAUSE_LARGE_HEAD, rest);
    if (fmax(p->m, p->n) <= limit(context, LIMIT_SEQUENCE))
        name_cause(slow, CAUSE_SHORT_SEQUENCE, rest);
}

static void judge_stream(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    const struct problem *p = &slow->group.work.problem;

    if (p->kind == PROBLEM_COPY && p->repeats >= limit(context, LIMIT_REPEATS))
        name_cause_beyond(slow, CAUSE_BROADCAST_COPY, lost(slow, 1 / p->repeats));
    if (p->is_cast && context->casting > limit(context, LIMIT_CASTS))
        name_cause_beyond(slow, CAUSE_CAST_TRAFFIC, (double)slow->group.time);
    if (p->has_two_orders)
        name_cause(slow, CAUSE_STRIDED_ACCESS, (double)slow->group.time);
}

static void judge_problem(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    const struct problem *p = &slow->group.work.problem;

    switch (p->kind) {
    case PROBLEM_PRODUCT:
        if (slow->group.unfused == UNFUSED_EXPERTS)
            break; /* the first one's rows say nothing of the others */
        cut(context);
        judge_product(context);
        break;
    case PROBLEM_CONVOLUTION:
        cut(context);
        judge_convolution(context);
        break;
    case PROBLEM_ATTENTION:
        judge_attention(context);
        break;
    case PROBLEM_EXPERTS:
        if (p->tokens * p->chosen / p->batch < limit(context, LIMIT_TOKENS))
            name_cause(slow, CAUSE_FEW_TOKENS, (double)slow->group.time);
        break;
    case PROBLEM_ELEMENTS:
    case PROBLEM_COPY:
        judge_stream(context);
        break;
    case PROBLEM_SOFTMAX:
    case PROBLEM_OTHER:
        break;
    }
}

/* ---- whatever the work is ---- */

/* The compute alone is what a fused kernel would take. */
static void judge_fusion(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    bool multiplies = slow->group.work.problem.kind == PROBLEM_PRODUCT;
    double left = multiplies ? compute_time(slow, context->ceilings, slow->group.precision) : 0;

    if (slow->group.unfused == UNFUSED_EXPERTS)
        name_cause(slow, CAUSE_UNFUSED_EXPERTS, (double)slow->group.time);
    else if (slow->group.unfused != FUSED)
        name_cause_beyond(
            slow, slow->group.unfused == UNFUSED ? CAUSE_UNFUSED_ATTENTION : CAUSE_MATH_BACKEND,
            (double)slow->group.time - left);
    else if (slow->group.chain_saving > 0)
        name_cause_beyond(slow, CAUSE_UNFUSED_CHAIN, slow->group.chain_saving);
}

/* Matrix kernels hold a unit with one large block on purpose. How much faster more warps would make a
 * kernel nobody can tell from here. */
static void judge_occupancy(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    struct occupancy occupancy;

    if (graph_class(context->graph, slow->group.kernel).matrix == MATRIX_NONE &&
        launch_occupancy(context->graph, slow->group.device, slow->group.longest, &occupancy) &&
        occupancy.share < limit(context, LIMIT_OCCUPANCY))
        name_cause_beyond(slow, CAUSE_LOW_OCCUPANCY, NAN);
}

/* Blocks of what is no product stand for equal shares of its work. */
static void judge_tail(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    enum problem_kind kind = slow->group.work.problem.kind;
    struct property_cursors near = {.columns = context->graph->timeline.properties};
    double waves = launch_waves(context->graph, &near, slow->group.device, slow->group.longest);

    if (kind != PROBLEM_PRODUCT && kind != PROBLEM_CONVOLUTION && waves > 1 &&
        is_partial_wave(context, waves))
        name_cause(slow, CAUSE_TAIL_WAVE,
                   (double)slow->group.kernel_time * (1 - waves / ceil(waves)));
}

/* What a call reads and writes fits into the cache before memory, and comes and goes faster than
 * memory could. */
static bool is_cache_resident(const struct cause_context *context)
{
    const struct slow_group *slow = context->slow;

    return slow->roof <= memory_time(slow, context->ceilings) && slow->efficiency > 1 &&
           slow->group.bytes < context->ceilings->last_cache * (double)slow->group.calls;
}

/* Work, times or peaks cannot be right, so nothing is promised; what shapes and names tell still holds. */
static void doubt(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    bool is_named = is_named_single(context);

    slow->causes &= IN(CAUSE_FEW_TOKENS) | (is_named ? IN(CAUSE_FULL_PRECISION) : 0);
    slow->causes |= IN(CAUSE_ABOVE_ROOF);
    for (int i = 0; i < CAUSE_COUNT; i++)
        slow->saving[i] = NAN;
}

static void judge_all(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    const struct kernel_group *group = &slow->group;

    if (group->has_work &&
        (double)group->time < limit(context, LIMIT_TINY_KERNEL) * 1e3 * (double)group->calls) {
        name_cause(slow, CAUSE_TINY_KERNEL, (double)group->time);
        if (group->unfused == UNFUSED_EXPERTS)
            judge_fusion(context);
        return;
    }
    judge_problem(context);
    if (!group->has_work && is_named_single(context) &&
        device_has_tensor_cores(context->graph, group->device))
        name_cause_beyond(slow, CAUSE_FULL_PRECISION, NAN);
    judge_fusion(context);
    judge_occupancy(context);
    judge_tail(context);
    if ((double)group->layout_time > limit(context, LIMIT_LAYOUT) * (double)group->time)
        name_cause(slow, CAUSE_LAYOUT_CONVERSION, (double)group->layout_time);
    if (!(slow->efficiency < limit(context, LIMIT_ROOF)))
        slow->causes &= whatever_attained;
    if (isnan(slow->efficiency)) { /* which need no roof */
        judge_occupancy(context);
        judge_tail(context);
    }
    if (is_cache_resident(context))
        name_cause(slow, CAUSE_CACHE_RESIDENT, 0);
    else if (slow->efficiency > limit(context, LIMIT_ABOVE))
        doubt(context);
    else if (slow->efficiency < limit(context, LIMIT_FAR) &&
             !(slow->causes & ~IN(CAUSE_FULL_PRECISION)))
        name_cause(slow, CAUSE_FAR_FROM_ROOF, (double)group->time);
}

/* ---- all groups ---- */

static void place_under_roof(const struct cause_context *context)
{
    struct slow_group *slow = context->slow;
    const struct kernel_group *group = &slow->group;
    double compute = compute_time(slow, context->ceilings, group->precision);

    slow->roof = group->has_work && (group->work.flops <= 0 || !isnan(compute))
                     ? fmax(compute, memory_time(slow, context->ceilings))
                     : NAN;
    slow->efficiency = group->time > 0 ? slow->roof / (double)group->time : NAN;
}

static double most_saved(const struct slow_group *slow)
{
    double most = -1; /* what is not known, and those without a cause, come last */

    for (int i = 0; i < CAUSE_COUNT; i++)
        if (kernel_has_cause(slow, (enum kernel_cause)i))
            most = fmax(most, slow->saving[i]);
    return most;
}

enum kernel_cause kernel_cause_first(const struct slow_group *slow)
{
    double most = most_saved(slow);
    enum kernel_cause first = CAUSE_COUNT;

    for (int i = CAUSE_COUNT; i-- > 0;)
        if (kernel_has_cause(slow, (enum kernel_cause)i) &&
            (first == CAUSE_COUNT || slow->saving[i] == most))
            first = (enum kernel_cause)i;
    return first;
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct slow_group *list = context;
    double x = most_saved(&list[a]), y = most_saved(&list[b]);

    return x != y ? x > y : list[a].group.time > list[b].group.time;
}

/* Kernel time of a device, and how much of it changes types. */
struct device_time {
    int64_t whole, casting;
};

/* By group, the device's; the caller frees it. */
static struct device_time *device_times(const struct kernel_groups *groups)
{
    struct device_time *sums = grow_zeroed(groups->count + 1u, sizeof(*sums));
    struct device_time *times = grow_zeroed(groups->count + 1u, sizeof(*times));
    struct idmap sum_of = {0};

    for (uint32_t i = 0; i < groups->count; i++) {
        uint32_t *at = idmap_at(&sum_of, (uint32_t)groups->list[i].device);

        *at = *at == IDMAP_NONE ? i : *at;
        sums[*at].whole += groups->list[i].time;
        sums[*at].casting += groups->list[i].work.problem.is_cast ? groups->list[i].time : 0;
    }
    for (uint32_t i = 0; i < groups->count; i++)
        times[i] = sums[idmap_find(&sum_of, (uint32_t)groups->list[i].device)];
    idmap_free(&sum_of);
    free(sums);
    return times;
}

void kernel_causes_find(const struct kernel_owners *owners, const struct ceilings *ceilings,
                        const struct thresholds *thresholds, int64_t start, int64_t end,
                        struct arena *arena, struct kernel_causes *causes)
{
    struct cause_context context = {.graph = owners->graph,
                                    .thresholds = thresholds,
                                    .ceilings = ceilings,
                                    .units = ceilings->units};
    struct kernel_groups groups;
    struct device_time *times;
    struct slow_group *found;
    uint32_t count = 0;

    *causes = (struct kernel_causes){.thresholds = thresholds, .units = ceilings->units};
    for (int i = 0; i < PRECISION_COUNT; i++)
        causes->has_ceiling |= ceilings->flops[i] > 0;
    kernel_groups_find(owners, thresholds, start, end, arena, &groups);
    times = device_times(&groups);
    found = grow_zeroed(groups.count + 1u, sizeof(*found));
    for (uint32_t i = 0; i < groups.count; i++) {
        struct slow_group *slow = context.slow = &found[count];

        *slow = (struct slow_group){.group = groups.list[i]};
        slow->share = share_of(slow->group.time, times[i].whole);
        context.casting = share_of(times[i].casting, times[i].whole);
        if (slow->share < limit(&context, LIMIT_GROUP))
            continue;
        place_under_roof(&context);
        judge_all(&context);
        count++;
    }
    causes->list = sorted_copy(arena, found, sizeof(*found), count, count, is_before);
    causes->count = count;
    free(times);
    free(found);
}
