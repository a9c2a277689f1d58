/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/grow.h"
#include "graph/build/calltree_builder.h"
#include "graph/derive/derive.h"
#include "graph/model/open_events.h"

void derive_call(struct graph *graph, node_id node, int64_t self)
{
    int64_t *sum = &graph->tree.self[graph->values.selected][node];

    graph->tree.calls[node]++;
    *sum = checked_add(*sum, self);
}

void derive_length(struct graph *graph, node_id node, int64_t duration)
{
    struct calltree *tree = &graph->tree;

    if (!tree->min)
        return;
    tree->min[node] = duration < tree->min[node] ? duration : tree->min[node];
    tree->max[node] = duration > tree->max[node] ? duration : tree->max[node];
}

static void plant_track(struct graph *graph, struct calltree_builder *tree_builder,
                        const struct track *track)
{
    const struct timeline *timeline = &graph->timeline;
    struct open_events open = {0}; /* tagged with their nodes */

    for (event_id event = track->first; event < track->first + track->count; event++) {
        int64_t start = timeline->start[event], duration = timeline->duration[event];
        bool has_time = derive_counts(graph, track, event);

        open_events_close_all(&open, start);

        node_id parent = open.depth ? open_events_innermost(&open)->tag : 0;
        node_id node = calltree_builder_child(tree_builder, parent, timeline->frame[event]);

        derive_call(graph, node, has_time ? duration : 0);
        derive_length(graph, node, duration);
        if (parent && has_time) {
            int64_t *around = &tree_builder->tree->self[graph->values.selected][parent];

            *around = checked_sub(*around, duration);
        }
        open_events_add(&open, (struct open_event){start + duration, event, node});
    }
    open_events_free(&open);
}

bool derive_of_device(const struct graph *graph)
{
    return graph->values.are_of_timeline && graph->values.selected == TIMELINE_DEVICE;
}

bool derive_by_launch(const struct graph *graph)
{
    return derive_of_device(graph) && graph->timeline.launch;
}

/* Operations take their time beside what the host does, and mostly wait. */
static bool is_of_host(const struct track *track)
{
    return track->kind == TRACK_THREAD || track->kind == TRACK_SAMPLES ||
           track->kind == TRACK_TOTALS;
}

bool derive_wants(const struct graph *graph, const struct track *track)
{
    bool only_host = graph->values.selected == TIMELINE_HOST && graph->values.are_of_timeline;

    if (derive_of_device(graph))
        return track->kind == TRACK_STREAM;
    return track->kind != TRACK_POINTS && !(only_host && (!is_of_host(track) || track->only_waits));
}

void derive_calltree(struct graph *graph)
{
    const struct timeline *timeline = &graph->timeline;
    bool *has_value = grow_zeroed(graph->values.count, sizeof(*has_value));
    struct tree_shape shape = {.value_count = graph->values.count,
                               .has_value = has_value,
                               .has_calls = true,
                               .has_extremes = !graph->selection.no_extremes};
    struct calltree_builder tree_builder;

    has_value[graph->values.selected] = true;
    calltree_builder_begin(&tree_builder, &graph->tree, &shape);
    if (derive_of_device(graph))
        derive_device(graph, &tree_builder);
    for (uint32_t i = 0; i < timeline->track_count && !derive_of_device(graph); i++)
        if (derive_wants(graph, &timeline->tracks[i]))
            plant_track(graph, &tree_builder, &timeline->tracks[i]);
    graph->has[LEVEL_CALLTREE] = true;
    calltree_builder_end(&tree_builder);
    free(has_value);
}
