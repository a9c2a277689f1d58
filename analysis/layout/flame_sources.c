/* SPDX-License-Identifier: Apache-2.0 */
/* The boxes that stand on each other in a flame graph: from stacks, calls by estimate, or events
 * by time. */

#include "analysis/functions/call_edges.h"
#include "analysis/layout/flame.h"
#include "base/checked.h"
#include "graph/derive/derive.h"
#include "graph/model/walks.h"

/* ---- of a call tree ---- */

struct calltree_source {
    struct flame_source source;
    int64_t *self, *total;               /* by node, not negative */
    int64_t *self_shrunk, *total_shrunk; /* likewise; NULL: it is no difference */
    struct tree_links links;
};

static void expand_node(struct flame_source *source, struct flame_item *item,
                        struct flame_items *above)
{
    const struct calltree_source *known = (const struct calltree_source *)source;
    const struct calltree *tree = &source->graph->tree;

    for (node_id node = tree_first_child(&known->links, (node_id)item->ref); node;
         node = tree_next_child(&known->links, node)) {
        struct flame_item *child;

        if (known->total[node] == 0)
            continue;
        child = flame_items_add(above);
        child->ref = node;
        child->box.frame = tree->frame[node];
        child->box.total = known->total[node];
        child->box.calls = tree->calls ? tree->calls[node] : UNKNOWN;
        child->box.total_before = known->total_shrunk ? known->total_shrunk[node] : 0;
    }
    item->box.self = known->self[item->ref];
    item->box.self_before = known->self_shrunk ? known->self_shrunk[item->ref] : 0;
}

static void close_tree(struct flame_source *source)
{
    tree_unlink(&((struct calltree_source *)source)->links);
}

static int64_t *totals_of(const struct calltree *tree, const int64_t *self, struct arena *arena)
{
    int64_t *total = arena_array(arena, tree->count, sizeof(*total));

    memcpy(total, self, tree->count * sizeof(*total));
    tree_sum_up(tree, total);
    return total;
}

struct flame_source *flame_from_calltree(const struct graph *graph, bool is_difference,
                                         struct arena *arena)
{
    struct calltree_source *known = arena_alloc(arena, sizeof(*known));

    known->source =
        (struct flame_source){.graph = graph, .expand = expand_node, .close = close_tree};
    known->self = arena_array(arena, graph->tree.count, sizeof(*known->self));
    if (is_difference)
        known->self_shrunk = arena_array(arena, graph->tree.count, sizeof(*known->self_shrunk));
    for (node_id node = 0; node < graph->tree.count; node++) {
        int64_t self = calltree_self(&graph->tree, graph->values.selected, node);
        bool is_shown = self > 0 && !graph_is_idle(graph, graph->tree.frame[node]);

        known->self[node] = is_shown ? self : 0;
        if (is_difference)
            known->self_shrunk[node] = self < 0 ? checked_sub(0, self) : 0;
        if (is_difference && self < 0)
            known->self[node] = known->self_shrunk[node];
        known->source.has_negative |= self < 0 && !is_difference;
    }
    known->total = totals_of(&graph->tree, known->self, arena);
    if (is_difference) {
        known->total_shrunk = totals_of(&graph->tree, known->self_shrunk, arena);
        known->source.whole_shrunk = known->total_shrunk[0];
    }
    known->source.whole = known->total[0];
    tree_link(&graph->tree, &known->links);
    return &known->source;
}

/* ---- of a call graph ----
 *
 * A function that is drawn in several places is taken apart piece by piece: each place takes its
 * part of what the places before it left. So the parts add up to it, to the last nanosecond. */

struct flame_split {
    struct flame_source source;
    struct call_flow flow;
    int64_t *self_left, *amount_left; /* by function: not yet drawn */
    int64_t *calls_left;              /* by call */
};

/* The part of `piece` that a place of width `*width` takes, of a function with `*left` to draw. */
static int64_t take_share(int64_t *piece, int64_t *width, int64_t *left)
{
    int64_t part = *left > 0 && *piece <= *left ? checked_share(*piece, *width, *left) : *width;

    *left = checked_sub(*left, *piece);
    *width = checked_sub(*width, part);
    *piece = checked_sub(*piece, part);
    return part;
}

static void add_child(struct flame_split *split, struct flame_items *above, uint32_t function,
                      int64_t total, bool is_estimate)
{
    const struct functions *f = &split->source.graph->functions;
    struct flame_item *child = flame_items_add(above);

    child->ref = function;
    child->box.frame = f->frame[function];
    child->box.total = total;
    child->box.is_estimate = is_estimate;
    child->box.calls = split->flow.is_sole[function] ? f->calls[function] : UNKNOWN;
}

static void expand_function(struct flame_source *source, struct flame_item *item,
                            struct flame_items *above)
{
    struct flame_split *split = (struct flame_split *)source;
    const struct call_flow *flow = &split->flow;
    uint32_t function = item->ref;
    int64_t width = item->box.total, left;

    if (function == source->ground) {
        for (uint32_t i = 0; i < source->graph->functions.count; i++)
            if (flow->outside[i].amount > 0)
                add_child(split, above, i, flow->outside[i].amount, flow->outside[i].is_estimate);
        return;
    }
    left = split->amount_left[function];
    split->amount_left[function] -= width;
    item->box.self = take_share(&split->self_left[function], &width, &left);
    for (uint32_t i = flow->edges.out_first[function]; i < flow->edges.out_first[function + 1];
         i++) {
        uint32_t edge = flow->edges.out[i];
        int64_t part = take_share(&split->calls_left[edge], &width, &left);

        if (part > 0)
            add_child(split, above, source->graph->calls.callee[edge], part,
                      !flow->is_sole[function] || flow->call[edge].is_estimate);
    }
}

struct flame_source *flame_from_callgraph(const struct graph *graph, struct arena *arena)
{
    struct flame_split *split = arena_alloc(arena, sizeof(*split));
    uint32_t functions = graph->functions.count;

    call_flow_solve(graph, arena, &split->flow);
    split->self_left = arena_array(arena, functions, sizeof(*split->self_left));
    split->amount_left = arena_array(arena, functions, sizeof(*split->amount_left));
    split->calls_left = arena_array(arena, graph->calls.count, sizeof(*split->calls_left));
    for (uint32_t i = 0; i < functions; i++) {
        split->self_left[i] = split->flow.self[i];
        split->amount_left[i] = split->flow.amount[i];
    }
    for (uint32_t i = 0; i < graph->calls.count; i++)
        split->calls_left[i] = split->flow.call[i].amount;
    split->source = (struct flame_source){
        .graph = graph, .expand = expand_function, .ground = functions, .whole = split->flow.whole};
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        split->source.has_negative |= graph->functions.self[i] < 0;
    return &split->source;
}

/* ---- of a timeline ----
 *
 * Events of a track are in the order of their starts, the longer first: what is nested in an event
 * follows it. So an event's place in the tree is where what follows it begins. */

struct timed {
    struct flame_source source;
    event_id *past;     /* by event: the first one that is not nested in it */
    uint32_t *level;    /* by event: in how many it is nested */
    int64_t *total;     /* by event: its duration, or what is nested in it where that is more */
    int64_t *track_sum; /* by track */
};

/* What is open when a later event begins after its end is over. */
static void find_ends(struct timed *timed, const struct track *track)
{
    const struct timeline *timeline = &timed->source.graph->timeline;
    event_id end = track->first + track->count;
    struct open_events open = {0};
    const struct open_event *past;

    for (event_id event = track->first; event < end; event++) {
        while ((past = open_events_close(&open, timeline->start[event])))
            timed->past[past->event] = event;
        timed->level[event] = (uint32_t)open.depth;
        open_events_add(&open, (struct open_event){.end = checked_add(timeline->start[event],
                                                                      timeline->duration[event]),
                                                   .event = event});
    }
    while ((past = open_events_close(&open, INT64_MAX)))
        timed->past[past->event] = end;
    open_events_free(&open);
}

static int64_t sum_of(const struct timed *timed, event_id first, event_id end)
{
    int64_t sum = 0;

    for (event_id event = first; event < end; event = timed->past[event])
        sum = checked_add(sum, timed->total[event]);
    return sum;
}

static void sum_track(struct timed *timed, const struct track *track, int64_t *sum)
{
    const struct graph *graph = timed->source.graph;
    event_id end = track->first + track->count;

    for (event_id event = end; event-- > track->first;) {
        int64_t nested = sum_of(timed, event + 1, timed->past[event]);
        int64_t duration = graph->timeline.duration[event];
        bool counts = derive_counts(graph, track, event);

        timed->total[event] = nested > duration || !counts ? nested : duration;
    }
    *sum = sum_of(timed, track->first, end);
}

static void expand_ground(const struct timed *timed, struct flame_items *above)
{
    const struct timeline *timeline = &timed->source.graph->timeline;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        struct flame_item *child;

        if (timed->track_sum[i] == 0)
            continue;
        child = flame_items_add(above);
        child->ref = i;
        child->box.track = i + 1;
        child->box.total = timed->track_sum[i];
    }
}

static void add_events(const struct timed *timed, event_id first, event_id end,
                       struct flame_items *above)
{
    for (event_id event = first; event < end; event = timed->past[event]) {
        struct flame_item *child;

        if (timed->total[event] == 0)
            continue;
        child = flame_items_add(above);
        child->ref = event;
        child->ref_end = timed->past[event];
        child->box.frame = timed->source.graph->timeline.frame[event];
        child->box.total = timed->total[event];
    }
}

/* One event, or several side by side, between which those lie that others of them stand on. */
static void expand_events(const struct timed *timed, struct flame_item *item,
                          struct flame_items *above)
{
    event_id event = item->ref;

    while (event < item->ref_end) {
        event_id end = timed->past[event];
        bool is_below = timed->level[event] + 1 < item->box.depth;

        if (!is_below) {
            item->box.self = checked_add(
                item->box.self, checked_sub(timed->total[event], sum_of(timed, event + 1, end)));
            add_events(timed, event + 1, end, above);
        }
        event = is_below ? event + 1 : end;
    }
}

static void expand_event(struct flame_source *source, struct flame_item *item,
                         struct flame_items *above)
{
    const struct timed *timed = (const struct timed *)source;

    if (item->ref == source->ground) {
        expand_ground(timed, above);
    } else if (item->box.track) {
        const struct track *track = &source->graph->timeline.tracks[item->ref];

        add_events(timed, track->first, track->first + track->count, above);
    } else {
        expand_events(timed, item, above);
    }
}

struct flame_source *flame_from_timeline(const struct graph *graph, struct arena *arena)
{
    struct timed *timed = arena_alloc(arena, sizeof(*timed));
    const struct timeline *timeline = &graph->timeline;

    timed->source = (struct flame_source){.graph = graph, .expand = expand_event, .ground = NO_BOX};
    timed->past = arena_array(arena, timeline->count, sizeof(*timed->past));
    timed->level = arena_array(arena, timeline->count, sizeof(*timed->level));
    timed->total = arena_array(arena, timeline->count, sizeof(*timed->total));
    timed->track_sum = arena_array(arena, timeline->track_count, sizeof(*timed->track_sum));
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        if (!track_takes_time(track) && derive_wants(graph, track))
            continue;
        find_ends(timed, track);
        sum_track(timed, track, &timed->track_sum[i]);
        timed->source.whole = checked_add(timed->source.whole, timed->track_sum[i]);
    }
    return &timed->source;
}

/* ---- of a timeline, in the order of time ----
 *
 * A wrapper around main() puts every box in a new place, and a call graph's cycles come and go
 * with one call. So what a function had in places that are gone is what its boxes in new places
 * are compared with, in proportion to their self values. */

/* Self values by key that are in no box which stands where it stood. */
struct unplaced {
    int64_t *had, *has;
};

static uint32_t most_key(const uint32_t *key, const struct graph *graph, uint32_t most)
{
    for (frame_id id = 1; id < graph->frames.count; id++)
        most = key[id] > most ? key[id] : most;
    return most;
}

static int64_t *sum_by_key(const struct graph *graph, const uint32_t *key, uint32_t keys,
                           struct arena *arena)
{
    int64_t *sum = arena_array(arena, keys, sizeof(*sum));

    for (uint32_t i = 0; i < graph->functions.listed; i++) {
        int64_t self = graph->functions.self[i], *at = &sum[key[graph->functions.frame[i]]];

        *at = checked_add(*at, self > 0 ? self : 0);
    }
    return sum;
}

static bool is_function(const struct flame_box *box)
{
    return !box->merged;
}

/* What the box gets of what its function had elsewhere. */
static int64_t take_unplaced(struct unplaced *unplaced, uint32_t key, int64_t self, int64_t most)
{
    int64_t *had = &unplaced->had[key], *has = &unplaced->has[key];
    int64_t part = *had > 0 && self > 0 && self <= *has ? checked_share(*had, self, *has) : 0;

    part = part < most ? part : most;
    *had -= part;
    *has = checked_sub(*has, self);
    return part;
}

void flame_compare_moved(const struct graph *graph, const struct flame_past *past,
                         struct flame *flame, struct arena *arena)
{
    const uint32_t *key = past->key_now;
    uint32_t keys = most_key(key, graph, most_key(past->key, past->graph, 0)) + 1;
    struct unplaced unplaced = {.had = sum_by_key(past->graph, past->key, keys, arena),
                                .has = sum_by_key(graph, key, keys, arena)};

    for (uint32_t i = 0; i < flame->count; i++) {
        const struct flame_box *box = &flame->boxes[i];
        int64_t *had = &unplaced.had[key[box->frame]], *has = &unplaced.has[key[box->frame]];

        if (!is_function(box) || box->is_new)
            continue;
        *had = checked_sub(*had, box->self_before);
        *has = checked_sub(*has, box->self);
    }
    for (uint32_t i = 0; i < flame->count; i++) {
        struct flame_box *box = &flame->boxes[i];

        if (!box->is_new || !is_function(box))
            continue;
        box->self_before = take_unplaced(&unplaced, key[box->frame], box->self, flame->gone);
        flame->gone -= box->self_before;
    }
    for (uint32_t i = flame->count; i-- > 0;) {
        struct flame_box *box = &flame->boxes[i];

        if (box->is_new)
            box->total_before = checked_add(box->total_before, box->self_before);
        if (box->parent != NO_BOX && flame->boxes[box->parent].is_new)
            flame->boxes[box->parent].total_before =
                checked_add(flame->boxes[box->parent].total_before, box->total_before);
    }
}
