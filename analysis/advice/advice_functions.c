/* SPDX-License-Identifier: Apache-2.0 */
/* advice_functions.c — rules about functions, for profiles that are no timelines */
#include <stdlib.h>

#include "analysis/advice/advice.h"
#include "analysis/advice/bottleneck.h"
#include "analysis/functions/hotspots.h"
#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/classify/event_class.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"

/* A function that does something itself; a total of the process is none. */
static bool is_work(const struct graph *graph, uint32_t function)
{
    enum frame_kind kind = graph_frame(graph, graph->functions.frame[function])->kind;

    return kind != KIND_OTHER && kind != KIND_ANNOTATION && !graph_is_waiting(graph, function) &&
           frame_blocking(graph, graph->functions.frame[function]) == BLOCKING_NOT;
}

void judge_hot_function(const struct advice_context *context, struct finding *finding)
{
    const struct functions *f = &context->graph->functions;
    int64_t most = 0;

    if (context->graph->values.is_inclusive) {
        finding->why_not = "the profile has no times without callees";
        return;
    }
    for (uint32_t i = 0; i < f->listed; i++) {
        if (f->self[i] <= most || !is_work(context->graph, i) ||
            graph_frame(context->graph, f->frame[i])
                ->is_nameless || /* of a library, any of its functions */
            cost_class(context->graph, f->frame[i]) != COST_NONE) /* which has a rule of its own */
            continue;
        most = f->self[i];
        finding->frame = f->frame[i];
    }

    const struct check check = {.what = "self of one function / all",
                                .part = most,
                                .whole = context->whole,
                                .unit = graph_unit(context->graph),
                                .limit = LIMIT_HOT_FUNCTION};

    finding_set(context, finding, &check, 0, most);
}

/* Summaries of a device: copies and kernels differ in their kind. */
void judge_copied_sum(const struct advice_context *context, struct finding *finding)
{
    const struct functions *f = &context->graph->functions;
    int64_t copies = 0, kernels = 0, most = 0;

    for (uint32_t i = 0; i < f->listed; i++) {
        enum frame_kind kind = graph_frame(context->graph, f->frame[i])->kind;

        if (kind == KIND_KERNEL)
            kernels = checked_add(kernels, f->self[i]);
        if (kind != KIND_MEMCPY)
            continue;
        copies = checked_add(copies, f->self[i]);
        if (f->self[i] > most) {
            most = f->self[i];
            finding->frame = f->frame[i];
        }
    }
    if (copies == 0) {
        finding->why_not = "no copy of a device is on record";
        return;
    }

    const struct check check = {.what = "time of kernels / time of copies",
                                .part = kernels,
                                .whole = copies,
                                .unit = graph_unit(context->graph),
                                .limit = LIMIT_COMPUTE_COPIES,
                                .is_below = true};

    finding_set(context, finding, &check, 0, copies);
}

/* What a recording says took so long, of the time that it took. */
static bool judge_recorded(const struct advice_context *context, struct finding *finding,
                           const char *what, enum fact_id part, enum threshold limit)
{
    const struct check check = {.what = what,
                                .part = fact_or_unknown(context->graph, part),
                                .whole = fact_or_unknown(context->graph, FACT_DURATION),
                                .unit = UNIT_NS,
                                .limit = limit};

    if (check.part == UNKNOWN || check.whole <= 0)
        return false;
    finding_set(context, finding, &check, UNKNOWN, UNKNOWN);
    return true;
}

/* Recorded reads and writes of files, which samples of what runs do not have. */
static bool judge_files(const struct advice_context *context, struct finding *finding)
{
    int64_t calls = fact_or_unknown(context->graph, FACT_FILE_CALLS),
            bytes = fact_or_unknown(context->graph, FACT_FILE_BYTES);
    const char *place = graph_fact_text(context->graph, FACT_FILE_PLACE);
    char count[FORMAT_LEN], size[FORMAT_LEN];

    if (calls <= 0 || bytes < 0)
        return false;
    return judge_recorded(context, finding,
                          arena_printf(context->arena,
                                       "%s reads and writes of files, of %s each%s%s / time",
                                       format_value(count, calls, UNIT_COUNT),
                                       format_value(size, bytes / calls, UNIT_BYTES),
                                       place ? ", most in " : "", place ? place : ""),
                          FACT_FILE_TIME, LIMIT_BLOCKING);
}

/* Event loops wait for something to do: no fault of the program. */
void judge_blocking(const struct advice_context *context, struct finding *finding)
{
    static const enum blocking kinds[] = {BLOCKING_IO, BLOCKING_LOCK, BLOCKING_SLEEP};
    struct waiting_functions waiting;
    int64_t sum = 0, most = 0;

    if (judge_files(context, finding) && finding->is_reported)
        return;
    waiting_functions_find(context->graph, &waiting);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        sum = checked_add(sum, waiting.time[kinds[i]]);
        if (waiting.most[kinds[i]] > most) {
            most = waiting.most[kinds[i]];
            finding->frame = context->graph->functions.frame[waiting.longest[kinds[i]]];
        }
    }

    const struct check check = {.what = "self of functions that wait / all",
                                .part = sum,
                                .whole = context->whole,
                                .unit = graph_unit(context->graph),
                                .limit = LIMIT_BLOCKING};

    finding_set(context, finding, &check, 0, sum);
    if (!finding->is_reported && waiting.time[BLOCKING_POLL] > sum)
        finding->why_not = "what waits is an event loop, for something to do";
}

/* Time that is no work of the program, of one class: which function has most, and for whom. */
void judge_cost(const struct advice_context *context, struct finding *finding)
{
    const struct cost_share *share = &context->costs->of[finding->rule->cost];
    const struct check check = {
        .what = arena_printf(context->arena, "%s / all", cost_class_name(share->class)),
        .part = share->time,
        .whole = context->whole,
        .unit = graph_unit(context->graph),
        .limit = LIMIT_OVERHEAD};

    if (finding->rule->cost == COST_GC &&
        judge_recorded(context, finding, "pauses of the collector / time", FACT_PAUSES,
                       LIMIT_OVERHEAD))
        return;
    if (context->graph->values.is_inclusive) {
        finding->why_not = "the profile has no times without callees";
        return;
    }
    finding_set(context, finding, &check, 0, share->time);
    finding->frame = share->worst;
    finding->inside = share->caller;
}

/* What Python runs for the first import of a module: with all that the module runs. */
void judge_imports(const struct advice_context *context, struct finding *finding)
{
    const struct graph *graph = context->graph;
    const struct functions *f = &graph->functions;
    int64_t time = 0;

    for (uint32_t i = 0; i < f->listed; i++) {
        if (f->cum[i] <= time || !graph_class(graph, f->frame[i]).is_import)
            continue;
        time = f->cum[i];
        finding->frame = f->frame[i];
    }
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
}

void judge_collisions(const struct advice_context *context, struct finding *finding)
{
    const struct graph *graph = context->graph;
    struct integrity integrity;

    if (graph->native != LEVEL_CALLGRAPH) {
        finding->why_not = "the format tells functions apart by more than their labels";
        return;
    }
    integrity_check(graph, context->arena, &integrity);
    if (!integrity.can_tell) {
        finding->why_not = "the profile does not say who called whom for how long";
        return;
    }
    if (integrity.lacks_builtins) {
        finding->why_not =
            "built-in functions were not recorded, and have the time that is missing";
        return;
    }

    const struct check check = {.what = "time in nobody's self / time entered",
                                .part = integrity.lost,
                                .whole = integrity.entered,
                                .unit = graph_unit(context->graph),
                                .limit = LIMIT_COLLISIONS};

    finding_set(context, finding, &check, UNKNOWN, UNKNOWN);
    if (integrity.imbalance_count)
        finding->frame = graph->functions.frame[integrity.imbalances[0].function];
}

/* ---- which function of a library, called by which of the program's own, takes most ---- */

struct library_call {
    frame_id function; /* where own code (function_class.h) is left; 0: it never is */
    frame_id caller;   /* the own function */
    int64_t time;      /* of the selected value, until own code is called back */
};

struct finding_calls {
    const struct graph *graph;
    bool *is_own;         /* by frame */
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
        finding->calls[finding->count++] = (struct library_call){function, caller, 0};
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

        if (finding->is_own[caller] && !finding->is_own[function] && time > 0)
            add_call(finding, place_of(finding, function, caller), time);
    }
    free(calls_back);
}

static bool has_own_rule(const struct graph *graph, frame_id frame)
{
    return graph_class(graph, frame).is_import || frame_blocking(graph, frame) != BLOCKING_NOT ||
           cost_class(graph, frame) != COST_NONE;
}

/* The one with most time, but for functions that wait, import, or have a class of costs
 * (function_class.h): those have rules of their own. Where only calls are known, not stacks, that of
 * functions that call own code back is their own time alone. Needs LEVEL_FLAT; without calls it finds nothing. */
static void library_call_find(const struct graph *graph, struct library_call *most)
{
    struct finding_calls finding = {
        .graph = graph, .is_own = grow_zeroed(graph->frames.count, sizeof(*finding.is_own))};

    *most = (struct library_call){0};
    for (frame_id id = 1; id < graph->frames.count; id++)
        finding.is_own[id] = is_own_code(graph, id);
    if (graph->has[LEVEL_CALLTREE])
        add_tree(&finding);
    else if (graph->has[LEVEL_CALLGRAPH])
        add_calls(&finding);
    for (size_t i = 0; i < finding.count; i++)
        if (finding.calls[i].time > most->time && !has_own_rule(graph, finding.calls[i].function))
            *most = finding.calls[i];
    idmap_free(&finding.time_at);
    free(finding.is_own);
    free(finding.calls);
}

void judge_library_call(const struct advice_context *context, struct finding *finding)
{
    struct library_call most;

    if (context->graph->values.is_inclusive) {
        finding->why_not = "the profile has no times without callees";
        return;
    }
    library_call_find(context->graph, &most);
    if (!most.function) {
        finding->why_not = "no call from the program's own code into a library is on record";
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
