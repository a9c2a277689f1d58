/* SPDX-License-Identifier: Apache-2.0 */
/* Busy, idle and exposed time of each device, in all and by training step, and which kinds ran
 * together. */
#include "analysis/execution/overlap.h"

#include <stdlib.h>

#include "analysis/execution/replay.h"
#include "analysis/timeline/device_work.h"
#include "analysis/timeline/inventory.h"
#include "analysis/timeline/timeline_parts.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

enum { STEP_ROWS_MAX = 1 << 20 };

/* ---- one device ---- */

/* All but start, span, idle and events. */
static void measure(const struct device_times *times, struct overlap_figures *figures)
{
    struct device_shares shares;

    device_times_measure(times, &shares);
    figures->busy = shares.busy;
    figures->compute = shares.compute;
    figures->communication = shares.communication;
    figures->memory = shares.memory;
    figures->exposed_communication = shares.exposed_communication;
    figures->hidden_communication = shares.communication - shares.exposed_communication;
    figures->exposed_memory = shares.exposed_memory;
}

/* What a device did in all. */
static void measure_device(const struct graph *graph, const struct device_work *work,
                           struct overlap_device *device)
{
    int64_t end = INT64_MIN;

    for (uint32_t i = 0; i < work->count; i++) {
        int64_t ends = event_end(&graph->timeline, work->events[i]);

        end = ends > end ? ends : end;
    }
    device->all.events = work->count;
    device->all.start = graph->timeline.start[work->events[0]];
    device->all.span = checked_sub(end, device->all.start);
    measure(&work->times, &device->all);
    device->all.idle = device->all.span - device->all.busy;
}

static void list_exposed(const struct device_times *times, struct arena *arena,
                         struct overlap_device *device)
{
    struct intervals exposed = {0};

    intervals_subtract(&times->of[WORK_COMMUNICATION], &times->of[WORK_COMPUTE], &exposed);
    device->exposed_count = (uint32_t)exposed.count;
    device->exposed = arena_array(arena, exposed.count, sizeof(*device->exposed));
    for (size_t i = 0; i < exposed.count; i++)
        device->exposed[i] = exposed.list[i];
    intervals_free(&exposed);
}

/* ---- steps ---- */

static uint32_t count_starts(const struct timeline *timeline, const struct device_work *work,
                             int64_t start)
{
    SEARCH(uint32_t, at, work->count, timeline->start[work->events[at]] < start);
    return at;
}

/* Adds what a device did in one span of a step. */
static void add_span(const struct graph *graph, const struct device_work *work,
                     const struct step_span *span, struct overlap_figures *sums)
{
    struct overlap_figures part = {0};
    struct device_times inside = {0};

    device_times_clip(&work->times, span->start, span->end, &inside);
    measure(&inside, &part);
    device_times_free(&inside);
    sums->compute += part.compute;
    sums->communication += part.communication;
    sums->memory += part.memory;
    sums->exposed_communication += part.exposed_communication;
    sums->hidden_communication += part.hidden_communication;
    sums->exposed_memory += part.exposed_memory;
    sums->busy += part.busy;
    sums->events += count_starts(&graph->timeline, work, span->end) -
                    count_starts(&graph->timeline, work, span->start);
}

/* Devices one after the other; put in order of steps here. */
static void measure_steps(const struct graph *graph, const struct steps *steps,
                          const struct devices_work *devices, uint32_t device,
                          struct overlap *overlap)
{
    const struct device_work *work = &devices->list[device];
    struct overlap_step *rows = overlap->steps + device;

    for (uint32_t i = 0; i < steps->count; i++)
        rows[(size_t)i * devices->count] =
            (struct overlap_step){.step = steps->list[i].number,
                                  .frame = graph->timeline.frame[steps->list[i].event],
                                  .device = work->device,
                                  .all.start = steps->list[i].start,
                                  .all.span = steps->list[i].length};
    for (uint32_t i = 0; i < steps->span_count; i++)
        if (steps->spans[i].step < steps->count)
            add_span(graph, work, &steps->spans[i],
                     &rows[(size_t)steps->spans[i].step * devices->count].all);
    for (uint32_t i = 0; i < steps->count; i++) {
        struct overlap_figures *all = &rows[(size_t)i * devices->count].all;

        all->idle = all->span - all->busy;
    }
}

/* A file can name many steps and many devices; there is a row for each pair. */
static void limit_steps(struct steps *steps, uint32_t devices, struct overlap *overlap)
{
    uint32_t most = devices ? STEP_ROWS_MAX / devices : 0;

    if (steps->count > most) {
        overlap->steps_left_out = steps->count - most;
        steps->count = most;
    }
}

/* ---- tracks and kinds ---- */

struct overlap_sweep {
    const struct graph *graph;
    uint8_t *kind_of;                      /* by frame: place in `kinds` */
    struct intervals *busy;                /* of a track and its lanes */
    struct intervals kinds[OVERLAP_KINDS]; /* of all tracks; families behind the kinds */
    struct overlap_kind sums[OVERLAP_KINDS];
    struct interval span;
};

static bool takes_time(const struct track *track)
{
    return track->kind == TRACK_STREAM || track->kind == TRACK_ASYNC || track->kind == TRACK_THREAD;
}

static void add_event(struct overlap_sweep *sweep, event_id event, struct intervals *busy,
                      struct overlap_track *out)
{
    const struct timeline *t = &sweep->graph->timeline;
    uint8_t kind = sweep->kind_of[t->frame[event]];
    int64_t start = t->start[event], end = event_end(t, event);

    intervals_cover(busy, start, end);
    intervals_cover(&sweep->kinds[kind], start, end);
    sweep->sums[kind].sum = checked_add(sweep->sums[kind].sum, t->duration[event]);
    sweep->sums[kind].events++;
    sweep->span.start = start < sweep->span.start ? start : sweep->span.start;
    sweep->span.end = end > sweep->span.end ? end : sweep->span.end;
    out->sum = checked_add(out->sum, t->duration[event]);
    out->events++;
}

/* The rows of a part of the timeline: a track and its lanes are one. Returns how many there are. */
static uint32_t add_part(struct overlap_sweep *sweep, struct parts *parts,
                         struct overlap_track *rows)
{
    const struct timeline *t = &sweep->graph->timeline;
    uint32_t row = 0;

    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];
        event_id event, end = parts_take(parts, i, &event);

        if (i && !track->lane)
            row++;
        if (!track->lane)
            rows[row].track = i;
        for (; event < end && takes_time(track); event++)
            if (track->kind != TRACK_STREAM || is_device_work(sweep->graph, event))
                add_event(sweep, event, &sweep->busy[row], &rows[row]);
    }
    row += t->track_count > 0;
    for (uint32_t i = 0; i < row; i++)
        rows[i].busy = checked_add(rows[i].busy, intervals_take(&sweep->busy[i], parts->until));
    for (int kind = 0; kind < OVERLAP_KINDS; kind++)
        sweep->sums[kind].union_ = checked_add(
            sweep->sums[kind].union_, intervals_take(&sweep->kinds[kind], parts->until));
    return row;
}

static void list_rows(struct overlap_sweep *sweep, uint32_t rows, struct overlap *overlap)
{
    for (uint32_t i = 0; i < rows; i++) {
        if (overlap->tracks[i].events)
            overlap->tracks[overlap->track_count++] = overlap->tracks[i];
        intervals_free(&sweep->busy[i]);
    }
    for (int kind = 0; kind < OVERLAP_KINDS; kind++) {
        struct overlap_kind *sums = &sweep->sums[kind];

        sums->kind = kind < KIND_COUNT ? (enum frame_kind)kind : KIND_KERNEL;
        sums->family = kind < KIND_COUNT ? FAMILY_NONE : (enum kernel_family)(kind - KIND_COUNT);
        if (sums->events)
            overlap->kinds[overlap->kind_count++] = *sums;
        intervals_free(&sweep->kinds[kind]);
    }
}

static void measure_tracks(const struct graph *graph, bool by_category, struct arena *arena,
                           struct overlap *overlap)
{
    const struct timeline *timeline = &graph->timeline;
    struct overlap_sweep sweep = {.graph = graph, .span = {INT64_MAX, INT64_MIN}};
    struct parts parts;
    uint32_t rows = 0;

    sweep.kind_of = arena_array(arena, graph->frames.count, sizeof(*sweep.kind_of));
    for (frame_id id = 0; id < graph->frames.count; id++) {
        enum kernel_family family = by_category ? graph_class(graph, id).family : FAMILY_NONE;

        sweep.kind_of[id] = family == FAMILY_NONE ? (uint8_t)graph_frame(graph, id)->kind
                                                  : (uint8_t)(KIND_COUNT + family);
    }
    overlap->tracks = arena_array(arena, timeline->track_count, sizeof(*overlap->tracks));
    sweep.busy = grow_zeroed(timeline->track_count, sizeof(*sweep.busy));
    parts_begin(&parts, timeline);
    while (parts_next(&parts))
        rows = add_part(&sweep, &parts, overlap->tracks);
    parts_end(&parts);
    list_rows(&sweep, rows, overlap);
    free(sweep.busy);
    overlap->start = sweep.span.start <= sweep.span.end ? sweep.span.start : 0;
    overlap->span =
        sweep.span.start <= sweep.span.end ? checked_sub(sweep.span.end, sweep.span.start) : 0;
}

/* ---- kernels beside communication ---- */

static int64_t gain_without_slowdowns(const struct execution *execution)
{
    const struct replay_change none = {0};
    int64_t *length = grow_to(NULL, execution->count, sizeof(*length));
    int64_t *end = grow_to(NULL, execution->count, sizeof(*end)), gain;

    replay_lengths(execution, &none, length);
    for (size_t i = 0; i < execution->slowdowns.count; i++) {
        const struct slowdown *slowdown = &execution->slowdowns.list[i];

        length[slowdown->task] = not_negative(length[slowdown->task] - slowdown->time);
    }
    gain = execution->run_end - replay_run(execution, &none, length, end);
    free(length);
    free(end);
    return not_negative(gain);
}

static void list_slowed(const struct execution *execution, struct arena *arena,
                        struct overlap *overlap)
{
    overlap->slowed_count = (uint32_t)execution->slowed.count;
    overlap->slowed = arena_array(arena, execution->slowed.count, sizeof(*overlap->slowed));
    for (uint32_t i = 0; i < overlap->slowed_count; i++)
        overlap->slowed[i] = execution->slowed.list[i];
    if (overlap->slowed_count)
        overlap->slowed_gain = gain_without_slowdowns(execution);
}

/* What a device did in a window. */
static void measure_window(const struct graph *graph, const struct device_work *work,
                           const struct window_bounds *window, struct overlap_device *device)
{
    device->all.start = window->start;
    device->all.span = checked_sub(window->end, window->start);
    add_span(graph, work, &(struct step_span){.start = window->start, .end = window->end},
             &device->all);
    device->all.idle = device->all.span - device->all.busy;
}

void overlap_compute(const struct graph *graph, const struct overlap_options *options,
                     struct arena *arena, struct overlap *overlap)
{
    const struct execution *execution = options->execution;
    struct execution own = {0};
    struct devices_work devices;
    struct steps steps = {0};
    struct arena works = {0};

    *overlap = (struct overlap){0};
    if (options->works) {
        devices = *options->works;
    } else {
        device_work_collect(graph, &works, &devices);
        device_work_time(graph, &works, &devices);
    }
    if (options->by_step)
        steps_find(graph, arena, &steps);
    limit_steps(&steps, devices.count, overlap);
    overlap->devices = arena_array(arena, devices.count, sizeof(*overlap->devices));
    overlap->device_count = devices.count;
    overlap->step_count = steps.count * devices.count;
    overlap->steps = arena_array(arena, overlap->step_count, sizeof(*overlap->steps));
    for (uint32_t i = 0; i < devices.count; i++) {
        const struct device_work *work = &devices.list[i];

        overlap->devices[i].device = work->device;
        if (options->window)
            measure_window(graph, work, options->window, &overlap->devices[i]);
        else
            measure_device(graph, work, &overlap->devices[i]);
        measure_steps(graph, &steps, &devices, i, overlap);
        if (options->has_exposed)
            list_exposed(&work->times, arena, &overlap->devices[i]);
    }
    if (!execution) {
        execution_build(graph, &own);
        execution = &own;
    }
    if (options->gaps) {
        overlap->gaps = *options->gaps;
        overlap->gaps.count = limit_rows(options->gaps->count, options->gap_limit);
    } else {
        gaps_find(execution, &devices, options->gap_limit, options->window, arena, &overlap->gaps);
    }
    list_slowed(execution, arena, overlap);
    execution_free(&own);
    arena_free(&works);
    measure_tracks(graph, options->by_category, arena, overlap);
    if (options->has_queues)
        stream_queues_find(graph, arena, &overlap->queues);
}
