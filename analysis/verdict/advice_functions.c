/* SPDX-License-Identifier: Apache-2.0 */
/* advice_functions.c — rules about functions, for profiles that are no timelines */
#include "analysis/functions/hotspots.h"
#include "analysis/verdict/advice.h"
#include "analysis/verdict/bottleneck.h"
#include "graph/classify/event_class.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"

/* A function that does something itself; a total of the process is none. */
static bool is_work(const struct graph *graph, uint32_t function)
{
    return graph_frame(graph, graph->functions.frame[function])->kind != KIND_OTHER &&
           !graph_is_waiting(graph, function) &&
           graph_class(graph, graph->functions.frame[function]).blocking == BLOCKING_NOT;
}

void judge_hot_function(const struct scene *scene, struct finding *finding)
{
    const struct functions *f = &scene->graph->functions;
    int64_t most = 0;

    if (scene->graph->values.is_inclusive) {
        finding->silence = "the profile has no times without callees";
        return;
    }
    for (uint32_t i = 0; i < f->listed; i++) {
        if (f->self[i] <= most || !is_work(scene->graph, i) ||
            cost_class(scene->graph, f->frame[i]) != COST_NONE) /* which has a rule of its own */
            continue;
        most = f->self[i];
        finding->frame = f->frame[i];
    }

    const struct check check = {.what = "self of one function / all",
                                .part = most,
                                .whole = scene->whole,
                                .unit = graph_unit(scene->graph),
                                .limit = LIMIT_HOT_FUNCTION};

    finding_set(scene, finding, &check, 0, most);
}

/* Summaries of a device: copies and kernels are told apart by their kind. */
void judge_copied_sum(const struct scene *scene, struct finding *finding)
{
    const struct functions *f = &scene->graph->functions;
    int64_t copies = 0, kernels = 0, most = 0;

    for (uint32_t i = 0; i < f->listed; i++) {
        enum frame_kind kind = graph_frame(scene->graph, f->frame[i])->kind;

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
        finding->silence = "no copy of a device is on record";
        return;
    }

    const struct check check = {.what = "time of kernels / time of copies",
                                .part = kernels,
                                .whole = copies,
                                .unit = graph_unit(scene->graph),
                                .limit = LIMIT_COMPUTE_COPIES,
                                .is_below = true};

    finding_set(scene, finding, &check, 0, copies);
}

void judge_blocking(const struct scene *scene, struct finding *finding)
{
    const struct functions *f = &scene->graph->functions;
    int64_t sum = 0, most = 0, polling = 0;

    for (uint32_t i = 0; i < f->listed; i++) {
        enum blocking kind = graph_class(scene->graph, f->frame[i]).blocking;

        if (kind == BLOCKING_POLL)
            polling = checked_add(polling, f->self[i]);
        if (kind == BLOCKING_NOT || kind == BLOCKING_POLL)
            continue;
        sum = checked_add(sum, f->self[i]);
        if (f->self[i] > most) {
            most = f->self[i];
            finding->frame = f->frame[i];
        }
    }

    const struct check check = {.what = "self of functions that wait / all",
                                .part = sum,
                                .whole = scene->whole,
                                .unit = graph_unit(scene->graph),
                                .limit = LIMIT_BLOCKING};

    finding_set(scene, finding, &check, 0, sum);
    if (!finding->speaks && polling > sum)
        finding->silence = "what waits is an event loop, for something to do";
}

/* Time that is no work of the program, of one class: which function has most, and for whom. */
void judge_cost(const struct scene *scene, struct finding *finding)
{
    const struct cost_share *share = &scene->costs->of[finding->rule->cost];
    const struct check check = {
        .what = arena_printf(scene->arena, "%s / all", cost_class_name(share->class)),
        .part = share->time,
        .whole = scene->whole,
        .unit = graph_unit(scene->graph),
        .limit = LIMIT_OVERHEAD};

    if (scene->graph->values.is_inclusive) {
        finding->silence = "the profile has no times without callees";
        return;
    }
    finding_set(scene, finding, &check, 0, share->time);
    finding->frame = share->worst;
    finding->inside = share->caller;
}

void judge_library_call(const struct scene *scene, struct finding *finding)
{
    struct library_call most;

    if (scene->graph->values.is_inclusive) {
        finding->silence = "the profile has no times without callees";
        return;
    }
    library_call_find(scene->graph, &most);
    if (!most.function) {
        finding->silence = "no call from the program's own code into a library is on record";
        return;
    }

    const struct check check = {.what = "one call into a library / all",
                                .part = most.time,
                                .whole = scene->whole,
                                .unit = graph_unit(scene->graph),
                                .limit = LIMIT_OVERHEAD};

    finding_set(scene, finding, &check, 0, most.time);
    finding->frame = most.function;
    finding->inside = most.caller;
}

/* What Python runs for the first import of a module: with all that the module runs. */
void judge_imports(const struct scene *scene, struct finding *finding)
{
    const struct graph *graph = scene->graph;
    const struct functions *f = &graph->functions;
    int64_t time = 0;

    for (uint32_t i = 0; i < f->listed; i++) {
        if (f->cum[i] <= time || !graph_class(graph, f->frame[i]).is_import)
            continue;
        time = f->cum[i];
        finding->frame = f->frame[i];
    }
    if (time == 0) {
        finding->silence = "nothing was imported";
        return;
    }

    const struct check check = {.what = "cum of imports / all",
                                .part = time,
                                .whole = scene->whole,
                                .unit = graph_unit(scene->graph),
                                .limit = LIMIT_IMPORTS};

    finding_set(scene, finding, &check, 0, time);
}

void judge_collisions(const struct scene *scene, struct finding *finding)
{
    const struct graph *graph = scene->graph;
    struct integrity integrity;

    if (graph->native != LEVEL_CALLGRAPH) {
        finding->silence = "the format tells functions apart by more than their labels";
        return;
    }
    integrity_check(graph, scene->arena, &integrity);
    if (!integrity.can_tell) {
        finding->silence = "the profile does not say who called whom for how long";
        return;
    }
    if (integrity.lacks_builtins) {
        finding->silence =
            "built-in functions were not recorded, and have the time that is missing";
        return;
    }

    const struct check check = {.what = "time in nobody's self / time entered",
                                .part = integrity.lost,
                                .whole = integrity.entered,
                                .unit = graph_unit(scene->graph),
                                .limit = LIMIT_COLLISIONS};

    finding_set(scene, finding, &check, UNKNOWN, UNKNOWN);
    if (integrity.imbalance_count)
        finding->frame = graph->functions.frame[integrity.imbalances[0].function];
}
