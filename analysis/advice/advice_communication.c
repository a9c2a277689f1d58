/* SPDX-License-Identifier: Apache-2.0 */
/* advice_communication.c — rules about collectives, and about devices that wait for each other */
#include "analysis/advice/advice.h"

/* The longest communication in the window. */
static event_id longest(const struct advice_context *context)
{
    const struct timeline *timeline = &context->graph->timeline;
    int64_t start = context->device->start, end = context->device->end;
    event_id found = NO_EVENT;

    for (uint32_t i = 0; i < context->work->count; i++) {
        event_id event = context->work->events[i];

        if (graph_frame(context->graph, timeline->frame[event])->kind == KIND_COMMUNICATION &&
            timeline->start[event] >= start && timeline->start[event] < end &&
            (found == NO_EVENT || timeline->duration[event] > timeline->duration[found]))
            found = event;
    }
    return found;
}

/* What makes transfers shorter, or hides them, does not help where most is waiting. */
static const char *waits_instead(const struct advice_context *context)
{
    return collectives_wait(context) ? "collectives wait for other ranks most of their time" : NULL;
}

void judge_communication(const struct advice_context *context, struct finding *finding)
{
    finding_set(context, finding,
                bottleneck_check(context->device, LIMIT_COMMUNICATION, HELD_BY_COMMUNICATION), 0,
                context->device->communication_only);
    finding->event = longest(context);
    finding->why_not = waits_instead(context);
}

/* Hidden or not, all communication takes its time. */
void judge_hidden(const struct advice_context *context, struct finding *finding)
{
    const struct device_bottleneck *device = context->device;
    const struct check *check = bottleneck_check(device, LIMIT_HIDDEN, HELD_BY_NOTHING);
    int64_t rest = device->span - check->whole;

    if (check->whole == 0) {
        finding->why_not = "the device does not communicate";
        return;
    }
    finding_set(context, finding, check, 0,
                device->communication_only < rest ? device->communication_only : rest);
    finding->event = longest(context);
    finding->why_not = waits_instead(context);
}

/* Of the devices, by how long they compute. What all could save is what the busiest has more than
 * their mean. */
void judge_stragglers(const struct advice_context *context, struct finding *finding)
{
    int64_t most = 0, least = INT64_MAX, sum = 0;

    if (context->all->count < 2) {
        finding->why_not = "there is one device";
        return;
    }
    for (uint32_t i = 0; i < context->all->count; i++) {
        const struct device_bottleneck *device = &context->all->devices[i];

        sum = checked_add(sum, device->compute);
        least = device->compute < least ? device->compute : least;
        if (device->compute > most) {
            most = device->compute;
            finding->device = device->device;
        }
    }

    const struct check check = {.what = "most compute / least compute",
                                .part = most,
                                .whole = least,
                                .unit = UNIT_NS,
                                .limit = LIMIT_IMBALANCE};

    finding_set(context, finding, &check, 0, most - sum / context->all->count);
}

/* Short ones are all latency. They cost what nothing hides of them. */
void judge_tiny_collectives(const struct advice_context *context, struct finding *finding)
{
    const struct timeline *timeline = &context->graph->timeline;
    int64_t start = context->device->start, end = context->device->end;
    int64_t most = (int64_t)(context->thresholds->of[LIMIT_TINY_US] * 1000), all = 0, tiny = 0;
    int64_t alone = context->device->communication_only;

    for (uint32_t i = 0; i < context->work->count; i++) {
        event_id event = context->work->events[i];
        int64_t duration = timeline->duration[event];

        if (graph_frame(context->graph, timeline->frame[event])->kind != KIND_COMMUNICATION ||
            timeline->start[event] < start || timeline->start[event] >= end)
            continue;
        all = checked_add(all, duration);
        tiny = duration < most ? checked_add(tiny, duration) : tiny;
    }
    if (all == 0) {
        finding->why_not = "the device does not communicate";
        return;
    }

    const struct check check = {.what = "time of tiny collectives / time of collectives",
                                .part = tiny,
                                .whole = all,
                                .unit = UNIT_NS,
                                .limit = LIMIT_TINY};

    finding_set(context, finding, &check, 0, tiny < alone ? tiny : alone);
    finding->event = longest(context);
}
