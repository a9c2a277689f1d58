/* SPDX-License-Identifier: Apache-2.0 */
/* brief.c — chooses what a short answer consists of: one pass over the events, one over the calls */
#include "analysis/brief/brief.h"

#include "analysis/advice/bottleneck.h"
#include "graph/classify/function_class.h"

/* ---- findings ---- */

static void choose_findings(const struct graph *graph, const struct advice *advice,
                            struct brief_parts *brief)
{
    frame_id frames[BRIEF_FINDINGS] = {0};
    struct occurrences occurrences[BRIEF_FINDINGS];

    for (uint32_t i = 0; i < advice->reported && brief->finding_count < BRIEF_FINDINGS; i++) {
        const struct finding *finding = &advice->findings[i];
        uint32_t at = brief->finding_count;

        if (at && finding->rule->is_symptom)
            continue;
        brief->findings[at] =
            (struct brief_finding){.finding = finding, .frame = finding_place(graph, finding)};
        frames[at] = finding->event == NO_EVENT ? 0 : brief->findings[at].frame;
        brief->finding_count++;
    }
    if (!graph->has[LEVEL_TIMELINE])
        return;
    occurrences_find(graph, frames, brief->finding_count, occurrences);
    for (uint32_t i = 0; i < brief->finding_count; i++)
        brief->findings[i].occurrences = occurrences[i];
}

/* ---- functions with the most time ---- */

enum { CALLERS_LEAST = 2, CALLERS_ASKED = 64 };

static bool is_on(const uint32_t *path, uint32_t count, int64_t function)
{
    for (uint32_t i = 0; i < count; i++)
        if (path[i] == function)
            return true;
    return false;
}

/* Up to the nearest caller that is the program's own, but no fewer than two; where that is far, those beside the
 * function, and it. */
static void follow_callers(const struct graph *graph, const int64_t *caller, const bool *is_own,
                           struct brief_cost *cost)
{
    uint32_t path[CALLERS_ASKED + 1] = {cost->function}, count = 0;
    bool is_found = false;

    while (count < CALLERS_ASKED && !(is_found && count >= CALLERS_LEAST)) {
        int64_t next = caller[path[count]];

        if (next == NO_CALLER || is_on(path, count + 1, next))
            break;
        path[++count] = (uint32_t)next;
        is_found |= is_own[graph->functions.frame[next]];
    }
    cost->is_far = is_found && count > BRIEF_CALLERS;
    cost->caller_count = count;
    if (count >= BRIEF_CALLERS)
        cost->caller_count = is_found ? BRIEF_CALLERS : BRIEF_CALLERS - 1;
    for (uint32_t i = 0; i < cost->caller_count; i++)
        cost->callers[i] = path[i + 1];
    if (cost->is_far)
        cost->callers[BRIEF_CALLERS - 1] = path[count];
}

static bool is_of_device(const struct graph *graph, uint32_t function)
{
    return frame_kind_is_device(graph_frame(graph, graph->functions.frame[function])->kind);
}

static void choose_costs(const struct graph *graph, struct arena *arena, struct brief_parts *brief)
{
    const struct hotspots_options ranking = {.order = {{ORDER_SELF, ORDER_CUM, ORDER_LABEL}, 3, false}};
    const struct functions *functions = &graph->functions;
    struct hotspots hotspots;

    hotspots_compute(graph, &ranking, arena, &hotspots);
    brief->cost = brief->is_of_devices ? 0 : hotspots.total;
    for (uint32_t i = 0; i < hotspots.count; i++) {
        uint32_t function = hotspots.rows[i].function;

        if (functions->self[function] <= 0 ||
            (brief->is_of_devices && !is_of_device(graph, function)))
            continue;
        if (brief->is_of_devices)
            brief->cost = checked_add(brief->cost, functions->self[function]);
        if (brief->cost_count < BRIEF_COSTS)
            brief->costs[brief->cost_count++].function = function;
    }
    if (graph->has[LEVEL_CALLGRAPH]) {
        const int64_t *caller = main_callers_find(graph, arena);
        const bool *is_own = own_code_find(graph, arena);

        for (uint32_t i = 0; i < brief->cost_count; i++)
            follow_callers(graph, caller, is_own, &brief->costs[i]);
    }
}

/* ---- what is not recorded ---- */

static bool has_python(const struct graph *graph)
{
    for (frame_id id = 1; id < graph->frames.count; id++)
        if (graph_frame(graph, id)->kind == KIND_PYTHON)
            return true;
    return false;
}

static void find_lacks(const struct graph *graph, const struct advice *advice, struct brief_parts *brief)
{
    const struct timeline *timeline = &graph->timeline;
    bool has_host = brief->is_of_devices && timeline_has_host(timeline);

    brief->lacks[LACKS_WORK] = advice->has_only_collectives;
    brief->lacks[LACKS_HOST] = brief->is_of_devices && !has_host;
    brief->lacks[LACKS_LAUNCHES] = has_host && !timeline->launch;
    brief->lacks[LACKS_STEPS] = brief->is_of_devices && !advice->steps;
    brief->lacks[LACKS_SHAPES] = has_host && !timeline->properties[PROP_SHAPES].count;
    brief->lacks[LACKS_PYTHON] = has_host && !has_python(graph);
    brief->lacks[LACKS_CALLERS] = !brief->is_of_devices && graph->native == LEVEL_FLAT;
}

/* ---- the whole, and one function ---- */

void brief_compose(const struct graph *graph, const struct advice *advice, bool is_of_devices,
                   struct arena *arena, struct brief_parts *brief)
{
    *brief = (struct brief_parts){.is_of_devices = is_of_devices};
    choose_findings(graph, advice, brief);
    choose_costs(graph, arena, brief);
    find_lacks(graph, advice, brief);
}

/* Two remedies whose gains are known, and not one remedy found by two rules. */
static bool are_replayed_apart(const struct finding *first, const struct finding *second)
{
    return first->gain > 0 && second->gain > 0 && !first->kernel_count && !second->kernel_count &&
           first->rule->remedy != second->rule->remedy;
}

/* The window that the device was judged by, without what that leaves out; of steps, which the host may end long
 * before the device does, the run. */
static void add_kernels(const struct execution *execution, const struct bottlenecks *devices,
                        const struct thresholds *thresholds, struct brief_parts *brief)
{
    const struct device_bottleneck *device = &devices->devices[0];
    bool is_of_steps = devices->window == WINDOW_STEPS;
    int64_t gain;

    brief->has_kernels = device->verdict == HELD_BY_COMPUTE;
    if (!brief->has_kernels)
        return;
    gain = advice_replay_kernels(execution, thresholds);
    brief->kernels = is_of_steps || gain < device->compute ? gain : device->compute;
    brief->whole = is_of_steps ? execution_span(execution) : device->span;
    brief->is_of_run = brief->whole != device->span;
}

void brief_add_replays(const struct execution *execution, const struct bottlenecks *devices,
                       const struct thresholds *thresholds, struct brief_parts *brief)
{
    const struct finding *first = brief->findings[0].finding, *second = brief->findings[1].finding;

    brief->has_both = brief->finding_count > 1 && are_replayed_apart(first, second);
    if (brief->has_both)
        advice_replay_both(execution, devices, thresholds, first, second, &brief->both);
    add_kernels(execution, devices, thresholds, brief);
}

void brief_compose_about(const struct graph *graph, uint32_t function, struct arena *arena,
                         struct brief_about *about)
{
    frame_id frame = graph->functions.frame[function];
    bool *is_wanted = arena_array(arena, graph->frames.count, sizeof(*is_wanted));
    struct relatives_options options = {.direction = CALLERS,
                                        .is_wanted = is_wanted,
                                        .order = {{ORDER_CUM, ORDER_LABEL}, 2, false},
                                        .limit = BRIEF_RELATIVES};

    *about = (struct brief_about){.function = function, .occurrences.longest = NO_EVENT};
    is_wanted[frame] = true;
    if (graph->has[LEVEL_TIMELINE])
        occurrences_find(graph, &frame, 1, &about->occurrences);
    if (!graph->has[LEVEL_CALLGRAPH])
        return;
    relatives_find(graph, &options, arena, &about->callers);
    options.direction = CALLEES;
    relatives_find(graph, &options, arena, &about->callees);
}
