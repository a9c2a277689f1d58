/* SPDX-License-Identifier: Apache-2.0 */
/* What a user wants changed, as the factors of a replay: functions, launches, waits,
 * collectives, steps. */
#include <stdlib.h>

#include "analysis/execution/idle_gaps.h"
#include "analysis/execution/replay.h"
#include "analysis/timeline/device_work.h"
#include "analysis/timeline/inventory.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "graph/model/walks.h"

void scenario_begin(struct scenario *scenario, const struct execution *execution)
{
    *scenario = (struct scenario){
        .execution = execution,
        .of_frame = grow_zeroed(execution->graph->frames.count, sizeof(*scenario->of_frame))};
    for (int i = 0; i <= REPLAY_CHANGES_MAX; i++)
        scenario->factors[i] = 1;
    scenario->change.of_frame = scenario->of_frame;
    scenario->change.factors = scenario->factors;
}

void scenario_free(struct scenario *scenario)
{
    free(scenario->of_frame);
    free(scenario->of_event);
    free(scenario->of_class);
    free(scenario->is_ignored);
    free(scenario->of_task);
    free(scenario->hidden.list);
}

static void change_frame(struct scenario *scenario, frame_id id, uint8_t part)
{
    if (scenario->of_frame[id] == 0 || scenario->factors[scenario->of_frame[id]] == 1)
        scenario->of_frame[id] = part;
}

/* ---- functions that go ---- */

/* `lasts`: of REMEDY_COPIES. */
static bool goes(const struct graph *graph, enum remedy remedy, frame_id id, const bool *lasts)
{
    const struct frame *frame = graph_frame(graph, id);

    switch (remedy) {
    case REMEDY_COPIES:
        return frame->kind == KIND_MEMCPY || lasts[id];
    case REMEDY_COMMUNICATION:
    case REMEDY_HIDDEN_COMMUNICATION:
        return frame->kind == KIND_COMMUNICATION;
    default:
        return false;
    }
}

/* Of some tools' traces only the events' category says what loads data. */
static void change_loading(struct scenario *scenario, uint8_t part)
{
    const struct timeline *timeline = &scenario->execution->graph->timeline;
    uint8_t *roles = event_roles(scenario->execution->graph);

    for (event_id e = 0; e < timeline->count; e++)
        if (roles[e] == ROLE_DATALOADER)
            change_frame(scenario, timeline->frame[e], part);
    free(roles);
}

void scenario_remove_function(struct scenario *scenario, frame_id function, uint8_t part,
                              uint8_t stays)
{
    for (frame_id id = 1; id < scenario->execution->graph->frames.count; id++)
        if (id == function)
            change_frame(scenario, id, part);
        else if (scenario->of_frame[id] == 0)
            scenario->of_frame[id] = stays;
}

void scenario_change_launching(struct scenario *scenario, uint8_t part)
{
    const struct graph *graph = scenario->execution->graph;

    for (frame_id id = 1; id < graph->frames.count; id++) {
        enum runtime_call call = graph_class(graph, id).call;

        if (call == CALL_LAUNCH || call == CALL_GRAPH_LAUNCH)
            change_frame(scenario, id, part);
    }
    scenario->change.of_launching = part;
}

/* ---- waits that go ---- */

bool event_is_in_loader(const struct graph *graph, event_id event, uint32_t most)
{
    const struct timeline *timeline = &graph->timeline;
    event_id first = timeline->tracks[track_of_event(timeline, event)].first;
    int64_t end = event_end(timeline, event);

    for (uint32_t asked = 0; asked < most; asked++, event--) {
        if (event_end(timeline, event) >= end &&
            graph_class(graph, timeline->frame[event]).role == ROLE_DATALOADER)
            return true;
        if (event == first)
            return false;
    }
    return false;
}

/* Whether the remedy takes out what a task waited for: device work, or a worker of the data
 * loader. */
static bool is_wait_gone(const struct execution *execution, enum remedy remedy, task_id task,
                         const struct dependency *dependency)
{
    enum { EVENTS_ASKED = 64 };
    const struct graph *graph = execution->graph;
    event_id call = execution->event[task], work = execution->event[dependency->from];
    enum runtime_call kind =
        call == NO_EVENT ? CALL_NONE : graph_class(graph, graph->timeline.frame[call]).call;
    bool is_of_memory = kind == CALL_ALLOCATE || kind == CALL_FREE;

    if (remedy == REMEDY_INPUT)
        return dependency->kind == DEPENDS_ON_HAND_OVER && call != NO_EVENT &&
               event_is_in_loader(graph, call, EVENTS_ASKED);
    if (dependency->kind != DEPENDS_ON_WORK)
        return false;
    if (remedy == REMEDY_BLOCKING_COPIES)
        return call != NO_EVENT && graph->timeline.launch && graph->timeline.launch[work] == call &&
               graph_frame(graph, graph->timeline.frame[work])->kind == KIND_MEMCPY;
    return (remedy == REMEDY_ALLOCATIONS && is_of_memory) ||
           (remedy == REMEDY_WAITS && !is_of_memory &&
            (call == NO_EVENT || !is_wait_of_profiler(execution, call)));
}

/* How long the first batch of a thread took: who makes it elsewhere begins with the run, too, and it may be waited
 * for. */
static int64_t first_batch(const struct graph *graph)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t longest = 0;

    for (uint32_t t = 0; t < timeline->track_count; t++) {
        const struct track *track = &timeline->tracks[t];
        event_id event = track->first, end = track->first + track->count;

        while (event < end && graph_class(graph, timeline->frame[event]).role != ROLE_DATALOADER)
            event++;
        if (track->kind == TRACK_THREAD && event < end && timeline->duration[event] > longest)
            longest = timeline->duration[event];
    }
    return longest;
}

static void begin_ignoring(struct scenario *scenario)
{
    const struct execution *execution = scenario->execution;

    if (!scenario->is_ignored)
        scenario->is_ignored =
            grow_zeroed((size_t)execution->first[execution->count] + 1, sizeof(bool));
    scenario->change.is_ignored = scenario->is_ignored;
}

static void ignore_waits(struct scenario *scenario, enum remedy remedy)
{
    const struct execution *execution = scenario->execution;

    begin_ignoring(scenario);
    for (task_id task = 1; task < execution->count; task++)
        for (uint32_t d = execution->first[task]; d < execution->first[task + 1]; d++)
            scenario->is_ignored[d] |=
                is_wait_gone(execution, remedy, task, &execution->dependencies[d]);
}

/* ---- communication that something hides ---- */

/* Hidden or not, all of a device's takes its time. */
static int64_t longest_communication(const struct graph *graph)
{
    struct arena arena = {0};
    struct devices_work devices;
    int64_t longest = 0;

    device_work_collect(graph, &arena, &devices);
    device_work_time(graph, &arena, &devices);
    for (uint32_t i = 0; i < devices.count; i++) {
        int64_t length = intervals_length(&devices.list[i].times.of[WORK_COMMUNICATION]);

        longest = length > longest ? length : longest;
    }
    arena_free(&arena);
    return longest;
}

/* ---- steps that take longer than others ---- */

/* 0 without steps. */
static int64_t median_length(const struct steps *steps, struct arena *arena)
{
    int64_t *lengths = arena_array(arena, steps->count, sizeof(*lengths));

    for (uint32_t i = 0; i < steps->count; i++)
        lengths[i] = steps->list[i].end - steps->list[i].start;
    sort_numbers(lengths, steps->count);
    return steps->count ? lengths[(steps->count - 1) / 2] : 0; /* of two the lower */
}

/* How many times faster a task gets when each part of it gets as much faster as the step that it is
 * in takes longer than the median one. */
static double factor_of(const struct steps *steps, int64_t median, int64_t start, int64_t end)
{
    double before = 0, after = 0;

    SEARCH(uint32_t, at, steps->count, steps->list[at].start <= start);
    for (at = at ? at - 1 : 0; at < steps->count && steps->list[at].start <= end; at++) {
        const struct step *step = &steps->list[at];
        int64_t from = start > step->start ? start : step->start;
        int64_t to = end < step->end ? end : step->end;
        double part = (double)(to - from) + 1; /* what takes no time is somewhere, too */

        if (from > to || step->end - step->start <= median)
            continue;
        before += part;
        after += part * (double)median / (double)(step->end - step->start);
    }
    if (before <= 0)
        return 1;
    before = (double)(end - start) + 1 - before;
    return ((double)(end - start) + 1) / ((before > 0 ? before : 0) + after);
}

static void even_steps(struct scenario *scenario)
{
    const struct execution *execution = scenario->execution;
    struct arena arena = {0};
    struct steps steps;
    int64_t median;

    steps_find(execution->graph, &arena, &steps);
    median = median_length(&steps, &arena);
    scenario->of_task = grow_to(scenario->of_task, execution->count, sizeof(double));
    scenario->change.of_task = scenario->of_task;
    scenario->of_task[0] = 1;
    for (task_id task = 1; task < execution->count; task++)
        scenario->of_task[task] =
            median > 0 ? factor_of(&steps, median, execution->start[task], execution->end[task])
                       : 1;
    arena_free(&arena);
}

/* ---- */

/* The class of the threads' time that goes; IDLE_CLASS_COUNT: none. */
static enum idle_class class_that_goes(enum remedy remedy)
{
    switch (remedy) {
    case REMEDY_ALLOCATIONS:
        return IDLE_OF_ALLOCATOR;
    case REMEDY_LAUNCHES:
        return IDLE_OF_LAUNCH;
    case REMEDY_SETUP:
        return IDLE_OF_SETUP;
    case REMEDY_HOST:
        return IDLE_OF_HOST;
    default:
        return IDLE_CLASS_COUNT;
    }
}

void scenario_apply(struct scenario *scenario, enum remedy remedy, uint8_t part)
{
    const struct graph *graph = scenario->execution->graph;
    enum idle_class class = class_that_goes(remedy);
    bool *lasts = remedy == REMEDY_COPIES ? calls_that_last(graph) : NULL;

    for (frame_id id = 1; id < graph->frames.count; id++)
        if (goes(graph, remedy, id, lasts))
            change_frame(scenario, id, part);
    free(lasts);
    if (remedy == REMEDY_INPUT) {
        change_loading(scenario, part);
        scenario->change.above = first_batch(graph);
    }
    if (remedy == REMEDY_INPUT || remedy == REMEDY_WAITS || remedy == REMEDY_BLOCKING_COPIES ||
        remedy == REMEDY_ALLOCATIONS)
        ignore_waits(scenario, remedy);
    if (class != IDLE_CLASS_COUNT) {
        if (!scenario->of_class)
            scenario->of_class = grow_zeroed(IDLE_CLASS_COUNT, sizeof(*scenario->of_class));
        scenario->change.of_class = scenario->of_class;
        scenario->of_class[class] = part;
    }
    if (remedy == REMEDY_HIDDEN_COMMUNICATION)
        scenario->change.least = longest_communication(graph);
    if (remedy == REMEDY_UNEVEN_STEPS)
        even_steps(scenario);
}

/* ---- inside of events ---- */

/* Marks a thread's events that are such, or inside of one. */
static void mark_inside(const struct timeline *timeline, const struct track *track,
                        const bool *is_function, bool *is_inside)
{
    struct open_events open = {0};

    for (event_id e = track->first; e < track->first + track->count; e++) {
        const struct open_event *around;

        open_events_close_all(&open, timeline->start[e]);
        around = open_events_innermost(&open);
        is_inside[e] = is_function[timeline->frame[e]] || (around && around->tag);
        open_events_add(&open, (struct open_event){event_end(timeline, e), e, is_inside[e]});
    }
    open_events_free(&open);
}

void scenario_change_inside(struct scenario *scenario, const bool *is_function, uint8_t part)
{
    const struct execution *execution = scenario->execution;
    const struct timeline *timeline = &execution->graph->timeline;
    bool *is_inside = grow_zeroed((size_t)timeline->count + 1, sizeof(*is_inside));

    if (!scenario->of_event)
        scenario->of_event = grow_zeroed((size_t)timeline->count + 1, sizeof(uint8_t));
    scenario->change.of_event = scenario->of_event;
    for (frame_id id = 1; id < execution->graph->frames.count; id++)
        if (is_function[id])
            change_frame(scenario, id, part);
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_THREAD)
            mark_inside(timeline, &timeline->tracks[i], is_function, is_inside);
    for (event_id e = 0; e < timeline->count && timeline->launch; e++)
        if (timeline->launch[e] != NO_EVENT && is_inside[timeline->launch[e]] &&
            !scenario->of_event[e])
            scenario->of_event[e] = part;
    free(is_inside);
}

/* Whether the task waited for device work, but for memory. */
static bool waits_for_work(const struct execution *execution, task_id task, uint32_t dependency)
{
    return execution->event[task] != NO_EVENT &&
           is_wait_gone(execution, REMEDY_WAITS, task, &execution->dependencies[dependency]);
}

void scenario_remove_waits(struct scenario *scenario, const bool *is_function)
{
    const struct execution *execution = scenario->execution;
    const struct timeline *timeline = &execution->graph->timeline;
    bool *is_inside = grow_zeroed((size_t)timeline->count + 1, sizeof(*is_inside));

    begin_ignoring(scenario);
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_THREAD)
            mark_inside(timeline, &timeline->tracks[i], is_function, is_inside);
    for (task_id task = 1; task < execution->count; task++)
        for (uint32_t d = execution->first[task]; d < execution->first[task + 1]; d++)
            scenario->is_ignored[d] |=
                waits_for_work(execution, task, d) && is_inside[execution->event[task]];
    free(is_inside);
}

/* How long the thread waited for device work before a task. */
static int64_t waited_before(const struct execution *execution, task_id task)
{
    if (task == execution->first_task[execution->track[task]])
        return 0;
    for (uint32_t d = execution->first[task]; d < execution->first[task + 1]; d++)
        if (waits_for_work(execution, task, d))
            return execution->start[task] - execution->end[task - 1];
    return 0;
}

/* Each wait hides as much of what comes after it, up to the next. */
static void hide_in_waits(struct scenario *scenario, uint32_t track, const uint8_t *is_function)
{
    const struct execution *execution = scenario->execution;
    struct task_pieces pieces = {0};
    struct task_piece piece;
    task_id task = execution->first_task[track];
    int64_t left = 0;

    task_pieces_begin(&pieces, execution, track, is_function);
    while (task_pieces_next(&pieces, &piece)) {
        int64_t hidden = piece.segment.end - piece.segment.start;

        for (; task <= piece.task; task++) {
            int64_t waited = waited_before(execution, task);

            left = waited ? waited : left;
        }
        if (!piece.segment.mark || execution->kind[piece.task] == TASK_WAIT)
            continue;
        hidden = hidden < left ? hidden : left;
        if (hidden)
            vector_add(&scenario->hidden,
                       ((struct hidden_piece){piece.segment.start, hidden, piece.task}));
        left -= hidden;
    }
    task_pieces_free(&pieces);
}

void scenario_run_ahead(struct scenario *scenario, const bool *is_function)
{
    const struct execution *execution = scenario->execution;
    const struct graph *graph = execution->graph;
    uint8_t *is_marked = grow_zeroed(graph->frames.count, sizeof(*is_marked));

    begin_ignoring(
        scenario); /* what it takes at least is not known but of each thread and stream */
    for (frame_id id = 1; id < graph->frames.count; id++)
        is_marked[id] = is_function[id];
    for (uint32_t t = 0; t < graph->timeline.track_count; t++)
        if (graph->timeline.tracks[t].kind == TRACK_THREAD)
            hide_in_waits(scenario, t, is_marked);
    scenario->change.hidden = scenario->hidden.list;
    scenario->change.hidden_count = scenario->hidden.count;
    free(is_marked);
}

/* ---- the run as it was and as it would be ---- */

static bool lasts_longer(const void *context, uint32_t a, uint32_t b)
{
    const struct what_if_row *rows = context;
    int64_t first = rows[a].after > rows[a].before ? rows[a].after : rows[a].before;
    int64_t second = rows[b].after > rows[b].before ? rows[b].after : rows[b].before;

    return first != second ? first > second : rows[a].frame < rows[b].frame;
}

static void list_rows(struct arena *arena, struct what_if *out)
{
    const struct critical_path *before = &out->path[0], *after = &out->path[1];
    uint32_t most = before->row_count + after->row_count, changed = 0;
    struct what_if_row *rows = arena_array(arena, most, sizeof(*rows));
    struct idmap places = {0};

    for (uint32_t i = 0; i < most; i++) {
        bool is_after = i >= before->row_count;
        const struct path_row *row =
            is_after ? &after->rows[i - before->row_count] : &before->rows[i];
        uint32_t *place = idmap_at(&places, row->frame);

        if (*place == IDMAP_NONE) {
            *place = out->row_count++;
            rows[*place].frame = row->frame;
        }
        *(is_after ? &rows[*place].after : &rows[*place].before) = row->time;
    }
    idmap_free(&places);
    for (uint32_t i = 0; i < out->row_count; i++)
        if (rows[i].before != rows[i].after)
            rows[changed++] = rows[i];
    out->unchanged = out->row_count - changed;
    out->row_count = changed;
    out->rows = sorted_copy(arena, rows, sizeof(*rows), changed, changed, lasts_longer);
}

static bool go_one_way(const double *factors)
{
    bool is_faster = false, is_slower = false;

    for (int i = 0; i <= REPLAY_CHANGES_MAX; i++) {
        is_faster |= factors[i] > 1;
        is_slower |= factors[i] < 1;
    }
    return !is_faster || !is_slower;
}

void what_if_compute(const struct execution *execution, const struct replay_change *change,
                     struct arena *arena, struct what_if *out)
{
    int64_t *length = grow_to(NULL, execution->count, sizeof(*length));
    int64_t *end = grow_to(NULL, execution->count, sizeof(*end));

    *out = (struct what_if){.has_bounds = go_one_way(change->factors),
                            .before = execution_span(execution)};
    critical_path_compute(execution, arena, &out->path[0]);
    replay_lengths(execution, change, length);
    out->after = replay_run(execution, change, length, end) - execution->run_start;
    critical_path_find(execution, change, length, end, arena, &out->path[1]);
    replay_bound(execution, change, &out->bounds);
    list_rows(arena, out);
    free(length);
    free(end);
}
