/* SPDX-License-Identifier: Apache-2.0 */
/* advice_idle.c — rules about time in which a device has nothing to do */
#include <math.h>

#include "analysis/advice/advice.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

enum { CHUNKS = 30 };

/* At the event that owns most of the idle time of a class, unless that is less than a hundredth. */
static void point_at(const struct advice_context *context, enum idle_class class,
                     struct finding *finding)
{
    const struct gaps *gaps = &context->device->gaps;
    int64_t whole = gaps->by_class[class];

    for (uint32_t i = 0; i < gaps->owner_count; i++)
        if (gaps->owners[i].class == class && gaps->owners[i].event != NO_EVENT) {
            if (gaps->owners[i].time >= whole / 100)
                finding_point(finding, gaps->owners[i].frame, gaps->owners[i].event,
                              gaps->owners[i].time, whole);
            return;
        }
}

/* What `ptk bound` says is lost to one thing. */
static void judge_loss(const struct advice_context *context, struct finding *finding,
                       enum threshold limit, enum bottleneck loss, enum idle_class class)
{
    finding_set(context, finding, bottleneck_check(context->device, limit, loss), 0,
                context->device->lost[loss]);
    point_at(context, class, finding);
}

/* Where the loader itself only waits, for its workers, the longest wait for it. */
static void point_at_loader(const struct advice_context *context, struct finding *finding)
{
    const struct timeline *timeline = &context->graph->timeline;
    event_id longest = NO_EVENT;

    if (finding->frame && graph_class(context->graph, finding->frame).blocking == BLOCKING_NOT)
        return;
    for (event_id e = 0; e < timeline->count; e++)
        if ((longest == NO_EVENT || timeline->duration[e] > timeline->duration[longest]) &&
            graph_class(context->graph, timeline->frame[e]).role == ROLE_DATALOADER)
            longest = e;
    if (longest == NO_EVENT)
        return;
    finding->event = longest;
    finding->frame = timeline->frame[longest];
    finding->place_share = NAN;
}

void judge_input(const struct advice_context *context, struct finding *finding)
{
    judge_loss(context, finding, LIMIT_INPUT, HELD_BY_INPUT, IDLE_OF_INPUT);
    point_at_loader(context, finding);
}

void judge_sync(const struct advice_context *context, struct finding *finding)
{
    const struct gaps *gaps = &context->device->gaps;

    judge_loss(context, finding, LIMIT_SYNC, HELD_BY_SYNC, IDLE_OF_SYNC);
    finding->owner = gaps->after_wait_count ? gaps->after_waits[0].frame : 0;
}

void judge_allocator(const struct advice_context *context, struct finding *finding)
{
    judge_loss(context, finding, LIMIT_HOST, HELD_BY_ALLOCATOR, IDLE_OF_ALLOCATOR);
}

/* A part of what bound calls the host's other work. */
static void host_share(const struct advice_context *context, const char *what, int64_t part,
                       struct finding *finding)
{
    const struct check check = {.what = what,
                                .part = part,
                                .whole = context->device->span,
                                .unit = UNIT_NS,
                                .limit = LIMIT_HOST};

    finding_set(context, finding, &check, 0, part);
}

/* What the host ran for long after waits is its own loss as well as theirs. */
void judge_host_late(const struct advice_context *context, struct finding *finding)
{
    const struct device_bottleneck *device = context->device;
    int64_t time = bottleneck_of_host(device) - device->unrecorded;
    bool is_shared =
        time > device->lost[HELD_BY_HOST] - device->idle_by[IDLE_OF_SETUP] - device->unrecorded;

    host_share(context,
               is_shared ? "idle for other host work, also after waits / time"
                         : "idle for other host work / time",
               time, finding);
    point_at(context, IDLE_OF_HOST, finding);
}

void judge_setup(const struct advice_context *context, struct finding *finding)
{
    host_share(context, "idle for setting up / time", context->device->idle_by[IDLE_OF_SETUP],
               finding);
    point_at(context, IDLE_OF_SETUP, finding);
}

void judge_unrecorded(const struct advice_context *context, struct finding *finding)
{
    host_share(context, "idle for a reason not recorded / time", context->device->unrecorded, finding);
    point_at(context, IDLE_OF_UNKNOWN, finding);
}

void judge_launch(const struct advice_context *context, struct finding *finding)
{
    judge_loss(context, finding, LIMIT_LAUNCH, HELD_BY_LAUNCH, IDLE_OF_LAUNCH);
    if (!context->graph->timeline.launch)
        finding->why_not = "the file does not link device work to its launches";
}

/* Short kernels hurt where the device runs dry between them. */
void judge_small_kernels(const struct advice_context *context, struct finding *finding)
{
    const struct check *check =
        bottleneck_check(context->device, LIMIT_SMALL_KERNEL, HELD_BY_NOTHING);

    if (check->part == UNKNOWN)
        finding->why_not = "there are no kernels";
    else if (check->holds && !bottleneck_check(context->device, LIMIT_IDLE, HELD_BY_NOTHING)->holds)
        finding->why_not = "kernels are short, but the device has work all the time";
    else
        finding_set(context, finding, check, 0, context->device->short_gaps);
    point_at(context, IDLE_OF_LAUNCH, finding);
    finding->place_share = NAN; /* of all launches, not of what short gaps cost */
}

void judge_long_gaps(const struct advice_context *context, struct finding *finding)
{
    const struct gaps *gaps = &context->device->gaps;
    int64_t least = (int64_t)(context->thresholds->of[LIMIT_LONG_GAP] * 1000), time = 0;

    for (uint32_t i = 0; i < gaps->count && gaps->largest[i].length >= least; i++) {
        const struct gap *gap = &gaps->largest[i];

        if (gap->before == NO_EVENT || gap->after == NO_EVENT)
            continue;
        time = checked_add(time, gap->length);
        if (finding->event == NO_EVENT)
            finding->event = gap->after;
    }
    if (time > context->device->idle) /* the rest is a profiler's */
        time = context->device->idle;

    const struct check check = {.what = "long gaps / time",
                                .part = time,
                                .whole = context->device->span,
                                .unit = UNIT_NS,
                                .limit = LIMIT_GAPS};

    finding_set(context, finding, &check, 0, time);
}

/* The bounds of one of CHUNKS equal parts of the window. */
static int64_t chunk_start(const struct device_bottleneck *device, int64_t chunk)
{
    int64_t length = device->end - device->start - device->earlier;

    return device->start + device->earlier + length / CHUNKS * chunk + length % CHUNKS * chunk / CHUNKS;
}

void judge_idle_chunks(const struct advice_context *context, struct finding *finding)
{
    int64_t low = 0, idle = 0;

    for (int64_t i = 0; i < CHUNKS; i++) {
        int64_t start = chunk_start(context->device, i), end = chunk_start(context->device, i + 1);
        struct device_times inside = {0};
        struct device_shares shares;

        device_times_clip(&context->work->times, start, end, &inside);
        device_times_measure(&inside, &shares);
        if ((double)shares.busy < context->thresholds->of[LIMIT_USE] * (double)(end - start)) {
            low++;
            idle += end - start - shares.busy;
        }
        device_times_free(&inside);
    }

    const struct check check = {.what = "parts of the time with little use / parts",
                                .part = low,
                                .whole = CHUNKS,
                                .limit = LIMIT_CHUNKS,
                                .unit = UNIT_COUNT};

    finding_set(context, finding, &check, 0,
                idle < context->device->idle ? idle : context->device->idle);
}

void judge_low_use(const struct advice_context *context, struct finding *finding)
{
    const struct check check = {.what = "compute / time",
                                .part = context->device->compute,
                                .whole = context->device->span,
                                .unit = UNIT_NS,
                                .limit = LIMIT_USE,
                                .is_below = true};

    finding_set(context, finding, &check, 0, context->device->span - context->device->compute);
}

static bool is_graph_launch(const struct graph *graph, event_id call)
{
    return graph_class(graph, graph->timeline.frame[call]).call == CALL_GRAPH_LAUNCH;
}

/* Between two pieces of work of one launch. */
static bool is_hole(const struct graph *graph, const struct gap *gap)
{
    const event_id *launch = graph->timeline.launch;

    return gap->before != NO_EVENT && gap->after != NO_EVENT && launch[gap->before] != NO_EVENT &&
           launch[gap->before] == launch[gap->after] && is_graph_launch(graph, launch[gap->after]);
}

void judge_graph_holes(const struct advice_context *context, struct finding *finding)
{
    const struct timeline *timeline = &context->graph->timeline;
    const struct gaps *gaps = &context->device->gaps;
    bool has_graphs = false;
    int64_t time = 0;

    for (uint32_t i = 0; i < context->work->count && timeline->launch && !has_graphs; i++) {
        event_id call = timeline->launch[context->work->events[i]];

        has_graphs = call != NO_EVENT && is_graph_launch(context->graph, call);
    }
    if (!has_graphs) {
        finding->why_not = "no graph is launched";
        return;
    }
    for (uint32_t i = 0; i < gaps->count; i++) {
        if (!is_hole(context->graph, &gaps->largest[i]))
            continue;
        time = checked_add(time, gaps->largest[i].length);
        if (finding->event == NO_EVENT)
            finding->event = gaps->largest[i].after;
    }

    const struct check check = {.what = "idle inside of graph launches / time",
                                .part = time,
                                .whole = context->device->span,
                                .unit = UNIT_NS,
                                .limit = LIMIT_HOST};

    finding_set(context, finding, &check, 0, time);
}
