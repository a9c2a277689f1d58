/* SPDX-License-Identifier: Apache-2.0 */
/* advice_kernels.c — rules about how kernels use the device while they run */
#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "analysis/kernels/roofline.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

static const char no_kernels[] = "there are no kernels";

/* ---- walking the kernels of the window ---- */

/* What a rule adds up: of kernels whose figure is known, and what is lost of them. */
struct tally {
    int64_t time, known, lost; /* ns */
    event_id worst;
    int64_t worst_lost;
};

static bool is_in(const struct advice_context *context, event_id event)
{
    const struct timeline *timeline = &context->graph->timeline;

    return graph_frame(context->graph, timeline->frame[event])->kind == KIND_KERNEL &&
           timeline->start[event] >= context->device->start &&
           timeline->start[event] < context->device->end;
}

/* `loss`: what share of its time a kernel loses; negative when that is not known. */
static void tally(const struct advice_context *context,
                  double (*loss)(const struct advice_context *context, event_id event),
                  struct tally *tally)
{
    const struct timeline *timeline = &context->graph->timeline;

    *tally = (struct tally){.worst = NO_EVENT};
    for (uint32_t i = 0; i < context->work->count; i++) {
        event_id event = context->work->events[i];
        double share = is_in(context, event) ? loss(context, event) : -1;
        int64_t time = timeline->duration[event], lost;

        tally->time += is_in(context, event) ? time : 0;
        if (share < 0)
            continue;
        lost = (int64_t)(share * (double)time);
        tally->known = checked_add(tally->known, time);
        tally->lost = checked_add(tally->lost, lost);
        if (lost > tally->worst_lost) {
            tally->worst_lost = lost;
            tally->worst = event;
        }
    }
}

static void report_loss(const struct advice_context *context, const char *what, const char *unknown,
                        enum threshold limit, const struct tally *tally, struct finding *finding)
{
    const struct check check = {
        .what = what, .part = tally->lost, .whole = tally->known, .unit = UNIT_NS, .limit = limit};

    if (tally->known == 0) {
        finding->why_not = tally->time ? unknown : no_kernels;
        return;
    }
    finding_set(context, finding, &check, 0,
                tally->lost < context->device->compute ? tally->lost : context->device->compute);
    finding->event = tally->worst;
}

/* ---- grids ---- */

static double lost_by_small_grid(const struct advice_context *context, event_id event)
{
    int64_t blocks_per_sm;

    if (!property_near(context->near, PROP_BLOCKS_PER_SM, event, &blocks_per_sm))
        return -1;
    return blocks_per_sm < 1000000 ? 1 - (double)blocks_per_sm / 1e6 : 0;
}

void judge_fill(const struct advice_context *context, struct finding *finding)
{
    struct tally sum;

    tally(context, lost_by_small_grid, &sum);
    report_loss(context, "kernel time times idle multiprocessors / kernel time",
                "no kernel has recorded blocks per multiprocessor", LIMIT_FILL, &sum, finding);
}

/* ---- kernels beside each other ---- */

/* Time in which two or more kernels run: their sum counts twice there what the union counts
 * once. */
static int64_t concurrent_time(const struct advice_context *context)
{
    const struct timeline *timeline = &context->graph->timeline;
    struct intervals twice = {0};
    int64_t until = INT64_MIN, time;

    for (uint32_t i = 0; i < context->work->count; i++) {
        event_id event = context->work->events[i];
        int64_t end = event_end(timeline, event);

        if (!is_in(context, event))
            continue;
        intervals_add(&twice, timeline->start[event], end < until ? end : until);
        until = end > until ? end : until;
    }
    intervals_unite(&twice);
    time = intervals_length(&twice);
    intervals_free(&twice);
    return time;
}

void judge_concurrency(const struct advice_context *context, struct finding *finding)
{
    struct tally sum;

    tally(context, lost_by_small_grid, &sum);
    if (sum.known == 0) {
        finding->why_not =
            sum.time ? "no kernel has recorded blocks per multiprocessor" : no_kernels;
        return;
    }
    if ((double)sum.lost < context->thresholds->of[LIMIT_FILL] * (double)sum.known) {
        finding->why_not = "kernels fill the device by themselves";
        return;
    }

    const struct check check = {.what = "time of two or more kernels / compute",
                                .part = concurrent_time(context),
                                .whole = context->device->compute,
                                .unit = UNIT_NS,
                                .limit = LIMIT_CONCURRENT,
                                .is_below = true};

    finding_set(context, finding, &check, 0,
                sum.lost < context->device->compute ? sum.lost : context->device->compute);
    finding->event = sum.worst;
}

/* ---- which kernels ---- */

void judge_hot_kernel(const struct advice_context *context, struct finding *finding)
{
    const struct graph *graph = context->graph;
    int64_t *time = grow_zeroed(graph->frames.count, sizeof(*time)), all = 0;
    frame_id hot = 0;

    for (uint32_t i = 0; i < context->work->count; i++) {
        event_id event = context->work->events[i];
        frame_id frame = graph->timeline.frame[event];

        if (!is_in(context, event))
            continue;
        time[frame] = checked_add(time[frame], graph->timeline.duration[event]);
        all = checked_add(all, graph->timeline.duration[event]);
        if (time[frame] > time[hot] || (time[frame] == time[hot] && frame < hot))
            hot = frame;
    }

    const struct check check = {.what = "time of one kernel / time of kernels",
                                .part = time[hot],
                                .whole = all,
                                .unit = UNIT_NS,
                                .limit = LIMIT_HOT_KERNEL};

    free(time);
    finding_set(context, finding, &check, UNKNOWN, UNKNOWN); /* how much shorter it can be is not known */
    finding->frame = hot;
    finding->why_not = all == 0 ? no_kernels : known_causes(context, hot);
    if (context->device->verdict != HELD_BY_COMPUTE) {
        finding->is_reported = false;
        finding->why_not = "the device is not compute-bound";
    }
}

/* ---- memory ---- */

static int64_t largest(const struct property_column *column)
{
    int64_t most = UNKNOWN;

    for (uint32_t i = 0; i < column->count; i++)
        most = property_value(column, i) > most ? property_value(column, i) : most;
    return most;
}

/* Where one device is on record, what all allocators reserved is its own. */
void judge_memory(const struct advice_context *context, struct finding *finding)
{
    const struct device *device = device_of_ordinal(context->graph, context->device->device);
    int64_t reserved = largest(&context->graph->timeline.properties[PROP_RESERVED]);

    if (!device || device->memory <= 0 || reserved == UNKNOWN ||
        context->graph->source.devices.count > 1) {
        finding->why_not = "the file does not say how much memory there is, or was reserved";
        return;
    }

    const struct check check = {.what = "most memory reserved / memory",
                                .part = reserved,
                                .whole = device->memory,
                                .limit = LIMIT_MEMORY,
                                .unit = UNIT_BYTES};

    finding_set(context, finding, &check, UNKNOWN, UNKNOWN);
}
