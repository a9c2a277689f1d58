/* SPDX-License-Identifier: Apache-2.0 */
/* idle_causes.c — who owned each nanosecond of a gap: back along what held up the work after it */
#include "analysis/execution/idle_gaps.h"

#include <stdlib.h>

#include "analysis/execution/task_graph.h"
#include "analysis/timeline/device_work.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

const struct idle_limits idle_limits_default = {
    .launch = IDLE_LAUNCH_COST,
    .operator= IDLE_OPERATOR_COST,
    .wait = IDLE_WAIT,
    .setup = IDLE_SETUP,
    .large_copy = SMALL_COPY,
};

/* ---- owners ---- */

static void add_owned_by(struct gap_explanation *all, uint32_t at, enum gap_cause cause,
                         enum idle_class class, frame_id frame, event_id event, int64_t time)
{
    struct open_gap *open = &all->open[at];
    struct gaps *gaps = all->gaps;
    uint32_t *place;
    struct idle_owner *owner;

    if (time <= 0)
        return;
    place = idmap_at(&all->owner_of,
                     idmap_pair((uint32_t)cause * IDLE_CLASS_COUNT + (uint32_t) class, frame));
    if (*place == IDMAP_NONE) {
        *place = gaps->owner_count;
        all->owners =
            grow_one(all->owners, gaps->owner_count, &all->owner_cap, sizeof(*all->owners));
        all->last_gap =
            grow_one(all->last_gap, gaps->owner_count, &all->last_cap, sizeof(*all->last_gap));
        all->last_gap[gaps->owner_count] = UINT32_MAX;
        all->owners[gaps->owner_count++] =
            (struct idle_owner){.frame = frame, .cause = cause, .class = class, .event = NO_EVENT};
    }
    owner = &all->owners[*place];
    owner->time = checked_add(owner->time, time);
    owner->gaps += all->last_gap[*place] != open->number;
    if (all->time_of && event != NO_EVENT && (cause == GAP_HOST_LATE || cause == GAP_SYNC))
        all->time_of[event] = checked_add(all->time_of[event], time);
    all->last_gap[*place] = open->number;
    if (time > owner->longest) {
        owner->longest = time;
        owner->event = event;
    }
    gaps->by_class[class] = checked_add(gaps->by_class[class], time);
    open->by_cause[cause] = checked_add(open->by_cause[cause], time);
    if (time > open->longest) {
        open->longest = time;
        open->gap.owner = frame;
        open->gap.class = class;
    }
}

static void add_owned(struct gap_explanation *all, uint32_t at, enum gap_cause cause,
                      enum idle_class class, event_id event, int64_t time)
{
    add_owned_by(all, at, cause, class, event == NO_EVENT ? 0 : all->timeline->frame[event], event,
                 time);
}

/* What the host ran of its own while a device was idle after a wait. */
static void add_after_wait(struct gap_explanation *all, enum idle_class class, event_id event,
                           int64_t time)
{
    struct gaps *gaps = all->gaps;
    struct after_wait *run;
    uint32_t *place;

    if (class != IDLE_OF_HOST || event == NO_EVENT || time <= 0)
        return;
    place = idmap_at(&all->after_wait_of, all->timeline->frame[event]);
    if (*place == IDMAP_NONE) {
        *place = gaps->after_wait_count++;
        all->after_waits =
            grow_one(all->after_waits, *place, &all->after_wait_cap, sizeof(*all->after_waits));
        all->after_waits[*place] = (struct after_wait){.frame = all->timeline->frame[event]};
    }
    run = &all->after_waits[*place];
    run->time = checked_add(run->time, time);
    if (time >= all->execution->limits.wait)
        gaps->worked_after_waits = checked_add(gaps->worked_after_waits, time);
    if (time > run->longest) {
        run->longest = time;
        run->event = event;
    }
}

/* Whether the run had waited for all work of its device, and none came after: profilers stop then. */
static bool is_done(const struct gap_explanation *all, const struct open_gap *open)
{
    return open->gap.after == NO_EVENT && open->sync != NO_EVENT &&
           all->execution->role[all->timeline->frame[open->sync]] == HOST_WAITS_DEVICE;
}

/* Time that a thread owns: its share of what the sync owns goes there. */
static void add_late(struct gap_explanation *all, uint32_t at, enum idle_class class,
                     event_id event, int64_t time)
{
    struct open_gap *open = &all->open[at];
    int64_t before, after;

    if (open->late <= 0 || time <= 0)
        return;
    before = checked_share(open->synced, open->attributed, open->late);
    open->attributed += time;
    after = checked_share(open->synced, open->attributed, open->late);
    if (class == IDLE_OF_REQUESTS || (class == IDLE_OF_PROFILER && is_done(all, open)))
        before = after; /* whatever it waited for before that */
    add_owned(all, at, GAP_SYNC, open->sync_class, open->sync, after - before);
    add_after_wait(all, class, event, after - before);
    add_owned(all, at, GAP_HOST_LATE, class, event, time - (after - before));
}

/* How much of [start, end) the data loader ran. */
static int64_t loading_in(const struct gap_explanation *all, int64_t start, int64_t end)
{
    const struct intervals *set = &all->loading;
    int64_t time = 0;

    SEARCH(size_t, at, set->count, set->list[at].end <= start);
    for (; at < set->count && set->list[at].start < end; at++) {
        int64_t from = set->list[at].start > start ? set->list[at].start : start;
        int64_t to = set->list[at].end < end ? set->list[at].end : end;

        time += to - from;
    }
    return time;
}

static void add_unknown(struct gap_explanation *all, uint32_t at, int64_t start, int64_t end)
{
    int64_t loading = start < end ? loading_in(all, start, end) : 0;

    add_owned(all, at, GAP_UNKNOWN, IDLE_OF_INPUT, NO_EVENT, loading);
    add_owned(all, at, GAP_UNKNOWN, IDLE_OF_UNKNOWN, NO_EVENT, end - start - loading);
}

/* ---- the chain that held up the work after a gap ---- */

/* What of [start, end) is in the gap. */
static int64_t part_in_gap(const struct open_gap *open, int64_t *start, int64_t *end)
{
    int64_t gap_end = open->gap.start + open->gap.length;

    *start = *start > open->gap.start ? *start : open->gap.start;
    *end = *end < gap_end ? *end : gap_end;
    return *end > *start ? *end - *start : 0;
}

static void add_window(struct gap_explanation *all, uint32_t at, uint32_t track, int64_t start,
                       int64_t end, uint32_t loader)
{
    all->open[at].late += end - start;
    all->windows =
        grow_one(all->windows, all->window_count, &all->window_cap, sizeof(*all->windows));
    all->windows[all->window_count++] = (struct gap_window){start, end, track, at, track == loader};
}

static enum idle_class class_of_sync(const struct gap_explanation *all, task_id task,
                                     const struct dependency *by)
{
    const struct execution *execution = all->execution;
    const struct timeline *timeline = all->timeline;
    event_id call = execution->event[task], work = execution->event[by->from];
    enum runtime_call kind;
    int64_t bytes;

    if (call == NO_EVENT)
        return IDLE_OF_SYNC;
    kind = graph_class(execution->graph, timeline->frame[call]).call;
    if (kind == CALL_ALLOCATE || kind == CALL_FREE)
        return IDLE_OF_ALLOCATOR;
    if (by->kind == DEPENDS_ON_SLOT)
        return IDLE_OF_LAUNCH;
    return timeline->launch && timeline->launch[work] == call &&
                   property_of(&timeline->properties[PROP_BYTES], work, &bytes) &&
                   bytes >= execution->limits.large_copy
               ? IDLE_OF_COPY
               : IDLE_OF_SYNC;
}

/* Where a device's first work on record was in its queue for longer than setting up takes, the device did what was
 * asked for before the recording: nothing holds it up. */
static enum idle_class class_of_queue(const struct gap_explanation *all, const struct open_gap *open,
                                      event_id work, int64_t lag)
{
    if (lag <= all->execution->limits.launch)
        return IDLE_OF_LAUNCH;
    return lag >= all->execution->limits.setup && open->gap.before == NO_EVENT &&
                   open->gap.after == work
               ? IDLE_OF_EARLIER
               : IDLE_OF_UNKNOWN;
}

/* The time between a task and what let it begin. */
static void explain_lag(struct gap_explanation *all, uint32_t at, task_id task,
                        const struct dependency *by, uint32_t loader)
{
    const struct execution *execution = all->execution;
    struct open_gap *open = &all->open[at];
    int64_t end = execution->start[task], start = end - by->lag;
    int64_t time = part_in_gap(open, &start, &end);
    event_id work = execution->event[task], call;
    bool is_long = by->lag > execution->limits.launch;
    int64_t early;

    switch (by->kind) {
    case DEPENDS_ON_STREAM:
    case DEPENDS_ON_LAUNCH:
        call = all->timeline->launch ? all->timeline->launch[work] : NO_EVENT;
        if (call == NO_EVENT &&
            property_of(&all->timeline->properties[PROP_EARLY_CALL], work, &early))
            add_owned_by(all, at, is_long ? GAP_OTHER : GAP_LAUNCH_QUEUE,
                         is_long ? IDLE_OF_UNKNOWN : IDLE_OF_LAUNCH, (frame_id)early, NO_EVENT,
                         time);
        else if (call == NO_EVENT)
            add_unknown(all, at, start, end);
        else if (time > 0 && by->kind == DEPENDS_ON_LAUNCH &&
                 all->timeline->start[work] < event_end(all->timeline, call))
            add_window(all, at, track_of_event(all->timeline, call), start, end, loader);
        else
            add_owned(all, at, is_long ? GAP_OTHER : GAP_LAUNCH_QUEUE,
                      class_of_queue(all, open, work, by->lag), call, time);
        return;
    case DEPENDS_ON_EVENT:
        add_owned(all, at, GAP_DEPENDENCY, IDLE_OF_DEPENDENCY, execution->event[by->from], time);
        return;
    case DEPENDS_ON_START:
        add_unknown(all, at, start, end);
        return;
    case DEPENDS_ON_WORK:
    case DEPENDS_ON_SLOT:
        if (open->sync == NO_EVENT) {
            open->sync = work;
            open->sync_class = class_of_sync(all, task, by);
        }
        if (task > execution->first_task[execution->track[task]])
            open->synced += execution->start[task] - execution->end[task - 1];
        break;
    default:
        break;
    }
    if (time > 0)
        add_window(all, at, execution->track[task], start, end, loader);
}

static void explain_task(struct gap_explanation *all, uint32_t at, task_id task, uint32_t loader)
{
    const struct execution *execution = all->execution;
    int64_t start = execution->start[task], end = execution->end[task];
    int64_t time = part_in_gap(&all->open[at], &start, &end);

    if (time == 0)
        return;
    if (execution->kind[task] == TASK_DEVICE)
        add_owned(all, at, GAP_DEPENDENCY, IDLE_OF_DEPENDENCY, execution->event[task], time);
    else
        add_window(all, at, execution->track[task], start, end, loader);
}

/* Whether the task is a wait in the data loader for what is not recorded: another process. */
static bool is_loading_elsewhere(const struct gap_explanation *all, task_id task)
{
    const struct execution *execution = all->execution;

    return execution->kind[task] == TASK_WAIT &&
           task_length(execution, task) > execution->limits.wait &&
           loading_in(all, execution->end[task] - 1, execution->end[task]);
}

/* From the start of a task back to the start of the gap. A thread that another one waited for in the
 * data loader works for that, also before it was waited for. So does another process: what the thread
 * did before its wait held nothing up, for a wait ends when it did, however early it begins. */
static void walk_back(struct gap_explanation *all, uint32_t at, task_id task)
{
    const struct execution *execution = all->execution;
    int64_t floor = all->open[at].gap.start;
    uint32_t loader = UINT32_MAX; /* its track */

    while (task && execution->start[task] > floor) {
        const struct dependency *by = task_decisive(execution, task);

        if (!by)
            break;
        if (by->kind == DEPENDS_ON_HAND_OVER &&
            loading_in(all, execution->start[task] - 1, execution->start[task]))
            loader = execution->track[by->from];
        explain_lag(all, at, task, by, loader);
        if (by->kind != DEPENDS_ON_SLOT && execution->end[by->from] > floor)
            explain_task(all, at, by->from, loader);
        task = by->from;
        if (is_loading_elsewhere(all, task)) {
            int64_t start = floor, end = execution->start[task];

            add_owned(all, at, GAP_HOST_LATE, IDLE_OF_INPUT, execution->event[task],
                      part_in_gap(&all->open[at], &start, &end));
            return;
        }
    }
}

/* What a thread was in when a window ended, in which no more work of the device came. */
static void explain_tail(struct gap_explanation *all, uint32_t at)
{
    const struct execution *execution = all->execution;
    int64_t end = all->open[at].gap.start + all->open[at].gap.length;
    task_id last = 0;

    for (task_id task = 1; task < execution->count; task++)
        if (execution->kind[task] != TASK_DEVICE &&
            (last == 0 || execution->end[task] > execution->end[last]))
            last = task;
    while (last && execution->start[last] >= end) {
        const struct dependency *by = task_decisive(execution, last);

        last = by ? by->from : 0;
    }
    if (last == 0)
        return;
    explain_task(all, at, last, UINT32_MAX);
    walk_back(all, at, last);
}

void gap_explain(struct gap_explanation *all, uint32_t at)
{
    event_id after = all->open[at].gap.after;
    task_id task = after == NO_EVENT ? NO_TASK : task_of_work(all->execution, after);
    struct open_gap *open = &all->open[at];
    int64_t owned = 0;

    if (task != NO_TASK)
        walk_back(all, at, task);
    else
        explain_tail(all, at);
    open = &all->open[at];
    open->synced = open->synced < open->late ? open->synced : open->late;
    for (int cause = 0; cause < GAP_CAUSE_COUNT; cause++)
        owned += open->by_cause[cause];
    add_unknown(all, at, open->gap.start, open->gap.start + open->gap.length - owned - open->late);
}

/* ---- what threads ran in gaps ---- */

static bool is_of_producer(const struct execution *execution, event_id event)
{
    const struct timeline *timeline = &execution->graph->timeline;

    for (size_t i = 0; i < execution->producers.count; i++) {
        const struct track *track = &timeline->tracks[execution->producers.list[i]];

        if (event >= track->first && event < track->first + track->count)
            return true;
    }
    return false;
}

enum idle_class host_piece_class(const struct execution *execution, const struct segment *piece)
{
    const struct graph *graph = execution->graph;
    const struct timeline *timeline = &graph->timeline;
    const struct frame *frame;
    enum runtime_call call;

    if (piece->event == NO_EVENT)
        return IDLE_OF_HOST;
    frame = graph_frame(graph, timeline->frame[piece->event]);
    call = graph_class(graph, timeline->frame[piece->event]).call;
    if (graph_class(graph, timeline->frame[piece->event]).is_profiling)
        return IDLE_OF_PROFILER;
    if (graph_class(graph, timeline->frame[piece->event]).waits_for_requests)
        return IDLE_OF_REQUESTS;
    if (is_of_producer(execution, piece->event))
        return IDLE_OF_INPUT;
    if (call == CALL_ALLOCATE || call == CALL_FREE)
        return is_setup_call(execution, piece->event) ? IDLE_OF_SETUP : IDLE_OF_ALLOCATOR;
    if (role_waits(execution->role[timeline->frame[piece->event]]) &&
        piece->end - piece->start >= execution->limits.wait)
        return IDLE_OF_UNKNOWN; /* nothing recorded: such waits are no part of a task */
    if (frame->kind == KIND_RUNTIME && piece->end - piece->start >= execution->limits.setup &&
        (call == CALL_OTHER || call == CALL_LAUNCH || call == CALL_GRAPH_LAUNCH))
        return IDLE_OF_SETUP;
    if (frame->kind == KIND_RUNTIME ||
        (frame->kind == KIND_OPERATOR && piece->end - piece->start < execution->limits.operator))
        return IDLE_OF_LAUNCH;
    return IDLE_OF_HOST;
}

static void add_piece(struct gap_explanation *all, const struct gap_window *window,
                      const struct segment *segment, int64_t start, int64_t end)
{
    int64_t loading = window->is_loading ? end - start : loading_in(all, start, end);
    uint32_t at = window->gap;

    add_late(all, at, IDLE_OF_INPUT, segment->event, loading);
    add_late(all, at, host_piece_class(all->execution, segment), segment->event,
             end - start - loading);
}

static bool window_before(const void *context, uint32_t a, uint32_t b)
{
    const struct gap_window *windows = context;

    return windows[a].track != windows[b].track ? windows[a].track < windows[b].track
                                                : windows[a].start < windows[b].start;
}

/* Windows of one device are disjoint on a thread; those of several devices may overlap, and each is
 * walked through from where the last one began. */
void gaps_explain_windows(struct gap_explanation *all)
{
    uint32_t *order = grow_to(NULL, all->window_count + 1, sizeof(*order));
    struct innermost place = {0};
    struct segment segment = {0};
    struct segment *kept = NULL; /* what later windows may need again */
    size_t kept_count = 0, kept_cap = 0, first = 0;
    uint32_t track = UINT32_MAX;

    for (size_t i = 0; i < all->window_count; i++)
        order[i] = (uint32_t)i;
    sort_stable(order, all->window_count, window_before, all->windows);
    for (size_t i = 0; i < all->window_count; i++) {
        const struct gap_window *window = &all->windows[order[i]];

        if (window->track != track) {
            track = window->track;
            innermost_begin(&place, all->timeline, track, NULL);
            kept_count = first = 0;
        }
        while (first < kept_count && kept[first].end <= window->start)
            first++;
        if (first == kept_count)
            first = kept_count = 0;
        while ((kept_count == 0 || kept[kept_count - 1].end < window->end) &&
               innermost_next(&place, &segment)) {
            if (segment.end <= window->start)
                continue;
            kept = grow_one(kept, kept_count, &kept_cap, sizeof(*kept));
            kept[kept_count++] = segment;
        }
        for (size_t s = first; s < kept_count && kept[s].start < window->end; s++) {
            int64_t start = kept[s].start > window->start ? kept[s].start : window->start;
            int64_t end = kept[s].end < window->end ? kept[s].end : window->end;

            if (end > start)
                add_piece(all, window, &kept[s], start, end);
        }
    }
    for (uint32_t i = 0; i < all->open_count;
         i++) /* time before or after all of a thread's events */
        add_late(all, i, IDLE_OF_HOST, NO_EVENT, all->open[i].late - all->open[i].attributed);
    free(kept);
    free(order);
    innermost_free(&place);
}
