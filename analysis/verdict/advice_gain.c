/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/verdict/advice_gain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/execution/replay.h"
#include "base/memory/grow.h"
#include "graph/classify/frame_class.h"

/* Changes of functions: gone, or as they are even inside others that are gone. */
enum { STAYS = 1, GOES = 2 };

/* What is taken out of the run. */
struct cured {
    const struct execution *execution;
    uint8_t *change_of; /* by frame: STAYS, GOES, or 0: as what is around it */
    bool *is_ignored;   /* by dependency */
};

static void cured_init(struct cured *cured, const struct execution *execution)
{
    cured->execution = execution;
    cured->change_of = grow_zeroed(execution->graph->frames.count, sizeof(uint8_t));
    cured->is_ignored = grow_zeroed((size_t)execution->first[execution->count] + 1, sizeof(bool));
}

static void cured_free(struct cured *cured)
{
    free(cured->change_of);
    free(cured->is_ignored);
}

/* ---- cures ---- */

static bool goes(const struct graph *graph, enum cure cure, frame_id id, frame_id culprit)
{
    const struct frame *frame = graph_frame(graph, id);
    struct frame_class class = graph_class(graph, id);

    switch (cure) {
    case CURE_INPUT:
        return class.role == ROLE_DATALOADER;
    case CURE_LAUNCHES:
        return frame->kind == KIND_RUNTIME || frame->kind == KIND_OPERATOR;
    case CURE_ALLOCATIONS:
        return class.call == CALL_ALLOCATE || class.call == CALL_FREE;
    case CURE_COPIES:
        return frame->kind == KIND_MEMCPY;
    case CURE_COMMUNICATION:
        return frame->kind == KIND_COMMUNICATION;
    case CURE_FUNCTION:
        return id == culprit;
    default:
        return false;
    }
}

/* Whether an event is inside a range of the data loader. */
static bool is_in_loader(const struct graph *graph, event_id event)
{
    enum { EVENTS_ASKED = 64 };
    const struct timeline *timeline = &graph->timeline;
    event_id first = timeline->tracks[track_of_event(timeline, event)].first;

    for (uint32_t asked = 0; asked < EVENTS_ASKED; asked++, event--) {
        if (graph_class(graph, timeline->frame[event]).role == ROLE_DATALOADER)
            return true;
        if (event == first)
            return false;
    }
    return false;
}

/* Whether the cure takes out what a task waited for: device work, or a worker of the data
 * loader. */
static bool is_wait_cured(const struct execution *execution, enum cure cure, task_id task,
                          const struct dependency *dependency)
{
    const struct graph *graph = execution->graph;
    event_id call = execution->event[task];
    enum runtime_call kind =
        call == NO_EVENT ? CALL_NONE : graph_class(graph, graph->timeline.frame[call]).call;

    if (cure == CURE_INPUT)
        return dependency->kind == DEPENDS_ON_HAND_OVER && call != NO_EVENT &&
               is_in_loader(graph, call);
    if (dependency->kind != DEPENDS_ON_WORK)
        return false;
    if (cure == CURE_ALLOCATIONS)
        return kind == CALL_ALLOCATE || kind == CALL_FREE;
    return cure == CURE_WAITS && kind != CALL_ALLOCATE && kind != CALL_FREE;
}

static void apply(struct cured *cured, enum cure cure, frame_id culprit)
{
    const struct execution *execution = cured->execution;
    const struct graph *graph = execution->graph;

    for (frame_id id = 1; id < graph->frames.count; id++)
        if (goes(graph, cure, id, culprit))
            cured->change_of[id] = GOES;
        else if (cure == CURE_FUNCTION && cured->change_of[id] == 0)
            cured->change_of[id] = STAYS; /* what it calls is not its own */
    for (task_id task = 1; task < execution->count; task++)
        for (uint32_t d = execution->first[task]; d < execution->first[task + 1]; d++)
            cured->is_ignored[d] |=
                is_wait_cured(execution, cure, task, &execution->dependencies[d]);
}

/* ---- replaying ---- */

/* How much shorter the run is. */
static int64_t replay(const struct cured *cured)
{
    const struct execution *execution = cured->execution;
    double factors[REPLAY_CHANGES_MAX + 1];
    int64_t *length = grow_to(NULL, execution->count, sizeof(*length));
    int64_t *end = grow_to(NULL, execution->count, sizeof(*end));
    int64_t gain;

    for (int i = 0; i <= REPLAY_CHANGES_MAX; i++)
        factors[i] = i == GOES ? (double)INFINITY : 1;
    replay_lengths(execution, &(struct replay_change){cured->change_of, factors}, length);
    gain = execution->run_end - replay_run_without(execution, cured->is_ignored, length, end);
    free(length);
    free(end);
    return gain > 0 ? gain : 0;
}

int64_t advice_replay(const struct execution *execution, struct finding *findings, uint32_t count)
{
    struct cured all;
    int64_t gain = UNKNOWN;

    cured_init(&all, execution);
    for (uint32_t i = 0; i < count; i++) {
        struct finding *finding = &findings[i];
        const struct timeline *timeline = &execution->graph->timeline;
        frame_id culprit =
            finding->event == NO_EVENT ? finding->frame : timeline->frame[finding->event];
        struct cured one;

        if (!finding->speaks || finding->rule->cure == CURE_NONE ||
            (finding->rule->cure == CURE_FUNCTION && culprit == 0))
            continue;
        cured_init(&one, execution);
        apply(&one, finding->rule->cure, culprit);
        finding->gain = replay(&one);
        for (frame_id id = 1; id < execution->graph->frames.count; id++)
            all.change_of[id] = one.change_of[id] == GOES ? GOES : all.change_of[id];
        for (uint32_t d = 0; d < execution->first[execution->count]; d++)
            all.is_ignored[d] |= one.is_ignored[d];
        gain = 0;
        cured_free(&one);
    }
    if (gain != UNKNOWN)
        gain = replay(&all);
    cured_free(&all);
    return gain;
}
