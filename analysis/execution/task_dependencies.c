/* SPDX-License-Identifier: Apache-2.0 */
/* task_dependencies.c — what each task had to wait for, and the lags */
#include "analysis/execution/task_graph.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/parallel/parallel.h"

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
            resumption->stop->is_for_lock ? DEPENDS_ON_LOCK : DEPENDS_ON_HAND_OVER, 0,
            !resumption->stop->is_read);
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
    int64_t least;
    uint32_t track;
    bool is_after;

    if (call == NO_EVENT)
        return;
    track = track_of_event(timeline, call);
    if (timeline->tracks[track].kind != TRACK_THREAD)
        return;
    is_after = is_after_call(timeline, call, work);
    if (!is_after) { /* see submitted_at */
        task_id submitted = task_ending_by(builder->execution, track, timeline->start[work]);

        if (submitted != NO_TASK && builder->execution->end[submitted] == timeline->start[work] &&
            builder->execution->start[submitted] >= timeline->start[call]) {
            add_candidate(candidates, submitted, DEPENDS_ON_LAUNCH, 0, false);
            return;
        }
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

/* What the calls between the launches of the work before and of this made its stream wait for. */
static void join_wait_calls(struct candidates *candidates, uint32_t track, event_id work)
{
    const struct task_builder *builder = candidates->builder;
    const struct timeline *timeline = builder->timeline;
    const struct wait_calls *waits = &builder->wait_calls;
    event_id launch = timeline->launch ? timeline->launch[work] : NO_EVENT, before = NO_EVENT;
    struct wait_call_range range;

    if (launch == NO_EVENT || waits->count == 0)
        return;
    if (work > timeline->tracks[track].first)
        before = timeline->launch[work - 1];
    while (timeline->tracks[track].lane)
        track--;
    wait_calls_between(waits, track, before == NO_EVENT ? INT64_MIN : timeline->start[before],
                       timeline->start[launch], &range);
    for (; range.first < range.past; range.first++)
        add_candidate(
            candidates,
            task_of_work(builder->execution, waits->list[waits->by_stream[range.first]].work),
            DEPENDS_ON_EVENT, 0, true);
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
    join_wait_calls(candidates, track, work);
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

struct joining {
    struct task_builder *builder;
    struct resumptions *resumptions;
};

static void join_or_sort(void *context, size_t sorts)
{
    struct joining *joining = context;
    struct execution *execution = joining->builder->execution;

    if (sorts)
        execution->order = sorted_order(execution->count, comes_before, execution);
    else
        join_tasks(joining->builder, joining->resumptions);
}

void build_dependencies(struct task_builder *builder, struct resumptions *resumptions)
{
    parallel_for(thread_budget(), 2, join_or_sort, &(struct joining){builder, resumptions});
}
