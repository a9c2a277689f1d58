/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/verdict/bottleneck.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"

/* A function of a class, and what called it, or called what called it, without having one. */
struct cost_pair {
    frame_id function, caller;
    int64_t time;
};

struct cost_counting {
    const struct graph *graph;
    struct cost_shares *shares;
    uint8_t *class_of;   /* by frame */
    bool *is_own;        /* by frame: the program's own code */
    int64_t *time_of;    /* by frame: of its class */
    struct idmap places; /* function and caller → a place in the pairs */
    struct cost_pair *pairs;
    size_t count, cap;
};

static void add_time(struct cost_counting *counting, frame_id frame, int64_t time)
{
    struct cost_share *share = &counting->shares->of[counting->class_of[frame]];
    int64_t *of = &counting->time_of[frame];

    share->time = checked_add(share->time, time);
    *of = checked_add(*of, time);
    if (share->worst == 0 || *of > counting->time_of[share->worst])
        share->worst = frame;
}

static void add_caller(struct cost_counting *counting, frame_id frame, frame_id caller,
                       int64_t time)
{
    uint32_t *place;

    if (caller == 0)
        return;
    place = idmap_at(&counting->places, idmap_pair(frame, caller));
    if (*place == IDMAP_NONE) {
        *place = (uint32_t)counting->count;
        counting->pairs =
            grow_one(counting->pairs, counting->count, &counting->cap, sizeof(*counting->pairs));
        counting->pairs[counting->count++] = (struct cost_pair){frame, caller, 0};
    }
    counting->pairs[*place].time = checked_add(counting->pairs[*place].time, time);
}

static void find_callers(struct cost_counting *counting)
{
    int64_t most[COST_CLASS_COUNT] = {0};

    for (size_t i = 0; i < counting->count; i++) {
        const struct cost_pair *pair = &counting->pairs[i];
        uint8_t class = counting->class_of[pair->function];
        struct cost_share *share = &counting->shares->of[class];

        if (pair->function != share->worst || pair->time <= most[class])
            continue;
        most[class] = pair->time;
        share->caller = pair->caller;
    }
}

/* By node: the outermost with a class on its path, or the collector, and what called it. Parents come
 * before children. */
static void count_tree(struct cost_counting *counting)
{
    const struct graph *graph = counting->graph;
    const struct calltree *tree = &graph->tree;
    frame_id *function = grow_zeroed((size_t)tree->count + 1, sizeof(*function));
    frame_id *caller = grow_zeroed((size_t)tree->count + 1, sizeof(*caller));
    const int64_t *self = tree->self[graph->values.selected];

    for (node_id node = 1; node < tree->count; node++) {
        node_id parent = tree->parent[node];
        enum cost_class own = (enum cost_class)counting->class_of[tree->frame[node]];
        enum cost_class around = (enum cost_class)counting->class_of[function[parent]];
        bool takes_over = around == COST_NONE ? own != COST_NONE : own == COST_GC && around != own;

        function[node] = takes_over ? tree->frame[node] : function[parent];
        if (own == COST_NONE && counting->is_own[tree->frame[node]])
            function[node] = 0; /* a library called it back */
        caller[node] = takes_over && around == COST_NONE ? tree->frame[parent] : caller[parent];
        if (function[node] && self[node] > 0) {
            add_time(counting, function[node], self[node]);
            add_caller(counting, function[node], caller[node], self[node]);
        }
    }
    free(function);
    free(caller);
}

static void count_functions(struct cost_counting *counting)
{
    const struct functions *functions = &counting->graph->functions;
    const struct calls *calls = &counting->graph->calls;

    for (uint32_t i = 0; i < functions->listed; i++)
        if (counting->class_of[functions->frame[i]] != COST_NONE && functions->self[i] > 0)
            add_time(counting, functions->frame[i], functions->self[i]);
    for (uint32_t i = 0; counting->graph->has[LEVEL_CALLGRAPH] && i < calls->count; i++)
        if (counting->class_of[functions->frame[calls->callee[i]]] != COST_NONE &&
            calls->self[i] > 0)
            add_caller(counting, functions->frame[calls->callee[i]],
                       functions->frame[calls->caller[i]], calls->self[i]);
}

void cost_shares_find(const struct graph *graph, struct cost_shares *shares)
{
    size_t frames = graph->frames.count;
    struct cost_counting counting = {.graph = graph,
                                     .shares = shares,
                                     .class_of = grow_zeroed(frames, sizeof(uint8_t)),
                                     .is_own = grow_zeroed(frames, sizeof(bool)),
                                     .time_of = grow_zeroed(frames, sizeof(int64_t))};

    *shares = (struct cost_shares){.whole = graph_work(graph)};
    for (int class = 0; class < COST_CLASS_COUNT; class ++)
        shares->of[class].class = (enum cost_class) class;
    for (frame_id id = 1; id < frames; id++) {
        counting.class_of[id] = (uint8_t)cost_class(graph, id);
        counting.is_own[id] = is_own_code(graph, id);
    }
    if (graph->has[LEVEL_CALLTREE])
        count_tree(&counting);
    else
        count_functions(&counting);
    find_callers(&counting);
    idmap_free(&counting.places);
    free(counting.class_of);
    free(counting.is_own);
    free(counting.time_of);
    free(counting.pairs);
}
