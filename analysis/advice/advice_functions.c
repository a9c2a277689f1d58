/* SPDX-License-Identifier: Apache-2.0 */
/* advice_functions.c — rules about functions, for profiles that are no timelines */

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

    return kind != KIND_OTHER && kind != KIND_ANNOTATION && kind != KIND_SYNC &&
           !graph_class(graph, graph->functions.frame[function]).is_rest &&
           frame_blocking(graph, graph->functions.frame[function]) == BLOCKING_NOT;
}

void judge_hot_function(const struct advice_context *context, struct finding *finding)
{
    const struct functions *f = &context->graph->functions;
    const bool *is_own = context->is_own;
    uint32_t hottest = 0;
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
        hottest = i;
        finding->frame = f->frame[i];
    }

    const struct check check = {.what = "self of one function / all",
                                .part = most,
                                .whole = context->whole,
                                .unit = graph_unit(context->graph),
                                .limit = LIMIT_HOT_FUNCTION};

    finding_set(context, finding, &check, 0, most);
    if (finding->is_reported && !is_own[finding->frame])
        finding->inside = own_caller(context->graph, is_own, hottest);
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
    finding->place_share = share_of(most, copies);
    if (copies == 0) {
        finding->why_not = "no copy of a device is recorded";
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
    finding->place_share = share_of(most, sum);
    if (!finding->is_reported && waiting.time[BLOCKING_POLL] > sum)
        finding->why_not = "what waits is an event loop, for something to do";
}

/* Code of the program's own, and what of others' it called that has the cost; without any, whatever called
 * it. */
static void find_place(const struct graph *graph, const struct cost_share *share,
                       struct finding *finding)
{
    finding->frame = share->owner ? share->through : share->worst;
    finding->inside = share->owner ? share->owner : share->caller;
    if (finding->inside && graph_frame(graph, finding->inside)->is_nameless)
        finding->inside = 0;
    finding->place_share = share_of(share->place_time, share->time);
    finding->place_of = share->class == finding->rule->cost ? NULL : cost_class_name(share->class);
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
                       LIMIT_OVERHEAD)) {
        finding->frame = find_allocating(context->graph, context->is_own, &finding->inside);
        return;
    }
    if (context->graph->values.is_inclusive) {
        finding->why_not = "the profile has no times without callees";
        return;
    }
    finding_set(context, finding, &check, 0, share->time);
    if (finding->rule->cost == COST_GC && context->costs->of[COST_ALLOCATION].owner)
        share = &context->costs->of[COST_ALLOCATION]; /* who makes what it collects */
    find_place(context->graph, share, finding);
}

void judge_collisions(const struct advice_context *context, struct finding *finding)
{
    const struct graph *graph = context->graph;
    struct integrity integrity;

    if (graph->native != LEVEL_CALLGRAPH) {
        finding->why_not = "the format distinguishes functions by more than their labels";
        return;
    }
    integrity_check(graph, context->arena, &integrity);
    if (!integrity.can_tell) {
        finding->why_not = "the profile does not record the time of each caller's calls";
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

static struct finding *find_reported(struct finding *found, uint32_t count,
                                     void (*judge)(const struct advice_context *, struct finding *),
                                     enum cost_class cost)
{
    for (uint32_t i = 0; i < count; i++)
        if (found[i].is_reported && found[i].rule->judge == judge && found[i].rule->cost == cost)
            return &found[i];
    return NULL;
}

static void silence(struct finding *finding, const char *why)
{
    finding->is_reported = false;
    finding->why_not = why;
}

void silence_paths(struct finding *found, uint32_t count)
{
    struct finding *hot = find_reported(found, count, judge_hot_function, COST_NONE);
    struct finding *call = find_reported(found, count, judge_library_call, COST_NONE);
    struct finding *collector = find_reported(found, count, judge_cost, COST_GC);
    struct finding *allocation = find_reported(found, count, judge_cost, COST_ALLOCATION);
    struct finding *path = find_reported(found, count, judge_hot_path, COST_NONE);
    bool has_cause = false;

    if (hot && call && hot->inside && hot->inside == call->inside)
        silence(hot, "'library-call' names the call that it is in");
    if (collector && allocation && collector->frame == allocation->frame &&
        collector->inside == allocation->inside && collector->high > allocation->high)
        silence(allocation, "'garbage-collection' names what allocates");
    for (uint32_t i = 0; i < count; i++)
        has_cause |= found[i].is_reported && found[i].rule->scope == RULE_FLAT &&
                     found[i].rule->judge != judge_hot_path &&
                     (found[i].rule->judge != judge_cost || found[i].inside);
    if (path && has_cause)
        silence(path, "another finding names a cause and its place");
}
