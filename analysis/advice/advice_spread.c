/* SPDX-License-Identifier: Apache-2.0 */
/* The place of idle time of which many functions own a little each: the innermost function that holds most of it
 *
 * An owner is then often a wrapper that all calls go through, such as that of modules. Nobody can act on that. */
#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "graph/model/walks.h"

struct idle_holder {
    int64_t time;     /* ns that a device was idle in it, with all that it calls */
    uint32_t depth;   /* of the events that are open, where it was last */
    event_id counted; /* the last that was added: a function that calls itself holds it once */
    event_id longest; /* of its events that hold any */
};

struct idle_spread {
    const struct timeline *timeline;
    const bool *is_owner;        /* by frame: of time of the class that is looked at */
    const int64_t *idle_of;      /* by event */
    struct idle_holder *holders; /* by frame */
    struct open_events open;
    int64_t time;
};

static void add_to_holders(struct idle_spread *spread, event_id event)
{
    const struct timeline *timeline = spread->timeline;

    spread->time = checked_add(spread->time, spread->idle_of[event]);
    for (size_t i = 0; i < spread->open.depth; i++) {
        event_id around = spread->open.list[i].event;
        struct idle_holder *holder = &spread->holders[timeline->frame[around]];

        if (holder->time && holder->counted == event)
            continue;
        if (!holder->time || timeline->duration[around] > timeline->duration[holder->longest])
            holder->longest = around;
        holder->time = checked_add(holder->time, spread->idle_of[event]);
        holder->counted = event;
        holder->depth = (uint32_t)i;
    }
}

static void walk_thread(struct idle_spread *spread, const struct track *track, int64_t start,
                        int64_t end)
{
    const struct timeline *timeline = spread->timeline;

    spread->open.depth = 0;
    for (event_id e = track->first; e < track->first + track->count; e++) {
        open_events_close_all(&spread->open, timeline->start[e]);
        open_events_add(&spread->open, (struct open_event){event_end(timeline, e), e, 0});
        if (spread->idle_of[e] > 0 && spread->is_owner[timeline->frame[e]] &&
            timeline->start[e] >= start && timeline->start[e] < end)
            add_to_holders(spread, e);
    }
}

/* A step holds all, and says nothing. 0: no function holds most. */
static frame_id innermost_holder(const struct graph *graph, const struct idle_spread *spread)
{
    const struct idle_holder *holders = spread->holders;
    frame_id best = 0;

    for (frame_id id = 1; id < graph->frames.count; id++) {
        if (holders[id].time <= spread->time / 2 || graph_class(graph, id).role == ROLE_STEP)
            continue;
        if (!best || holders[id].time < holders[best].time ||
            (holders[id].time == holders[best].time && holders[id].depth > holders[best].depth))
            best = id;
    }
    return best;
}

/* Whether none of the class's owners owns as much as one hot function does. */
static bool is_spread(const struct gaps *gaps, enum idle_class class, double limit)
{
    for (uint32_t i = 0; i < gaps->owner_count; i++)
        if (gaps->owners[i].class == class &&
            (double)gaps->owners[i].time >= limit * (double)gaps->by_class[class])
            return false;
    return true;
}

bool point_at_holder(const struct advice_context *context, const struct execution *execution,
                     const struct device_bottleneck *device, enum idle_class class,
                     struct finding *finding)
{
    const struct graph *graph = context->graph;
    const struct gaps *gaps = &device->gaps;
    struct gaps all;
    bool *is_owner;
    int64_t *idle_of;
    struct idle_spread spread = {.timeline = &graph->timeline};
    frame_id holder;

    if (!is_spread(gaps, class, context->thresholds->of[LIMIT_HOT_FUNCTION]))
        return false;
    idle_of = grow_zeroed((size_t)graph->timeline.count + 1, sizeof(*idle_of));
    is_owner = grow_zeroed(graph->frames.count, sizeof(*is_owner));
    spread.holders = grow_zeroed(graph->frames.count, sizeof(*spread.holders));
    spread.idle_of = idle_of;
    spread.is_owner = is_owner;
    for (uint32_t i = 0; i < gaps->owner_count; i++)
        is_owner[gaps->owners[i].frame] |= gaps->owners[i].class == class;
    gaps_find_by_event(execution, context->works, context->arena, &all, idle_of);
    for (uint32_t t = 0; t < graph->timeline.track_count; t++)
        if (graph->timeline.tracks[t].kind == TRACK_THREAD)
            walk_thread(&spread, &graph->timeline.tracks[t], device->start, device->end);
    holder = innermost_holder(graph, &spread);
    if (holder)
        finding_point(finding, holder, spread.holders[holder].longest, spread.holders[holder].time,
                      spread.time);
    open_events_free(&spread.open);
    free(spread.holders);
    free(is_owner);
    free(idle_of);
    return holder != 0;
}
