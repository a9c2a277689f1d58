/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/task_graph.h"

#include <stdlib.h>

#include "analysis/timeline/device_work.h"
#include "base/memory/memory.h"

/* How a thread's task came to begin: after a stop, or after a call that blocked. */
struct resumption {
    task_id task;
    const struct thread_stop *stop;     /* or NULL */
    const struct blocked_call *blocked; /* or NULL */
};

struct resumptions {
    struct resumption *list;
    size_t count, cap, at;
};

uint64_t execution_properties(void)
{
    return property_bit(PROP_WAIT_STREAM) | property_bit(PROP_STEP) | property_bit(PROP_SRC_KIND) |
           property_bit(PROP_DST_KIND);
}

/* ---- cutting threads into tasks ---- */

void builder_cut(struct task_builder *builder, uint32_t track, int64_t time)
{
    builder->cuts =
        grow_one(builder->cuts, builder->cut_count, &builder->cut_cap, sizeof(*builder->cuts));
    builder->cuts[builder->cut_count++] = (struct cut){time, track};
}

/* Whether work waits for its call to return: else it began before that. */
static bool is_after_call(const struct timeline *timeline, event_id call, event_id work)
{
    return timeline->start[work] >= event_end(timeline, call);
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
    uint32_t *order = grow_to(NULL, builder->cut_count + 1, sizeof(*order));
    struct cut *sorted = grow_to(NULL, builder->cut_count + 1, sizeof(*sorted));
    size_t kept = 0;

    for (size_t i = 0; i < builder->cut_count; i++)
        order[i] = (uint32_t)i;
    sort_stable(order, builder->cut_count, cut_before, builder->cuts);
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

        all->list = grow_one(all->list, all->count, &all->cap, sizeof(*all->list));
        all->list[all->count++] = cutter->resumption;
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
        add_task(cutter->builder, TASK_WAIT, cutter->track, stop->from, stop->to, stop->event);
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

/* ---- the run and its order ---- */

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

/* What takes no time comes before what begins with it. */
static bool comes_before(const void *context, uint32_t a, uint32_t b)
{
    const struct execution *execution = context;
    bool a_takes_time, b_takes_time;

    if (execution->start[a] != execution->start[b])
        return execution->start[a] < execution->start[b];
    a_takes_time = execution->end[a] > execution->start[a];
    b_takes_time = execution->end[b] > execution->start[b];
    return a_takes_time != b_takes_time ? b_takes_time : a < b;
}

/* ---- dependencies ---- */

enum { CANDIDATES_MAX = 8 };

/* What may have held a task up, the one that counts among equals first. */
struct candidates {
    struct task_builder *builder;
    task_id task;
    struct dependency list[CANDIDATES_MAX]; /* `lag`: the least that it takes */
    int64_t slack[CANDIDATES_MAX];          /* ns from it to the task's start */
    uint32_t count;
};

static void add_candidate(struct candidates *candidates, task_id from, enum dependency_kind kind,
                          int64_t least, bool is_inferred)
{
    const struct execution *execution = candidates->builder->execution;
    int64_t slack;

    if (from == NO_TASK || candidates->count == CANDIDATES_MAX ||
        !comes_before(execution, from, candidates->task))
        return;
    slack = execution->start[candidates->task] -
            (kind == DEPENDS_ON_SLOT ? execution->start[from] : execution->end[from]);
    if (slack < 0)
        return;
    for (uint32_t i = 0; i < candidates->count; i++)
        if (candidates->list[i].from == from &&
            (candidates->list[i].kind == DEPENDS_ON_SLOT) == (kind == DEPENDS_ON_SLOT))
            return;
    candidates->list[candidates->count] = (struct dependency){.lag = least < slack ? least : slack,
                                                              .from = from,
                                                              .kind = (uint8_t)kind,
                                                              .is_inferred = is_inferred};
    candidates->slack[candidates->count++] = slack;
}

/* The latest held the task up: the time since it is its lag. */
static void keep_candidates(struct candidates *candidates)
{
    struct task_builder *builder = candidates->builder;
    struct execution *execution = builder->execution;
    uint32_t binding = 0;

    if (candidates->count == 0)
        add_candidate(candidates, 0, DEPENDS_ON_START, 0, false);
    for (uint32_t i = 1; i < candidates->count; i++)
        if (candidates->slack[i] < candidates->slack[binding])
            binding = i;
    candidates->list[binding].lag = candidates->slack[binding];
    execution->first[candidates->task] = (uint32_t)builder->dependency_count;
    for (uint32_t i = 0; i < candidates->count; i++) {
        execution->dependencies =
            grow_one(execution->dependencies, builder->dependency_count, &builder->dependency_cap,
                     sizeof(*execution->dependencies));
        execution->dependencies[builder->dependency_count++] = candidates->list[i];
    }
}

static void join_host(struct candidates *candidates, const struct resumption *resumption)
{
    const struct task_builder *builder = candidates->builder;
    const struct execution *execution = builder->execution;
    task_id task = candidates->task;
    bool has_last = task > execution->first_task[execution->track[task]];

    if (resumption && resumption->blocked) {
        const struct blocked_call *blocked = resumption->blocked;

        add_candidate(candidates, task_of_work(execution, blocked->work),
                      blocked->is_slot ? DEPENDS_ON_SLOT : DEPENDS_ON_WORK, 0,
                      blocked->is_inferred);
    }
    if (resumption && resumption->stop && resumption->stop->waker != UINT32_MAX)
        add_candidate(
            candidates,
            task_ending_by(execution, resumption->stop->waker, resumption->stop->waker_time),
            DEPENDS_ON_HAND_OVER, 0, !resumption->stop->is_read);
    if (has_last)
        add_candidate(candidates, task - 1, DEPENDS_ON_THREAD, 0, false);
}

/* What launching takes at most by itself; longer ones waited for something else. */
enum { LAUNCH_MOST = 30000 /* ns */ };

/* What the quickest launch of each function took from the call to the work; where all of a
 * function's waited for something else, that of any. */
struct launch_lags {
    int64_t *after_call, *after_start; /* by frame */
    int64_t least;                     /* of after_call */
};

static int64_t *launch_lag(const struct launch_lags *lags, const struct timeline *timeline,
                           event_id call, bool is_after)
{
    return &(is_after ? lags->after_call : lags->after_start)[timeline->frame[call]];
}

static struct launch_lags find_launch_lags(const struct task_builder *builder)
{
    const struct timeline *timeline = builder->timeline;
    size_t frames = builder->graph->frames.count;
    struct launch_lags lags = {grow_to(NULL, frames, sizeof(int64_t)),
                               grow_to(NULL, frames, sizeof(int64_t)), INT64_MAX};

    for (size_t i = 0; i < frames; i++)
        lags.after_call[i] = lags.after_start[i] = INT64_MAX;
    for (uint32_t i = 0; i < builder->launched_count; i++) {
        event_id work = builder->by_launch[i], call = timeline->launch[work];
        bool is_after = is_after_call(timeline, call, work);
        int64_t from = is_after ? event_end(timeline, call) : timeline->start[call];
        int64_t *least = launch_lag(&lags, timeline, call, is_after);

        if (timeline->start[work] >= from && timeline->start[work] - from < *least)
            *least = timeline->start[work] - from;
        if (is_after && *least < lags.least)
            lags.least = *least;
    }
    lags.least = lags.least > LAUNCH_MOST ? 0 : lags.least;
    return lags;
}

static void join_to_launch(struct candidates *candidates, const struct launch_lags *lags)
{
    const struct task_builder *builder = candidates->builder;
    const struct timeline *timeline = builder->timeline;
    event_id work = builder->execution->event[candidates->task];
    event_id call = timeline->launch ? timeline->launch[work] : NO_EVENT;
    task_id submitted;
    int64_t least;
    uint32_t track;
    bool is_after;

    if (call == NO_EVENT)
        return;
    track = track_of_event(timeline, call);
    if (timeline->tracks[track].kind != TRACK_THREAD)
        return;
    is_after = is_after_call(timeline, call, work);
    submitted = task_ending_by(builder->execution, track, timeline->start[work]);
    if (!is_after && submitted != NO_TASK &&
        builder->execution->end[submitted] == timeline->start[work] &&
        builder->execution->start[submitted] >= timeline->start[call]) { /* see submitted_at */
        add_candidate(candidates, submitted, DEPENDS_ON_LAUNCH, 0, false);
        return;
    }
    least = *launch_lag(lags, timeline, call, is_after);
    if (least > LAUNCH_MOST)
        least = is_after ? lags->least : 0;
    add_candidate(candidates,
                  task_ending_by(builder->execution, track,
                                 is_after ? event_end(timeline, call) : timeline->start[call]),
                  DEPENDS_ON_LAUNCH, least, false);
}

/* Some devices (MTIA) run one kernel at a time, whichever streams they are in: so those of this one
 * did, if none ever overlapped, and most began promptly after one of another stream. */
static bool runs_one_by_one(const struct task_builder *builder, int32_t device)
{
    enum { TURN = 50000, KERNELS_MIN = 32 };
    const struct timeline *timeline = builder->timeline;
    uint32_t streams = 0, kernels = 0, turns = 0, last_track = 0;
    event_id last = NO_EVENT;

    for (uint32_t i = 0; i < timeline->track_count; i++)
        streams += timeline->tracks[i].kind == TRACK_STREAM && timeline->tracks[i].device == device;
    if (streams < 2)
        return false;
    for (uint32_t i = 0; i < builder->work_count; i++) {
        event_id work = builder->by_end[i];
        uint32_t track = track_of_event(timeline, work);
        int64_t gap;

        if (graph_frame(builder->graph, timeline->frame[work])->kind != KIND_KERNEL ||
            timeline->tracks[track].device != device)
            continue;
        gap = last == NO_EVENT ? TURN : timeline->start[work] - event_end(timeline, last);
        if (gap < 0)
            return false;
        kernels++;
        turns += gap < TURN && track != last_track;
        last = work;
        last_track = track;
    }
    return kernels >= KERNELS_MIN && turns > kernels / 2;
}

static bool takes_turns(struct task_builder *builder, event_id work, int32_t device)
{
    uint32_t *known;

    if (graph_frame(builder->graph, builder->timeline->frame[work])->kind != KIND_KERNEL)
        return false;
    known = idmap_at(&builder->one_by_one, (uint32_t)device);
    if (*known == IDMAP_NONE)
        *known = runs_one_by_one(builder, device);
    return *known;
}

/* Files without the waits of streams for one another, and what one call submitted to several
 * streams: work that began right after another stream of its device had ended, and long after all
 * that is known to have held it up, waited for that. */
static void guess_stream_wait(struct candidates *candidates)
{
    enum { PROMPT = 30000, WORKS_ASKED = 64, TURN_PROMPT = 250000 };
    struct task_builder *builder = candidates->builder;
    const struct timeline *timeline = builder->timeline;
    const struct execution *execution = builder->execution;
    event_id work = execution->event[candidates->task];
    int32_t device = timeline->tracks[execution->track[candidates->task]].device;
    bool has_waits = timeline->properties[PROP_WAIT_STREAM].count > 0;
    int64_t start = timeline->start[work], prompt;
    uint32_t count = candidates->count;
    bool has_turn;

    for (uint32_t i = 0; i < candidates->count; i++)
        if (candidates->slack[i] <= PROMPT)
            return;
    has_turn = takes_turns(builder, work, device);
    prompt = has_turn ? TURN_PROMPT : PROMPT;
    SEARCH(uint32_t, at, builder->work_count, event_end(timeline, builder->by_end[at]) <= start);
    for (uint32_t asked = 0; at > 0 && asked < WORKS_ASKED; asked++) {
        event_id other = builder->by_end[--at];

        if (start - event_end(timeline, other) > prompt)
            return;
        if (timeline->duration[other] == 0 ||
            timeline->tracks[track_of_event(timeline, other)].device != device ||
            (has_turn &&
             graph_frame(builder->graph, timeline->frame[other])->kind != KIND_KERNEL) ||
            (has_waits && !has_turn &&
             (timeline->launch == NULL || timeline->launch[work] == NO_EVENT ||
              timeline->launch[other] != timeline->launch[work])))
            continue;
        add_candidate(candidates, task_of_work(execution, other), DEPENDS_ON_EVENT, 0, true);
        builder->execution->guesses += candidates->count > count;
        return;
    }
}

static void join_device(struct candidates *candidates, const struct launch_lags *lags)
{
    const struct task_builder *builder = candidates->builder;
    const struct timeline *timeline = builder->timeline;
    const struct execution *execution = builder->execution;
    task_id task = candidates->task;
    uint32_t track = execution->track[task];
    event_id work = execution->event[task], other;

    if (timeline->tracks[track].lane ||
        (track + 1 < timeline->track_count && timeline->tracks[track + 1].lane)) {
        other = ended_on_stream(builder->graph, track, timeline->start[work]);
        if (other != NO_EVENT && other != work)
            add_candidate(candidates, task_of_work(execution, other), DEPENDS_ON_STREAM, 0, false);
    }
    if (task > execution->first_task[track])
        add_candidate(candidates, task - 1, DEPENDS_ON_STREAM, 0, false);
    join_to_launch(candidates, lags);
    other = stream_dependency(&builder->waits, track, work);
    if (other != NO_EVENT)
        add_candidate(candidates, task_of_work(execution, other), DEPENDS_ON_EVENT, 0, false);
    guess_stream_wait(candidates);
}

static void join_tasks(struct task_builder *builder, struct resumptions *resumptions)
{
    struct execution *execution = builder->execution;
    struct launch_lags lags = find_launch_lags(builder);

    execution->first = grow_zeroed((size_t)execution->count + 1, sizeof(*execution->first));
    for (task_id task = 1; task < execution->count; task++) {
        struct candidates candidates = {.builder = builder, .task = task};
        const struct resumption *resumption = NULL;

        if (resumptions->at < resumptions->count && resumptions->list[resumptions->at].task == task)
            resumption = &resumptions->list[resumptions->at++];
        if (execution->kind[task] == TASK_DEVICE)
            join_device(&candidates, &lags);
        else
            join_host(&candidates, resumption);
        keep_candidates(&candidates);
    }
    execution->first[execution->count] = (uint32_t)builder->dependency_count;
    free(lags.after_call);
    free(lags.after_start);
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
    stream_waits_free(&builder->waits);
    worker_threads_free(&builder->workers);
}

void execution_build(const struct graph *graph, struct execution *execution)
{
    struct task_builder builder = {
        .graph = graph, .timeline = &graph->timeline, .execution = execution};
    uint32_t tracks = graph->timeline.track_count;
    struct resumptions resumptions = {0};

    *execution = (struct execution){
        .graph = graph,
        .role = host_roles(graph),
        .takes_part = grow_zeroed((size_t)tracks + 1, sizeof(bool)),
        .first_task = grow_zeroed((size_t)tracks + 1, sizeof(task_id)),
    };
    build_device_index(&builder);
    stream_waits_index(graph, &builder.waits);
    worker_threads_find(graph, execution->role, &builder.workers);
    find_blocked_calls(&builder);
    find_thread_stops(&builder);
    cut_at_launches(&builder);
    sort_cuts(&builder);
    cut_all(&builder, &resumptions);
    free(builder.cuts);
    find_bounds(execution);
    execution->order = grow_to(NULL, execution->count, sizeof(*execution->order));
    for (task_id i = 0; i < execution->count; i++)
        execution->order[i] = i;
    sort_stable(execution->order, execution->count, comes_before, execution);
    join_tasks(&builder, &resumptions);
    free(resumptions.list);
    free_builder(&builder);
}
