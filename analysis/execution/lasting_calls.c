/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that last as long as the copies that they ask for, as those from pageable memory do. They may return a little
 * before their copy has ended, so that none is known to wait for it. */
#include <stdlib.h>

#include "analysis/execution/replay.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

/* By frame, ns of the copies of its calls: all, and what ran before their call returned. */
struct copied {
    int64_t time, inside;
};

static void add_copy(const struct timeline *timeline, event_id copy, struct copied *copied)
{
    int64_t end = event_end(timeline, copy), returned = event_end(timeline, timeline->launch[copy]);

    copied->time = checked_add(copied->time, timeline->duration[copy]);
    copied->inside += not_negative((returned < end ? returned : end) - timeline->start[copy]);
}

bool *calls_that_last(const struct graph *graph)
{
    const struct timeline *timeline = &graph->timeline;
    struct copied *copied = grow_zeroed(graph->frames.count, sizeof(*copied));
    bool *lasts = grow_zeroed(graph->frames.count, sizeof(*lasts));

    for (event_id e = 0; timeline->launch && e < timeline->count; e++)
        if (timeline->launch[e] != NO_EVENT &&
            graph_frame(graph, timeline->frame[e])->kind == KIND_MEMCPY)
            add_copy(timeline, e, &copied[timeline->frame[timeline->launch[e]]]);
    for (frame_id id = 1; id < graph->frames.count; id++)
        lasts[id] =
            copied[id].inside > copied[id].time / 2 && graph_class(graph, id).call == CALL_COPY;
    free(copied);
    return lasts;
}
