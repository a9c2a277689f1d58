/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/selection/select.h"

#include <stdlib.h>

#include "base/memory/vector.h"

static bool is_inside(const struct timeline *timeline, event_id event, int64_t start, int64_t end)
{
    int64_t from = timeline->start[event], to = event_end(timeline, event);

    return from == to ? from >= start && from < end : from < end && to > start;
}

/* Moves an event to its new place, cut to the stretch. */
static void move_clipped(struct timeline *timeline, event_id event, event_id place, int64_t start,
                         int64_t end)
{
    int64_t from = timeline->start[event], to = event_end(timeline, event);

    from = from > start ? from : start;
    to = to < end ? to : end;
    timeline->start[place] = from;
    timeline->duration[place] = to - from;
    timeline->frame[place] = timeline->frame[event];
    if (timeline->launch)
        timeline->launch[place] = timeline->launch[event];
    if (timeline->category)
        timeline->category[place] = timeline->category[event];
}

static void move_property(struct property_column *column, const event_id *place_of)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < column->count; i++)
        if (place_of[column->event[i]] != NO_EVENT) {
            column->event[kept] = place_of[column->event[i]];
            column->value[kept++] = column->value[i];
        }
    column->count = kept;
}

uint32_t timeline_clip(struct graph *graph, int64_t start, int64_t end)
{
    struct timeline *timeline = &graph->timeline;
    event_id *place_of = grow_to(NULL, (size_t)timeline->count + 1, sizeof(*place_of));
    event_id kept = 0;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        struct track *track = &timeline->tracks[i];
        event_id first = track->first, past = track->first + track->count;

        track->first = kept;
        for (event_id e = first; e < past; e++) {
            place_of[e] = NO_EVENT;
            if (!is_inside(timeline, e, start, end))
                continue;
            place_of[e] = kept;
            move_clipped(timeline, e, kept++, start, end);
        }
        track->count = kept - track->first;
    }
    for (event_id e = 0; e < kept && timeline->launch; e++)
        if (timeline->launch[e] != NO_EVENT)
            timeline->launch[e] = place_of[timeline->launch[e]];
    for (int property = 0; property < PROP_COUNT; property++)
        move_property(&timeline->properties[property], place_of);
    timeline->count = kept;
    free(place_of);
    return kept;
}
