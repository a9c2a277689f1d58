/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/task_graph.h"

#include "base/checked.h"

static bool has_device(const struct timeline *timeline)
{
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_STREAM && timeline->tracks[i].count)
            return true;
    return false;
}

static bool may_be_waiting(const struct graph *graph, event_id event)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t step;

    return graph_frame(graph, timeline->frame[event])->kind == KIND_PYTHON ||
           property_of(&timeline->properties[PROP_STEP], event, &step);
}

bool track_may_only_wait(const struct graph *graph, const struct track *track)
{
    for (event_id e = track->first; e < track->first + track->count; e++)
        if (!may_be_waiting(graph, e))
            return false;
    return true;
}

/* A thread is one with all its lanes, or not at all. */
static void join_lanes(const struct timeline *timeline, bool *is_one)
{
    for (uint32_t i = 1; i < timeline->track_count; i++)
        if (timeline->tracks[i].lane)
            is_one[i] &= is_one[i - 1];
    for (uint32_t i = timeline->track_count; i-- > 1;)
        if (timeline->tracks[i].lane)
            is_one[i - 1] &= is_one[i];
}

/* By track; the arena's. */
static bool *wait_only_find(const struct graph *graph, struct arena *arena)
{
    const struct timeline *timeline = &graph->timeline;
    bool *is_one = arena_array(arena, timeline->track_count, sizeof(*is_one));
    bool has_work = has_device(timeline);

    for (uint32_t i = 0; i < timeline->track_count; i++)
        is_one[i] = has_work && timeline->tracks[i].kind == TRACK_THREAD &&
                    timeline->tracks[i].count && track_may_only_wait(graph, &timeline->tracks[i]);
    join_lanes(timeline, is_one);
    return is_one;
}

/* What its events cover, which nest. */
static int64_t busy_time(const struct timeline *timeline, const struct track *track)
{
    int64_t time = 0, end = INT64_MIN;

    for (event_id e = track->first; e < track->first + track->count; e++)
        if (timeline->start[e] >= end) {
            time = checked_add(time, timeline->duration[e]);
            end = event_end(timeline, e);
        }
    return time;
}

struct wait_only wait_only_sum(const struct graph *graph)
{
    const struct timeline *timeline = &graph->timeline;
    struct wait_only sum = {0};
    struct arena arena = {0};
    const bool *is_one = wait_only_find(graph, &arena);

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        if (!is_one[i])
            continue;
        if (timeline->tracks[i].lane == 0) {
            sum.count++;
            sum.track = i;
        }
        sum.time = checked_add(sum.time, busy_time(timeline, &timeline->tracks[i]));
    }
    arena_free(&arena);
    return sum;
}

void wait_only_set_apart(struct graph *graph)
{
    struct arena arena = {0};
    const bool *is_one = wait_only_find(graph, &arena);

    for (uint32_t i = 0; i < graph->timeline.track_count; i++)
        graph->timeline.tracks[i].only_waits = is_one[i];
    arena_free(&arena);
}
