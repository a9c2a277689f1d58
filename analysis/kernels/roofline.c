/* SPDX-License-Identifier: Apache-2.0 */
/* roofline.c — the work of each kernel and copy: from counters, shapes, or what the user says */
#include <math.h>
#include <stdlib.h>

#include "analysis/captures/captures.h"
#include "analysis/kernels/replayed_work.h"
#include "analysis/kernels/roofline.h"
#include "analysis/kernels/work.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

uint64_t roofline_properties(void)
{
    return property_bit(PROP_FLOP) | property_bit(PROP_FLOP_HALF) | property_bit(PROP_FLOP_SINGLE) |
           property_bit(PROP_FLOP_DOUBLE) | property_bit(PROP_FLOP_TENSOR) |
           property_bit(PROP_GRID) | property_bit(PROP_BLOCK) | property_bit(PROP_DRAM_BYTES) |
           property_bit(PROP_L2_BYTES) | property_bit(PROP_L1_BYTES) | property_bit(PROP_BYTES) |
           property_bit(PROP_SHAPES) | property_bit(PROP_TYPES) | property_bit(PROP_CONCRETE) |
           property_bit(PROP_STRIDES) | property_bit(PROP_REGISTERS) |
           property_bit(PROP_OCCUPANCY) | property_bit(PROP_SHARED_MEMORY) |
           property_bit(PROP_COPY_KIND) | captures_properties();
}

/* ---- one event's work ---- */

static bool is_within_device(const struct graph *graph, event_id event)
{
    int64_t direction;

    return property_of(&graph->timeline.properties[PROP_COPY_KIND], event, &direction) &&
           direction == COPY_DEVICE_TO_DEVICE;
}

/* A copy within the device reads and writes the same memory. */
static struct effort copy_effort(const struct graph *graph, const struct ceilings *ceilings,
                                 event_id event)
{
    bool stays = graph_frame(graph, graph->timeline.frame[event])->kind == KIND_MEMSET ||
                 is_within_device(graph, event);
    int64_t bytes;

    if (!property_of(&graph->timeline.properties[PROP_BYTES], event, &bytes) || bytes <= 0)
        return (struct effort){.source = WORK_NONE};
    return (struct effort){.bytes = (double)bytes,
                           .traffic =
                               is_within_device(graph, event) ? 2.0 * (double)bytes : (double)bytes,
                           .roof = stays ? ceilings->memory : ceilings->link,
                           .is_over_link = !stays,
                           .source = WORK_COPIES};
}

/* In which precision the kernel's name says that it multiplies. */
static enum precision named_precision(const struct graph *graph, event_id event)
{
    struct frame_class class = graph_class(graph, graph->timeline.frame[event]);

    return class.matrix == MATRIX_NONE ? PRECISION_UNKNOWN : class.precision;
}

/* FLOPs by precision where counters tell them, those of matrix units as the kernel's name says, else
 * those of no known precision. */
static bool count_flops(const struct graph *graph, event_id event, struct effort *effort)
{
    static const struct {
        enum property property;
        enum precision precision;
    } counted[] = {{PROP_FLOP_DOUBLE, PRECISION_FP64},
                   {PROP_FLOP_SINGLE, PRECISION_FP32},
                   {PROP_FLOP_HALF, PRECISION_FP16}};
    const struct property_column *properties = graph->timeline.properties;
    enum precision named = named_precision(graph, event);
    bool is_known = false;
    int64_t flops;

    for (size_t i = 0; i < COUNT_OF(counted); i++)
        if (property_of(&properties[counted[i].property], event, &flops)) {
            effort->flops[counted[i].precision] += (double)flops;
            effort->precision_source = PRECISION_FROM_COUNTERS;
            is_known = true;
        }
    if (property_of(&properties[PROP_FLOP_TENSOR], event, &flops)) {
        effort
            ->flops[named >= PRECISION_TF32 && named < PRECISION_COUNT ? named : PRECISION_FP16] +=
            (double)flops;
        effort->precision_source =
            named == PRECISION_UNKNOWN ? PRECISION_FROM_COUNTERS : PRECISION_FROM_NAME;
        is_known = true;
    }
    if (!is_known && property_of(&properties[PROP_FLOP], event, &flops)) {
        effort->flops[named] = (double)flops;
        effort->precision_source =
            named == PRECISION_UNKNOWN ? PRECISION_ASSUMED : PRECISION_FROM_NAME;
        is_known = true;
    }
    return is_known;
}

/* How much it is at most is not known. */
static void set_least(struct effort *effort, const struct work *work, double part,
                      enum precision precision)
{
    effort->has_low = effort->is_least = true;
    effort->flops_low = (double)work->flops_low * part;
    effort->bytes_low = (double)work->bytes_low * part;
    effort->flops[precision] = effort->bytes = effort->traffic = NAN;
}

/* The high end is no more than the roofs allow in the time that it took. */
static void set_bracket(struct effort *effort, const struct work *work, double part,
                        enum precision precision, const struct ceilings *ceilings, double time)
{
    double most_bytes = ceilings->memory * time / 1e9;
    double most_flops = ceilings->flops[precision] * time / 1e9;

    effort->has_low = true;
    effort->flops_low = (double)work->flops_low * part;
    effort->bytes_low = (double)work->bytes_low * part;
    if (most_bytes > 0 && effort->bytes > most_bytes)
        effort->bytes = effort->traffic = fmax(most_bytes, effort->bytes_low);
    if (most_flops > 0 && effort->flops[precision] > most_flops)
        effort->flops[precision] = fmax(most_flops, effort->flops_low);
}

/* Work that kernels share, and how long they run together. */
struct work_shared {
    const struct work *work;
    int64_t kernel_ns;
    enum precision named;
    enum work_source source;
};

/* Whose work kernels do. */
struct work_origins {
    const struct kernel_owners *owners;
    struct replayed_work replayed;
};

static bool find_shared(const struct work_origins *origins, event_id event,
                        struct work_shared *shared)
{
    const struct kernel_owners *owners = origins->owners;
    const struct replayed_call *call = replayed_work_of(&origins->replayed, event);
    uint32_t at = kernel_owner_or_least(owners, event);

    if (at != NO_OWNER && kernel_shares_work(owners, event, at))
        *shared = (struct work_shared){&owner_call(owners, at)->work, owners->list[at].kernel_ns,
                                       owners->list[at].precision, WORK_SHAPES};
    else if (call)
        *shared =
            (struct work_shared){&call->work, call->kernel_ns, call->precision, WORK_INFERRED};
    else
        return false;
    return shared->kernel_ns > 0;
}

static void take_shared(const struct work_shared *shared, const struct ceilings *ceilings,
                        double time, struct effort *effort)
{
    const struct work *work = shared->work;
    double part = time / (double)shared->kernel_ns;
    enum precision precision = work_precision(work, shared->named);

    effort->precision_source = precision == PRECISION_UNKNOWN ? PRECISION_ASSUMED
                               : precision == shared->named   ? PRECISION_FROM_NAME
                                                              : PRECISION_FROM_INPUTS;
    effort->flops[precision] = (double)work->flops * part;
    effort->bytes = effort->traffic = work->bytes ? (double)work->bytes * part : NAN;
    effort->source = shared->source;
    if (work->is_least)
        set_least(effort, work, part, precision);
    else if (work->flops_low != work->flops || work->bytes_low != work->bytes)
        set_bracket(effort, work, part, precision, ceilings, time);
}

static struct effort kernel_effort(const struct work_origins *origins,
                                   const struct ceilings *ceilings, event_id event)
{
    const struct graph *graph = origins->owners->graph;
    const struct timeline *t = &graph->timeline;
    struct effort effort = {.bytes = NAN, .roof = ceilings->memory, .source = WORK_COUNTERS};
    struct work_shared shared;
    int64_t bytes;

    effort_without_caches(&effort);
    if (property_of(&t->properties[PROP_DRAM_BYTES], event, &bytes))
        effort.bytes = (double)bytes;
    if (property_of(&t->properties[PROP_L2_BYTES], event, &bytes))
        effort.cache_bytes[CACHE_L2] = (double)bytes;
    if (property_of(&t->properties[PROP_L1_BYTES], event, &bytes))
        effort.cache_bytes[CACHE_L1] = (double)bytes;
    effort.traffic = effort.bytes;
    if (count_flops(graph, event, &effort))
        return effort;
    if (find_shared(origins, event, &shared)) {
        take_shared(&shared, ceilings, (double)t->duration[event], &effort);
        return effort;
    }
    effort.flops[PRECISION_UNKNOWN] = NAN;
    effort.source = isnan(effort.bytes) ? WORK_NONE : WORK_COUNTERS;
    return effort;
}

/* ---- rows ---- */

/* The row that an event belongs to: its own name's, or that of its operator. */
static frame_id row_of(const struct work_origins *origins, event_id event, bool by_operator)
{
    const struct kernel_owners *owners = origins->owners;
    const struct graph *graph = owners->graph;
    const struct replayed_call *call =
        by_operator ? replayed_work_of(&origins->replayed, event) : NULL;
    uint32_t owner = by_operator ? kernel_owner_or_least(owners, event) : NO_OWNER;
    frame_id captured = by_operator && owner == NO_OWNER ? captured_frame(graph, event) : 0;

    if (owner != NO_OWNER)
        return owner_call(owners, owner)->key.frame;
    if (call)
        return call->frame;
    return captured ? captured : graph->timeline.frame[event];
}

static void add_track(const struct work_origins *origins, const struct roofline_options *options,
                      const struct track *track, struct roofline_sum *sums,
                      struct roofline *roofline)
{
    const struct graph *graph = origins->owners->graph;

    for (event_id e = track->first; e < track->first + track->count; e++) {
        enum frame_kind kind = graph_frame(graph, graph->timeline.frame[e])->kind;
        frame_id row = row_of(origins, e, options->by_operator);
        struct effort effort;

        if (kind != KIND_KERNEL && kind != KIND_MEMCPY && kind != KIND_MEMSET)
            continue;
        effort = kind == KIND_KERNEL ? kernel_effort(origins, &options->ceilings, e)
                                     : copy_effort(graph, &options->ceilings, e);
        if (kind != KIND_KERNEL)
            row = graph->timeline.frame[e];
        if (options->rows)
            row = options->rows[row];
        if (kind == KIND_KERNEL)
            effort_take_given(&effort, options, graph->timeline.frame[e], 1);
        roofline_sum_add(&sums[row], &options->ceilings, 1, graph->timeline.duration[e], &effort);
        if (kind == KIND_KERNEL)
            roofline_cover(roofline, graph->timeline.duration[e], &effort);
    }
}

void roofline_compute(const struct kernel_owners *owners, const struct roofline_options *options,
                      struct arena *arena, struct roofline *roofline)
{
    const struct timeline *t = &owners->graph->timeline;
    uint32_t count = (uint32_t)owners->graph->frames.count;
    struct roofline_sum *sums = grow_zeroed(count, sizeof(*sums));
    struct work_origins origins = {.owners = owners};

    *roofline = (struct roofline){0};
    replayed_work_find(owners, &origins.replayed);
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_STREAM)
            add_track(&origins, options, &t->tracks[i], sums, roofline);
    replayed_work_free(&origins.replayed);
    roofline_rank(sums, count, options, arena, roofline);
    free(sums);
}

struct roof_distance *roofline_distances(const struct graph *graph, const struct ceilings *ceilings,
                                         struct arena *arena)
{
    struct roofline_options all = {.ceilings = *ceilings};
    struct roof_distance *distance = arena_array(arena, graph->frames.count, sizeof(*distance));
    struct kernel_owners owners;
    struct roofline roofline;

    kernel_owners_find(&owners, graph);
    roofline_compute(&owners, &all, arena, &roofline);
    kernel_owners_free(&owners);
    for (uint32_t i = 0; i < roofline.count; i++) {
        const struct roofline_row *row = &roofline.rows[i];

        if (row->explained > 0 && row->efficiency > 0 && (double)row->time > row->headroom)
            distance[row->frame] = (struct roof_distance){
                row->efficiency, (double)row->time / ((double)row->time - row->headroom)};
    }
    return distance;
}

/* ---- from what counters say alone ---- */

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
    roofline_rank(sums, count, options, arena, roofline);
    free(sums);
}
