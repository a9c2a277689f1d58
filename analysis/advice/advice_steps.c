/* SPDX-License-Identifier: Apache-2.0 */
/* advice_steps.c — rules about steps that differ, and about what profiling itself costs */
#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "analysis/execution/task_graph.h"
#include "analysis/timeline/inventory.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"

static int64_t length_of(const struct step *step)
{
    return step->end - step->start;
}

static bool is_shorter(const void *context, uint32_t a, uint32_t b)
{
    const struct step *list = context;

    return length_of(&list[a]) < length_of(&list[b]);
}

/* ---- what one step has more of than another ---- */

static int64_t part_in(const struct step *step, int64_t start, int64_t end)
{
    start = start > step->start ? start : step->start;
    end = end < step->end ? end : step->end;
    return end > start ? end - start : 0;
}

/* By frame, ns that threads and streams were in it in the slow step, less those in the other. */
static void compare_steps(const struct graph *graph, const struct step *slow,
                          const struct step *other, int64_t *more)
{
    const struct timeline *timeline = &graph->timeline;
    struct innermost place = {0};
    struct segment segment;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        if (track->kind != TRACK_THREAD && track->kind != TRACK_STREAM)
            continue;
        innermost_begin(&place, timeline, i, NULL);
        while (innermost_next(&place, &segment))
            if (segment.event != NO_EVENT)
                more[timeline->frame[segment.event]] += part_in(slow, segment.start, segment.end) -
                                                        part_in(other, segment.start, segment.end);
    }
    innermost_free(&place);
}

/* Waiting only tells that something else took longer. */
static frame_id most_of(const struct graph *graph, const int64_t *more)
{
    uint8_t *roles = host_roles(graph);
    frame_id most = 0;

    for (frame_id id = 1; id < graph->frames.count; id++)
        if (more[id] > 0 && !role_waits(roles[id]) && (most == 0 || more[id] > more[most]))
            most = id;
    free(roles);
    return most;
}

/* The function's longest event in the step. */
static void point_at_function(const struct graph *graph, const struct step *step, frame_id function,
                              struct finding *finding)
{
    const struct timeline *timeline = &graph->timeline;

    finding->frame = function;
    for (event_id e = 0; e < timeline->count && function; e++)
        if (timeline->frame[e] == function &&
            part_in(step, timeline->start[e], event_end(timeline, e)) > 0 &&
            (finding->event == NO_EVENT ||
             timeline->duration[e] > timeline->duration[finding->event]))
            finding->event = e;
}

/* By step, ns that its devices computed; the arena's. */
static int64_t *computed_in(const struct advice_context *context, const struct steps *steps)
{
    int64_t *time = arena_array(context->arena, steps->count, sizeof(*time));

    for (uint32_t i = 0; i < context->works->count; i++) {
        const struct intervals *set = &context->works->list[i].times.of[WORK_COMPUTE];

        for (uint32_t s = 0; s < steps->count; s++) {
            SEARCH(size_t, at, set->count, set->list[at].end <= steps->list[s].start);
            for (; at < set->count && set->list[at].start < steps->list[s].end; at++)
                time[s] += part_in(&steps->list[s], set->list[at].start, set->list[at].end);
        }
    }
    return time;
}

/* What comes after all that is recorded in the last step is the recording's end. */
static void end_with_work(const struct graph *graph, struct steps *steps)
{
    const struct timeline *timeline = &graph->timeline;
    struct step *last = &steps->list[0];
    int64_t end = INT64_MIN;

    for (uint32_t i = 1; i < steps->count; i++)
        last = steps->list[i].end > last->end ? &steps->list[i] : last;
    for (event_id e = 0; e < timeline->count; e++)
        if (timeline->start[e] >= last->start && timeline->start[e] < last->end &&
            event_end(timeline, e) > end &&
            graph_frame(graph, timeline->frame[e])->kind != KIND_ANNOTATION &&
            graph_class(graph, timeline->frame[e]).role != ROLE_STEP)
            end = event_end(timeline, e);
    if (end > last->start && end < last->end)
        last->end = end;
}

/* How much longer a step takes than another, without what it computes more: more work is no fault. */
static int64_t longer_by(const struct steps *steps, const int64_t *computed, uint32_t step,
                         uint32_t than)
{
    int64_t more = length_of(&steps->list[step]) - length_of(&steps->list[than]);

    if (computed[step] > computed[than])
        more -= computed[step] - computed[than];
    return more > 0 ? more : 0;
}

void judge_uneven_steps(const struct advice_context *context, struct finding *finding)
{
    const struct graph *graph = context->graph;
    struct steps steps;
    uint32_t *order;
    int64_t saved = 0, *more, *computed;

    steps_find(graph, context->arena, &steps);
    if (steps.count < 3) {
        finding->why_not = "there are fewer than three steps";
        return;
    }
    end_with_work(graph, &steps);
    order = arena_array(context->arena, steps.count, sizeof(*order));
    for (uint32_t i = 0; i < steps.count; i++)
        order[i] = i;
    sort_stable(order, steps.count, is_shorter, steps.list);

    const uint32_t middle = order[(steps.count - 1) / 2], last = order[steps.count - 1];
    const struct step *median = &steps.list[middle], *slowest = &steps.list[last];
    const struct check check = {
        .what = arena_printf(context->arena, "step %lld / median step", (long long)slowest->number),
        .part = length_of(slowest),
        .whole = length_of(median),
        .unit = UNIT_NS,
        .limit = LIMIT_UNEVEN};

    computed = computed_in(context, &steps);
    if (longer_by(&steps, computed, last, middle) < (length_of(slowest) - length_of(median)) / 2) {
        finding->why_not = "the steps that take longer compute more";
        return;
    }
    for (uint32_t i = 0; i < steps.count; i++)
        saved += longer_by(&steps, computed, i, middle);
    finding_set(context, finding, &check, 0, saved < context->whole ? saved : context->whole);
    if (!finding->is_reported)
        return;
    more = grow_zeroed(graph->frames.count, sizeof(*more));
    compare_steps(graph, slowest, median, more);
    point_at_function(graph, slowest, most_of(graph, more), finding);
    free(more);
}

/* ---- the profiler ---- */

/* Each event costs its writer time: some 0.5 to 2 us where Python's functions are recorded, 2 to 6 us where operators are
 * (docs/accuracy.md). */
struct recorded_host recorded_find(const struct graph *graph, const struct device_bottleneck *device)
{
    const struct timeline *timeline = &graph->timeline;
    struct recorded_host recorded = {.span = device->span};

    for (event_id e = 0; e < timeline->count; e++) {
        enum frame_kind kind = graph_frame(graph, timeline->frame[e])->kind;
        bool is_inside = timeline->start[e] >= device->start &&
                         timeline->start[e] - device->start < device->span;

        recorded.python += is_inside && kind == KIND_PYTHON;
        recorded.calls += is_inside && (kind == KIND_PYTHON || kind == KIND_OPERATOR ||
                                        kind == KIND_RUNTIME || kind == KIND_SYNC);
    }
    return recorded;
}

struct check judge_recording(const struct advice_context *context, const struct finding *leading)
{
    struct check check = {.what = "calls of the host recorded / time",
                          .part = context->recorded.calls,
                          .whole = context->recorded.span,
                          .unit = UNIT_COUNT,
                          .limit = LIMIT_RECORDED};

    if (leading->rule->loss == HELD_BY_LAUNCH || leading->rule->loss == HELD_BY_HOST)
        check_judge(&check, context->thresholds);
    return check;
}

void judge_profiler(const struct advice_context *context, struct finding *finding)
{
    int64_t count = context->recorded.python, span = context->recorded.span;

    if (count == 0) {
        finding->why_not = "Python's functions were not recorded";
        return;
    }

    const struct check check = {.what = "Python functions recorded / time",
                                .part = count,
                                .whole = span,
                                .unit = UNIT_COUNT,
                                .limit = LIMIT_PROFILING};

    finding_set(context, finding, &check, UNKNOWN, UNKNOWN);
}
