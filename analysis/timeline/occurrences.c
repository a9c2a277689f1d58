/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/timeline/occurrences.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"

static void add_event(const struct timeline *timeline, event_id event, struct occurrences *to)
{
    to->count++;
    to->total = checked_add(to->total, timeline->duration[event]);
    if (to->longest == NO_EVENT || timeline->duration[event] > timeline->duration[to->longest])
        to->longest = event;
}

void occurrences_find(const struct graph *graph, const frame_id *frames, uint32_t count,
                      struct occurrences *of)
{
    const struct timeline *timeline = &graph->timeline;
    uint32_t *place = grow_zeroed(graph->frames.count, sizeof(*place)); /* from 1; 0: not asked for */

    for (uint32_t i = 0; i < count; i++) {
        of[i] = (struct occurrences){.longest = NO_EVENT};
        if (frames[i] && !place[frames[i]])
            place[frames[i]] = i + 1;
    }
    for (event_id event = 0; event < timeline->count; event++) {
        uint32_t at = place[timeline->frame[event]];

        if (at)
            add_event(timeline, event, &of[at - 1]);
    }
    for (uint32_t i = 0; i < count; i++)
        if (frames[i])
            of[i] = of[place[frames[i]] - 1];
    free(place);
}
