#include "analysis/overlap.h"

#include "base/search.h"

#include "analysis/device_times.h"
#include "analysis/steps.h"

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

static void measure_device(const struct graph *graph, const struct device_work *work,
                           const struct device_times *times, struct overlap_device *device)
{
    int64_t end = INT64_MIN;

    *device = (struct overlap_device){.device = work->device, .all.events = work->count};
    if (work->count == 0)
        return;
    for (uint32_t i = 0; i < work->count; i++) {
        int64_t ends = event_end(&graph->timeline, work->events[i]);

        end = ends > end ? ends : end;
    }
    device->all.start = graph->timeline.start[work->events[0]];
    device->all.span = checked_sub(end, device->all.start);
    measure(times, &device->all);
    device->all.idle = device->all.span - device->all.busy;
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
                     const struct device_times *times, const struct step_span *span,
                     struct overlap_figures *sums)
{
    struct overlap_figures part = {0};
    struct device_times inside = {0};

    device_times_clip(times, span->start, span->end, &inside);
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
                          const struct device_times *times, struct overlap *overlap)
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
            add_span(graph, work, times, &steps->spans[i],
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

/* Ranges that the host named, where they stand on a device, are no work of their own. */
static bool takes_time(const struct graph *graph, const struct track *track, event_id event)
{
    if (track->kind == TRACK_STREAM)
        return is_device_work(graph, event);
    return (track->kind == TRACK_THREAD && track->device < 0) || track->kind == TRACK_ASYNC;
}

static void add_track(const struct graph *graph, uint32_t at, struct intervals *busy,
                      struct overlap_track *out, struct interval *span)
{
    const struct timeline *timeline = &graph->timeline;
    const struct track *track = &timeline->tracks[at];

    for (event_id event = track->first; event < track->first + track->count; event++) {
        int64_t start = timeline->start[event], end = event_end(timeline, event);

        if (!takes_time(graph, track, event))
            continue;
        intervals_cover(busy, start, end);
        span->start = start < span->start ? start : span->start;
        span->end = end > span->end ? end : span->end;
        out->sum = checked_add(out->sum, timeline->duration[event]);
        out->events++;
    }
}

static void measure_tracks(const struct graph *graph, struct arena *arena, struct overlap *overlap)
{
    const struct timeline *timeline = &graph->timeline;
    struct interval span = {INT64_MAX, INT64_MIN};

    overlap->tracks = arena_array(arena, timeline->track_count, sizeof(*overlap->tracks));
    for (uint32_t i = 0; i < timeline->track_count;) {
        struct overlap_track *out = &overlap->tracks[overlap->track_count];
        struct intervals busy = {0};

        *out = (struct overlap_track){.track = i};
        do
            add_track(graph, i, &busy, out, &span);
        while (++i < timeline->track_count && timeline->tracks[i].lane);
        intervals_unite(&busy);
        out->busy = intervals_length(&busy);
        overlap->track_count += out->events > 0;
        intervals_free(&busy);
    }
    overlap->start = span.start <= span.end ? span.start : 0;
    overlap->span = span.start <= span.end ? checked_sub(span.end, span.start) : 0;
}

static void measure_kinds(const struct graph *graph, struct overlap *overlap)
{
    const struct timeline *timeline = &graph->timeline;
    struct intervals spans[KIND_COUNT] = {0};
    struct overlap_kind all[KIND_COUNT] = {0};

    for (uint32_t t = 0; t < timeline->track_count; t++) {
        const struct track *track = &timeline->tracks[t];

        for (event_id event = track->first; event < track->first + track->count; event++) {
            enum frame_kind kind = graph_frame(graph, timeline->frame[event])->kind;

            if (!takes_time(graph, track, event))
                continue;
            intervals_cover(&spans[kind], timeline->start[event], event_end(timeline, event));
            all[kind].sum = checked_add(all[kind].sum, timeline->duration[event]);
            all[kind].events++;
        }
    }
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        intervals_unite(&spans[kind]);
        all[kind].kind = (enum frame_kind)kind;
        all[kind].union_ = intervals_length(&spans[kind]);
        if (all[kind].events)
            overlap->kinds[overlap->kind_count++] = all[kind];
        intervals_free(&spans[kind]);
    }
}

void overlap_compute(const struct graph *graph, const struct overlap_options *options,
                     struct arena *arena, struct overlap *overlap)
{
    struct devices_work devices;
    struct steps steps = {0};

    *overlap = (struct overlap){0};
    device_work_collect(graph, arena, &devices);
    if (options->by_step)
        steps_find(graph, arena, &steps);
    limit_steps(&steps, devices.count, overlap);
    overlap->devices = arena_array(arena, devices.count, sizeof(*overlap->devices));
    overlap->device_count = devices.count;
    overlap->step_count = steps.count * devices.count;
    overlap->steps = arena_array(arena, overlap->step_count, sizeof(*overlap->steps));
    for (uint32_t i = 0; i < devices.count; i++) {
        struct device_times times;

        device_times_collect(graph, &devices.list[i], &times);
        measure_device(graph, &devices.list[i], &times, &overlap->devices[i]);
        measure_steps(graph, &steps, &devices, i, &times, overlap);
        device_times_free(&times);
    }
    gaps_find(graph, &devices, options->gap_limit, arena, &overlap->gaps);
    measure_tracks(graph, arena, overlap);
    measure_kinds(graph, overlap);
}
