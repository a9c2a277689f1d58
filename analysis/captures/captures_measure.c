/* SPDX-License-Identifier: Apache-2.0 */
/* captures_measure.c — how long devices worked, how much of it for graphs, and for how many launches */
#include "analysis/captures/captures.h"
#include "base/checked.h"
#include "graph/classify/event_class.h"

static bool is_graph_launch(const struct graph *graph, event_id call)
{
    const struct timeline *t = &graph->timeline;

    return graph_class(graph, t->frame[call]).call == CALL_GRAPH_LAUNCH &&
           t->tracks[track_of_event(t, call)].kind == TRACK_THREAD;
}

/* How long devices worked, and for graphs; into `called` goes which launches they worked for. */
static void measure_track(const struct graph *graph, const struct track *track,
                          struct bits *called, struct captures_join *join)
{
    const struct timeline *t = &graph->timeline;
    event_id call = NO_EVENT; /* of the work before: most of a graph's follows in one run */
    bool is_graph = false;

    for (event_id e = track->first; e < track->first + track->count; e++) {
        if (!frame_kind_is_device(graph_frame(graph, t->frame[e])->kind))
            continue;
        join->device_time = checked_add(join->device_time, t->duration[e]);
        if (!t->launch || t->launch[e] == NO_EVENT)
            continue;
        if (t->launch[e] != call) {
            call = t->launch[e];
            if ((is_graph = is_graph_launch(graph, call)))
                bits_set(called, call);
        }
        if (is_graph)
            join->time = checked_add(join->time, t->duration[e]);
    }
}

void captures_measure(const struct graph *graph, struct captures_join *join)
{
    const struct timeline *t = &graph->timeline;
    struct bits called;

    bits_init(&called, t->count);
    for (uint32_t i = 0; i < t->track_count; i++)
        if (t->tracks[i].kind == TRACK_STREAM)
            measure_track(graph, &t->tracks[i], &called, join);
    join->launches = bits_count(&called);
    bits_free(&called);
}
