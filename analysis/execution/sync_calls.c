/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/sync_calls.h"

#include "base/checked.h"
#include "graph/classify/frame_class.h"

/* How long the calls of a function took, and how long of that their own copies ran to the end. */
struct copying {
    int64_t all, own;
};

static void sum_copying(const struct graph *graph, struct copying *of_frame)
{
    const struct timeline *t = &graph->timeline;

    for (event_id e = 0; e < t->count; e++) {
        struct copying *copying = &of_frame[t->frame[e]];
        event_id call = t->launch ? t->launch[e] : NO_EVENT;

        copying->all = checked_add(copying->all, t->duration[e]);
        if (call == NO_EVENT || graph_frame(graph, t->frame[e])->kind != KIND_MEMCPY ||
            t->start[e] < t->start[call] || event_end(t, e) > event_end(t, call))
            continue;
        copying = &of_frame[t->frame[call]];
        copying->own = checked_add(copying->own, t->duration[e]);
    }
}

/* Copies of pageable memory block, whatever the function is called: most of its time is that of
 * copies that end before it returns. */
bool *waiting_frames(const struct graph *graph, struct arena *arena)
{
    bool *is_wait = arena_array(arena, graph->frames.count, sizeof(*is_wait));
    struct copying *copying = arena_array(arena, graph->frames.count, sizeof(*copying));

    sum_copying(graph, copying);
    for (frame_id i = 0; i < graph->frames.count; i++)
        is_wait[i] = graph_class(graph, i).is_wait ||
                     (graph_frame(graph, i)->kind == KIND_RUNTIME && copying[i].own > 0 &&
                      copying[i].own >= copying[i].all / 2);
    return is_wait;
}
