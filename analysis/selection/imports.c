/* SPDX-License-Identifier: Apache-2.0 */
/* A run apart from what it spent on importing modules, exactly on a call tree, by flow on a call
 * graph. */
#include "analysis/selection/select.h"

#include "base/checked.h"
#include "graph/classify/event_class.h"
#include "graph/derive/derive.h"

/* Sweeps over the calls until parts have passed down, and times up, the longest paths that matter;
 * cycles settle geometrically. */
enum { SWEEPS_MAX = 64 };

/* By function. */
struct importing {
    const struct graph *graph;
    bool *is_import;  /* a call to it is an import */
    bool *is_gone;    /* that, or the body of a module that was imported */
    bool *is_program; /* the body of one that was not */
    double *part;     /* of what it spent, how much in imports: 0 … 1 */
    double *below;    /* time of the imports that it and its callees made */
};

/* Python 2 has no function that imports: an import calls the body of the module itself, as only
 * built-ins do that run other code ("execfile"). Code that was made of a text is of no module. */
static void find_imported_bodies(struct importing *importing)
{
    const struct graph *graph = importing->graph;
    const struct functions *f = &graph->functions;
    const struct calls *c = &graph->calls;

    for (uint32_t i = 0; i < c->count; i++) {
        frame_id caller = f->frame[c->caller[i]], callee = f->frame[c->callee[i]];

        if (graph_class(graph, callee).is_module_body && graph_frame(graph, callee)->module &&
            (graph_frame(graph, caller)->kind == KIND_PYTHON ||
             graph_class(graph, caller).is_import))
            importing->is_import[c->callee[i]] = true;
    }
}

/* False where there are none. An import by a function holds the body that it runs, so one that took
 * longer than any import is the program's. */
static bool find_imports(struct importing *importing)
{
    const struct graph *graph = importing->graph;
    const struct functions *f = &graph->functions;
    int64_t longest = -1;
    bool is_any = false;

    for (uint32_t i = 0; i < f->count; i++) {
        importing->is_import[i] = graph_class(graph, f->frame[i]).is_import;
        if (importing->is_import[i] && f->cum[i] > longest &&
            graph_frame(graph, f->frame[i])->kind == KIND_PYTHON)
            longest = f->cum[i];
    }
    if (longest < 0)
        find_imported_bodies(importing);
    for (uint32_t i = 0; i < f->count; i++) {
        bool is_body = graph_class(graph, f->frame[i]).is_module_body;

        importing->is_gone[i] = importing->is_import[i] || (is_body && f->cum[i] <= longest);
        importing->is_program[i] =
            is_body && !importing->is_gone[i] && graph_frame(graph, f->frame[i])->module;
        importing->part[i] = importing->is_gone[i];
        is_any |= importing->is_import[i];
    }
    return is_any;
}

static double known(int64_t time)
{
    return time == UNKNOWN || time < 0 ? 0 : (double)time;
}

/* What weighs a call: its time, or where that is not known, that it was made. */
static double weight_of(const struct calls *c, uint32_t call)
{
    return c->cum[call] == UNKNOWN ? 1 : known(c->cum[call]);
}

/* Parts pass from callers to callees. What no caller accounts for came from outside. */
static void pass_down(struct importing *importing, struct arena *arena)
{
    const struct functions *f = &importing->graph->functions;
    const struct calls *c = &importing->graph->calls;
    double *all = arena_array(arena, f->count, sizeof(*all));
    double *imported = arena_array(arena, f->count, sizeof(*imported));
    bool has_changed = true;

    for (uint32_t i = 0; i < c->count; i++)
        all[c->callee[i]] += c->caller[i] == c->callee[i] ? 0 : weight_of(c, i);
    for (uint32_t sweep = 0; has_changed && sweep < SWEEPS_MAX; sweep++) {
        has_changed = false;
        memset(imported, 0, f->count * sizeof(*imported));
        for (uint32_t i = 0; i < c->count; i++)
            if (c->caller[i] != c->callee[i])
                imported[c->callee[i]] += weight_of(c, i) * importing->part[c->caller[i]];
        for (uint32_t i = 0; i < f->count; i++) {
            double whole = all[i] > known(f->cum[i]) ? all[i] : known(f->cum[i]);
            double part = importing->is_gone[i] ? 1 : whole > 0 ? imported[i] / whole : 0;

            if (importing->is_program[i])
                part = 0;
            else if (all[i] > 0 && imported[i] >= all[i] * (1 - 1e-9))
                part = 1; /* no caller but imports */
            has_changed |= part > importing->part[i] + 1e-9;
            importing->part[i] = part;
        }
    }
}

/* Times of imports pass from callees to callers. */
static void pass_up(struct importing *importing, struct arena *arena)
{
    const struct functions *f = &importing->graph->functions;
    const struct calls *c = &importing->graph->calls;
    double *next = arena_array(arena, f->count, sizeof(*next));
    bool has_changed = true;

    for (uint32_t sweep = 0; has_changed && sweep < SWEEPS_MAX; sweep++) {
        has_changed = false;
        memset(next, 0, f->count * sizeof(*next));
        for (uint32_t i = 0; i < c->count; i++) {
            uint32_t callee = c->callee[i];
            double time = known(c->cum[i]), cum = known(f->cum[callee]);

            if (c->caller[i] == callee || importing->is_gone[c->caller[i]])
                continue;
            if (importing->is_import[callee])
                next[c->caller[i]] += time;
            else if (!importing->is_gone[callee] && cum > 0)
                next[c->caller[i]] += importing->below[callee] * (time < cum ? time / cum : 1);
        }
        for (uint32_t i = 0; i < f->count; i++) {
            if (next[i] > known(f->cum[i]))
                next[i] = known(f->cum[i]);
            has_changed |= next[i] > importing->below[i] + 0.5;
            importing->below[i] = next[i];
        }
    }
}

static int64_t left_of(int64_t figure, double part)
{
    return figure == UNKNOWN || part <= 0 ? figure
           : part >= 1                    ? 0
                                          : figure - (int64_t)((double)figure * part);
}

/* Of a cumulative time what is below `function` goes first. */
static int64_t cum_left(const struct importing *importing, int64_t cum, uint32_t function,
                        double part)
{
    double whole = known(importing->graph->functions.cum[function]);

    if (cum == UNKNOWN || whole <= 0)
        return cum;
    return left_of(left_of(cum, importing->below[function] / whole), part);
}

static bool take_away(const struct importing *importing, struct graph *graph, bool *keeps)
{
    struct functions *f = &graph->functions;
    struct calls *c = &graph->calls;
    bool has_estimates = false;

    for (uint32_t i = 0; i < c->count; i++) {
        double part = importing->part[c->caller[i]];

        c->cum[i] = cum_left(importing, c->cum[i], c->callee[i], part);
        c->calls[i] = left_of(c->calls[i], part);
        c->primitive_calls[i] = left_of(c->primitive_calls[i], part);
        c->self[i] = left_of(c->self[i], part);
    }
    for (uint32_t i = 0; i < f->count; i++) {
        double part = importing->part[i];

        keeps[i] = part < 1;
        has_estimates |= part > 0 && part < 1;
        f->calls[i] = left_of(f->calls[i], part);
        f->primitive_calls[i] = left_of(f->primitive_calls[i], part);
        f->self[i] = left_of(f->self[i], part);
        f->cum[i] = cum_left(importing, f->cum[i], i, part);
        if (f->cum[i] < f->self[i])
            f->cum[i] = f->self[i];
    }
    return has_estimates;
}

static void without_imports(struct graph *graph, struct arena *arena)
{
    uint32_t count = graph->functions.count;
    struct importing importing = {.graph = graph,
                                  .is_import = arena_array(arena, count, sizeof(bool)),
                                  .is_gone = arena_array(arena, count, sizeof(bool)),
                                  .is_program = arena_array(arena, count, sizeof(bool)),
                                  .part = arena_array(arena, count, sizeof(double)),
                                  .below = arena_array(arena, count, sizeof(double))};
    bool *keeps = arena_array(arena, count, sizeof(*keeps));

    if (!find_imports(&importing))
        return;
    pass_down(&importing, arena);
    pass_up(&importing, arena);
    if (take_away(&importing, graph, keeps))
        warning_say(&graph->source.warnings, WARNING_NOTE,
                    "figures of functions that imports and the run both call are estimates: a call "
                    "graph does not know on whose behalf they called others");
    keep_functions(graph, keeps);
}

static int64_t self_of(const struct graph *graph)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < graph->functions.count; i++)
        sum = checked_add(sum, graph->functions.self[i]);
    return sum;
}

int64_t select_no_imports(struct graph *graph)
{
    enum level least = graph->native < LEVEL_CALLGRAPH ? graph->native : LEVEL_CALLGRAPH;
    struct error none = {0};
    struct arena arena = {0};
    int64_t before;

    if (!graph_need(graph, least, "", &none) || !graph_need(graph, LEVEL_FLAT, "", &none))
        return 0;
    before = self_of(graph);
    if (!graph->selection.is_narrowed)
        graph_narrow(graph);
    if (graph->native >= LEVEL_CALLTREE) {
        bool *matches = arena_array(&arena, graph->frames.count, sizeof(*matches));

        for (frame_id id = 1; id < graph->frames.count; id++)
            matches[id] = graph_class(graph, id).is_import;
        select_tree(graph, FILTER_IGNORE, matches);
    } else {
        without_imports(graph, &arena);
    }
    arena_free(&arena);
    return graph_need(graph, LEVEL_FLAT, "", &none) ? before - self_of(graph) : 0;
}
