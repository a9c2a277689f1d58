/* SPDX-License-Identifier: Apache-2.0 */
/* bottleneck.c — where the time of each device goes, and which loss is the verdict */
#include "analysis/advice/bottleneck.h"

#include <stdlib.h>

#include "analysis/timeline/device_work.h"
#include "analysis/timeline/inventory.h"
#include "base/memory/memory.h"

uint64_t bottleneck_properties(void)
{
    return execution_properties() | property_bit(PROP_BYTES);
}

/* What one device's verdict is made from. */
struct bottleneck_context {
    const struct graph *graph;
    const struct execution *execution;
    const struct thresholds *thresholds;
    const struct device_work *work;
    struct arena *arena;
    int64_t start, end;    /* the window */
    int64_t median_kernel; /* ns, in it; UNKNOWN: none */
};

/* ---- kernels ---- */

/* UNKNOWN without kernels. */
static int64_t find_median(const struct bottleneck_context *context)
{
    const struct timeline *timeline = &context->graph->timeline;
    int64_t *durations = grow_zeroed(context->work->count + 1u, sizeof(*durations));
    uint32_t count = 0;
    int64_t median;

    for (uint32_t i = 0; i < context->work->count; i++) {
        event_id event = context->work->events[i];

        if (graph_frame(context->graph, timeline->frame[event])->kind == KIND_KERNEL &&
            timeline->start[event] >= context->start && timeline->start[event] < context->end)
            durations[count++] = timeline->duration[event];
    }
    sort_numbers(durations, count);
    median = count ? durations[count / 2] : UNKNOWN;
    free(durations);
    return median;
}

/* ---- why idle ---- */

static void explain_idle(const struct bottleneck_context *context, struct device_bottleneck *device)
{
    struct devices_work one = {.list = (struct device_work *)context->work, .count = 1};
    struct gaps *gaps = &device->gaps;

    gaps_find(context->execution, &one, 0, &(struct window_bounds){context->start, context->end},
              context->arena, gaps);
    for (int class = 0; class < IDLE_CLASS_COUNT; class ++)
        device->idle_by[class] = gaps->by_class[class];
    for (uint32_t i = 0; i < gaps->count; i++) {
        const struct gap *gap = &gaps->largest[i];

        if (gap->before == NO_EVENT || gap->after == NO_EVENT)
            device->outside += gap->length;
        else if ((double)gap->length <= context->thresholds->of[LIMIT_SHORT_GAP] * 1000)
            device->short_gaps += gap->length;
    }
}

/* What a profiler's own calls take is no part of the run, nor what a device does from before it, nor the time in which
 * nobody asks a server for anything. */
static void leave_out_others(struct device_bottleneck *device)
{
    device->profiling = device->idle_by[IDLE_OF_PROFILER];
    device->earlier = device->idle_by[IDLE_OF_EARLIER];
    device->requests = device->idle_by[IDLE_OF_REQUESTS];
    for (int of = 0; of < IDLE_CLASS_COUNT; of++)
        if (idle_is_left_out((enum idle_class)of)) {
            device->span -= device->idle_by[of];
            device->idle -= device->idle_by[of];
            device->idle_by[of] = 0;
        }
    device->outside -= device->earlier;
}

/* ---- checks ---- */

static void add_check(struct device_bottleneck *device, const struct check *check,
                      const struct thresholds *thresholds)
{
    struct check *added = &device->checks[device->check_count++];

    *added = *check;
    added->unit = UNIT_NS;
    check_judge(added, thresholds);
}

/* Idle time of a thread's that was in nothing. */
static int64_t unowned(const struct gaps *gaps)
{
    int64_t time = 0;

    for (uint32_t i = 0; i < gaps->owner_count; i++)
        if (gaps->owners[i].class == IDLE_OF_HOST && gaps->owners[i].frame == 0)
            time += gaps->owners[i].time;
    return time;
}

static void add_up_losses(const struct bottleneck_context *context,
                          struct device_bottleneck *device)
{
    static const enum bottleneck held_by[IDLE_CLASS_COUNT] = {
        [IDLE_OF_INPUT] = HELD_BY_INPUT,   [IDLE_OF_SYNC] = HELD_BY_SYNC,
        [IDLE_OF_COPY] = HELD_BY_COPY,     [IDLE_OF_ALLOCATOR] = HELD_BY_ALLOCATOR,
        [IDLE_OF_LAUNCH] = HELD_BY_LAUNCH, [IDLE_OF_SETUP] = HELD_BY_HOST,
        [IDLE_OF_HOST] = HELD_BY_HOST,     [IDLE_OF_DEPENDENCY] = HELD_BY_DEPENDENCY,
    };
    int64_t unknown = device->idle_by[IDLE_OF_UNKNOWN];
    double small = context->thresholds->of[LIMIT_SMALL_KERNEL] * 1000;
    /* Small kernels hold a device up where they leave short gaps. */
    bool is_launching = context->median_kernel != UNKNOWN &&
                        (double)context->median_kernel < small &&
                        device->short_gaps >= unknown - device->short_gaps;

    for (int class = 0; class < IDLE_OF_UNKNOWN; class ++)
        device->lost[held_by[class]] += device->idle_by[class];
    device->lost[is_launching ? HELD_BY_LAUNCH : HELD_BY_HOST] += unknown;
    device->unrecorded = unowned(&device->gaps);
    if (!is_launching)
        device->unrecorded += unknown;
    device->lost[HELD_BY_COPY] += device->copy_only;
    device->lost[HELD_BY_COMMUNICATION] += device->communication_only;
}

static void check_idle(const struct bottleneck_context *context, struct device_bottleneck *device)
{
    const struct check checks[] = {
        {"idle / time", device->idle, device->span, .limit = LIMIT_IDLE,
         .verdict = HELD_BY_NOTHING},
        {"idle while the data loader ran / time", device->lost[HELD_BY_INPUT], device->span,
         .limit = LIMIT_INPUT, .verdict = HELD_BY_INPUT},
        {"median kernel", context->median_kernel, 0, .limit = LIMIT_SMALL_KERNEL, .is_below = true},
        {"idle for launching / time", device->lost[HELD_BY_LAUNCH], device->span,
         .limit = LIMIT_LAUNCH, .verdict = HELD_BY_LAUNCH},
        {"idle after the host waited / time", device->lost[HELD_BY_SYNC], device->span,
         .limit = LIMIT_SYNC, .verdict = HELD_BY_SYNC},
        {"idle for the allocator / time", device->lost[HELD_BY_ALLOCATOR], device->span,
         .limit = LIMIT_HOST, .verdict = HELD_BY_ALLOCATOR},
        {"idle for other host work / time", device->lost[HELD_BY_HOST], device->span,
         .limit = LIMIT_HOST, .verdict = HELD_BY_HOST},
        {"idle for other streams / time", device->lost[HELD_BY_DEPENDENCY], device->span,
         .limit = LIMIT_HOST, .verdict = HELD_BY_DEPENDENCY},
    };

    for (size_t i = 0; i < COUNT_OF(checks); i++)
        add_check(device, &checks[i], context->thresholds);
}

static void check_copies(const struct bottleneck_context *context, struct device_bottleneck *device)
{
    int64_t small = (int64_t)(context->thresholds->of[LIMIT_SMALL_COPY] * 1000);
    struct copies *copies = &device->copied;

    copies_sum(context->graph, context->work, context->start, context->end, small, copies);

    const struct check checks[] = {
        {"copying, or idle after it / time", device->lost[HELD_BY_COPY], device->span,
         .limit = LIMIT_COPY, .verdict = HELD_BY_COPY},
        {"pageable copies / copies", copies->pageable.time, copies->all.time,
         .limit = LIMIT_PAGEABLE},
        {"small copies / copies", copies->small.time, copies->sized.time,
         .limit = LIMIT_SMALL_COPIES},
    };

    for (size_t i = 0; i < COUNT_OF(checks); i++)
        add_check(device, &checks[i], context->thresholds);
}

static void check_communication(const struct bottleneck_context *context,
                                const struct device_shares *shares,
                                struct device_bottleneck *device)
{
    const struct check checks[] = {
        {"only communicating / time", device->communication_only, device->span,
         .limit = LIMIT_COMMUNICATION, .verdict = HELD_BY_COMMUNICATION},
        {"communication that compute hides / communication",
         shares->communication - shares->exposed_communication, shares->communication,
         .limit = LIMIT_HIDDEN, .is_below = true},
    };

    for (size_t i = 0; i < COUNT_OF(checks); i++)
        add_check(device, &checks[i], context->thresholds);
}

bool bottleneck_passes(const struct device_bottleneck *device, enum bottleneck held)
{
    for (uint32_t i = 0; i < device->check_count; i++)
        if (device->checks[i].verdict == held && device->checks[i].holds)
            return true;
    return false;
}

bool bottleneck_outweighs(const struct device_bottleneck *device, int64_t lost)
{
    int64_t most = 0;

    for (int held = HELD_BY_NOTHING + 1; held < HELD_BY_COMPUTE; held++)
        if (device->lost[held] > most && bottleneck_passes(device, (enum bottleneck)held))
            most = device->lost[held];
    return most > 0 && lost > most;
}

bool bottleneck_is_spread(const struct device_bottleneck *device,
                          const struct thresholds *thresholds)
{
    return device->verdict == HELD_BY_COMPUTE &&
           share_of(device->span - device->compute, device->span) >= thresholds->of[LIMIT_IDLE];
}

int64_t bottleneck_of_host(const struct device_bottleneck *device)
{
    int64_t sync = device->lost[HELD_BY_SYNC], after = device->gaps.worked_after_waits;

    return device->lost[HELD_BY_HOST] - device->idle_by[IDLE_OF_SETUP] +
           (after < sync ? after : sync);
}

/* A host that works for long, also after its waits, loses in two rows what others lose in one: the larger of them
 * stands for both, if together they are the largest. Setting up is no such work. */
static enum bottleneck host_or_sync(const struct device_bottleneck *device, enum bottleneck first)
{
    enum bottleneck larger =
        device->lost[HELD_BY_SYNC] > device->lost[HELD_BY_HOST] ? HELD_BY_SYNC : HELD_BY_HOST;

    return bottleneck_passes(device, larger) &&
                   bottleneck_of_host(device) > device->lost[first]
               ? larger
               : first;
}

/* The largest loss that passes its threshold stands for one that does not and is hardly larger. */
static enum bottleneck passing_or(const struct device_bottleneck *device, enum bottleneck first)
{
    enum { ALMOST = 80 /* % */ };
    enum bottleneck passing = HELD_BY_NOTHING;

    if (bottleneck_passes(device, first))
        return first;
    for (int held = HELD_BY_NOTHING + 1; held < HELD_BY_COMPUTE; held++)
        if (device->lost[held] > device->lost[passing] &&
            device->lost[held] >= device->lost[first] / 100 * ALMOST &&
            bottleneck_passes(device, (enum bottleneck)held))
            passing = (enum bottleneck)held;
    return passing == HELD_BY_NOTHING ? first : passing;
}

/* The largest loss, where it passes its threshold and all together are worth a verdict, and the next. */
static void decide(const struct bottleneck_context *context, struct device_bottleneck *device)
{
    enum bottleneck first = HELD_BY_NOTHING, second = HELD_BY_NOTHING, largest;
    int64_t lost = device->span - device->compute;

    for (int held = HELD_BY_NOTHING + 1; held < HELD_BY_COMPUTE; held++) {
        if (device->lost[held] > device->lost[first]) {
            second = first;
            first = (enum bottleneck)held;
        } else if (device->lost[held] > device->lost[second]) {
            second = (enum bottleneck)held;
        }
    }
    largest = passing_or(device, host_or_sync(device, first));
    if (largest != first) {
        second = first;
        first = largest;
    }
    if (share_of(lost, device->span) >= context->thresholds->of[LIMIT_IDLE] &&
        bottleneck_passes(device, first)) {
        device->verdict = first;
        device->runner_up = second;
    } else {
        device->verdict = HELD_BY_COMPUTE;
        device->runner_up = first;
    }
}

/* ---- one device ---- */

static int64_t end_of_work(const struct timeline *timeline, const struct device_work *work)
{
    int64_t last = INT64_MIN;

    for (uint32_t i = 0; i < work->count; i++)
        if (event_end(timeline, work->events[i]) > last)
            last = event_end(timeline, work->events[i]);
    return last;
}

static void judge_device(struct bottleneck_context *context, const struct bottlenecks *found,
                         struct device_bottleneck *device)
{
    const struct timeline *timeline = &context->graph->timeline;
    int64_t first = timeline->start[context->work->events[0]];
    int64_t last = end_of_work(timeline, context->work);
    struct device_times inside = {0};
    struct device_shares shares;

    if (found->window == WINDOW_DEVICE) {
        context->start = first;
        context->end = last;
    }
    device_times_clip(&context->work->times, context->start, context->end, &inside);
    device_times_measure(&inside, &shares);
    device_times_free(&inside);
    *device = (struct device_bottleneck){
        .device = context->work->device,
        .start = context->start,
        .end = context->end,
        .span = checked_sub(context->end, context->start),
        .compute = shares.compute,
        .copy_only = shares.exposed_memory,
        .copies = shares.memory,
        .communication_only = shares.exposed_communication,
    };
    device->idle = device->span - shares.busy;
    context->median_kernel = find_median(context);
    explain_idle(context, device);
    leave_out_others(device);
    if (found->has_only_collectives)
        return;
    add_up_losses(context, device);
    check_idle(context, device);
    check_copies(context, device);
    check_communication(context, &shares, device);
    decide(context, device);
}

const struct check *bottleneck_check(const struct device_bottleneck *device, enum threshold limit,
                                     enum bottleneck verdict)
{
    for (uint32_t i = 0; i < device->check_count; i++)
        if (device->checks[i].limit == limit && device->checks[i].verdict == verdict)
            return &device->checks[i];
    return NULL;
}

/* ---- all ---- */

/* Sets the window of the run, but for WINDOW_DEVICE. */
static void find_window(const struct graph *graph, enum window_kind asked,
                        struct bottleneck_context *context, struct bottlenecks *found)
{
    struct steps steps;
    struct inventory inventory;

    steps_find(graph, context->arena, &steps);
    found->steps = steps.count;
    found->window = asked;
    if ((asked == WINDOW_AUTO || asked == WINDOW_STEPS) && steps.count) {
        found->window = WINDOW_STEPS;
        context->start = steps.list[0].start;
        context->end = steps.list[0].end;
        for (uint32_t i = 1; i < steps.count; i++)
            context->end = steps.list[i].end > context->end ? steps.list[i].end : context->end;
    } else if (asked != WINDOW_DEVICE) {
        found->window = WINDOW_RUN;
        inventory_take(graph, context->arena, &inventory);
        context->start = inventory.first;
        context->end = inventory.last;
    }
}

void bottleneck_find(const struct execution *execution, enum window_kind window,
                     const struct thresholds *thresholds, struct arena *arena,
                     struct bottlenecks *found)
{
    const struct graph *graph = execution->graph;
    struct execution limited = *execution;
    struct bottleneck_context context = {
        .graph = graph, .execution = &limited, .thresholds = thresholds, .arena = arena};

    limited.limits = thresholds_of_idle(thresholds);
    *found = (struct bottlenecks){0};
    device_work_collect(graph, arena, &found->works);
    device_work_time(graph, arena, &found->works);
    find_window(graph, window, &context, found);
    found->has_only_collectives = has_only_collectives(graph, &found->works);
    found->devices = arena_array(arena, found->works.count, sizeof(*found->devices));
    for (uint32_t i = 0; i < found->works.count; i++) {
        context.work = &found->works.list[i];
        judge_device(&context, found, &found->devices[found->count++]);
    }
}
