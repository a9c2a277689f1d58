/* SPDX-License-Identifier: Apache-2.0 */
/* cost_shares.c — what of a CPU profile is overhead, by class, and for which callers */
#include "analysis/advice/bottleneck.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"

/* A function of a class, and what called it, or called what called it, without having one. */
struct cost_pair {
    frame_id function, caller;
    enum cost_class class;
    int64_t time;
};

struct cost_counting {
    const struct graph *graph;
    struct cost_shares *shares;
    uint8_t *class_of;              /* by frame */
    bool *is_own;                   /* by frame: the program's own code */
    int64_t *time_of;               /* by frame: of the class that is being counted */
    int64_t most[COST_CLASS_COUNT]; /* of one frame */
    struct idmap places;            /* function and caller → a place in the pairs */
    struct cost_pair *pairs;
    size_t count, cap;
};

static void add_time(struct cost_counting *counting, enum cost_class class, frame_id frame,
                     int64_t time)
{
    struct cost_share *share = &counting->shares->of[class];
    int64_t *of = &counting->time_of[frame];

    share->time = checked_add(share->time, time);
    *of = checked_add(*of, time);
    if (*of > counting->most[class]) {
        counting->most[class] = *of;
        share->worst = frame;
    }
}

static void add_caller(struct cost_counting *counting, enum cost_class class, frame_id frame,
                       frame_id caller, int64_t time)
{
    uint32_t *place;

    if (caller == 0)
        return;
    place = idmap_at(&counting->places, idmap_pair(frame, caller));
    if (*place == IDMAP_NONE) {
        *place = (uint32_t)counting->count;
        counting->pairs =
            grow_one(counting->pairs, counting->count, &counting->cap, sizeof(*counting->pairs));
        counting->pairs[counting->count++] = (struct cost_pair){frame, caller, class, 0};
    }
    counting->pairs[*place].time = checked_add(counting->pairs[*place].time, time);
}

static void find_callers(struct cost_counting *counting)
{
    int64_t most[COST_CLASS_COUNT] = {0};

    for (size_t i = 0; i < counting->count; i++) {
        const struct cost_pair *pair = &counting->pairs[i];
        struct cost_share *share = &counting->shares->of[pair->class];

        if (pair->function != share->worst || pair->time <= most[pair->class])
            continue;
        most[pair->class] = pair->time;
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

    for (node_id node = 1; node < tree->count; node++) {
        node_id parent = calltree_parent(tree, node);
        int64_t self = calltree_self(tree, graph->values.selected, node);
        enum cost_class own = (enum cost_class)counting->class_of[tree->frame[node]];
        enum cost_class around = (enum cost_class)counting->class_of[function[parent]];
        bool takes_over = around == COST_NONE ? own != COST_NONE : own == COST_GC && around != own;

        function[node] = takes_over ? tree->frame[node] : function[parent];
        if (own == COST_NONE && counting->is_own[tree->frame[node]])
            function[node] = 0; /* a library called it back */
        caller[node] = takes_over && around == COST_NONE ? tree->frame[parent] : caller[parent];
        if (function[node] && self > 0) {
            enum cost_class class = (enum cost_class)counting->class_of[function[node]];

            add_time(counting, class, function[node], self);
            add_caller(counting, class, function[node], caller[node], self);
        }
    }
    free(function);
    free(caller);
}

/* A built-in function that is called by what imports; modules' own bodies are called by "exec". */
static bool is_importing(const struct graph *graph, uint32_t call)
{
    frame_id callee = graph->functions.frame[graph->calls.callee[call]];
    frame_id caller = graph->functions.frame[graph->calls.caller[call]];

    return !graph_frame(graph, callee)->file && graph->calls.self[call] > 0 &&
           cost_class(graph, callee) != COST_IMPORT && cost_class(graph, caller) == COST_IMPORT;
}

int64_t *imports_of_functions(const struct graph *graph, struct arena *arena)
{
    const struct calls *calls = &graph->calls;
    int64_t *time = NULL;

    for (uint32_t i = 0; graph->has[LEVEL_CALLGRAPH] && i < calls->count; i++) {
        if (!is_importing(graph, i))
            continue;
        if (!time)
            time = arena_array(arena, graph->functions.count, sizeof(*time));
        time[calls->callee[i]] = checked_add(time[calls->callee[i]], calls->self[i]);
    }
    return time;
}

static void count_functions(struct cost_counting *counting)
{
    const struct graph *graph = counting->graph;
    const struct functions *functions = &graph->functions;
    const struct calls *calls = &graph->calls;
    struct arena arena = {0};
    const int64_t *imports = imports_of_functions(graph, &arena);

    for (uint32_t i = 0; i < functions->listed; i++) {
        frame_id frame = functions->frame[i];
        enum cost_class class = (enum cost_class)counting->class_of[frame];
        int64_t imported = imports ? imports[i] : 0;

        if (class != COST_NONE && functions->self[i] > imported)
            add_time(counting, class, frame, functions->self[i] - imported);
        counting->time_of[frame] = 0;
        if (imported > 0)
            add_time(counting, COST_IMPORT, frame, imported);
    }
    for (uint32_t i = 0; graph->has[LEVEL_CALLGRAPH] && i < calls->count; i++) {
        frame_id callee = functions->frame[calls->callee[i]];
        enum cost_class class = imports && is_importing(graph, i)
                                    ? COST_IMPORT
                                    : (enum cost_class)counting->class_of[callee];

        if (class != COST_NONE && calls->self[i] > 0)
            add_caller(counting, class, callee, functions->frame[calls->caller[i]], calls->self[i]);
    }
    arena_free(&arena);
}

static bool does_more(const void *self, uint32_t a, uint32_t b)
{
    return ((const int64_t *)self)[a] > ((const int64_t *)self)[b];
}

frame_id longest_caller(const struct graph *graph, uint32_t function)
{
    const struct calls *calls = &graph->calls;
    frame_id caller = 0;
    int64_t most = 0;

    for (uint32_t i = 0; graph->has[LEVEL_CALLGRAPH] && i < calls->count; i++)
        if (calls->callee[i] == function && calls->caller[i] != function && calls->cum[i] > most) {
            most = calls->cum[i];
            caller = graph->functions.frame[calls->caller[i]];
        }
    return caller;
}

/* Of time, functions that only wait do nothing. */
static void find_top(const struct graph *graph, struct cost_shares *shares)
{
    const struct functions *f = &graph->functions;
    struct arena arena = {0};
    uint32_t *order = arena_array(&arena, (size_t)f->listed + 1, sizeof(*order));
    bool is_work = graph_unit(graph) != UNIT_BYTES && graph_value_time(graph) != VALUE_WAIT_TIME;
    int64_t done = 0;

    for (uint32_t i = 0; i < f->listed; i++) {
        if (f->self[i] <= 0 || (is_work && (graph_is_waiting(graph, i) ||
                                            graph_frame(graph, f->frame[i])->kind == KIND_OTHER ||
                                            frame_blocking(graph, f->frame[i]) != BLOCKING_NOT)))
            continue;
        order[shares->functions++] = i;
        shares->work = checked_add(shares->work, f->self[i]);
    }
    sort_stable(order, shares->functions, does_more, f->self);
    for (; done < shares->work - done; shares->half++)
        done += f->self[order[shares->half]];
    if (shares->functions) {
        shares->top = f->frame[order[0]];
        shares->top_self = f->self[order[0]];
        shares->top_caller = longest_caller(graph, order[0]);
    }
    arena_free(&arena);
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
    find_top(graph, shares);
    idmap_free(&counting.places);
    free(counting.class_of);
    free(counting.is_own);
    free(counting.time_of);
    free(counting.pairs);
}
