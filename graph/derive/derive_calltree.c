/* SPDX-License-Identifier: Apache-2.0 */
/* derive_calltree.c — a timeline as a call tree: by what ran in what, and by what launched it */
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/derive/derive.h"
#include "graph/model/calltree_builder.h"
#include "graph/model/walks.h"

void derive_call(struct graph *graph, node_id node, int64_t self)
{
    graph->tree.calls[node]++;
    calltree_add(&graph->tree, node, graph->values.selected, self);
}

/* How long a call of a node was, for the shortest and the longest. */
static void derive_length(struct graph *graph, node_id node, int64_t duration)
{
    struct calltree *tree = &graph->tree;

    if (!tree->min)
        return;
    tree->min[node] = duration < tree->min[node] ? duration : tree->min[node];
    tree->max[node] = duration > tree->max[node] ? duration : tree->max[node];
}

/* ---- device time by the host's calls that caused it ---- */

/* Where a captured call stands in the tree below the launch at hand. */
struct planted {
    event_id launch;
    node_id node;
};

struct launch_sweep {
    struct graph *graph;
    struct calltree_builder *tree_builder;
    event_id *first;         /* by host event: the first that it launched, */
    event_id *next;          /* and by device event: the one after it */
    struct open_events open; /* tagged with their nodes; 0: not in the tree, since nothing below
                              * the event has launched anything yet */
    struct planted *planted; /* by captured call */
    struct VECTOR_OF(uint32_t) chain; /* captured calls from a kernel's outwards */
};

static void plant(struct launch_sweep *sweep, node_id parent, event_id event)
{
    const struct timeline *t = &sweep->graph->timeline;
    node_id node = calltree_builder_child(sweep->tree_builder, parent, t->frame[event]);

    derive_call(sweep->graph, node, t->duration[event]);
    derive_length(sweep->graph, node, t->duration[event]);
}

/* The node of a captured call, below that of the launch: those around it join the tree with it. */
static node_id plant_captured(struct launch_sweep *sweep, node_id node, event_id launch,
                              uint32_t call)
{
    const struct captured_call *calls = sweep->graph->captured.list;
    sweep->chain.count = 0;
    for (; call != NO_CAPTURED_CALL && sweep->planted[call].launch != launch;
         call = calls[call].parent)
        vector_add(&sweep->chain, call);
    if (call != NO_CAPTURED_CALL)
        node = sweep->planted[call].node;
    while (sweep->chain.count > 0) {
        call = sweep->chain.list[--sweep->chain.count];
        node = calltree_builder_child(sweep->tree_builder, node, calls[call].frame);
        derive_call(sweep->graph, node, 0); /* how long is another run's matter */
        sweep->planted[call] = (struct planted){launch, node};
    }
    return node;
}

/* The node of the innermost open event; those above it join the tree with it. */
static node_id plant_path(struct launch_sweep *sweep)
{
    const struct timeline *t = &sweep->graph->timeline;
    node_id parent = 0;

    for (size_t i = 0; i < sweep->open.depth; i++) {
        struct open_event *open = &sweep->open.list[i];

        if (!open->tag) {
            open->tag = calltree_builder_child(sweep->tree_builder, parent, t->frame[open->event]);
            derive_call(sweep->graph, open->tag, 0); /* how long is not the device's matter */
        }
        parent = open->tag;
    }
    return parent;
}

static void add_launched(struct launch_sweep *sweep, const struct track *track)
{
    const struct timeline *t = &sweep->graph->timeline;

    sweep->open.depth = 0;
    for (event_id event = track->first; event < track->first + track->count; event++) {
        int64_t end = t->start[event] + t->duration[event];

        open_events_close_all(&sweep->open, t->start[event]);
        open_events_add(&sweep->open, (struct open_event){end, event, 0});
        if (sweep->first[event] == NO_EVENT)
            continue;
        node_id parent = plant_path(sweep);

        for (event_id work = sweep->first[event]; work != NO_EVENT; work = sweep->next[work]) {
            const struct captured_call *call = graph_captured(sweep->graph, work, &(bool){0});

            plant(sweep,
                  call ? plant_captured(sweep, parent, event,
                                        (uint32_t)(call - sweep->graph->captured.list))
                       : parent,
                  work);
        }
    }
}

static bool is_of_device(const struct graph *graph, event_id event)
{
    return frame_kind_is_device(graph_frame(graph, graph->timeline.frame[event])->kind);
}

/* Links every launch to its work, from the last to the first so that lists are in order. */
static void link_work(struct launch_sweep *sweep)
{
    const struct timeline *t = &sweep->graph->timeline;

    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        for (event_id e = track->first + track->count; e-- > track->first;) {
            if (track->kind != TRACK_STREAM || !is_of_device(sweep->graph, e) || !t->launch ||
                t->launch[e] == NO_EVENT)
                continue;
            sweep->next[e] = sweep->first[t->launch[e]];
            sweep->first[t->launch[e]] = e;
        }
    }
}

/* Device events become leaves below the path of host events that launched them; those whose launch
 * is not known are roots. */
static void derive_device(struct graph *graph, struct calltree_builder *tree_builder)
{
    const struct timeline *t = &graph->timeline;
    size_t size = (size_t)t->count * sizeof(event_id);
    struct launch_sweep sweep = {.graph = graph, .tree_builder = tree_builder};

    sweep.first = grow_to(NULL, (size_t)t->count + 1, sizeof(*sweep.first));
    sweep.next = grow_to(NULL, (size_t)t->count + 1, sizeof(*sweep.next));
    memset(sweep.first, 0xff, size);
    memset(sweep.next, 0xff, size);
    sweep.planted = grow_to(NULL, graph->captured.count + 1, sizeof(*sweep.planted));
    for (size_t i = 0; i < graph->captured.count; i++)
        sweep.planted[i].launch = NO_EVENT;
    link_work(&sweep);
    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        if (track->kind == TRACK_THREAD)
            add_launched(&sweep, track);
        if (track->kind != TRACK_STREAM)
            continue;
        for (event_id e = track->first; e < track->first + track->count; e++)
            if (is_of_device(graph, e) && (!t->launch || t->launch[e] == NO_EVENT))
                plant(&sweep, 0, e);
    }
    free(sweep.first);
    free(sweep.next);
    free(sweep.planted);
    free(sweep.chain.list);
    open_events_free(&sweep.open);
}

/* ---- events by what they ran in ---- */

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
        if (parent && has_time)
            calltree_add(&graph->tree, parent, graph->values.selected, checked_sub(0, duration));
        open_events_add(&open, (struct open_event){start + duration, event, node});
    }
    open_events_free(&open);
}

/* ---- CPU time of events ---- */

/* An event that is open. */
struct cpu_open {
    uint32_t counted; /* the depth of the innermost with a CPU time, from it outwards, + 1; or 0 */
    int64_t left;     /* ns of its CPU time that nothing in it has so far */
};

struct cpu_sweep {
    struct graph *graph;
    struct calltree_builder *tree_builder;
    struct property_cursors cursors;
    struct open_events open;                  /* tagged with their nodes */
    struct VECTOR_OF(struct cpu_open) depths; /* by depth */
};

/* What an event without a CPU time calls is taken from the event around it. An event has at most
 * what is left of the one around it, because the clocks are read at different moments: the total is
 * that of the outermost events. */
static void plant_cpu_event(struct cpu_sweep *sweep, event_id event)
{
    const struct timeline *t = &sweep->graph->timeline;
    struct open_events *open = &sweep->open;
    struct cpu_open *depths = sweep->depths.list;
    size_t depth = open->depth;
    node_id parent = depth ? open_events_innermost(open)->tag : 0;
    node_id node = calltree_builder_child(sweep->tree_builder, parent, t->frame[event]);
    uint32_t counted = depth ? depths[depth - 1].counted : 0;
    int64_t time = 0;
    bool is_known = property_near(&sweep->cursors, PROP_CPU_TIME, event, &time);

    if (is_known && counted) {
        time = time < depths[counted - 1].left ? time : depths[counted - 1].left;
        depths[counted - 1].left -= time;
        calltree_add(&sweep->graph->tree, open->list[counted - 1].tag,
                     sweep->graph->values.selected, -time);
    }
    derive_call(sweep->graph, node, time);
    if (is_known)
        derive_length(sweep->graph, node, time);
    open_events_add(open, (struct open_event){event_end(t, event), event, node});
    sweep->depths.count = depth;
    vector_add(&sweep->depths, ((struct cpu_open){is_known ? (uint32_t)depth + 1 : counted, time}));
}

static void derive_cpu(struct graph *graph, struct calltree_builder *tree_builder)
{
    const struct timeline *t = &graph->timeline;
    struct cpu_sweep sweep = {
        .graph = graph, .tree_builder = tree_builder, .cursors = {.columns = t->properties}};

    for (uint32_t i = 0; i < t->track_count; i++) {
        const struct track *track = &t->tracks[i];

        if (track->kind != TRACK_THREAD)
            continue;
        sweep.open.depth = 0;
        for (event_id e = track->first; e < track->first + track->count; e++) {
            open_events_close_all(&sweep.open, t->start[e]);
            plant_cpu_event(&sweep, e);
        }
    }
    open_events_free(&sweep.open);
    free(sweep.depths.list);
}

bool derive_of_cpu(const struct graph *graph)
{
    return graph->values.are_of_timeline && graph->values.selected == TIMELINE_CPU;
}

bool derive_of_device(const struct graph *graph)
{
    return graph->values.are_of_timeline && graph->values.selected == TIMELINE_DEVICE;
}

bool derive_by_launch(const struct graph *graph)
{
    return derive_of_device(graph) && graph->timeline.launch;
}

bool derive_wants(const struct graph *graph, const struct track *track)
{
    bool only_host = graph->values.selected == TIMELINE_HOST && graph->values.are_of_timeline;

    if (derive_of_device(graph))
        return track->kind == TRACK_STREAM;
    if (!only_host)
        return track->kind != TRACK_POINTS;
    /* not operations, which take their time beside what the host does, and mostly wait */
    return !track->only_waits && (track->kind == TRACK_THREAD || track->kind == TRACK_SAMPLES ||
                                  track->kind == TRACK_TOTALS);
}

void derive_calltree(struct graph *graph)
{
    const struct timeline *timeline = &graph->timeline;
    bool *has_value = grow_zeroed(graph->values.count, sizeof(*has_value));
    struct tree_shape shape = {.value_count = graph->values.count,
                               .has_value = has_value,
                               .has_calls = true,
                               .has_extremes = !graph->values.no_extremes};
    struct calltree_builder tree_builder;

    has_value[graph->values.selected] = true;
    calltree_builder_begin(&tree_builder, &graph->tree, &shape);
    if (derive_of_device(graph))
        derive_device(graph, &tree_builder);
    else if (derive_of_cpu(graph))
        derive_cpu(graph, &tree_builder);
    for (uint32_t i = 0; i < timeline->track_count; i++)
        if (!derive_of_device(graph) && !derive_of_cpu(graph) &&
            derive_wants(graph, &timeline->tracks[i]))
            plant_track(graph, &tree_builder, &timeline->tracks[i]);
    graph->has[LEVEL_CALLTREE] = true;
    calltree_builder_end(&tree_builder);
    free(has_value);
}
