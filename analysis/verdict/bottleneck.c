#include "analysis/verdict/bottleneck.h"

#include <stdlib.h>

#include "graph/classify/timeline_roles.h"
#include "analysis/timeline/device_copies.h"
#include "analysis/timeline/inventory.h"
#include "analysis/timeline/steps.h"
#include "base/memory/grow.h"

const char *idle_cause_name(enum idle_cause cause)
{
    static const char *const names[] = {"data loader", "before its first work",
                                        "after its last work"};

    return cause < IDLE_INPUT ? gap_cause_name((enum gap_cause)cause) : names[cause - IDLE_INPUT];
}

uint64_t bottleneck_properties(void)
{
    return property_bit(PROP_STEP) | property_bit(PROP_WAIT_STREAM) | property_bit(PROP_BYTES) |
           property_bit(PROP_SRC_KIND) | property_bit(PROP_DST_KIND);
}

/* What one device's verdict is made from. */
struct scene {
    const struct graph *graph;
    const struct thresholds *thresholds;
    const struct device_work *work;
    const struct intervals *loading; /* when the host's data loader ran */
    struct arena *arena;
    int64_t start, end; /* the stretch */
};

static int64_t clipped(int64_t from, int64_t to, int64_t start, int64_t end)
{
    from = from > start ? from : start;
    to = to < end ? to : end;
    return to > from ? to - from : 0;
}

static int64_t length_in(const struct intervals *set, int64_t start, int64_t end)
{
    struct intervals inside = {0};
    int64_t length;

    intervals_clip(set, start, end, &inside);
    length = intervals_length(&inside);
    intervals_free(&inside);
    return length;
}

/* ---- the host's part ---- */

static void find_loading(const struct graph *graph, struct intervals *loading)
{
    const struct timeline *timeline = &graph->timeline;
    uint8_t *roles = event_roles(graph);

    for (event_id i = 0; i < timeline->count; i++)
        if (roles[i] == ROLE_DATALOADER)
            intervals_add(loading, timeline->start[i], event_end(timeline, i));
    intervals_unite(loading);
    free(roles);
}

/* How long the host was in calls that launched this device's work. */
static int64_t launch_time(const struct scene *scene)
{
    const struct timeline *timeline = &scene->graph->timeline;
    struct intervals calls = {0};
    int64_t time;

    for (uint32_t i = 0; timeline->launch && i < scene->work->count; i++) {
        event_id call = timeline->launch[scene->work->events[i]];

        if (call != NO_EVENT &&
            graph_frame(scene->graph, timeline->frame[call])->kind == KIND_RUNTIME)
            intervals_add(&calls, timeline->start[call], event_end(timeline, call));
    }
    intervals_unite(&calls);
    time = length_in(&calls, scene->start, scene->end);
    intervals_free(&calls);
    return time;
}

/* ---- kernels ---- */

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

/* UNKNOWN without kernels. */
static int64_t median_kernel(const struct scene *scene)
{
    const struct timeline *timeline = &scene->graph->timeline;
    int64_t *durations = grow_zeroed(scene->work->count + 1u, sizeof(*durations));
    uint32_t count = 0;
    int64_t median;

    for (uint32_t i = 0; i < scene->work->count; i++) {
        event_id event = scene->work->events[i];

        if (graph_frame(scene->graph, timeline->frame[event])->kind == KIND_KERNEL &&
            timeline->start[event] >= scene->start && timeline->start[event] < scene->end)
            durations[count++] = timeline->duration[event];
    }
    qsort(durations, count, sizeof(*durations), compare);
    median = count ? durations[count / 2] : UNKNOWN;
    free(durations);
    return median;
}

/* ---- why idle ---- */

/* Whether launching alone may be why the work after a gap came no sooner. */
static bool is_of_launching(const struct scene *scene, const struct gap *gap)
{
    return (double)gap->length <= scene->thresholds->of[LIMIT_SHORT_GAP] * 1000 &&
           (gap->cause == GAP_HOST_LATE || gap->cause == GAP_LAUNCH_QUEUE ||
            gap->cause == GAP_UNKNOWN);
}

static void add_gap(const struct scene *scene, const struct gap *gap,
                    struct device_bottleneck *device)
{
    int64_t from = gap->start > scene->start ? gap->start : scene->start;
    int64_t length = clipped(gap->start, gap->start + gap->length, scene->start, scene->end);
    int64_t loading = length ? length_in(scene->loading, from, from + length) : 0;

    device->idle_by[IDLE_INPUT] += loading;
    device->idle_by[gap->cause] += length - loading;
    if (is_of_launching(scene, gap))
        device->short_gaps += length - loading;
}

/* Time outside the device's own work, in the stretch. */
static void add_outside(const struct scene *scene, enum idle_cause cause, int64_t from, int64_t to,
                        int64_t *idle_by)
{
    int64_t loading = from < to ? length_in(scene->loading, from, to) : 0;

    if (from >= to)
        return;
    idle_by[IDLE_INPUT] += loading;
    idle_by[cause] += to - from - loading;
}

static void explain_idle(const struct scene *scene, int64_t first, int64_t last,
                         struct device_bottleneck *device)
{
    struct devices_work one = {.list = (struct device_work *)scene->work, .count = 1};
    int64_t begin = first < scene->end ? first : scene->end;
    int64_t end = last > scene->start ? last : scene->start;
    struct gaps gaps;

    gaps_find(scene->graph, &one, 0, scene->arena, &gaps);
    for (uint32_t i = 0; i < gaps.count; i++)
        add_gap(scene, &gaps.largest[i], device);
    add_outside(scene, IDLE_BEFORE, scene->start, begin, device->idle_by);
    add_outside(scene, IDLE_AFTER, end, scene->end, device->idle_by);
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

/* Small kernels hold a device up where they leave short gaps; no launch is why it has nothing to do
 * for long, before its first work or after its last. */
static void check_idle(const struct scene *scene, struct device_bottleneck *device)
{
    double small = scene->thresholds->of[LIMIT_SMALL_KERNEL] * 1000;
    int64_t median = median_kernel(scene);
    bool is_small = median != UNKNOWN && (double)median < small;
    const struct check checks[] = {
        {"idle / time", device->idle, device->span, .limit = LIMIT_IDLE, .verdict = HELD_BY_HOST},
        {"idle while the data loader ran / time", device->idle_by[IDLE_INPUT], device->span,
         .limit = LIMIT_INPUT, .verdict = HELD_BY_INPUT},
        {"median kernel", median, 0, .limit = LIMIT_SMALL_KERNEL, .is_below = true},
        {"idle in gaps as short as launches / time", device->short_gaps, device->span,
         .limit = LIMIT_IDLE, .verdict = is_small ? HELD_BY_LAUNCH : HELD_BY_NOTHING},
        {"host in launch calls / time", launch_time(scene), device->span, .limit = LIMIT_LAUNCH,
         .verdict = HELD_BY_LAUNCH},
        {"idle since the host waited / time", device->idle_by[GAP_SYNC], device->span,
         .limit = LIMIT_SYNC, .verdict = HELD_BY_SYNC},
    };

    for (size_t i = 0; i < COUNT_OF(checks); i++)
        add_check(device, &checks[i], scene->thresholds);
}

static void check_copies(const struct scene *scene, struct device_bottleneck *device)
{
    int64_t small = (int64_t)(scene->thresholds->of[LIMIT_SMALL_COPY] * 1000);
    struct copies copies;

    copies_sum(scene->graph, scene->work, scene->start, scene->end, small, &copies);

    const struct check checks[] = {
        {"only copying / time", device->copy_only, device->span, .limit = LIMIT_COPY,
         .verdict = HELD_BY_COPY},
        {"pageable copies / copies", copies.pageable.time, copies.all.time,
         .limit = LIMIT_PAGEABLE},
        {"small copies / copies", copies.small.time, copies.sized.time,
         .limit = LIMIT_SMALL_COPIES},
    };

    for (size_t i = 0; i < COUNT_OF(checks); i++)
        add_check(device, &checks[i], scene->thresholds);
}

static void check_communication(const struct scene *scene, const struct device_shares *shares,
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
        add_check(device, &checks[i], scene->thresholds);
}

/* The first check decides whether those of the host mean anything. */
static enum bottleneck decide(const struct device_bottleneck *device)
{
    bool is_idle = device->checks[0].holds;

    for (uint32_t i = 1; i < device->check_count; i++) {
        const struct check *check = &device->checks[i];

        if (is_idle && check->verdict >= HELD_BY_COPY)
            return HELD_BY_HOST;
        if (check->holds && check->verdict != HELD_BY_NOTHING &&
            (is_idle || check->verdict >= HELD_BY_COPY))
            return check->verdict;
    }
    return HELD_BY_COMPUTE;
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

static void judge_device(struct scene *scene, enum stretch stretch,
                         struct device_bottleneck *device)
{
    const struct timeline *timeline = &scene->graph->timeline;
    int64_t first = timeline->start[scene->work->events[0]];
    int64_t last = end_of_work(timeline, scene->work);
    struct device_times times, inside = {0};
    struct device_shares shares;

    if (stretch == STRETCH_DEVICE) {
        scene->start = first;
        scene->end = last;
    }
    device_times_collect(scene->graph, scene->work, &times);
    device_times_clip(&times, scene->start, scene->end, &inside);
    device_times_measure(&inside, &shares);
    *device = (struct device_bottleneck){
        .device = scene->work->device,
        .start = scene->start,
        .span = checked_sub(scene->end, scene->start),
        .compute = shares.compute,
        .copy_only = shares.exposed_memory,
        .communication_only = shares.exposed_communication,
    };
    device->idle = device->span - shares.busy;
    explain_idle(scene, first, last, device);
    check_idle(scene, device);
    check_copies(scene, device);
    check_communication(scene, &shares, device);
    device->verdict = decide(device);
    device_times_free(&inside);
    device_times_free(&times);
}

/* ---- all ---- */

/* Sets the stretch of the run, but for STRETCH_DEVICE. */
static void find_stretch(const struct graph *graph, enum stretch asked, struct scene *scene,
                         struct bottlenecks *found)
{
    struct steps steps;
    struct inventory inventory;

    steps_find(graph, scene->arena, &steps);
    found->steps = steps.count;
    found->stretch = asked;
    if ((asked == STRETCH_AUTO || asked == STRETCH_STEPS) && steps.count) {
        found->stretch = STRETCH_STEPS;
        scene->start = steps.list[0].start;
        scene->end = steps.list[0].end;
        for (uint32_t i = 1; i < steps.count; i++)
            scene->end = steps.list[i].end > scene->end ? steps.list[i].end : scene->end;
    } else if (asked != STRETCH_DEVICE) {
        found->stretch = STRETCH_RUN;
        inventory_take(graph, scene->arena, &inventory);
        scene->start = inventory.first;
        scene->end = inventory.last;
    }
}

void bottleneck_find(const struct graph *graph, enum stretch stretch,
                     const struct thresholds *thresholds, struct arena *arena,
                     struct bottlenecks *found)
{
    struct scene scene = {.graph = graph, .thresholds = thresholds, .arena = arena};
    struct intervals loading = {0};
    struct devices_work devices;

    *found = (struct bottlenecks){0};
    device_work_collect(graph, arena, &devices);
    find_stretch(graph, stretch, &scene, found);
    find_loading(graph, &loading);
    scene.loading = &loading;
    found->devices = arena_array(arena, devices.count, sizeof(*found->devices));
    for (uint32_t i = 0; i < devices.count; i++) {
        scene.work = &devices.list[i];
        judge_device(&scene, found->stretch, &found->devices[found->count++]);
    }
    intervals_free(&loading);
}
