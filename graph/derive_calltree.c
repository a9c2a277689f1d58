#include <stdlib.h>

#include "base/grow.h"
#include "graph/derive.h"
#include "graph/planting.h"

/* One event that is open while its track is swept. */
struct open_event {
    node_id node;
    int64_t end;
};

static void count_call(struct calltree *tree, node_id node, int64_t duration)
{
    tree->calls[node]++;
    tree->self[0][node] += duration;
    tree->min[node] = duration < tree->min[node] ? duration : tree->min[node];
    tree->max[node] = duration > tree->max[node] ? duration : tree->max[node];
}

static void plant_track(struct planting *planting, const struct timeline *timeline,
                        const struct track *track)
{
    struct open_event *open = NULL;
    size_t depth = 0, cap = 0;

    for (event_id event = track->first; event < track->first + track->count; event++) {
        int64_t start = timeline->start[event], duration = timeline->duration[event];

        while (depth && open[depth - 1].end <= start)
            depth--;

        node_id parent = depth ? open[depth - 1].node : 0;
        node_id node = planting_child(planting, parent, timeline->frame[event]);

        count_call(planting->tree, node, duration);
        if (parent)
            planting->tree->self[0][parent] -= duration;
        open = grow_one(open, depth, &cap, sizeof(*open));
        open[depth++] = (struct open_event){node, start + duration};
    }
    free(open);
}

void derive_calltree(struct graph *graph)
{
    const struct timeline *timeline = &graph->timeline;
    struct tree_shape shape = {
        .value_count = graph->value_count, .has_calls = true, .has_extremes = true};
    struct planting planting;

    planting_begin(&planting, &graph->tree, &shape);
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind != TRACK_POINTS)
            plant_track(&planting, timeline, &timeline->tracks[i]);
    graph->has[LEVEL_CALLTREE] = true;
    planting_end(&planting);
}
