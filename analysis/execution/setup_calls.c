/* SPDX-License-Identifier: Apache-2.0 */
/* setup_calls.c — calls that make a device's context or load a library's code: they come once, by whatever name
 *
 * The first use of a device and the first product of a library allocate and free memory on the way. Such a call is
 * no trouble with the allocator: it comes before any work of the devices, or within the first call of an operator,
 * and takes as long as no other allocation does. */
#include <stdlib.h>

#include "analysis/execution/task_graph.h"
#include "base/memory/memory.h"

/* INT64_MAX: there is none. */
static int64_t first_work(const struct timeline *timeline)
{
    int64_t first = INT64_MAX;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        if (track->kind == TRACK_STREAM && track->count && timeline->start[track->first] < first)
            first = timeline->start[track->first];
    }
    return first;
}

/* By frame, when its first event on a thread begins. The caller's to free. */
static int64_t *first_starts(const struct graph *graph)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t *first = grow_to(NULL, graph->frames.count, sizeof(*first));

    for (frame_id id = 0; id < graph->frames.count; id++)
        first[id] = INT64_MAX;
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        for (event_id e = track->first;
             track->kind == TRACK_THREAD && e < track->first + track->count; e++)
            if (timeline->start[e] < first[timeline->frame[e]])
                first[timeline->frame[e]] = timeline->start[e];
    }
    return first;
}

/* The innermost operator around a call, the outermost of its name: dispatchers call one of the same name. NO_EVENT. */
static event_id operator_around(const struct graph *graph, const struct track *track, event_id call)
{
    enum { EVENTS_ASKED = 64 };
    const struct timeline *timeline = &graph->timeline;
    event_id around = NO_EVENT;

    for (event_id e = call; e > track->first && call - e < EVENTS_ASKED;) {
        if (event_end(timeline, --e) < event_end(timeline, call) ||
            graph_frame(graph, timeline->frame[e])->kind != KIND_OPERATOR)
            continue;
        if (around != NO_EVENT && timeline->frame[e] != timeline->frame[around])
            break;
        around = e;
    }
    return around;
}

void find_setup_calls(const struct graph *graph, struct execution *execution)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t work = first_work(timeline), *first = NULL;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        for (event_id e = track->first;
             track->kind == TRACK_THREAD && e < track->first + track->count; e++) {
            uint8_t role = execution->role[timeline->frame[e]];
            event_id around;

            if (role != HOST_ALLOCATES && role != HOST_FREES)
                continue;
            if (!first)
                first = first_starts(graph);
            around = operator_around(graph, track, e);
            if (timeline->start[e] <= work ||
                (around != NO_EVENT && timeline->start[around] == first[timeline->frame[around]]))
                vector_add(&execution->setup_calls, e);
        }
    }
    free(first);
}

bool is_setup_call(const struct execution *execution, event_id call)
{
    const event_id *calls = execution->setup_calls.list;
    size_t count = execution->setup_calls.count;

    SEARCH(size_t, at, count, calls[at] < call);
    return at < count && calls[at] == call &&
           execution->graph->timeline.duration[call] >= execution->limits.setup;
}
