/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/task_graph.h"

#include <stdlib.h>

#include "base/memory/vector.h"

struct innermost_level {
    int64_t end;
    event_id event;
    uint8_t mark;
};

void innermost_begin(struct innermost *place, const struct timeline *timeline, uint32_t track,
                     const uint8_t *mark_of)
{
    const struct track *at = &timeline->tracks[track];

    place->timeline = timeline;
    place->mark_of = mark_of;
    place->next = at->first;
    place->past = at->first + at->count;
    place->depth = 0;
    place->time = INT64_MIN;
    place->is_after_end = false;
}

static void enter(struct innermost *place, event_id event)
{
    uint8_t mark = place->mark_of ? place->mark_of[place->timeline->frame[event]] : 0;

    if (!mark && place->depth)
        mark = place->stack[place->depth - 1].mark;
    place->stack = grow_one(place->stack, place->depth, &place->cap, sizeof(*place->stack));
    place->stack[place->depth++] =
        (struct innermost_level){event_end(place->timeline, event), event, mark};
}

/* Leaves and enters what ends and begins now. */
static void settle(struct innermost *place)
{
    const struct timeline *timeline = place->timeline;

    for (;;) {
        while (place->depth && place->stack[place->depth - 1].end <= place->time) {
            place->depth--;
            place->is_after_end = true;
        }
        while (place->next < place->past && timeline->duration[place->next] == 0)
            place->next++;
        if (place->next == place->past || timeline->start[place->next] > place->time)
            return;
        enter(place, place->next++);
    }
}

bool innermost_next(struct innermost *place, struct segment *segment)
{
    const struct timeline *timeline = place->timeline;
    const struct innermost_level *top;
    int64_t until = INT64_MAX;

    if (place->time == INT64_MIN) {
        while (place->next < place->past && timeline->duration[place->next] == 0)
            place->next++;
        if (place->next == place->past)
            return false;
        place->time = timeline->start[place->next];
    }
    place->is_after_end = false;
    settle(place);
    if (place->depth == 0 && place->next == place->past)
        return false;
    top = place->depth ? &place->stack[place->depth - 1] : NULL;
    if (place->next < place->past)
        until = timeline->start[place->next];
    if (top && top->end < until)
        until = top->end;
    *segment = (struct segment){
        .start = place->time,
        .end = until,
        .event = top ? top->event : NO_EVENT,
        .mark = top ? top->mark : 0,
        .is_after_end = place->is_after_end,
    };
    place->time = until;
    return true;
}

void innermost_free(struct innermost *place)
{
    free(place->stack);
    *place = (struct innermost){0};
}
