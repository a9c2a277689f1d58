/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/verdict/bottleneck.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/hash_index.h"
#include "base/memory/vector.h"
#include "graph/classify/event_class.h"
#include "graph/classify/function_class.h"

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
    const int64_t *self = tree->self[finding->graph->values.selected];
    uint32_t *left_at = grow_to(NULL, (size_t)tree->count + 1, sizeof(*left_at));

    left_at[0] = none;
    for (node_id node = 1; node < tree->count; node++) {
        frame_id frame = tree->frame[node], parent = tree->frame[tree->parent[node]];

        left_at[node] = left_at[tree->parent[node]];
        if (finding->is_own[frame])
            left_at[node] = none;
        else if (tree->parent[node] && finding->is_own[parent])
            left_at[node] = place_of(finding, frame, parent);
        if (left_at[node] != none && self[node] > 0)
            add_call(finding, left_at[node], self[node]);
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

static bool is_told_apart(const struct graph *graph, frame_id frame)
{
    struct frame_class class = graph_class(graph, frame);

    return class.is_import || class.blocking != BLOCKING_NOT ||
           cost_class(graph, frame) != COST_NONE;
}

void library_call_find(const struct graph *graph, struct library_call *most)
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
        if (finding.calls[i].time > most->time && !is_told_apart(graph, finding.calls[i].function))
            *most = finding.calls[i];
    idmap_free(&finding.time_at);
    free(finding.is_own);
    free(finding.calls);
}
