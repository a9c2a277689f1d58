#include "analysis/bystanders.h"

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

static bool is_bystander(const struct graph *graph, const struct track *track)
{
    if (track->kind != TRACK_THREAD)
        return false;
    for (event_id e = track->first; e < track->first + track->count; e++)
        if (!may_be_waiting(graph, e))
            return false;
    return true;
}

bool *bystanders_find(const struct graph *graph, struct arena *arena)
{
    const struct timeline *timeline = &graph->timeline;
    bool *is_one = arena_array(arena, timeline->track_count, sizeof(*is_one));
    bool has_work = has_device(timeline);

    for (uint32_t i = 0; i < timeline->track_count; i++)
        is_one[i] = has_work && is_bystander(graph, &timeline->tracks[i]);
    return is_one;
}
