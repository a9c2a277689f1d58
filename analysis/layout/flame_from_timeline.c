/* SPDX-License-Identifier: Apache-2.0 */
/* flame_from_timeline.c — every event by itself, in the order of time
 *
 * Events of a track are in the order of their starts, the longer first: what is nested in an event
 * follows it. So an event's place in the tree is where what follows it begins. */
#include <stdlib.h>

#include "analysis/layout/flame.h"
#include "base/checked.h"
#include "graph/derive/derive.h"
#include "graph/model/open_events.h"

struct timed {
    struct flame_source source;
    event_id *past;     /* by event: the first one that is not nested in it */
    uint32_t *level;    /* by event: in how many it is nested */
    int64_t *total;     /* by event: its duration, or what is nested in it where that is more */
    int64_t *track_sum; /* by track */
};

static bool is_drawn(const struct graph *graph, const struct track *track)
{
    return track_takes_time(track) && derive_wants(graph, track);
}

/* What is open when a later event begins after its end is over. */
static void find_ends(struct timed *timed, const struct track *track)
{
    const struct timeline *timeline = &timed->source.graph->timeline;
    event_id end = track->first + track->count;
    struct open_events open = {0};
    const struct open_event *past;

    for (event_id event = track->first; event < end; event++) {
        while ((past = open_events_close(&open, timeline->start[event])))
            timed->past[past->event] = event;
        timed->level[event] = (uint32_t)open.depth;
        open_events_add(&open, (struct open_event){.end = checked_add(timeline->start[event],
                                                                      timeline->duration[event]),
                                                   .event = event});
    }
    while ((past = open_events_close(&open, INT64_MAX)))
        timed->past[past->event] = end;
    open_events_free(&open);
}

static int64_t sum_of(const struct timed *timed, event_id first, event_id end)
{
    int64_t sum = 0;

    for (event_id event = first; event < end; event = timed->past[event])
        sum = checked_add(sum, timed->total[event]);
    return sum;
}

static void sum_track(struct timed *timed, const struct track *track, int64_t *sum)
{
    const struct graph *graph = timed->source.graph;
    event_id end = track->first + track->count;

    for (event_id event = end; event-- > track->first;) {
        int64_t nested = sum_of(timed, event + 1, timed->past[event]);
        int64_t duration = graph->timeline.duration[event];
        bool counts = derive_counts(graph, track, event);

        timed->total[event] = nested > duration || !counts ? nested : duration;
    }
    *sum = sum_of(timed, track->first, end);
}

static void expand_ground(const struct timed *timed, struct flame_items *above)
{
    const struct timeline *timeline = &timed->source.graph->timeline;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        struct flame_item *child;

        if (timed->track_sum[i] == 0)
            continue;
        child = flame_items_add(above);
        child->ref = i;
        child->box.track = i + 1;
        child->box.total = timed->track_sum[i];
    }
}

static void add_events(const struct timed *timed, event_id first, event_id end,
                       struct flame_items *above)
{
    for (event_id event = first; event < end; event = timed->past[event]) {
        struct flame_item *child;

        if (timed->total[event] == 0)
            continue;
        child = flame_items_add(above);
        child->ref = event;
        child->ref_end = timed->past[event];
        child->box.frame = timed->source.graph->timeline.frame[event];
        child->box.total = timed->total[event];
    }
}

static void expand_track(const struct timed *timed, struct flame_item *item,
                         struct flame_items *above)
{
    const struct track *track = &timed->source.graph->timeline.tracks[item->ref];

    add_events(timed, track->first, track->first + track->count, above);
}

/* One event, or several side by side, between which those lie that others of them stand on. */
static void expand_events(const struct timed *timed, struct flame_item *item,
                          struct flame_items *above)
{
    event_id event = item->ref;

    while (event < item->ref_end) {
        event_id end = timed->past[event];
        bool is_below = timed->level[event] + 1 < item->box.depth;

        if (!is_below) {
            item->box.self = checked_add(
                item->box.self, checked_sub(timed->total[event], sum_of(timed, event + 1, end)));
            add_events(timed, event + 1, end, above);
        }
        event = is_below ? event + 1 : end;
    }
}

static void expand(struct flame_source *source, struct flame_item *item, struct flame_items *above)
{
    const struct timed *timed = (const struct timed *)source;

    if (item->ref == source->ground)
        expand_ground(timed, above);
    else if (item->box.track)
        expand_track(timed, item, above);
    else
        expand_events(timed, item, above);
}

struct flame_source *flame_from_timeline(const struct graph *graph, struct arena *arena)
{
    struct timed *timed = arena_alloc(arena, sizeof(*timed));
    const struct timeline *timeline = &graph->timeline;

    timed->source = (struct flame_source){.graph = graph, .expand = expand, .ground = NO_BOX};
    timed->past = arena_array(arena, timeline->count, sizeof(*timed->past));
    timed->level = arena_array(arena, timeline->count, sizeof(*timed->level));
    timed->total = arena_array(arena, timeline->count, sizeof(*timed->total));
    timed->track_sum = arena_array(arena, timeline->track_count, sizeof(*timed->track_sum));
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        if (!is_drawn(graph, track))
            continue;
        find_ends(timed, track);
        sum_track(timed, track, &timed->track_sum[i]);
        timed->source.whole = checked_add(timed->source.whole, timed->track_sum[i]);
    }
    return &timed->source;
}
