/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts threads into tasks where they launched or waited, and makes the graph of tasks and
 * dependencies. */
#include "analysis/execution/task_graph.h"

#include <stdlib.h>

#include "analysis/execution/loader_batches.h"
#include "analysis/timeline/device_work.h"
#include "base/memory/memory.h"
#include "base/parallel/parallel.h"

uint64_t execution_properties(void)
{
    return property_bit(PROP_WAIT_STREAM) | property_bit(PROP_STEP) | property_bit(PROP_SRC_KIND) |
           property_bit(PROP_DST_KIND);
}

/* ---- where threads stopped ---- */

static bool stops_sooner(const void *context, uint32_t a, uint32_t b)
{
    const struct thread_stop *stops = context;

    return stops[a].track != stops[b].track ? stops[a].track < stops[b].track
                                            : stops[a].from < stops[b].from;
}

void add_thread_stops(struct task_builder *builder, struct thread_stops *more)
{
    size_t kept = 0, new_count = more->count;
    struct thread_stop *sorted;
    uint32_t *order;

    for (size_t i = 0; i < builder->stop_count; i++)
        vector_add(more, builder->stops[i]);
    order = sorted_order(more->count, stops_sooner, more->list);
    sorted = grow_to(NULL, more->count + 1, sizeof(*sorted));
    for (size_t i = 0; i < more->count; i++) {
        const struct thread_stop *stop = &more->list[order[i]];
        bool is_over =
            kept && sorted[kept - 1].track == stop->track && sorted[kept - 1].to > stop->from;

        if (order[i] >= new_count || !is_over)
            sorted[kept++] = *stop;
    }
    free(order);
    free(builder->stops);
    builder->stops = sorted;
    builder->stop_count = kept;
    builder->stop_cap = more->count + 1;
}

/* ---- cutting threads into tasks ---- */

void builder_cut(struct task_builder *builder, uint32_t track, int64_t time)
{
    builder->cuts =
        grow_one(builder->cuts, builder->cut_count, &builder->cut_cap, sizeof(*builder->cuts));
    builder->cuts[builder->cut_count++] = (struct cut){time, track};
}

/* Where calls submitted work: at their ends, or at their starts where it began sooner. */
static void cut_at_launches(struct task_builder *builder)
{
    const struct timeline *timeline = builder->timeline;
    event_id last = NO_EVENT;
    bool has_start = false, has_end = false;
    uint32_t track = 0;

    for (uint32_t i = 0; i < builder->launched_count; i++) {
        event_id work = builder->by_launch[i], call = timeline->launch[work];
        bool is_after = is_after_call(timeline, call, work);

        if (call != last) {
            track = track_of_event(timeline, call);
            has_start = has_end = false;
            last = call;
        }
        if (is_after ? has_end : has_start)
            continue;
        builder_cut(builder, track, is_after ? event_end(timeline, call) : timeline->start[call]);
        if (is_after)
            has_end = true;
        else
            has_start = true;
    }
}

static bool cut_before(const void *context, uint32_t a, uint32_t b)
{
    const struct cut *cuts = context;

    return cuts[a].track != cuts[b].track ? cuts[a].track < cuts[b].track
                                          : cuts[a].time < cuts[b].time;
}

static void sort_cuts(struct task_builder *builder)
{
    uint32_t *order = sorted_order(builder->cut_count, cut_before, builder->cuts);
    struct cut *sorted = grow_to(NULL, builder->cut_count + 1, sizeof(*sorted));
    size_t kept = 0;

    for (size_t i = 0; i < builder->cut_count; i++) {
        const struct cut *cut = &builder->cuts[order[i]];

        if (kept == 0 || sorted[kept - 1].track != cut->track || sorted[kept - 1].time != cut->time)
            sorted[kept++] = *cut;
    }
    free(order);
    free(builder->cuts);
    builder->cuts = sorted;
    builder->cut_count = kept;
}

static task_id add_task(struct task_builder *builder, enum task_kind kind, uint32_t track,
                        int64_t start, int64_t end, event_id event)
{
    struct execution *execution = builder->execution;
    task_id task = execution->count++;

    if (task == builder->task_cap) {
        size_t cap = grow_cap(builder->task_cap, (size_t)task + 1);

        execution->start = grow_to(execution->start, cap, sizeof(*execution->start));
        execution->end = grow_to(execution->end, cap, sizeof(*execution->end));
        execution->track = grow_to(execution->track, cap, sizeof(*execution->track));
        execution->event = grow_to(execution->event, cap, sizeof(*execution->event));
        execution->kind = grow_to(execution->kind, cap, sizeof(*execution->kind));
        builder->task_cap = (uint32_t)cap;
    }
    execution->start[task] = start;
    execution->end[task] = end;
    execution->track[task] = track;
    execution->event[task] = event;
    execution->kind[task] = (uint8_t)kind;
    return task;
}

/* A thread on its way through its stops, blocked calls and cuts. */
struct thread_cutter {
    struct task_builder *builder;
    struct resumptions *resumptions;
    uint32_t track;
    int64_t start;                /* of the task that is open */
    struct resumption resumption; /* of that task */
    int64_t last_end;             /* of the task before it; INT64_MIN */
};

/* Ends the open task; one that takes no time is there only for what depends on it. */
static void close_task(struct thread_cutter *cutter, int64_t end)
{
    bool has_resumption = cutter->resumption.stop || cutter->resumption.blocked;
    event_id event = NO_EVENT;

    if (end == cutter->start && !has_resumption && cutter->last_end == end)
        return;
    if (cutter->resumption.stop)
        event = cutter->resumption.stop->event;
    if (cutter->resumption.blocked)
        event = cutter->resumption.blocked->call;
    cutter->resumption.task =
        add_task(cutter->builder, TASK_HOST, cutter->track, cutter->start, end, event);
    if (has_resumption) {
        struct resumptions *all = cutter->resumptions;

        vector_add(all, cutter->resumption);
    }
    cutter->resumption = (struct resumption){0};
    cutter->start = cutter->last_end = end;
}

static void pass_stop(struct thread_cutter *cutter, const struct thread_stop *stop, int64_t end)
{
    if (stop->from < cutter->start) /* the thread's beginning */
        return;
    if (stop->is_wait && stop->to >= end) /* it waits to the end, for nothing */
        return;
    if (stop->from > cutter->start || cutter->resumption.stop || cutter->resumption.blocked)
        close_task(cutter, stop->from);
    if (stop->is_wait && stop->waker == UINT32_MAX) {
        task_id task =
            add_task(cutter->builder, TASK_WAIT, cutter->track, stop->from, stop->to, stop->event);

        if (stop->batch != NO_EVENT)
            vector_add(&cutter->builder->execution->batches,
                       ((struct loader_batch){.task = task,
                                              .event = stop->batch,
                                              .is_short = stop->short_from == stop->from &&
                                                          stop->from < stop->to}));
        cutter->start = cutter->last_end = stop->to;
        return;
    }
    cutter->start = stop->to;
    cutter->resumption.stop = stop;
}

static void pass_blocked(struct thread_cutter *cutter, const struct blocked_call *blocked)
{
    if (blocked->blocked_at < cutter->start && blocked->is_blocked)
        return;
    if (!blocked->is_blocked) { /* it goes on at once, unless the work gets slower */
        if (blocked->resumed_at < cutter->start)
            return;
        close_task(cutter, blocked->resumed_at);
    } else {
        close_task(cutter, blocked->blocked_at);
        cutter->start = blocked->resumed_at;
    }
    cutter->resumption.blocked = blocked;
}

/* When the thread's first event begins and its last ends, without what waits at the end. */
static bool thread_bounds(const struct task_builder *builder, uint32_t track,
                          const struct thread_stop *last_stop, int64_t *start, int64_t *end)
{
    const struct timeline *timeline = builder->timeline;
    const struct track *at = &timeline->tracks[track];

    *start = INT64_MAX;
    *end = INT64_MIN;
    for (event_id e = at->first; e < at->first + at->count; e++) {
        if (timeline->duration[e] == 0)
            continue;
        *start = timeline->start[e] < *start ? timeline->start[e] : *start;
        *end = event_end(timeline, e) > *end ? event_end(timeline, e) : *end;
    }
    if (last_stop && last_stop->is_wait && last_stop->to >= *end)
        *end = last_stop->from;
    return *start <= *end;
}

static void cut_thread(struct thread_cutter *cutter, const struct thread_stop *stops, size_t count,
                       const struct blocked_call *blocked, size_t blocked_count,
                       const struct cut *cuts, size_t cut_count)
{
    size_t stop = 0, call = 0, cut = 0;
    int64_t end;

    if (!thread_bounds(cutter->builder, cutter->track, count ? &stops[count - 1] : NULL,
                       &cutter->start, &end))
        return;
    if (count && stops[0].from == INT64_MIN)
        cutter->resumption.stop = &stops[stop++];
    for (;;) {
        int64_t at_cut = cut < cut_count ? cuts[cut].time : INT64_MAX;
        int64_t at_stop = stop < count ? stops[stop].from : INT64_MAX;
        int64_t at_call = call < blocked_count ? blocked[call].blocked_at : INT64_MAX;

        if (call < blocked_count && !blocked[call].is_blocked)
            at_call = blocked[call].resumed_at;
        if (at_cut >= end && at_stop >= end && at_call > end)
            break;
        if (at_cut <= at_stop && at_cut <= at_call) {
            if (at_cut >= cutter->start && at_cut <= end)
                close_task(cutter, at_cut);
            cut++;
        } else if (at_stop <= at_call) {
            pass_stop(cutter, &stops[stop++], end);
        } else {
            pass_blocked(cutter, &blocked[call++]);
        }
    }
    if (cutter->start <= end)
        close_task(cutter, end);
}

static void add_device_tasks(struct task_builder *builder, uint32_t track)
{
    const struct timeline *timeline = builder->timeline;
    const struct track *at = &timeline->tracks[track];

    for (event_id e = at->first; e < at->first + at->count; e++)
        if (is_device_work(builder->graph, e))
            add_task(builder, TASK_DEVICE, track, timeline->start[e], event_end(timeline, e), e);
}

static void cut_all(struct task_builder *builder, struct resumptions *resumptions)
{
    const struct timeline *timeline = builder->timeline;
    struct execution *execution = builder->execution;
    size_t stop = 0, call = 0, cut = 0;

    add_task(builder, TASK_START, UINT32_MAX, 0, 0, NO_EVENT);
    for (uint32_t t = 0; t < timeline->track_count; t++) {
        struct thread_cutter cutter = {
            .builder = builder, .resumptions = resumptions, .track = t, .last_end = INT64_MIN};
        size_t first_stop = stop, first_call = call, first_cut = cut;

        while (stop < builder->stop_count && builder->stops[stop].track == t)
            stop++;
        while (call < builder->blocked_count && builder->blocked[call].track == t)
            call++;
        while (cut < builder->cut_count && builder->cuts[cut].track <= t)
            cut++;
        execution->first_task[t] = execution->count;
        if (timeline->tracks[t].kind == TRACK_STREAM)
            add_device_tasks(builder, t);
        else if (execution->takes_part[t])
            cut_thread(&cutter, stop > first_stop ? &builder->stops[first_stop] : NULL,
                       stop - first_stop, call > first_call ? &builder->blocked[first_call] : NULL,
                       call - first_call, cut > first_cut ? &builder->cuts[first_cut] : NULL,
                       cut - first_cut);
    }
    execution->first_task[timeline->track_count] = execution->count;
}

static void find_bounds(struct execution *execution)
{
    int64_t start = INT64_MAX, end = INT64_MIN;

    for (task_id i = 1; i < execution->count; i++) {
        start = execution->start[i] < start ? execution->start[i] : start;
        end = execution->end[i] > end ? execution->end[i] : end;
    }
    if (start > end)
        start = end = 0;
    execution->run_start = execution->start[0] = execution->end[0] = start;
    execution->run_end = end;
}

/* ---- all of it ---- */

static void free_builder(struct task_builder *builder)
{
    free(builder->by_end);
    idmap_free(&builder->one_by_one);
    free(builder->by_launch);
    free(builder->blocked);
    free(builder->least_cost);
    free(builder->stops);
    free(builder->releases.list);
    stream_waits_free(&builder->waits);
    free(builder->wait_calls.list);
    free(builder->wait_calls.by_stream);
    worker_threads_free(&builder->workers);
}

/* What calls of the device and what threads among themselves waited for have nothing in common: the
 * two are found at once. */
static void find_waits(void *context, size_t of_threads)
{
    struct task_builder *builder = context;

    if (of_threads) {
        worker_threads_find(builder->graph, builder->execution->role, &builder->workers);
        find_thread_stops(builder);
        return;
    }
    build_device_index(builder);
    stream_waits_index(builder->graph, &builder->waits);
    find_wait_calls(builder);
    find_blocked_calls(builder);
}

void execution_build(const struct graph *graph, struct execution *execution)
{
    struct task_builder builder = {
        .graph = graph, .timeline = &graph->timeline, .execution = execution};
    uint32_t tracks = graph->timeline.track_count;
    struct resumptions resumptions = {0};

    *execution = (struct execution){
        .graph = graph,
        .limits = idle_limits_default,
        .role = host_roles(graph),
        .takes_part = grow_zeroed((size_t)tracks + 1, sizeof(bool)),
        .first_task = grow_zeroed((size_t)tracks + 1, sizeof(task_id)),
    };
    parallel_for(thread_budget(), 2, find_waits, &builder);
    find_setup_calls(graph, execution);
    settle_thread_stops(&builder);
    find_lock_releases(&builder);
    cut_at_launches(&builder);
    sort_cuts(&builder);
    cut_all(&builder, &resumptions);
    free(builder.cuts);
    find_bounds(execution);
    keep_lock_releases(&builder);
    date_batches(execution);
    find_slowed_kernels(execution);
    build_dependencies(&builder, &resumptions);
    free(resumptions.list);
    free_builder(&builder);
}
