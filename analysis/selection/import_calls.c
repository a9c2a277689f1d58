/* SPDX-License-Identifier: Apache-2.0 */
/* --no-imports on a call graph, within the bounds that its recorded times set.
 *
 * A cumulative time is a set: the time during which a function is on the stack. So is that of a call.
 * What of a function's is also in imports lies between bounds that hold whatever called whom:
 *
 *     at least   what it has in common with them where both do not fit into the whole, and the time of
 *                its own calls of imports
 *     at most    all that imports took, and what is left of it besides the time of any of its calls that
 *                has no import in it
 *
 * Between them it is estimated: a part of it in proportion to its callers' calls was within imports,
 * and of what it calls that imports a part by the calls' times. */
#include "analysis/selection/select.h"

#include "analysis/functions/call_edges.h"
#include "base/checked.h"
#include "graph/classify/event_class.h"

/* Sweeps over the calls until parts have passed down the longest paths that matter; cycles settle
 * geometrically. */
enum { SWEEPS_MAX = 64 };

/* By function, but for the calls' times. */
struct importing {
    const struct graph *graph;
    struct call_flow flow;
    struct edge_times times;
    bool *is_import;  /* a call to it is an import */
    bool *is_gone;    /* that, or the body of a module that was imported */
    bool *is_program; /* the body of one that was not */
    bool *reaches;    /* an import is one, or is called by what it calls */
    double *part;     /* of what it spent, how much in imports: 0 … 1 */
    double *below;    /* time of the imports that it and its callees made, while in none */
    bool *is_split;   /* `below` is an estimate */
    int64_t *own;     /* of its self time, what was in imports */
    bool *is_own_split;
    int64_t *common;  /* of its cumulative time, what was in imports */
    int64_t *most;    /* ... at most */
    int64_t whole;    /* of all self times */
    int64_t recorded; /* what all imports took, where one function makes them; UNKNOWN */
    int64_t left_out; /* of self times */
};

/* Python 2 has no function that imports: an import calls the body of the module itself, as else only
 * built-ins do, which run other code and are in no file ("execfile"). Code that was made of a text is of no
 * module. */
static void find_imported_bodies(struct importing *importing)
{
    const struct graph *graph = importing->graph;
    const struct functions *f = &graph->functions;
    const struct calls *c = &graph->calls;

    for (uint32_t i = 0; i < c->count; i++) {
        frame_id caller = f->frame[c->caller[i]], callee = f->frame[c->callee[i]];

        if (graph_class(graph, callee).is_module_body && graph_frame(graph, callee)->module &&
            ((graph_frame(graph, caller)->kind == KIND_PYTHON &&
              graph_frame(graph, caller)->file) ||
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

        bool has_module = graph_frame(graph, f->frame[i])->module;

        importing->is_gone[i] =
            importing->is_import[i] || (is_body && has_module && f->cum[i] <= longest);
        importing->is_program[i] = is_body && !importing->is_gone[i] && f->cum[i] > longest;
        importing->part[i] = importing->is_gone[i];
        if (importing->is_import[i])
            importing->recorded = is_any ? UNKNOWN : f->cum[i];
        is_any |= importing->is_import[i];
    }
    return is_any;
}

static double known(int64_t time)
{
    return time == UNKNOWN || time < 0 ? 0 : (double)time;
}

/* ---- how much of a function was within imports, by who called it ---- */

/* What weighs a call: its time, or where that is not known, that it was made. */
static double weight_of(const struct importing *importing, uint32_t call)
{
    return importing->times.cum_is_estimate[call] && importing->times.cum[call] == 0
               ? 1
               : known(importing->times.cum[call]);
}

/* Parts pass from callers to callees. */
static void pass_down(struct importing *importing, struct arena *arena)
{
    const struct functions *f = &importing->graph->functions;
    const struct calls *c = &importing->graph->calls;
    double *all = arena_array(arena, f->count, sizeof(*all));
    double *imported = arena_array(arena, f->count, sizeof(*imported));
    bool has_changed = true;

    for (uint32_t i = 0; i < f->count; i++)
        all[i] = known(importing->flow.outside[i].time);
    for (uint32_t i = 0; i < c->count; i++)
        all[c->callee[i]] += c->caller[i] == c->callee[i] ? 0 : weight_of(importing, i);
    for (uint32_t sweep = 0; has_changed && sweep < SWEEPS_MAX; sweep++) {
        has_changed = false;
        memset(imported, 0, f->count * sizeof(*imported));
        for (uint32_t i = 0; i < c->count; i++)
            if (c->caller[i] != c->callee[i])
                imported[c->callee[i]] += weight_of(importing, i) * importing->part[c->caller[i]];
        for (uint32_t i = 0; i < f->count; i++) {
            double whole = all[i] > known(f->cum[i]) ? all[i] : known(f->cum[i]);
            double part = importing->is_gone[i] ? 1 : whole > 0 ? imported[i] / whole : 0;

            if (importing->is_program[i])
                part = 0;
            else if (!importing->flow.outside[i].is_there && all[i] > 0 &&
                     imported[i] >= all[i] * (1 - 1e-9))
                part = 1; /* no caller but imports */
            has_changed |= part > importing->part[i] + 1e-9;
            importing->part[i] = part;
        }
    }
}

/* ---- self times ---- */

static bool is_split(double part)
{
    return part > 0 && part < 1;
}

static int64_t part_of(int64_t figure, double part)
{
    return part >= 1 ? figure : (int64_t)((double)figure * part);
}

/* The calls that imports made took what the file says of them. */
static void find_own(struct importing *importing, uint32_t function)
{
    const struct functions *f = &importing->graph->functions;
    const struct edges *edges = &importing->flow.edges;
    int64_t self = not_negative(f->self[function]), own = 0;
    bool is_estimate = false;

    for (uint32_t i = edges->in_first[function]; i < edges->in_first[function + 1]; i++) {
        uint32_t call = edges->in[i];
        double part = importing->part[importing->graph->calls.caller[call]];
        int64_t time = not_negative(importing->times.self[call]);

        is_estimate |=
            part > 0 && time > 0 && (part < 1 || importing->times.self_is_estimate[call]);
        own = checked_add(own, part_of(time, part));
    }
    if (importing->part[function] >= 1 || own > self)
        own = self;
    if (importing->is_program[function])
        own = 0;
    importing->own[function] = own;
    importing->is_own_split[function] =
        is_estimate && is_split(importing->part[function]) && self > 0;
}

/* All imports took what the file says: what functions that others call, too, have of it is what is left. */
static void fit_own(struct importing *importing)
{
    const struct functions *f = &importing->graph->functions;
    int64_t sure = 0, split = 0, split_self = 0, room;

    for (uint32_t i = 0; i < f->listed; i++)
        if (importing->is_own_split[i]) {
            split = checked_add(split, importing->own[i]);
            split_self = checked_add(split_self, not_negative(f->self[i]));
        } else {
            sure = checked_add(sure, importing->own[i]);
        }
    room = importing->recorded == UNKNOWN ? split
                                          : not_negative(checked_sub(importing->recorded, sure));
    for (uint32_t i = 0; i < f->listed; i++) {
        int64_t self = not_negative(f->self[i]), *own = &importing->own[i];

        if (importing->is_own_split[i] && split > room)
            *own = checked_share(*own, room, split);
        else if (importing->is_own_split[i] && split < room && split_self > room)
            *own = checked_sub(self,
                               checked_share(checked_sub(self, *own), checked_sub(split_self, room),
                                             checked_sub(split_self, split)));
        importing->left_out = checked_add(importing->left_out, *own);
    }
}

/* ---- cumulative times ---- */

static void find_reaching(struct importing *importing, struct arena *arena)
{
    const struct edges *edges = &importing->flow.edges;
    uint32_t count = importing->graph->functions.count, waiting = 0;
    uint32_t *list = arena_array(arena, (size_t)count + 1, sizeof(*list));

    for (uint32_t i = 0; i < count; i++)
        if ((importing->reaches[i] = importing->is_import[i]))
            list[waiting++] = i;
    while (waiting) {
        uint32_t function = list[--waiting];

        for (uint32_t i = edges->in_first[function]; i < edges->in_first[function + 1]; i++) {
            uint32_t caller = importing->graph->calls.caller[edges->in[i]];

            if (!importing->reaches[caller])
                list[waiting++] = caller;
            importing->reaches[caller] = true;
        }
    }
}

/* Of one call, what was in imports that were made below it. */
static double below_call(const struct importing *importing, uint32_t call)
{
    uint32_t callee = importing->graph->calls.callee[call];
    double time = known(importing->times.cum[call]);
    double cum = known(importing->graph->functions.cum[callee]);

    if (importing->is_import[callee])
        return time;
    if (importing->is_gone[callee] || cum <= 0)
        return 0;
    return importing->below[callee] * (time < cum ? time / cum : 1);
}

/* Callees come before their callers. */
static void find_below(struct importing *importing, uint32_t function)
{
    const struct call_flow *flow = &importing->flow;
    double cum = known(importing->graph->functions.cum[function]), below = 0;

    for (uint32_t i = flow->edges.out_first[function]; i < flow->edges.out_first[function + 1];
         i++) {
        uint32_t call = flow->edges.out[i], callee = importing->graph->calls.callee[call];
        double in_call = below_call(importing, call);

        if (importing->is_gone[callee] && !importing->is_import[callee])
            continue;
        importing->is_split[function] |=
            importing->reaches[callee] && !importing->is_import[callee] &&
            (!flow->call[call].is_there || importing->is_split[callee] ||
             known(importing->times.cum[call]) < known(importing->graph->functions.cum[callee]));
        if (flow->call[call].is_there || importing->is_import[callee])
            below += in_call;
    }
    importing->below[function] = below < cum ? below : cum;
}

/* Lowers `most` to what a call without imports leaves of its end's cumulative time. */
static void bound_by_call(const struct importing *importing, uint32_t call, int64_t cum,
                          int64_t *most)
{
    const struct calls *c = &importing->graph->calls;
    int64_t time = not_negative(importing->times.cum[call]);

    if (importing->reaches[c->callee[call]] || importing->times.cum_is_estimate[call])
        return;
    time = checked_sub(time, part_of(time, importing->part[c->caller[call]]));
    if (checked_sub(cum, time) < *most)
        *most = checked_sub(cum, time);
}

/* Of a call, at most: what its caller has besides its own imports, which are at other times unless it
 * runs several times at once. A call that leads back comes before its caller is known. */
static int64_t most_in_call(const struct importing *importing, uint32_t call)
{
    const struct functions *f = &importing->graph->functions;
    const struct edges *edges = &importing->flow.edges;
    uint32_t caller = importing->graph->calls.caller[call];
    int64_t most =
        importing->flow.call[call].is_there ? importing->most[caller] : importing->left_out;

    if (importing->flow.call[call].is_there && f->calls[caller] != UNKNOWN &&
        f->calls[caller] == f->primitive_calls[caller] && importing->part[caller] <= 0)
        for (uint32_t i = edges->out_first[caller]; i < edges->out_first[caller + 1]; i++)
            if (importing->is_import[importing->graph->calls.callee[edges->out[i]]])
                most = not_negative(checked_sub(most, importing->times.cum[edges->out[i]]));
    return most < importing->times.cum[call] || importing->times.cum_is_estimate[call]
               ? most
               : not_negative(importing->times.cum[call]);
}

static int64_t most_in_function(const struct importing *importing, uint32_t function)
{
    const struct edges *edges = &importing->flow.edges;
    int64_t cum = not_negative(importing->graph->functions.cum[function]), most = 0;
    int64_t self = not_negative(importing->graph->functions.self[function]);

    for (uint32_t i = edges->in_first[function]; i < edges->in_first[function + 1]; i++)
        most = checked_add(most, most_in_call(importing, edges->in[i]));
    if (importing->flow.outside[function].is_there || most > importing->left_out)
        most = importing->left_out;
    cum = checked_sub(cum, checked_sub(self, importing->own[function]));
    return not_negative(most < cum ? most : cum);
}

/* Callers come before their callees. Returns whether it is an estimate. */
static bool find_common(struct importing *importing, uint32_t function)
{
    const struct edges *edges = &importing->flow.edges;
    const struct calls *c = &importing->graph->calls;
    int64_t cum = not_negative(importing->graph->functions.cum[function]);
    int64_t own = importing->own[function], common, most = most_in_function(importing, function);
    int64_t least = checked_sub(checked_add(cum, importing->left_out), importing->whole);
    double part = importing->part[function];

    least = least > own ? least : own;
    for (uint32_t i = edges->out_first[function]; i < edges->out_first[function + 1]; i++) {
        uint32_t call = edges->out[i];

        if (importing->is_import[c->callee[call]] && importing->times.cum[call] > least)
            least = importing->times.cum[call];
        bound_by_call(importing, call, cum, &most);
    }
    for (uint32_t i = edges->in_first[function]; i < edges->in_first[function + 1]; i++)
        bound_by_call(importing, edges->in[i], cum, &most);
    importing->most[function] = not_negative(most);
    common = (int64_t)((double)cum * part + importing->below[function] * (1 - part));
    common = common > least ? common : least;
    importing->common[function] =
        common < importing->most[function] ? common : importing->most[function];
    return least < most && (is_split(part) || importing->is_split[function]);
}

/* ---- taking it away ---- */

static int64_t left_of(int64_t figure, double part)
{
    return figure == UNKNOWN ? UNKNOWN : checked_sub(figure, part_of(figure, part));
}

/* How much of a call was in imports: all that its caller did so, and of the rest what the function has in
 * imports that it made itself. */
static double imported_part(const struct importing *importing, uint32_t call, int64_t cum)
{
    uint32_t callee = importing->graph->calls.callee[call];
    double by_caller = importing->part[importing->graph->calls.caller[call]];
    double part = importing->part[callee], rest = known(cum) * (1 - part), below;

    below = known(importing->common[callee]) - known(cum) * part;
    below = rest > 0 && below > 0 ? below / rest : 0;
    return by_caller + (1 - by_caller) * (below < 1 ? below : 1);
}

/* A call has no more than either of its ends. */
static int64_t cum_left(const struct importing *importing, uint32_t call)
{
    const struct calls *c = &importing->graph->calls;
    const struct functions *f = &importing->graph->functions;
    uint32_t caller = c->caller[call], callee = c->callee[call];
    int64_t cum = checked_add(f->cum[callee], importing->common[callee]);
    int64_t left = left_of(c->cum[call], imported_part(importing, call, cum));

    if (left == UNKNOWN)
        return UNKNOWN;
    if (c->self[call] != UNKNOWN && left < c->self[call])
        left = c->self[call];
    left = left < f->cum[caller] || caller >= f->listed ? left : f->cum[caller];
    return left < f->cum[callee] ? left : f->cum[callee];
}

static void take_from_calls(const struct importing *importing, struct functions *f, struct calls *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        double part = importing->part[c->caller[i]];
        int64_t calls = left_of(c->calls[i], part);
        int64_t primitive = left_of(c->primitive_calls[i], part);
        uint32_t callee = c->callee[i];

        if (f->calls[callee] != UNKNOWN && calls != UNKNOWN)
            f->calls[callee] -= c->calls[i] - calls;
        c->calls[i] = calls;
        c->primitive_calls[i] = primitive;
        c->self[i] = left_of(c->self[i], part);
        c->cum[i] = cum_left(importing, i);
    }
}

/* Where calls nest, their part of the calls; at least one is the outermost. */
static int64_t primitive_left(int64_t primitive, int64_t calls, int64_t left)
{
    if (primitive == UNKNOWN || calls == UNKNOWN || calls <= 0 || primitive == calls)
        return primitive == UNKNOWN ? UNKNOWN : left;
    primitive = checked_share(primitive, left, calls);
    return primitive == 0 && left > 0 ? 1 : primitive;
}

/* Returns whether there are estimates among what is kept. */
static bool take_away(struct importing *importing, struct graph *graph, bool *keeps,
                      struct arena *arena)
{
    struct functions *f = &graph->functions;
    int64_t *all_calls = arena_array(arena, f->count, sizeof(*all_calls));
    bool has_estimates = false;

    for (uint32_t at = f->count; at-- > 0;) {
        uint32_t i = importing->flow.order[at];
        bool is_estimate = find_common(importing, i);

        keeps[i] = importing->part[i] < 1;
        if (!keeps[i] || i >= f->listed)
            continue;
        functions_mark(f, i, ESTIMATE_CUM, is_estimate);
        functions_mark(f, i, ESTIMATE_SELF, importing->is_own_split[i]);
        has_estimates |= is_estimate || importing->is_own_split[i];
    }
    for (uint32_t i = 0; i < f->listed; i++) {
        f->self[i] = checked_sub(f->self[i], importing->own[i]);
        f->cum[i] = checked_sub(f->cum[i], importing->common[i]);
        all_calls[i] = f->calls[i];
    }
    take_from_calls(importing, f, &graph->calls);
    for (uint32_t i = 0; i < f->listed; i++)
        f->primitive_calls[i] = primitive_left(f->primitive_calls[i], all_calls[i], f->calls[i]);
    return has_estimates;
}

/* False where there are none. */
static bool find_importing(const struct graph *graph, struct arena *arena, struct importing *importing)
{
    uint32_t count = graph->functions.count;

    *importing = (struct importing){.graph = graph,
                                    .is_import = arena_array(arena, count, sizeof(bool)),
                                    .is_gone = arena_array(arena, count, sizeof(bool)),
                                    .is_program = arena_array(arena, count, sizeof(bool)),
                                    .reaches = arena_array(arena, count, sizeof(bool)),
                                    .part = arena_array(arena, count, sizeof(double)),
                                    .below = arena_array(arena, count, sizeof(double)),
                                    .is_split = arena_array(arena, count, sizeof(bool)),
                                    .own = arena_array(arena, count, sizeof(int64_t)),
                                    .is_own_split = arena_array(arena, count, sizeof(bool)),
                                    .common = arena_array(arena, count, sizeof(int64_t)),
                                    .most = arena_array(arena, count, sizeof(int64_t)),
                                    .recorded = UNKNOWN};
    if (!find_imports(importing))
        return false;
    call_flow_solve(graph, arena, &importing->flow);
    edges_times(graph, arena, &importing->times);
    importing->whole = importing->flow.whole;
    pass_down(importing, arena);
    for (uint32_t i = 0; i < count; i++)
        find_own(importing, i);
    fit_own(importing);
    return true;
}

const int64_t *imports_of_calls(const struct graph *graph, struct arena *arena)
{
    struct importing importing;

    return find_importing(graph, arena, &importing) ? importing.own : NULL;
}

void take_imports(struct graph *graph, struct arena *arena)
{
    uint32_t count = graph->functions.count;
    struct importing importing;
    bool *keeps = arena_array(arena, count, sizeof(*keeps));

    if (!find_importing(graph, arena, &importing))
        return;
    find_reaching(&importing, arena);
    for (uint32_t i = 0; i < count; i++)
        find_below(&importing, importing.flow.order[i]);
    if (take_away(&importing, graph, keeps, arena))
        warning_say(&graph->source.warnings, WARNING_NOTE,
                    "figures of functions that imports and the run both call are estimates (~): a "
                    "call graph does not know on whose behalf they called others");
    keep_functions(graph, keeps);
}
