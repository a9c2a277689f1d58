/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/idle_gaps.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "graph/derive/derive.h"
#include "graph/model/calltree_builder.h"
#include "graph/model/walks.h"

struct idle_tree {
    struct graph *graph;
    struct calltree_builder tree_builder;
    const int64_t *idle_of;  /* by event: ns that its thread held a device up in it */
    struct open_events open; /* tagged with their nodes; 0: nothing in them held a device up yet */
};

static node_id child(struct idle_tree *idle, node_id parent, frame_id frame)
{
    return calltree_builder_child(&idle->tree_builder, parent, frame);
}

/* What is around a function that held a device up joins the tree with it. */
static void plant_event(struct idle_tree *idle, event_id event)
{
    const struct timeline *timeline = &idle->graph->timeline;
    node_id node = 0;

    for (size_t i = 0; i < idle->open.depth; i++) {
        struct open_event *open = &idle->open.list[i];

        if (!open->tag)
            open->tag = child(idle, node, timeline->frame[open->event]);
        node = open->tag;
    }
    derive_call(idle->graph, node, idle->idle_of[event]);
}

static void plant_thread(struct idle_tree *idle, const struct track *track)
{
    const struct timeline *timeline = &idle->graph->timeline;

    idle->open.depth = 0;
    for (event_id event = track->first; event < track->first + track->count; event++) {
        open_events_close_all(&idle->open, timeline->start[event]);
        open_events_add(&idle->open, (struct open_event){event_end(timeline, event), event, 0});
        if (idle->idle_of[event])
            plant_event(idle, event);
    }
}

static frame_id frame_of_cause(struct graph *graph, enum gap_cause cause)
{
    struct arena arena = {0};
    const char *name = arena_printf(&arena, "(%s)", gap_cause_name(cause));
    frame_id frame = frame_intern(
        &graph->frames, &(struct frame){.name = strings_intern(&graph->strings, span_of(name)),
                                        .kind = KIND_OTHER});

    arena_free(&arena);
    return frame;
}

/* What the owner's threads held up is in the tree by event, unless they were in none. */
static bool is_by_event(const struct idle_owner *owner)
{
    return owner->frame && (owner->cause == GAP_HOST_LATE || owner->cause == GAP_SYNC);
}

static void plant_owner(struct idle_tree *idle, const struct idle_owner *owner)
{
    node_id node = child(idle, 0, frame_of_cause(idle->graph, owner->cause));

    if (owner->frame)
        node = child(idle, node, owner->frame);
    idle->graph->tree.calls[node] += owner->gaps - 1;
    derive_call(idle->graph, node, owner->time);
}

static void plant_all(struct idle_tree *idle, const struct gaps *gaps)
{
    const struct timeline *timeline = &idle->graph->timeline;

    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (timeline->tracks[i].kind == TRACK_THREAD)
            plant_thread(idle, &timeline->tracks[i]);
    for (uint32_t i = 0; i < gaps->owner_count; i++)
        if (!is_by_event(&gaps->owners[i]))
            plant_owner(idle, &gaps->owners[i]);
}

void idle_tree_make(struct graph *graph)
{
    bool *has_value = grow_zeroed(graph->values.count, sizeof(*has_value));
    int64_t *idle_of = grow_zeroed((size_t)graph->timeline.count + 1, sizeof(*idle_of));
    struct tree_shape shape = {
        .value_count = graph->values.count, .has_value = has_value, .has_calls = true};
    struct idle_tree idle = {.graph = graph, .idle_of = idle_of};
    struct devices_work devices;
    struct execution execution;
    struct arena arena = {0};
    struct gaps gaps;

    device_work_collect(graph, &arena, &devices);
    execution_build(graph, &execution);
    gaps_find_by_event(&execution, &devices, &arena, &gaps, idle_of);
    execution_free(&execution);
    has_value[graph->values.selected] = true;
    calltree_builder_begin(&idle.tree_builder, &graph->tree, &shape);
    plant_all(&idle, &gaps);
    calltree_builder_end(&idle.tree_builder);
    graph->has[LEVEL_CALLTREE] = true;
    graph_classify(graph);
    open_events_free(&idle.open);
    arena_free(&arena);
    free(idle_of);
    free(has_value);
}
