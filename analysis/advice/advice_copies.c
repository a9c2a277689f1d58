/* SPDX-License-Identifier: Apache-2.0 */
/* advice_copies.c — rules about copies between host and device, and on it */
#include "analysis/advice/advice.h"
#include "analysis/kernels/roofline.h"
#include "analysis/timeline/device_work.h"
#include "graph/classify/event_class.h"

static const char no_copies[] = "the device copies nothing";

static int64_t at_most(int64_t time, int64_t limit)
{
    return time < limit ? time : limit;
}

void judge_small_copies(const struct advice_context *context, struct finding *finding)
{
    const struct copies *copies = &context->device->copied;

    if (copies->sized.count == 0) {
        finding->why_not = copies->all.count ? "no copy has a recorded size" : no_copies;
        return;
    }
    finding_set(context, finding,
                bottleneck_check(context->device, LIMIT_SMALL_COPIES, HELD_BY_NOTHING), 0,
                at_most(copies->small.time, context->device->span));
}

/* ---- throughput ---- */

static bool goes(const struct advice_context *context, event_id event,
                 enum copy_direction direction)
{
    int64_t known;

    return property_near(context->near, PROP_COPY_KIND, event, &known) &&
           known == (int64_t)direction;
}

/* The slowest of the large copies that cross the link, and all of them together. */
static event_id sum_crossing(const struct advice_context *context, int64_t least,
                             struct copy_sum *sum)
{
    const struct timeline *timeline = &context->graph->timeline;
    int64_t start = context->device->start, end = context->device->end, bytes;
    event_id slowest = NO_EVENT;
    double pace = 0; /* ns a byte */

    for (uint32_t i = 0; i < context->work->count; i++) {
        event_id event = context->work->events[i];

        if (timeline->start[event] < start || timeline->start[event] >= end ||
            !(goes(context, event, COPY_HOST_TO_DEVICE) ||
              goes(context, event, COPY_DEVICE_TO_HOST)) ||
            !property_near(context->near, PROP_BYTES, event, &bytes) || bytes < least)
            continue;
        sum->time = checked_add(sum->time, timeline->duration[event]);
        sum->bytes = checked_add(sum->bytes, bytes);
        if ((double)timeline->duration[event] / ((double)bytes + 1) > pace) {
            pace = (double)timeline->duration[event] / ((double)bytes + 1);
            slowest = event;
        }
    }
    return slowest;
}

/* The first where the file does not say which. */
static const struct gpu *gpu_of(const struct advice_context *context)
{
    const struct graph *graph = context->graph;
    const struct device *device = device_of_ordinal(graph, context->device->device);
    bool is_by_parts;

    if (graph->source.devices.count == 0)
        return NULL;
    device = device ? device : graph->source.devices.list;
    return device_gpu(device, graph_text(graph, device->name), &is_by_parts);
}

/* ns that the device's link needs at its peak; UNKNOWN where its bandwidth is not known. */
static int64_t link_time(const struct advice_context *context, int64_t bytes)
{
    const struct gpu *gpu = gpu_of(context);

    return gpu && gpu->link > 0 ? (int64_t)((double)bytes / gpu->link * 1e9) : UNKNOWN;
}

/* Pinned copies still take what the link needs. */
static int64_t gain_of_pinning(const struct advice_context *context, const struct copy_sum *copies)
{
    int64_t needed = link_time(context, copies->bytes);

    return needed == UNKNOWN ? copies->time : copies->time - at_most(needed, copies->time);
}

void judge_pageable(const struct advice_context *context, struct finding *finding)
{
    const struct copies *copies = &context->device->copied;

    if (copies->all.count == 0) {
        finding->why_not = no_copies;
        return;
    }
    finding_set(context, finding,
                bottleneck_check(context->device, LIMIT_PAGEABLE, HELD_BY_NOTHING), 0,
                at_most(gain_of_pinning(context, &copies->pageable), context->device->span));
    finding->event = copies->longest_pageable;
}

void judge_slow_copies(const struct advice_context *context, struct finding *finding)
{
    struct copy_sum sum = {0};
    int64_t least = (int64_t)(context->thresholds->of[LIMIT_SMALL_COPY] * 1000), needed;
    event_id slowest = sum_crossing(context, least, &sum);

    if (slowest == NO_EVENT) {
        finding->why_not = "no large copy crosses the link to the host";
        return;
    }
    needed = link_time(context, sum.bytes);
    if (needed == UNKNOWN) {
        finding->why_not = "the bandwidth of the device's link is not known";
        return;
    }

    const struct check check = {.what = "time at the link's peak / time of large copies",
                                .part = needed,
                                .whole = sum.time,
                                .unit = UNIT_NS,
                                .limit = LIMIT_COPY_RATE,
                                .is_below = true};

    finding_set(context, finding, &check, 0,
                at_most(checked_sub(sum.time, check.part), context->device->span));
    finding->event = slowest;
}

/* ---- beside compute, and beside each other ---- */

void judge_compute_to_copies(const struct advice_context *context, struct finding *finding)
{
    const struct device_bottleneck *device = context->device;

    if (device->copies == 0) {
        finding->why_not = no_copies;
        return;
    }

    const struct check check = {.what = "compute / copies",
                                .part = device->compute,
                                .whole = device->copies,
                                .unit = UNIT_NS,
                                .limit = LIMIT_COMPUTE_COPIES,
                                .is_below = true};

    finding_set(context, finding, &check, 0, device->lost[HELD_BY_COPY]);
}

/* Copies between host and device, or those within it. */
struct exposed_copies {
    int64_t time, alone; /* ns: of all; while nothing computed or communicated */
    event_id longest;    /* NO_EVENT: there is none */
};

static struct exposed_copies find_exposed(const struct advice_context *context, bool is_within)
{
    const struct timeline *timeline = &context->graph->timeline;
    struct exposed_copies found = {.longest = NO_EVENT};
    struct intervals all = {0}, inside = {0}, rest = {0}, alone = {0};
    const struct device_times *times = &context->work->times;

    for (uint32_t i = 0; i < context->work->count; i++) {
        event_id event = context->work->events[i];

        if (graph_frame(context->graph, timeline->frame[event])->kind != KIND_MEMCPY ||
            goes(context, event, COPY_DEVICE_TO_DEVICE) != is_within)
            continue;
        intervals_add(&all, timeline->start[event], event_end(timeline, event));
        if (found.longest == NO_EVENT ||
            timeline->duration[event] > timeline->duration[found.longest])
            found.longest = event;
    }
    intervals_unite(&all);
    intervals_clip(&all, context->device->start, context->device->end, &inside);
    intervals_subtract(&inside, &times->of[WORK_COMPUTE], &rest);
    intervals_subtract(&rest, &times->of[WORK_COMMUNICATION], &alone);
    found.time = intervals_length(&inside);
    found.alone = intervals_length(&alone);
    intervals_free(&all);
    intervals_free(&inside);
    intervals_free(&rest);
    intervals_free(&alone);
    return found;
}

/* Few copies are not worth hiding. */
void judge_copy_overlap(const struct advice_context *context, struct finding *finding)
{
    const struct device_bottleneck *device = context->device;
    struct exposed_copies copies = find_exposed(context, false);

    if ((double)copies.alone < context->thresholds->of[LIMIT_WORTH] * (double)device->span) {
        finding->why_not = copies.time ? "exposed copies take too little to matter" : no_copies;
        return;
    }

    const struct check check = {.what = "copies hidden by other work / copies",
                                .part = copies.time - copies.alone,
                                .whole = copies.time,
                                .unit = UNIT_NS,
                                .limit = LIMIT_COPY_HIDDEN,
                                .is_below = true};

    /* Hidden or not, all copies take their time. */
    finding_set(context, finding, &check, 0, at_most(copies.alone, device->span - copies.time));
    finding->event = copies.longest;
}

event_id longest_copy(const struct advice_context *context, int32_t device, frame_id frame)
{
    const struct timeline *timeline = &context->graph->timeline;
    event_id longest = NO_EVENT;

    for (uint32_t i = 0; i < context->works->count; i++)
        for (uint32_t k = 0; k < context->works->list[i].count; k++) {
            event_id event = context->works->list[i].events[k];

            if (context->works->list[i].device == device && timeline->frame[event] == frame &&
                (longest == NO_EVENT || timeline->duration[event] > timeline->duration[longest]))
                longest = event;
        }
    return longest != NO_EVENT && goes(context, longest, COPY_DEVICE_TO_DEVICE) ? NO_EVENT : longest;
}

/* No stream hides a copy that the next kernel waits for: it goes, or it stays. */
void judge_device_copies(const struct advice_context *context, struct finding *finding)
{
    struct exposed_copies copies = find_exposed(context, true);

    const struct check check = {.what = "only copying within the device / time",
                                .part = copies.alone,
                                .whole = context->device->span,
                                .unit = UNIT_NS,
                                .limit = LIMIT_COPY};

    finding_set(context, finding, &check, 0, at_most(copies.alone, context->device->span));
    finding->event = copies.longest;
}

static void collect_direction(const struct advice_context *context, enum copy_direction direction,
                              struct intervals *set)
{
    const struct timeline *timeline = &context->graph->timeline;
    struct intervals all = {0};

    for (uint32_t i = 0; i < context->work->count; i++)
        if (goes(context, context->work->events[i], direction))
            intervals_add(&all, timeline->start[context->work->events[i]],
                          event_end(timeline, context->work->events[i]));
    intervals_unite(&all);
    intervals_clip(&all, context->device->start, context->device->end, set);
    intervals_free(&all);
}

/* Where no stream has copies of both directions, something else keeps them apart. */
static bool share_a_stream(const struct advice_context *context)
{
    const struct timeline *timeline = &context->graph->timeline;
    struct idmap directions = {0};
    bool do_share = false;

    for (uint32_t i = 0; i < context->work->count && !do_share; i++) {
        event_id event = context->work->events[i];
        uint32_t direction = goes(context, event, COPY_HOST_TO_DEVICE)   ? COPY_HOST_TO_DEVICE
                             : goes(context, event, COPY_DEVICE_TO_HOST) ? COPY_DEVICE_TO_HOST
                                                                         : IDMAP_NONE;
        uint32_t *known;

        if (direction == IDMAP_NONE)
            continue;
        known = idmap_at(&directions, track_of_event(timeline, event));
        do_share = *known != IDMAP_NONE && *known != direction;
        *known = direction;
    }
    idmap_free(&directions);
    return do_share;
}

void judge_copy_engines(const struct advice_context *context, struct finding *finding)
{
    struct intervals in = {0}, out = {0}, both = {0};
    int64_t less, together;

    collect_direction(context, COPY_HOST_TO_DEVICE, &in);
    collect_direction(context, COPY_DEVICE_TO_HOST, &out);
    intervals_intersect(&in, &out, &both);
    less = at_most(intervals_length(&in), intervals_length(&out));
    together = intervals_length(&both);
    intervals_free(&in);
    intervals_free(&out);
    intervals_free(&both);
    if ((double)less < context->thresholds->of[LIMIT_WORTH] * (double)context->device->span) {
        finding->why_not = "copies in one of the directions take too little to matter";
        return;
    }
    if (!share_a_stream(context)) {
        finding->why_not = "the two directions have streams of their own";
        return;
    }

    const struct check check = {.what = "both directions at once / the shorter one",
                                .part = together,
                                .whole = less,
                                .unit = UNIT_NS,
                                .limit = LIMIT_ENGINES,
                                .is_below = true};

    finding_set(context, finding, &check, 0, less - together);
}
