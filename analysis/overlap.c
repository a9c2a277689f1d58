#include "analysis/overlap.h"

#include "analysis/intervals.h"
#include "analysis/steps.h"

enum { STEP_ROWS_MAX = 1 << 20 };

/* ---- one device ---- */

/* When a device did what. */
struct activity {
    struct intervals of[WORK_COUNT];
};

static void activity_free(struct activity *activity)
{
    for (int i = 0; i < WORK_COUNT; i++)
        intervals_free(&activity->of[i]);
}

static void measure_activity(const struct graph *graph, const struct device_work *work,
                             struct activity *activity)
{
    const struct timeline *timeline = &graph->timeline;

    *activity = (struct activity){0};
    for (uint32_t i = 0; i < work->count; i++) {
        event_id event = work->events[i];
        enum work what = work_of(graph_frame(graph, timeline->frame[event])->kind);

        intervals_add(&activity->of[what], timeline->start[event], event_end(timeline, event));
    }
    for (int i = 0; i < WORK_COUNT; i++)
        intervals_unite(&activity->of[i]);
}

/* All but start, span, idle and events. */
static void measure(const struct activity *activity, struct overlap_figures *figures)
{
    const struct intervals *compute = &activity->of[WORK_COMPUTE];
    const struct intervals *communication = &activity->of[WORK_COMMUNICATION];
    struct intervals kernels = {0}, exposed = {0};

    figures->compute = intervals_length(compute);
    figures->communication = intervals_length(communication);
    figures->memory = intervals_length(&activity->of[WORK_MEMORY]);
    intervals_subtract(communication, compute, &exposed);
    figures->exposed_communication = intervals_length(&exposed);
    figures->hidden_communication = figures->communication - figures->exposed_communication;
    intervals_add_all(&kernels, compute);
    intervals_add_all(&kernels, communication);
    intervals_unite(&kernels);
    exposed.count = 0;
    intervals_subtract(&activity->of[WORK_MEMORY], &kernels, &exposed);
    figures->exposed_memory = intervals_length(&exposed);
    figures->busy = figures->compute + figures->exposed_communication + figures->exposed_memory;
    intervals_free(&kernels);
    intervals_free(&exposed);
}

static void measure_device(const struct graph *graph, const struct device_work *work,
                           const struct activity *activity, struct overlap_device *device)
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
    measure(activity, &device->all);
    device->all.idle = device->all.span - device->all.busy;
}

/* ---- steps ---- */

/* The part of a set between two times. */
static void clip(const struct intervals *set, int64_t start, int64_t end, struct intervals *out)
{
    size_t low = 0, high = set->count;

    while (low < high) { /* the first that ends after `start` */
        size_t middle = low + (high - low) / 2;

        if (set->list[middle].end <= start)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < set->count && set->list[low].start < end; low++)
        intervals_add(out, set->list[low].start > start ? set->list[low].start : start,
                      set->list[low].end < end ? set->list[low].end : end);
}

static uint32_t count_starts(const struct timeline *timeline, const struct device_work *work,
                             int64_t start)
{
    uint32_t low = 0, high = work->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (timeline->start[work->events[middle]] < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void measure_step(const struct graph *graph, const struct device_work *work,
                         const struct activity *activity, const struct step *step,
                         struct overlap_step *out)
{
    struct activity inside = {0};

    *out = (struct overlap_step){.step = step->number,
                                 .frame = graph->timeline.frame[step->event],
                                 .device = work->device,
                                 .all.start = step->start,
                                 .all.span = checked_sub(step->end, step->start)};
    for (int i = 0; i < WORK_COUNT; i++)
        clip(&activity->of[i], step->start, step->end, &inside.of[i]);
    measure(&inside, &out->all);
    out->all.idle = out->all.span - out->all.busy;
    out->all.events = count_starts(&graph->timeline, work, step->end) -
                      count_starts(&graph->timeline, work, step->start);
    activity_free(&inside);
}

/* Devices one after the other; put in order of steps here. */
static void measure_steps(const struct graph *graph, const struct steps *steps,
                          const struct devices_work *devices, uint32_t device,
                          const struct activity *activity, struct overlap *overlap)
{
    for (uint32_t i = 0; i < steps->count; i++)
        measure_step(graph, &devices->list[device], activity, &steps->list[i],
                     &overlap->steps[(size_t)i * devices->count + device]);
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
                      struct overlap_track *out)
{
    const struct timeline *timeline = &graph->timeline;
    const struct track *track = &timeline->tracks[at];

    for (event_id event = track->first; event < track->first + track->count; event++) {
        if (!takes_time(graph, track, event))
            continue;
        intervals_add(busy, timeline->start[event], event_end(timeline, event));
        out->sum = checked_add(out->sum, timeline->duration[event]);
        out->events++;
    }
}

static void measure_tracks(const struct graph *graph, struct arena *arena, struct overlap *overlap)
{
    const struct timeline *timeline = &graph->timeline;

    overlap->tracks = arena_array(arena, timeline->track_count, sizeof(*overlap->tracks));
    for (uint32_t i = 0; i < timeline->track_count;) {
        struct overlap_track *out = &overlap->tracks[overlap->track_count];
        struct intervals busy = {0};

        *out = (struct overlap_track){.track = i};
        do
            add_track(graph, i, &busy, out);
        while (++i < timeline->track_count && timeline->tracks[i].lane);
        intervals_unite(&busy);
        out->busy = intervals_length(&busy);
        overlap->track_count += out->events > 0;
        intervals_free(&busy);
    }
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
            intervals_add(&spans[kind], timeline->start[event], event_end(timeline, event));
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

static void measure_span(const struct graph *graph, struct overlap *overlap)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t start = INT64_MAX, end = INT64_MIN;

    for (uint32_t t = 0; t < timeline->track_count; t++) {
        const struct track *track = &timeline->tracks[t];

        for (event_id event = track->first; event < track->first + track->count; event++) {
            if (!takes_time(graph, track, event))
                continue;
            start = timeline->start[event] < start ? timeline->start[event] : start;
            end = event_end(timeline, event) > end ? event_end(timeline, event) : end;
        }
    }
    overlap->start = start <= end ? start : 0;
    overlap->span = start <= end ? checked_sub(end, start) : 0;
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
        struct activity activity;

        measure_activity(graph, &devices.list[i], &activity);
        measure_device(graph, &devices.list[i], &activity, &overlap->devices[i]);
        measure_steps(graph, &steps, &devices, i, &activity, overlap);
        activity_free(&activity);
    }
    gaps_find(graph, &devices, options->gap_limit, arena, &overlap->gaps);
    measure_tracks(graph, arena, overlap);
    measure_kinds(graph, overlap);
    measure_span(graph, overlap);
}
