/* advice_idle.c — rules about time in which a device has nothing to do */
#include "analysis/verdict/advice_rules.h"
#include "base/memory/grow.h"

enum { CHUNKS = 30 };

/* Where the largest gap of that cause is. */
static void point_at(const struct scene *scene, enum gap_cause cause, struct finding *finding)
{
    struct devices_work one = {.list = (struct device_work *)scene->work, .count = 1};
    struct gaps gaps;

    gaps_find(scene->graph, &one, 0, scene->arena, &gaps);
    for (uint32_t i = 0; i < gaps.count && finding->event == NO_EVENT; i++)
        if (gaps.largest[i].cause == cause)
            finding->event =
                gaps.largest[i].waited != NO_EVENT ? gaps.largest[i].waited : gaps.largest[i].after;
}

static void idle_share(const struct scene *scene, const char *what, int64_t idle,
                       enum threshold limit, struct finding *finding)
{
    const struct check check = {
        .what = what, .part = idle, .whole = scene->device->span, .unit = UNIT_NS, .limit = limit};

    finding_set(scene, finding, &check, 0, idle);
}

void judge_input(const struct scene *scene, struct finding *finding)
{
    idle_share(scene, "idle while the data loader ran / time", scene->device->idle_by[IDLE_INPUT],
               LIMIT_INPUT, finding);
}

void judge_sync(const struct scene *scene, struct finding *finding)
{
    idle_share(scene, "idle since the host waited / time", scene->device->idle_by[GAP_SYNC],
               LIMIT_SYNC, finding);
    point_at(scene, GAP_SYNC, finding);
}

void judge_host_late(const struct scene *scene, struct finding *finding)
{
    idle_share(scene, "idle since the host launched late / time",
               scene->device->idle_by[GAP_HOST_LATE], LIMIT_HOST, finding);
    point_at(scene, GAP_HOST_LATE, finding);
}

void judge_late_start(const struct scene *scene, struct finding *finding)
{
    idle_share(scene, "idle before the first work / time", scene->device->idle_by[IDLE_BEFORE],
               LIMIT_IDLE, finding);
    finding->event = scene->work->events[0];
}

/* What launches too late, or costs, at most. */
static int64_t idle_for_launches(const struct device_bottleneck *device)
{
    return device->idle_by[GAP_HOST_LATE] + device->idle_by[GAP_LAUNCH_QUEUE];
}

/* A check that `ptk bound` has made already. */
static const struct check *made(const struct device_bottleneck *device, enum threshold limit)
{
    for (uint32_t i = 0; i < device->check_count; i++)
        if (device->checks[i].limit == limit)
            return &device->checks[i];
    return NULL;
}

void judge_launch(const struct scene *scene, struct finding *finding)
{
    if (!scene->graph->timeline.launch)
        finding->silence = "the file does not link device work to its launches";
    else
        finding_set(scene, finding, made(scene->device, LIMIT_LAUNCH), 0,
                    idle_for_launches(scene->device));
}

/* Short kernels hurt where the device runs dry between them. */
void judge_small_kernels(const struct scene *scene, struct finding *finding)
{
    const struct check *check = made(scene->device, LIMIT_SMALL_KERNEL);

    if (check->part == UNKNOWN)
        finding->silence = "there are no kernels";
    else if (check->holds && !made(scene->device, LIMIT_IDLE)->holds)
        finding->silence = "kernels are short, but the device has work all the time";
    else
        finding_set(scene, finding, check, 0, scene->device->short_gaps);
}

void judge_long_gaps(const struct scene *scene, struct finding *finding)
{
    struct devices_work one = {.list = (struct device_work *)scene->work, .count = 1};
    int64_t least = (int64_t)(scene->thresholds->of[LIMIT_LONG_GAP] * 1000), time = 0;
    int64_t end = scene->device->start + scene->device->span;
    struct gaps gaps;

    gaps_find(scene->graph, &one, 0, scene->arena, &gaps);
    for (uint32_t i = 0; i < gaps.count && gaps.largest[i].length >= least; i++) {
        const struct gap *gap = &gaps.largest[i];

        if (gap->start < scene->device->start || checked_add(gap->start, gap->length) > end)
            continue;
        time = checked_add(time, gap->length);
        if (finding->event == NO_EVENT)
            finding->event = gap->after;
    }

    const struct check check = {.what = "long gaps / time",
                                .part = time,
                                .whole = scene->device->span,
                                .unit = UNIT_NS,
                                .limit = LIMIT_GAPS};

    finding_set(scene, finding, &check, 0, time);
}

/* The bounds of one of CHUNKS equal parts of the stretch. */
static int64_t chunk_start(const struct device_bottleneck *device, int64_t chunk)
{
    return device->start + device->span / CHUNKS * chunk + device->span % CHUNKS * chunk / CHUNKS;
}

void judge_idle_chunks(const struct scene *scene, struct finding *finding)
{
    struct device_times times;
    int64_t low = 0, idle = 0;

    device_times_collect(scene->graph, scene->work, &times);
    for (int64_t i = 0; i < CHUNKS; i++) {
        int64_t start = chunk_start(scene->device, i), end = chunk_start(scene->device, i + 1);
        struct device_times inside = {0};
        struct device_shares shares;

        device_times_clip(&times, start, end, &inside);
        device_times_measure(&inside, &shares);
        if ((double)shares.busy < scene->thresholds->of[LIMIT_USE] * (double)(end - start)) {
            low++;
            idle += end - start - shares.busy;
        }
        device_times_free(&inside);
    }
    device_times_free(&times);

    const struct check check = {.what = "parts of the time with little use / parts",
                                .part = low,
                                .whole = CHUNKS,
                                .limit = LIMIT_CHUNKS,
                                .unit = UNIT_COUNT};

    finding_set(scene, finding, &check, 0, idle);
}

void judge_low_use(const struct scene *scene, struct finding *finding)
{
    const struct check check = {.what = "compute / time",
                                .part = scene->device->compute,
                                .whole = scene->device->span,
                                .unit = UNIT_NS,
                                .limit = LIMIT_USE,
                                .is_below = true};

    finding_set(scene, finding, &check, 0, scene->device->span - scene->device->compute);
}
