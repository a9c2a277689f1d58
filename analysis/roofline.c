#include "analysis/roofline.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/work.h"
#include "base/checked.h"
#include "base/grow.h"
#include "base/sort.h"

uint64_t roofline_properties(void)
{
    return property_bit(PROP_FLOP) | property_bit(PROP_DRAM_BYTES) | property_bit(PROP_BYTES) |
           property_bit(PROP_SHAPES) | property_bit(PROP_TYPES) | property_bit(PROP_CONCRETE) |
           property_bit(PROP_COPY_KIND);
}

/* ---- which operator's work does a call carry out? ---- */

struct owners {
    const struct graph *graph;
    event_id *owner;    /* by event: the innermost operator around it whose work is known */
    int64_t *kernel_ns; /* by operator's event: how long its kernels ran */
};

static struct span text_of(const struct graph *graph, enum property property, event_id event)
{
    int64_t value;

    if (!property_of(&graph->timeline.properties[property], event, &value))
        return (struct span){0};
    return graph_text(graph, (str_id)value);
}

static bool event_work(const struct graph *graph, event_id event, struct work *work)
{
    const struct frame *frame = graph_frame(graph, graph->timeline.frame[event]);
    struct operator_call call = {.name = graph_text(graph, frame->name)};
    struct span shapes = text_of(graph, PROP_SHAPES, event);

    if (frame->kind != KIND_OPERATOR || !shapes.len || !inputs_read(shapes, &call.inputs))
        return false;
    call.types = text_of(graph, PROP_TYPES, event);
    call.concrete = text_of(graph, PROP_CONCRETE, event);
    return operator_work(&call, work);
}

/* Events of a thread nest: an open one's owner is its own, or that of the one around it. */
static void own_track(struct owners *owners, const struct track *track)
{
    const struct timeline *t = &owners->graph->timeline;
    event_id *open = NULL;
    size_t depth = 0, cap = 0;
    struct work work;

    for (event_id e = track->first; e < track->first + track->count; e++) {
        while (depth && t->start[open[depth - 1]] + t->duration[open[depth - 1]] <= t->start[e])
            depth--;
        owners->owner[e] = event_work(owners->graph, e, &work) ? e
                           : depth                             ? owners->owner[open[depth - 1]]
                                                               : NO_EVENT;
        open = grow_one(open, depth, &cap, sizeof(*open));
        open[depth++] = e;
    }
    free(open);
}

static event_id owner_of(const struct owners *owners, event_id kernel)
{
    const struct timeline *t = &owners->graph->timeline;
    event_id launch = t->launch ? t->launch[kernel] : NO_EVENT;

    return launch == NO_EVENT ? NO_EVENT : owners->owner[launch];
}

static void find_owners(struct owners *owners)
{
    const struct timeline *t = &owners->graph->timeline;

    owners->owner = grow_zeroed(t->count + 1u, sizeof(*owners->owner));
    owners->kernel_ns = grow_zeroed(t->count + 1u, sizeof(*owners->kernel_ns));
    for (event_id e = 0; e < t->count; e++)
        owners->owner[e] = NO_EVENT;
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_THREAD)
            own_track(owners, &t->tracks[i]);
    for (event_id e = 0; e < t->count; e++) {
        event_id owner = owner_of(owners, e);

        if (owner != NO_EVENT && graph_frame(owners->graph, t->frame[e])->kind == KIND_KERNEL)
            owners->kernel_ns[owner] = checked_add(owners->kernel_ns[owner], t->duration[e]);
    }
}

/* ---- one event's work ---- */

struct effort {
    double flops, bytes; /* bytes NaN: not known */
    enum precision precision;
    enum work_source source;
};

static bool is_between(const struct graph *graph, event_id event, struct span kind)
{
    return span_eq(text_of(graph, PROP_COPY_KIND, event), kind);
}

static struct effort copy_effort(const struct graph *graph, event_id event)
{
    int64_t bytes;

    if (!property_of(&graph->timeline.properties[PROP_BYTES], event, &bytes) || bytes <= 0)
        return (struct effort){.source = WORK_NONE};
    return (struct effort){.bytes = (double)bytes, .source = WORK_COPIES};
}

static struct effort kernel_effort(const struct owners *owners, event_id event)
{
    const struct timeline *t = &owners->graph->timeline;
    struct effort effort = {.precision = PRECISION_UNKNOWN, .source = WORK_COUNTERS};
    event_id owner = owner_of(owners, event);
    int64_t flops, bytes;
    struct work work;

    if (property_of(&t->properties[PROP_FLOP], event, &flops)) {
        effort.flops = (double)flops;
        effort.bytes =
            property_of(&t->properties[PROP_DRAM_BYTES], event, &bytes) ? (double)bytes : NAN;
        return effort;
    }
    if (owner == NO_EVENT || !owners->kernel_ns[owner] || !event_work(owners->graph, owner, &work))
        return (struct effort){.source = WORK_NONE};

    double part = (double)t->duration[event] / (double)owners->kernel_ns[owner];

    return (struct effort){.flops = (double)work.flops * part,
                           .bytes = work.bytes ? (double)work.bytes * part : NAN,
                           .precision = work.precision,
                           .source = WORK_SHAPES};
}

/* ---- rows ---- */

/* What a row adds up before its rates are known. */
struct sum {
    double flops, bytes;
    double compute_ns, memory_ns; /* at the roofs; NaN when one is not known */
    bool is_over_link;
    struct roofline_row row;
};

static double at_roof(double amount, double peak)
{
    return amount == 0 ? 0 : peak > 0 ? amount / peak * 1e9 : NAN;
}

static bool stays_on_device(const struct graph *graph, event_id event)
{
    return graph_frame(graph, graph->timeline.frame[event])->kind == KIND_MEMSET ||
           is_between(graph, event, SPAN("DtoD"));
}

/* What the bytes go over. A copy within the device reads and writes the same memory. */
static double memory_roof(const struct graph *graph, const struct ceilings *ceilings,
                          event_id event, const struct effort *effort, double *bytes)
{
    bool is_copy = effort->source == WORK_COPIES;

    *bytes = effort->bytes;
    if (is_copy && is_between(graph, event, SPAN("DtoD")))
        *bytes *= 2;
    return is_copy && !stays_on_device(graph, event) ? ceilings->link : ceilings->memory;
}

static void add_event(const struct graph *graph, const struct ceilings *ceilings, event_id event,
                      const struct effort *effort, struct sum *sum)
{
    int64_t time = graph->timeline.duration[event];
    double bytes, roof;

    sum->row.calls++;
    sum->row.time = checked_add(sum->row.time, time);
    if (effort->source == WORK_NONE)
        return;
    sum->is_over_link = effort->source == WORK_COPIES && !stays_on_device(graph, event);
    roof = memory_roof(graph, ceilings, event, effort, &bytes);
    sum->row.source = effort->source;
    sum->row.explained = checked_add(sum->row.explained, time);
    sum->flops += effort->flops;
    sum->bytes += effort->bytes;
    sum->compute_ns += at_roof(effort->flops, ceilings->flops[effort->precision]);
    sum->memory_ns += at_roof(bytes, roof);
}

static double rate(double amount, int64_t time)
{
    return time > 0 ? amount / (double)time * 1e9 : NAN;
}

static void finish_row(struct sum *sum)
{
    struct roofline_row *row = &sum->row;
    double time = (double)row->explained;
    double compute = sum->flops > 0 ? sum->compute_ns / time : NAN;
    double memory = sum->memory_ns / time;

    row->flops = sum->flops < 9e18 ? (int64_t)llround(sum->flops) : INT64_MAX;
    row->bytes = isnan(sum->bytes)   ? UNKNOWN
                 : sum->bytes < 9e18 ? (int64_t)llround(sum->bytes)
                                     : INT64_MAX;
    row->intensity = row->attainable = row->efficiency = NAN;
    row->achieved = row->bandwidth = NAN;
    if (row->explained <= 0)
        return;
    row->intensity = sum->flops > 0 && sum->bytes > 0 ? sum->flops / sum->bytes : NAN;
    row->achieved = sum->flops > 0 ? rate(sum->flops, row->explained) : NAN;
    row->bandwidth = rate(sum->bytes, row->explained);
    row->efficiency = roof_efficiency(compute, memory);
    row->attainable = row->efficiency > 0 ? row->achieved / row->efficiency : NAN;
    row->bound = roof_bound(row->source == WORK_COPIES ? NAN : compute, memory);
    if (row->bound == BOUND_MEMORY && sum->is_over_link)
        row->bound = BOUND_LINK;
    if (row->efficiency < 1)
        row->headroom = time * (1 - row->efficiency);
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct sum *sums = context;
    const struct roofline_row *x = &sums[a].row, *y = &sums[b].row;

    if (x->headroom != y->headroom)
        return x->headroom > y->headroom;
    return x->time > y->time;
}

static void rank(const struct sum *sums, uint32_t count, uint32_t limit, struct arena *arena,
                 struct roofline *roofline)
{
    uint32_t *order = arena_array(arena, count, sizeof(*order));
    uint32_t used = 0;

    for (uint32_t i = 0; i < count; i++)
        if (sums[i].row.calls)
            order[used++] = i;
    sort_stable(order, used, is_before, sums);
    roofline->count = limit && limit < used ? limit : used;
    roofline->left_out = used - roofline->count;
    roofline->rows = arena_array(arena, roofline->count, sizeof(*roofline->rows));
    for (uint32_t i = 0; i < roofline->count; i++)
        roofline->rows[i] = sums[order[i]].row;
    for (uint32_t i = 0; i < used; i++)
        roofline->above += sums[order[i]].row.efficiency > 1;
}

/* The row that an event belongs to: its own name's, or that of its operator. */
static frame_id row_of(const struct owners *owners, event_id event, bool by_operator)
{
    event_id owner = by_operator ? owner_of(owners, event) : NO_EVENT;

    return owners->graph->timeline.frame[owner == NO_EVENT ? event : owner];
}

static void add_track(const struct owners *owners, const struct roofline_options *options,
                      const struct track *track, struct sum *sums, struct roofline *roofline)
{
    const struct graph *graph = owners->graph;

    for (event_id e = track->first; e < track->first + track->count; e++) {
        enum frame_kind kind = graph_frame(graph, graph->timeline.frame[e])->kind;
        frame_id row = row_of(owners, e, options->by_operator);
        struct effort effort;

        if (kind != KIND_KERNEL && kind != KIND_MEMCPY && kind != KIND_MEMSET)
            continue;
        effort = kind == KIND_KERNEL ? kernel_effort(owners, e) : copy_effort(graph, e);
        if (kind != KIND_KERNEL)
            row = graph->timeline.frame[e];
        add_event(graph, &options->ceilings, e, &effort, &sums[row]);
        if (kind != KIND_KERNEL)
            continue;
        roofline->kernel_time = checked_add(roofline->kernel_time, graph->timeline.duration[e]);
        if (effort.source != WORK_NONE)
            roofline->explained = checked_add(roofline->explained, graph->timeline.duration[e]);
    }
}

void roofline_compute(const struct graph *graph, const struct roofline_options *options,
                      struct arena *arena, struct roofline *roofline)
{
    const struct timeline *t = &graph->timeline;
    uint32_t count = (uint32_t)graph->frames.count;
    struct sum *sums = grow_zeroed(count, sizeof(*sums));
    struct owners owners = {.graph = graph};

    *roofline = (struct roofline){0};
    find_owners(&owners);
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_STREAM)
            add_track(&owners, options, &t->tracks[i], sums, roofline);
    for (frame_id frame = 0; frame < count; frame++) {
        sums[frame].row.frame = frame;
        finish_row(&sums[frame]);
    }
    rank(sums, count, options->limit, arena, roofline);
    free(owners.owner);
    free(owners.kernel_ns);
    free(sums);
}
