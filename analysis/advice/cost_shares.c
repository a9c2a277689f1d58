/* SPDX-License-Identifier: Apache-2.0 */
/* cost_shares.c — what of a CPU profile is overhead, by class, and for which callers */
#include "analysis/advice/bottleneck.h"
#include "analysis/selection/select.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"

#define NO_CALL UINT32_MAX

/* A function of a class, what called it, or called what called it, without having one, and the function of
 * the program's own on whose behalf. */
struct cost_place {
    frame_id function, caller, owner;
    enum cost_class class;
    int64_t time;
};

struct cost_counting {
    const struct graph *graph;
    struct cost_shares *shares;
    uint8_t *class_of; /* by frame */
    struct idmap pairs, place_of; /* function and caller → a pair; that and owner → a place */
    uint32_t pair_count;
    struct cost_place *places;
    size_t count, cap;
};

/* The place of the same frames and class, which is new if there is none. */
static uint32_t place_of(struct cost_counting *counting, const struct cost_place *cost)
{
    uint32_t *pair = idmap_at(&counting->pairs, idmap_pair(cost->function, cost->caller)), *place;

    if (*pair == IDMAP_NONE)
        *pair = counting->pair_count++;
    place = idmap_at(&counting->place_of,
                     idmap_pair(*pair * COST_CLASS_COUNT + (uint32_t)cost->class, cost->owner));
    if (*place == IDMAP_NONE) {
        *place = (uint32_t)counting->count;
        counting->places =
            grow_one(counting->places, counting->count, &counting->cap, sizeof(*counting->places));
        counting->places[counting->count] = *cost;
        counting->places[counting->count++].time = 0;
    }
    return *place;
}

static void add_time(struct cost_counting *counting, uint32_t at, int64_t time)
{
    struct cost_place *place = &counting->places[at];
    struct cost_share *share = &counting->shares->of[place->class];

    place->time = checked_add(place->time, time);
    share->time = checked_add(share->time, time);
}

static void add_cost(struct cost_counting *counting, const struct cost_place *cost)
{
    add_time(counting, place_of(counting, cost), cost->time);
}

/* Adds up by one of a place's frames, and returns the one that has most; 0: none. */
static frame_id find_most(const struct cost_counting *counting, enum cost_class class,
                          const struct cost_place *within, size_t member, int64_t *most)
{
    struct idmap time_at = {0};
    int64_t *time = grow_zeroed(counting->count + 1, sizeof(*time));
    uint32_t sums = 0;
    frame_id found = 0;

    *most = 0;
    for (size_t i = 0; i < counting->count; i++) {
        const struct cost_place *place = &counting->places[i];
        frame_id frame = *(const frame_id *)((const char *)place + member);
        uint32_t *at;

        if (place->class != class || !frame || (within->owner && place->owner != within->owner) ||
            (within->function && place->function != within->function))
            continue;
        at = idmap_at(&time_at, frame);
        if (*at == IDMAP_NONE)
            *at = sums++;
        time[*at] = checked_add(time[*at], place->time);
        if (time[*at] > *most) {
            *most = time[*at];
            found = frame;
        }
    }
    idmap_free(&time_at);
    free(time);
    return found;
}

/* `time`: of the function for that caller; where none is known, for all. */
static frame_id find_function(const struct cost_counting *counting, enum cost_class class,
                              struct cost_place within, frame_id *caller, int64_t *time)
{
    int64_t called;

    within.function =
        find_most(counting, class, &within, offsetof(struct cost_place, function), time);
    *caller = find_most(counting, class, &within, offsetof(struct cost_place, caller), &called);
    if (*caller)
        *time = called;
    return within.function;
}

/* The function of most, and of that its caller; the owner of most, and the same of that. What nobody of the
 * program's own has a fiftieth of is nobody's. */
static void find_places(struct cost_counting *counting)
{
    for (int class = COST_NONE + 1; class < COST_CLASS_COUNT; class ++) {
        struct cost_share *share = &counting->shares->of[class];
        struct cost_place within = {0};
        frame_id caller;
        int64_t most;

        if (!share->time)
            continue;
        share->worst =
            find_function(counting, share->class, within, &share->caller, &share->place_time);
        within.owner =
            find_most(counting, share->class, &within, offsetof(struct cost_place, owner), &most);
        if (!within.owner || most < share->time / 50)
            continue;
        share->owner = within.owner;
        share->through = find_function(counting, share->class, within, &caller, &share->place_time);
        if (caller && caller != share->owner)
            share->through = caller;
    }
}

/* Where a node's time goes that is below a place: the outermost with a class on its path, or the collector, what
 * called it, and the innermost of the program's own. */
static uint32_t step_into(struct cost_counting *counting, uint32_t around, frame_id frame, frame_id parent,
                          enum cost_class own)
{
    struct cost_place place = counting->places[around];
    bool takes_over = place.class == COST_NONE ? own != COST_NONE
                                               : (own == COST_GC || own == COST_IMPORT) && place.class != own;

    if (!takes_over && own == COST_NONE && counting->shares->is_own[frame]) { /* a library called it back */
        if (place.class == COST_NONE && place.owner == frame)
            return around;
        return place_of(counting, &(struct cost_place){.owner = frame});
    }
    if (!takes_over)
        return around;
    if (place.class == COST_NONE)
        place.caller = parent;
    place.function = frame;
    place.class = own;
    return place_of(counting, &place);
}

/* All that runs for an import is that import's. Parents come before children; they are many, and places few. */
static void count_tree(struct cost_counting *counting)
{
    const bool *is_imported = counting->shares->is_imported;
    const struct graph *graph = counting->graph;
    const struct calltree *tree = &graph->tree;
    uint32_t *at = grow_zeroed((size_t)tree->count + 1, sizeof(*at));

    at[0] = place_of(counting, &(struct cost_place){.class = COST_NONE});
    for (node_id node = 1; node < tree->count; node++) {
        node_id parent = calltree_parent(tree, node);
        frame_id frame = tree->frame[node];
        int64_t self = calltree_self(tree, graph->values.selected, node);
        enum cost_class own = is_imported[node] ? COST_IMPORT : (enum cost_class)counting->class_of[frame];

        at[node] = step_into(counting, at[parent], frame, tree->frame[parent], own);
        if (counting->places[at[node]].class != COST_NONE && self > 0)
            add_time(counting, at[node], self);
    }
    free(at);
}

/* By function: the call to it that took most, from another; NO_CALL. */
static uint32_t *find_heaviest(const struct graph *graph, struct arena *arena)
{
    const struct calls *calls = &graph->calls;
    uint32_t *heaviest = arena_array(arena, (size_t)graph->functions.count + 1, sizeof(*heaviest));

    for (uint32_t i = 0; i < graph->functions.count; i++)
        heaviest[i] = NO_CALL;
    for (uint32_t i = 0; graph->has[LEVEL_CALLGRAPH] && i < calls->count; i++) {
        uint32_t *most = &heaviest[calls->callee[i]];

        if (calls->caller[i] != calls->callee[i] &&
            (*most == NO_CALL || calls->cum[i] > calls->cum[*most]))
            *most = i;
    }
    return heaviest;
}

/* Of a call tree: the nearest above, for whom most of its own time was. */
static frame_id own_above(const struct graph *graph, const bool *is_own, frame_id frame,
                          struct arena *arena)
{
    const struct calltree *tree = &graph->tree;
    frame_id *owner = arena_array(arena, (size_t)tree->count + 1, sizeof(*owner)), found = 0;
    int64_t *time = arena_array(arena, graph->frames.count + 1, sizeof(*time));

    for (node_id node = 1; node < tree->count; node++) {
        int64_t self = calltree_self(tree, graph->values.selected, node);

        owner[node] =
            is_own[tree->frame[node]] ? tree->frame[node] : owner[calltree_parent(tree, node)];
        if (tree->frame[node] == frame && self > 0)
            time[owner[node]] = checked_add(time[owner[node]], self);
    }
    for (frame_id id = 1; id < graph->frames.count; id++)
        if (time[id] > time[found])
            found = id;
    return found;
}

frame_id own_caller(const struct graph *graph, const bool *is_own, uint32_t function)
{
    struct arena arena = {0};
    const uint32_t *heaviest = find_heaviest(graph, &arena);
    frame_id owner = 0;

    if (graph->has[LEVEL_CALLTREE])
        owner = own_above(graph, is_own, graph->functions.frame[function], &arena);
    for (uint32_t step = 0;
         !owner && step < graph->functions.count && heaviest[function] != NO_CALL; step++) {
        function = graph->calls.caller[heaviest[function]];
        if (is_own[graph->functions.frame[function]])
            owner = graph->functions.frame[function];
    }
    arena_free(&arena);
    return owner;
}

/* Where a function's calls come from, over those that took most; by function. */
struct origins {
    const uint32_t *heaviest; /* call; NO_CALL */
    frame_id *owner;          /* the nearest of the program's own; 0 */
    uint32_t *outermost;      /* of those of its class */
};

/* The function that is next on the way; it must have a heaviest call. */
static uint32_t caller_of(const struct cost_counting *counting, const struct origins *origins,
                          uint32_t function)
{
    return counting->graph->calls.caller[origins->heaviest[function]];
}

static void find_origins(const struct cost_counting *counting, struct arena *arena,
                         struct origins *origins)
{
    enum { NEW, ON_WAY, DONE };
    const struct functions *functions = &counting->graph->functions;
    uint32_t *way = arena_array(arena, (size_t)functions->count + 1, sizeof(*way));
    uint8_t *state = arena_array(arena, (size_t)functions->count + 1, sizeof(*state));

    origins->heaviest = find_heaviest(counting->graph, arena);
    origins->owner = arena_array(arena, (size_t)functions->count + 1, sizeof(frame_id));
    origins->outermost = arena_array(arena, (size_t)functions->count + 1, sizeof(uint32_t));
    for (uint32_t f = 0; f < functions->count; f++) {
        uint32_t at = f, depth = 0;

        while (state[at] == NEW) {
            state[at] = ON_WAY;
            way[depth++] = at;
            if (origins->heaviest[at] != NO_CALL)
                at = caller_of(counting, origins, at);
        }
        while (depth > 0) {
            frame_id frame = functions->frame[at = way[--depth]];
            uint32_t above =
                origins->heaviest[at] == NO_CALL ? at : caller_of(counting, origins, at);
            bool is_class =
                counting->class_of[frame] != COST_NONE &&
                counting->class_of[frame] == counting->class_of[functions->frame[above]];

            origins->owner[at] = counting->shares->is_own[frame] && counting->class_of[frame] == COST_NONE
                                     ? frame
                                     : origins->owner[above];
            origins->outermost[at] =
                is_class && state[above] == DONE ? origins->outermost[above] : at;
            state[at] = DONE;
        }
    }
}

static void count_functions(struct cost_counting *counting)
{
    const struct graph *graph = counting->graph;
    const struct functions *functions = &graph->functions;
    struct arena arena = {0};
    const int64_t *imports = imports_of_functions(graph, &arena);
    struct origins origins;

    find_origins(counting, &arena, &origins);
    for (uint32_t i = 0; i < functions->listed; i++) {
        frame_id frame = functions->frame[i];
        uint32_t outermost = origins.outermost[i];
        int64_t imported = imports ? imports[i] : 0;
        struct cost_place cost = {
            .function = functions->frame[outermost],
            .caller = origins.heaviest[outermost] == NO_CALL
                          ? 0
                          : functions->frame[caller_of(counting, &origins, outermost)],
            .owner = origins.owner[i],
            .class = (enum cost_class)counting->class_of[frame],
            .time = functions->self[i] - imported};

        if (cost.class != COST_NONE && cost.time > 0)
            add_cost(counting, &cost);
        cost.class = COST_IMPORT;
        cost.function = frame;
        cost.caller = origins.heaviest[i] == NO_CALL
                          ? 0
                          : functions->frame[caller_of(counting, &origins, i)];
        cost.time = imported;
        if (imported > 0)
            add_cost(counting, &cost);
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

void cost_shares_find(const struct graph *graph, struct arena *arena, struct cost_shares *shares)
{
    size_t frames = graph->frames.count;
    struct cost_counting counting = {
        .graph = graph, .shares = shares, .class_of = grow_zeroed(frames, sizeof(uint8_t))};

    *shares = (struct cost_shares){.whole = graph_work(graph), .is_own = own_code_find(graph, arena)};
    if (graph->has[LEVEL_CALLTREE])
        shares->is_imported = imported_nodes_find(graph, shares->is_own, arena);
    for (int class = 0; class < COST_CLASS_COUNT; class ++)
        shares->of[class].class = (enum cost_class) class;
    for (frame_id id = 1; id < frames; id++) {
        enum cost_class class = cost_class(graph, id);

        /* who called it decides what is importing, not its name */
        counting.class_of[id] = (uint8_t)(class == COST_IMPORT ? COST_NONE : class);
    }
    if (graph->has[LEVEL_CALLTREE])
        count_tree(&counting);
    else
        count_functions(&counting);
    find_places(&counting);
    find_top(graph, shares);
    idmap_free(&counting.pairs);
    idmap_free(&counting.place_of);
    free(counting.class_of);
    free(counting.places);
}
