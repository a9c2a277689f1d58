/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about who calls whom: imports, the way of most time, and calls from the program into libraries. */
#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "analysis/advice/bottleneck.h"
#include "analysis/functions/call_edges.h"
#include "analysis/selection/select.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"

/* ---- imports ---- */

/* Time of a call tree's nodes that are importing, and the body of a module that has most of it. */
static int64_t imports_of_tree(const struct graph *graph, const bool *is_imported, frame_id *body)
{
    const struct calltree *tree = &graph->tree;
    int64_t *time = grow_zeroed((size_t)tree->count + 1, sizeof(*time));
    int64_t sum = 0, most = 0;

    for (node_id node = tree->count; node-- > 1;) {
        const struct frame *frame = graph_frame(graph, tree->frame[node]);
        node_id above = calltree_parent(tree, node);
        int64_t self = calltree_self(tree, graph->values.selected, node);

        if (!is_imported[node])
            continue;
        sum = checked_add(sum, self);
        time[node] = checked_add(time[node], self);
        time[above] = checked_add(time[above], time[node]);
        if (time[node] > most && frame->file && !graph_class(graph, tree->frame[node]).is_import &&
            cost_class(graph, tree->frame[node]) != COST_IMPORT) {
            most = time[node];
            *body = tree->frame[node];
        }
    }
    free(time);
    return sum;
}

/* Time of functions within imports; of a flat profile, the longest import with all that the module runs. */
static int64_t imports_of_rows(const struct graph *graph, struct arena *arena, frame_id *body)
{
    const struct functions *f = &graph->functions;
    const int64_t *own = imports_of_functions(graph, arena);
    int64_t time = 0, longest = 0, most = 0;

    for (uint32_t i = 0; i < f->listed; i++) {
        time = own ? checked_add(time, own[i]) : time;
        if (f->cum[i] > longest && graph_class(graph, f->frame[i]).is_import) {
            longest = f->cum[i];
            *body = *body ? *body : f->frame[i];
        }
    }
    if (!graph->has[LEVEL_CALLGRAPH])
        time = longest;
    for (uint32_t i = 0; i < f->listed; i++)
        if (f->cum[i] > most && f->cum[i] <= time && graph_frame(graph, f->frame[i])->module &&
            graph_class(graph, f->frame[i]).is_module_body) {
            most = f->cum[i];
            *body = f->frame[i];
        }
    return time;
}

/* Of a call graph, the program's own function whose imports may hold a module's body; 0: none. */
static frame_id importer(const struct advice_context *context, frame_id body)
{
    const struct functions *f = &context->graph->functions;
    const struct calls *c = &context->graph->calls;
    int64_t most = 0;
    frame_id found = 0;

    for (uint32_t i = 0; i < f->listed; i++)
        most = f->frame[i] == body ? f->cum[i] : most;
    for (uint32_t i = 0; context->graph->has[LEVEL_CALLGRAPH] && i < c->count; i++)
        if (c->cum[i] > most && context->is_own[f->frame[c->caller[i]]] &&
            graph_class(context->graph, f->frame[c->callee[i]]).is_import) {
            most = c->cum[i];
            found = f->frame[c->caller[i]];
        }
    return found;
}

void judge_imports(const struct advice_context *context, struct finding *finding)
{
    const struct graph *graph = context->graph;
    int64_t time = graph->has[LEVEL_CALLTREE]
                       ? imports_of_tree(graph, context->costs->is_imported, &finding->frame)
                       : imports_of_rows(graph, context->arena, &finding->frame);

    if (time == 0) {
        finding->why_not = "nothing was imported";
        return;
    }

    const struct check check = {.what = "cum of imports / all",
                                .part = time,
                                .whole = context->whole,
                                .unit = graph_unit(context->graph),
                                .limit = LIMIT_IMPORTS};

    finding_set(context, finding, &check, 0, time);
    if (finding->is_reported && !graph->has[LEVEL_CALLTREE])
        finding->inside = importer(context, finding->frame);
}

/* ---- the way of most time ---- */

/* From where most time comes in one goes down while a call has half of what its caller has: below the last
 * function the time spreads. */
struct hot_path {
    frame_id fan, owner; /* that; the last of the program's own on the way */
    int64_t time;        /* of the fan */
    uint32_t steps;      /* functions of the program's own on the way */
};

static void take_step(struct hot_path *path, const struct advice_context *context, frame_id frame,
                      int64_t time)
{
    if (!graph_frame(context->graph, frame)->file && path->fan)
        return; /* built in: its caller has a place */
    path->fan = frame;
    path->time = time;
    path->steps += context->is_own[frame] && frame != path->owner;
    if (context->is_own[frame])
        path->owner = frame;
}

/* By frame; owned. */
static bool *find_working(const struct graph *graph)
{
    bool *works = grow_zeroed(graph->frames.count, sizeof(*works));

    for (frame_id id = 0; id < graph->frames.count; id++)
        works[id] = frame_blocking(graph, id) == BLOCKING_NOT;
    return works;
}

static void follow_tree(const struct advice_context *context, struct hot_path *path)
{
    const struct calltree *tree = &context->graph->tree;
    int64_t *time = grow_zeroed((size_t)tree->count + 1, sizeof(*time));
    node_id *heaviest = grow_zeroed((size_t)tree->count + 1, sizeof(*heaviest));
    bool *works = find_working(context->graph);
    node_id at = 0;

    for (node_id node = tree->count; node-- > 1;) {
        node_id above = calltree_parent(tree, node);

        if (works[tree->frame[node]])
            time[node] =
                checked_add(time[node], calltree_self(tree, context->graph->values.selected, node));
        time[above] = checked_add(time[above], time[node]);
        if (time[node] > time[heaviest[above]] || heaviest[above] == 0)
            heaviest[above] = node;
    }
    while (heaviest[at] && time[heaviest[at]] >= time[at] - time[heaviest[at]]) {
        at = heaviest[at];
        take_step(path, context, tree->frame[at], time[at]);
    }
    free(time);
    free(heaviest);
    free(works);
}

static void follow_calls(const struct advice_context *context, struct hot_path *path)
{
    const struct graph *graph = context->graph;
    const struct functions *f = &graph->functions;
    bool *is_seen = arena_array(context->arena, (size_t)f->count + 1, sizeof(*is_seen));
    struct edges edges;
    uint32_t at = 0;
    int64_t time = 0, most;

    edges_index(graph, context->arena, &edges);
    for (uint32_t i = 0; i < f->listed; i++)
        if (f->cum[i] > time)
            time = f->cum[at = i];
    for (uint32_t steps = 0, next = at; next != UINT32_MAX && steps < f->count;
         steps++, time = most) {
        at = next;
        is_seen[at] =
            graph_frame(graph, f->frame[at])->file; /* exec runs one module inside another */
        take_step(path, context, f->frame[at], time);
        next = UINT32_MAX;
        most = time / 2;
        for (uint32_t i = edges.out_first[at]; i < edges.out_first[at + 1]; i++) {
            uint32_t call = edges.out[i];

            if (is_seen[graph->calls.callee[call]] || graph->calls.cum[call] <= most)
                continue;
            most = graph->calls.cum[call];
            next = graph->calls.callee[call];
        }
    }
}

/* Where nothing else sticks out. */
void judge_hot_path(const struct advice_context *context, struct finding *finding)
{
    const struct graph *graph = context->graph;
    struct hot_path path = {0};

    if (graph->values.is_inclusive ||
        !(graph->has[LEVEL_CALLTREE] || graph->has[LEVEL_CALLGRAPH])) {
        finding->why_not = "the profile does not record callers";
        return;
    }
    if (graph->has[LEVEL_CALLTREE])
        follow_tree(context, &path);
    else if (graph->functions.listed)
        follow_calls(context, &path);
    if (!path.owner || (path.fan == path.owner && path.steps == 1)) {
        finding->why_not = "the time spreads where the program begins";
        return;
    }

    const struct check check = {.what = "time of one function with what it calls / all",
                                .part = path.time < context->whole ? path.time : context->whole,
                                .whole = context->whole,
                                .unit = graph_unit(graph),
                                .limit = LIMIT_HOT_FUNCTION};

    finding_set(context, finding, &check, 0, check.part);
    finding->frame = path.fan;
    finding->inside = path.owner == path.fan ? 0 : path.owner;
}

/* ---- which function of a library, called by which of the program's own, takes most ---- */

struct library_call {
    frame_id function; /* where own code (function_class.h) is left; 0: it never is */
    frame_id caller;   /* the own function */
    int64_t time;      /* of the selected value, until own code is called back */
    bool is_once;      /* it was called once: that is a part of the run */
};

struct finding_calls {
    const struct graph *graph;
    const bool *is_own;   /* by frame */
    struct idmap time_at; /* function and caller → a place in `calls` */
    struct library_call *calls;
    size_t count, cap;
};

/* The place of a call out of own code. */
static uint32_t place_of(struct finding_calls *finding, frame_id function, frame_id caller)
{
    uint32_t *place = idmap_at(&finding->time_at, idmap_pair(function, caller));

    if (*place == IDMAP_NONE) {
        *place = (uint32_t)finding->count;
        finding->calls =
            grow_one(finding->calls, finding->count, &finding->cap, sizeof(*finding->calls));
        finding->calls[finding->count++] = (struct library_call){function, caller, 0, false};
    }
    return *place;
}

static void add_call(struct finding_calls *finding, uint32_t place, int64_t time)
{
    finding->calls[place].time = checked_add(finding->calls[place].time, time);
}

/* Each node's time goes to where its path left own code last. Parents come before children. */
static void add_tree(struct finding_calls *finding)
{
    const uint32_t none = UINT32_MAX;
    const struct calltree *tree = &finding->graph->tree;
    uint32_t *left_at = grow_to(NULL, (size_t)tree->count + 1, sizeof(*left_at));

    left_at[0] = none;
    for (node_id node = 1; node < tree->count; node++) {
        node_id above = calltree_parent(tree, node);
        frame_id frame = tree->frame[node], parent = tree->frame[above];
        int64_t self = calltree_self(tree, finding->graph->values.selected, node);

        left_at[node] = left_at[above];
        if (finding->is_own[frame])
            left_at[node] = none;
        else if (above && finding->is_own[parent])
            left_at[node] = place_of(finding, frame, parent);
        if (left_at[node] != none && self > 0)
            add_call(finding, left_at[node], self);
    }
    free(left_at);
}

/* By function: whether own code is among all that it calls, but for modules that it imports. */
static bool *find_callbacks(const struct finding_calls *finding)
{
    const struct calls *calls = &finding->graph->calls;
    const struct functions *functions = &finding->graph->functions;
    uint32_t *first = grow_zeroed((size_t)functions->count + 2, sizeof(*first));
    uint32_t *callers = grow_to(NULL, (size_t)calls->count + 1, sizeof(*callers));
    uint32_t *reached = grow_to(NULL, (size_t)functions->count + 1, sizeof(*reached));
    bool *calls_back = grow_zeroed((size_t)functions->count + 1, sizeof(*calls_back));
    uint32_t count = 0;

    for (uint32_t i = 0; i < calls->count; i++)
        first[calls->callee[i] + 2]++;
    for (uint32_t f = 0; f < functions->count; f++)
        first[f + 2] += first[f + 1];
    for (uint32_t i = 0; i < calls->count; i++)
        callers[first[calls->callee[i] + 1]++] = calls->caller[i];
    for (uint32_t f = 0; f < functions->count; f++)
        if ((calls_back[f] = finding->is_own[functions->frame[f]]))
            reached[count++] = f;
    while (count > 0) {
        uint32_t f = reached[--count];

        for (uint32_t i = first[f]; i < first[f + 1]; i++)
            if (!calls_back[callers[i]] &&
                !graph_class(finding->graph, functions->frame[callers[i]]).is_import) {
                calls_back[callers[i]] = true;
                reached[count++] = callers[i];
            }
    }
    free(first);
    free(callers);
    free(reached);
    return calls_back;
}

/* A function that calls own code back has only its own time. */
static void add_calls(struct finding_calls *finding)
{
    const struct calls *calls = &finding->graph->calls;
    const frame_id *frame = finding->graph->functions.frame;
    bool *calls_back = find_callbacks(finding);

    for (uint32_t i = 0; i < calls->count; i++) {
        frame_id function = frame[calls->callee[i]], caller = frame[calls->caller[i]];
        int64_t time = calls_back[calls->callee[i]] ? calls->self[i] : calls->cum[i];

        if (finding->is_own[caller] && !finding->is_own[function] && time > 0) {
            uint32_t place = place_of(finding, function, caller);

            add_call(finding, place, time);
            finding->calls[place].is_once = calls->calls[i] == 1;
        }
    }
    free(calls_back);
}

/* Below a function that only passes calls on, as Node's internal ones do: what it calls for most of the time. */
static frame_id behind_wrappers(const struct finding_calls *finding,
                                const struct library_call *call)
{
    const struct graph *graph = finding->graph;
    const struct calltree *tree = &graph->tree;
    int64_t *time = grow_zeroed((size_t)tree->count + 1, sizeof(*time));
    node_id at = 0;
    int64_t most = 0;

    for (node_id node = tree->count; node-- > 1;) {
        node_id above = calltree_parent(tree, node);

        time[node] = checked_add(time[node], calltree_self(tree, graph->values.selected, node));
        time[above] = checked_add(time[above], time[node]);
        if (tree->frame[node] == call->function && above && tree->frame[above] == call->caller &&
            time[node] > most)
            most = time[at = node];
    }
    for (node_id node = at + 1; at && node < tree->count; node++)
        if (calltree_parent(tree, node) == at && frame_is_internal(graph, tree->frame[at]) &&
            time[node] >= time[at] - time[at] / 10)
            at = node;
    free(time);
    return at ? tree->frame[at] : call->function;
}

/* Code that no symbol is known for may be any of its library's functions. */
static bool has_own_rule(const struct graph *graph, frame_id frame)
{
    return graph_frame(graph, frame)->is_nameless || graph_class(graph, frame).is_import || frame_blocking(graph, frame) != BLOCKING_NOT ||
           cost_class(graph, frame) != COST_NONE;
}

/* The one with most time, but for functions that have no name, wait, import, or have a class of costs
 * (function_class.h): those have rules of their own. Where only calls are known, not stacks, that of
 * functions that call own code back is their own time alone. Needs LEVEL_FLAT; without calls it finds nothing. */
static void library_call_find(const struct graph *graph, const bool *is_own,
                              struct library_call *most)
{
    struct finding_calls finding = {.graph = graph, .is_own = is_own};

    *most = (struct library_call){0};
    if (graph->has[LEVEL_CALLTREE])
        add_tree(&finding);
    else if (graph->has[LEVEL_CALLGRAPH])
        add_calls(&finding);
    for (size_t i = 0; i < finding.count; i++)
        if (finding.calls[i].time > most->time && !finding.calls[i].is_once &&
            !has_own_rule(graph, finding.calls[i].function))
            *most = finding.calls[i];
    if (most->function && graph->has[LEVEL_CALLTREE])
        most->function = behind_wrappers(&finding, most);
    idmap_free(&finding.time_at);
    free(finding.calls);
}

void judge_library_call(const struct advice_context *context, struct finding *finding)
{
    struct library_call most;

    if (context->graph->values.is_inclusive) {
        finding->why_not = "the profile has no times without callees";
        return;
    }
    library_call_find(context->graph, context->is_own, &most);
    if (!most.function) {
        finding->why_not = "no call from the program's own code into a library is recorded, or "
                           "each was made once";
        return;
    }

    const struct check check = {.what = "one call into a library / all",
                                .part = most.time,
                                .whole = context->whole,
                                .unit = graph_unit(context->graph),
                                .limit = LIMIT_OVERHEAD};

    finding_set(context, finding, &check, 0, most.time);
    finding->frame = most.function;
    finding->inside = most.caller;
}
