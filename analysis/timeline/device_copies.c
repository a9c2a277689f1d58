/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/timeline/device_copies.h"
#include "graph/classify/memory_copy.h"

static bool is_pageable(const struct graph *graph, event_id event)
{
    static const enum property ends[] = {PROP_SRC_KIND, PROP_DST_KIND};
    int64_t kind;

    for (size_t i = 0; i < COUNT_OF(ends); i++)
        if (property_of(&graph->timeline.properties[ends[i]], event, &kind) &&
            kind == MEMORY_PAGEABLE)
            return true;
    return false;
}

static void add_to_sum(struct copy_sum *sum, int64_t time, int64_t bytes)
{
    sum->time = checked_add(sum->time, time);
    sum->bytes = checked_add(sum->bytes, bytes);
    sum->count++;
}

static void add_copy(const struct graph *graph, event_id event, int64_t small,
                     struct copies *copies)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t time = timeline->duration[event], bytes = 0;
    bool is_sized = property_of(&timeline->properties[PROP_BYTES], event, &bytes);

    add_to_sum(&copies->all, time, bytes);
    if (is_sized)
        add_to_sum(&copies->sized, time, bytes);
    if (is_sized && bytes < small)
        add_to_sum(&copies->small, time, bytes);
    if (!is_pageable(graph, event))
        return;
    add_to_sum(&copies->pageable, time, bytes);
    if (copies->longest_pageable == NO_EVENT || time > timeline->duration[copies->longest_pageable])
        copies->longest_pageable = event;
}

void copies_sum(const struct graph *graph, const struct device_work *work, int64_t start,
                int64_t end, int64_t small, struct copies *copies)
{
    const struct timeline *timeline = &graph->timeline;

    *copies = (struct copies){.longest_pageable = NO_EVENT};
    for (uint32_t i = 0; i < work->count; i++) {
        event_id event = work->events[i];

        if (timeline->start[event] >= start && timeline->start[event] < end &&
            graph_frame(graph, timeline->frame[event])->kind == KIND_MEMCPY)
            add_copy(graph, event, small, copies);
    }
}
