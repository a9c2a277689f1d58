/* SPDX-License-Identifier: Apache-2.0 */
/* blocked_calls.c — in which calls a thread waited for a device, decided call by call
 *
 *     a call that synchronises     waited for the last work that it was about: all that had been
 *                                  submitted to its stream or device before it
 *     a copy                       waited for itself where it ended in the call, unless its memory
 *                                  was pinned
 *     any other call that submits  likewise, where it lasted much longer than a submission and
 *                                  returned promptly after that work's end
 *                                  where that had nothing to wait for either, and yet began long
 *                                  after the call, the call loaded code or made a context first
 *     freeing memory               waited for the device where that got done meanwhile; allocating
 *                                  does where it returned promptly after that as well
 *     a launch                     waited for room in a full queue where it took much longer than
 *                                  others, much work was queued before its own, and some of that
 *                                  began shortly before it returned */
#include "analysis/execution/task_graph.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

enum {
    RETURN_PROMPT = 50000,   /* ns: what a call still does after what it waited for has ended */
    MEMORY_PROMPT = 10000,   /* of that, what is waking up where the rest is work of its own */
    SUBMISSION_MOST = 20000, /* ns: no call that only submits takes that long */
    WAIT_COST_MOST = 2000,   /* ns: what a call that waits takes by itself, and */
    CALL_COST_MOST = 10000,  /* any other one that may, where none is known that did not wait */
    LOADING_LEAST = 100000,  /* ns: so late no work begins that only had to be launched */
    QUEUE_LEAST = 256,       /* pieces of work: no queue is full with fewer */
    WORKS_ASKED = 64         /* how many are looked at to find one */
};

/* A place in the pass over calls. */
struct call_pass {
    struct task_builder *builder;
    const uint8_t *role;
    uint32_t track;
    event_id call;
    int64_t start, end;
    uint32_t launched;   /* by_launch: where the call's work begins */
    uint32_t row;        /* sync_rows, likewise */
    uint32_t unrecorded; /* the thread's launches so far whose work is not there */
    struct VECTOR_OF(struct blocked_call) judged; /* in the first pass: those that may have waited for work */
    size_t next;                                  /* of these, in the second */
};

static int64_t end_of(const struct call_pass *calls, event_id work)
{
    return event_end(calls->builder->timeline, work);
}

static int64_t launched_at(const struct call_pass *calls, event_id work)
{
    const struct timeline *timeline = calls->builder->timeline;
    event_id launch = timeline->launch ? timeline->launch[work] : NO_EVENT;

    return launch == NO_EVENT ? INT64_MIN : timeline->start[launch];
}

/* ---- what a call waited for ---- */

static bool is_of_pinned(const struct call_pass *calls, event_id work, enum property kind)
{
    const struct graph *graph = calls->builder->graph;
    int64_t text;

    return property_of(&graph->timeline.properties[kind], work, &text) &&
           memory_kind_of(graph_text(graph, (str_id)text)) == MEMORY_PINNED;
}

/* The last of its own work that ended in it. Whether memory is pinned is asked of copies that may return before. */
static event_id own_work(const struct call_pass *calls, bool is_copy, bool *is_pinned)
{
    const struct task_builder *builder = calls->builder;
    const struct timeline *timeline = builder->timeline;
    event_id last = NO_EVENT;

    *is_pinned = false;
    for (uint32_t i = calls->launched; i < builder->launched_count; i++) {
        event_id work = builder->by_launch[i];
        int64_t end = end_of(calls, work);

        if (timeline->launch[work] != calls->call)
            break;
        *is_pinned |=
            is_copy &&
            (is_of_pinned(calls, work, PROP_SRC_KIND) || is_of_pinned(calls, work, PROP_DST_KIND));
        if (end > calls->start && end <= calls->end && timeline->start[work] >= calls->start &&
            (last == NO_EVENT || end > end_of(calls, last)))
            last = work;
    }
    return last;
}

/* The last work on any device that had been submitted before the call and ended by its end; with
 * `thread`, rather one that this thread had submitted, and only one that ended in the call. */
static event_id work_ended_by(const struct call_pass *calls, bool of_thread)
{
    const struct task_builder *builder = calls->builder;
    event_id other = NO_EVENT;

    SEARCH(uint32_t, at, builder->work_count, end_of(calls, builder->by_end[at]) <= calls->end);
    for (uint32_t asked = 0; at > 0 && asked < WORKS_ASKED; asked++) {
        event_id work = builder->by_end[--at], launch;

        if (of_thread && end_of(calls, work) <= calls->start)
            break;
        if (launched_at(calls, work) > calls->start)
            continue;
        if (!of_thread)
            return work;
        launch = builder->timeline->launch ? builder->timeline->launch[work] : NO_EVENT;
        if (launch != NO_EVENT && track_of_event(builder->timeline, launch) == calls->track)
            return work;
        other = other == NO_EVENT ? work : other;
    }
    return other;
}

/* Whether all that had been submitted before the call was done when it returned. */
static bool is_drained(const struct call_pass *calls)
{
    const struct task_builder *builder = calls->builder;

    SEARCH(uint32_t, at, builder->work_count, end_of(calls, builder->by_end[at]) <= calls->end);
    for (uint32_t asked = 0; at < builder->work_count && asked < WORKS_ASKED; asked++, at++)
        if (launched_at(calls, builder->by_end[at]) <= calls->start)
            return false;
    return true;
}

/* The stream that the file says the call waits for; IDMAP_NONE. */
static uint32_t stream_waited_for(const struct call_pass *calls)
{
    const struct task_builder *builder = calls->builder;
    const struct timeline *timeline = builder->timeline;
    const struct track *track;
    event_id row;
    int64_t stream;

    if (calls->row == builder->sync_row_count)
        return IDMAP_NONE;
    row = builder->sync_rows[calls->row];
    if (timeline->launch[row] != calls->call)
        return IDMAP_NONE;
    track = &timeline->tracks[track_of_event(timeline, row)];
    if (!property_of(&timeline->properties[PROP_WAIT_STREAM], row, &stream))
        stream = stream_of_track(track);
    return stream_track(&builder->waits, track->device, stream);
}

static event_id work_waited_for(const struct call_pass *calls, uint8_t role, bool *is_inferred)
{
    uint32_t stream = role == HOST_WAITS_DEVICE ? IDMAP_NONE : stream_waited_for(calls);

    *is_inferred = false;
    if (stream != IDMAP_NONE)
        return ended_of_launched(calls->builder->graph, stream, calls->end, calls->start);
    if (role == HOST_WAITS_DEVICE)
        return work_ended_by(calls, false);
    *is_inferred = true;
    return work_ended_by(calls, true);
}

/* The stream that the thread launched into before, or else the one that worked when the call
 * returned; NULL. */
static const struct track *likely_stream(const struct call_pass *calls)
{
    const struct task_builder *builder = calls->builder;
    const struct timeline *timeline = builder->timeline;
    event_id near = calls->launched ? builder->by_launch[calls->launched - 1] : NO_EVENT;

    if (near == NO_EVENT || timeline->launch[near] < timeline->tracks[calls->track].first) {
        SEARCH(uint32_t, at, builder->work_count, end_of(calls, builder->by_end[at]) <= calls->end);
        if (at == builder->work_count)
            return NULL;
        near = builder->by_end[at];
    }
    return &timeline->tracks[track_of_event(timeline, near)];
}

/* Work on the call's stream whose beginning left room for the call's own, which may have begun after
 * all that is recorded, or that a part of the run shows. */
static event_id slot_waited_for(struct call_pass *calls)
{
    const struct task_builder *builder = calls->builder;
    const struct timeline *timeline = builder->timeline;
    frame_id frame = timeline->frame[calls->call];
    bool is_recorded = calls->launched < builder->launched_count &&
                       timeline->launch[builder->by_launch[calls->launched]] == calls->call;
    const struct track *track;
    event_id own; /* or past the last of the stream */
    uint32_t between = 0;

    if (!is_recorded && graph_class(builder->graph, frame).call == CALL_LAUNCH)
        between = calls->unrecorded++;
    else if (!is_recorded)
        return NO_EVENT;
    if (calls->end - calls->start < 2 * builder->least_cost[frame] + 1000)
        return NO_EVENT;
    own = is_recorded ? builder->by_launch[calls->launched] : NO_EVENT;
    if (is_recorded && timeline->start[own] < calls->end)
        return NO_EVENT;
    track = is_recorded ? &timeline->tracks[track_of_event(timeline, own)] : likely_stream(calls);
    if (!track)
        return NO_EVENT;
    if (!is_recorded)
        own = track->first + track->count;
    SEARCH(event_id, begun, own - track->first,
           timeline->start[track->first + begun] <= calls->end);
    if (begun == 0 || own - (track->first + begun) + between < QUEUE_LEAST)
        return NO_EVENT;
    begun += track->first - 1;
    return timeline->start[begun] > calls->start &&
                   calls->end - timeline->start[begun] <= RETURN_PROMPT
               ? begun
               : NO_EVENT;
}

/* Since when its own work was there to be waited for: from its beginning on where it was late though
 * devices had had nothing to do. */
static int64_t submitted_at(const struct call_pass *calls, event_id own)
{
    const struct task_builder *builder = calls->builder;
    int64_t begun = builder->timeline->start[own], free = calls->start;

    SEARCH(uint32_t, at, builder->work_count, end_of(calls, builder->by_end[at]) <= begun);
    if (at > 0 && end_of(calls, builder->by_end[at - 1]) > free)
        free = end_of(calls, builder->by_end[at - 1]);
    return begun - free < LOADING_LEAST ? calls->start : begun;
}

/* Whether and how the call blocked: false if there is nothing that it may have waited for. */
static bool judge(const struct call_pass *calls, uint8_t role, struct blocked_call *blocked)
{
    int64_t start = calls->start, end = calls->end, done, prompt = RETURN_PROMPT;
    bool is_pinned, is_inferred = true;
    event_id own = own_work(calls, role == HOST_COPIES, &is_pinned), work = own;

    if (role_waits_for_device(role)) {
        work = work_waited_for(calls, role, &is_inferred);
    } else if (role == HOST_FREES || role == HOST_ALLOCATES) {
        prompt = MEMORY_PROMPT;
        work = is_drained(calls) ? work_ended_by(calls, false) : NO_EVENT;
        if (work != NO_EVENT && (end_of(calls, work) <= start ||
                                 (role == HOST_ALLOCATES && end - end_of(calls, work) > prompt)))
            work = NO_EVENT;
    } else if (role == HOST_COPIES_WAITS && own == NO_EVENT) {
        work = work_ended_by(calls, true);
        if (work != NO_EVENT && end - end_of(calls, work) > prompt)
            work = NO_EVENT;
    } else if (role == HOST_COPIES && is_pinned) {
        work = NO_EVENT;
    } else if (role == HOST_SUBMITS && own != NO_EVENT &&
               (end_of(calls, own) - start < SUBMISSION_MOST ||
                end - end_of(calls, own) > prompt)) {
        work = NO_EVENT;
    }
    if (work == NO_EVENT)
        return false;
    done = end_of(calls, work);
    *blocked = (struct blocked_call){
        .call = calls->call,
        .work = work,
        .start = start,
        .submitted_at = work == own ? submitted_at(calls, own) : start,
        .blocked_at = done,
        .resumed_at = end,
        .track = calls->track,
        .is_blocked = done > start,
        .is_inferred = is_inferred,
    };
    if (blocked->is_blocked && end - done > prompt)
        blocked->resumed_at = done + prompt;
    return true;
}

/* ---- all calls ---- */

static bool is_call(uint8_t role)
{
    return role >= HOST_SUBMITS && role <= HOST_WAITS_DEVICE;
}

/* Goes to the next call of the track that has none inside it. */
static bool next_call(struct call_pass *calls)
{
    const struct task_builder *builder = calls->builder;
    const struct timeline *timeline = builder->timeline;
    const struct track *track = &timeline->tracks[calls->track];
    event_id past = track->first + track->count;

    for (event_id e = calls->call + 1; e < past; e++) {
        bool has_inner = e + 1 < past && timeline->start[e + 1] < event_end(timeline, e) &&
                         is_call(calls->role[timeline->frame[e + 1]]);

        if (!is_call(calls->role[timeline->frame[e]]) || timeline->duration[e] == 0 || has_inner)
            continue;
        calls->call = e;
        calls->start = timeline->start[e];
        calls->end = event_end(timeline, e);
        calls->launched = first_launched_by(builder, e, calls->launched);
        while (calls->row < builder->sync_row_count &&
               timeline->launch[builder->sync_rows[calls->row]] < e)
            calls->row++;
        return true;
    }
    return false;
}

/* When work that the call itself submitted began, it had done its own; ns after its start. */
static int64_t submission_time(const struct call_pass *calls, const struct blocked_call *blocked)
{
    const struct timeline *timeline = calls->builder->timeline;

    if (timeline->launch == NULL || timeline->launch[blocked->work] != calls->call ||
        timeline->start[blocked->work] < blocked->start)
        return INT64_MAX;
    return timeline->start[blocked->work] - blocked->start;
}

/* What its own work took at most. */
static void note_cost(const struct call_pass *calls, uint8_t role,
                      const struct blocked_call *blocked)
{
    int64_t most = role_waits_for_device(role) ? WAIT_COST_MOST : CALL_COST_MOST;
    int64_t cost = calls->end - calls->start;
    int64_t *least = &calls->builder->least_cost[calls->builder->timeline->frame[calls->call]];

    if (blocked->is_blocked) {
        int64_t submission = submission_time(calls, blocked);

        cost = blocked->blocked_at - blocked->start;
        cost = cost < most ? cost : most;
        cost = cost < submission ? cost : submission;
    }
    if (cost < *least)
        *least = cost;
}

static void add_blocked(struct task_builder *builder, struct blocked_call *blocked)
{
    int64_t own = blocked->start + builder->least_cost[builder->timeline->frame[blocked->call]];

    own = blocked->submitted_at > own ? blocked->submitted_at : own;
    if (blocked->is_blocked && blocked->blocked_at > own)
        blocked->blocked_at = own;
    builder->blocked = grow_one(builder->blocked, builder->blocked_count, &builder->blocked_cap,
                                sizeof(*builder->blocked));
    builder->blocked[builder->blocked_count++] = *blocked;
}

/* What the calls may have waited for, and so what each takes by itself. */
static void judge_calls(struct call_pass *calls)
{
    const struct timeline *timeline = calls->builder->timeline;

    while (next_call(calls)) {
        uint8_t role = calls->role[timeline->frame[calls->call]];
        struct blocked_call blocked = {0};

        if (judge(calls, role, &blocked))
            vector_add(&calls->judged, blocked);
        note_cost(calls, role, &blocked);
    }
}

static void add_calls(struct call_pass *calls)
{
    const struct timeline *timeline = calls->builder->timeline;
    event_id slot;

    while (next_call(calls)) {
        if (calls->next < calls->judged.count &&
            calls->judged.list[calls->next].call == calls->call) {
            add_blocked(calls->builder, &calls->judged.list[calls->next++]);
            continue;
        }
        slot = slot_waited_for(calls);
        if (slot != NO_EVENT)
            add_blocked(calls->builder, &(struct blocked_call){
                                            .call = calls->call,
                                            .work = slot,
                                            .start = calls->start,
                                            .blocked_at = timeline->start[slot],
                                            .resumed_at = calls->end,
                                            .track = calls->track,
                                            .is_slot = true,
                                            .is_blocked = true,
                                            .is_inferred = true,
                                        });
    }
}

static void pass_over(struct call_pass *calls, void (*pass)(struct call_pass *calls))
{
    const struct timeline *timeline = calls->builder->timeline;

    calls->launched = calls->row = 0;
    for (calls->track = 0; calls->track < timeline->track_count; calls->track++) {
        if (timeline->tracks[calls->track].kind != TRACK_THREAD)
            continue;
        calls->call = timeline->tracks[calls->track].first - 1;
        calls->unrecorded = 0;
        pass(calls);
    }
}

void find_blocked_calls(struct task_builder *builder)
{
    struct call_pass calls = {.builder = builder, .role = builder->execution->role};
    size_t frames = builder->graph->frames.count;

    builder->least_cost = grow_to(NULL, frames, sizeof(*builder->least_cost));
    for (size_t i = 0; i < frames; i++)
        builder->least_cost[i] = INT64_MAX;
    if (builder->work_count == 0)
        return;
    pass_over(&calls, judge_calls);
    pass_over(&calls, add_calls);
    free(calls.judged.list);
}
