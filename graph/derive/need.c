/* SPDX-License-Identifier: Apache-2.0 */
/* Derives the level that a question needs, or says why that profile has none; and a profile's
 * totals. */
#include "graph/derive/derive.h"

#include <assert.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"

const char *level_title(enum level level)
{
    static const char *const titles[LEVEL_COUNT] = {
        [LEVEL_FLAT] = "functions",           [LEVEL_CALLGRAPH] = "call graph",
        [LEVEL_CALLTREE] = "call tree",       [LEVEL_TIMELINE] = "timeline",
        [LEVEL_COUNTERS] = "kernel counters",
    };

    return titles[level];
}

static const char *remedy(const struct graph *graph, enum level level)
{
    static const char *const texts[LEVEL_COUNT] = {
        [LEVEL_CALLGRAPH] = "record a profile that knows callers, such as Python's cProfile",
        [LEVEL_CALLTREE] = "record a sampled profile (pprof, perf, py-spy) or a Chrome trace",
        [LEVEL_TIMELINE] = "sums say how much, not when: 'ptk formats' lists what holds a timeline",
        [LEVEL_COUNTERS] =
            "count FLOPs and bytes with Nsight Compute (ncu --csv) or nvprof --metrics",
    };

    bool has_device = false, has_python = false;

    for (frame_id i = 0; i < graph->frames.count; i++) {
        enum frame_kind kind = graph_frame(graph, i)->kind;

        has_device |= frame_kind_is_device(kind);
        has_python |= kind == KIND_PYTHON;
    }
    if (level == LEVEL_TIMELINE && has_device)
        return "trace the device's work instead of summing it up: nvprof --print-gpu-trace, nsys "
               "export -t sqlite, torch.profiler";
    if (level == LEVEL_TIMELINE && has_python)
        return "record when things ran instead: torch.profiler, viztracer, py-spy record -f "
               "speedscope";
    return texts[level];
}

bool graph_need(struct graph *graph, enum level level, const char *question, struct error *err)
{
    if (level == LEVEL_COUNTERS ? !graph->has[level] : level > graph->native) {
        error_set(err, ERROR_LACK, "%s hold no%s, so %s", graph->source.format_title,
                  level == LEVEL_COUNTERS   ? " counters of kernels"
                  : level == LEVEL_TIMELINE ? " timeline"
                  : level == LEVEL_CALLTREE ? " call stacks"
                                            : " callers",
                  question);
        return error_hint(err, "%s", remedy(graph, level));
    }
    assert(level > LEVEL_CALLGRAPH || level == LEVEL_FLAT || graph->native != LEVEL_CALLGRAPH ||
           graph->has[LEVEL_CALLGRAPH]); /* or the command asked the parser for too little */
    if (graph->has[level])
        return true;
    if (level == LEVEL_FLAT && graph->native == LEVEL_TIMELINE && !graph->has[LEVEL_CALLTREE] &&
        !derive_by_launch(graph) && !derive_of_cpu(graph)) {
        derive_flat(graph);
        return true;
    }
    if (level <= LEVEL_CALLTREE && graph->native == LEVEL_TIMELINE && !graph->has[LEVEL_CALLTREE])
        derive_calltree(graph);
    if (level == LEVEL_FLAT && graph->native >= LEVEL_CALLTREE)
        derive_functions(graph);
    if (level == LEVEL_CALLGRAPH && graph->native >= LEVEL_CALLTREE)
        derive_calls(graph);
    return true;
}

bool graph_need_paths(struct graph *graph, const char *question, struct error *err)
{
    enum level level = graph->native < LEVEL_CALLTREE ? LEVEL_CALLGRAPH : LEVEL_CALLTREE;

    return graph_need(graph, level, question, err) && graph_need(graph, LEVEL_FLAT, question, err);
}

const struct edge_totals *graph_edge_totals(const struct graph *graph, struct edge_totals *made)
{
    const struct calls *c = &graph->calls;

    if (graph->edge_totals.count)
        return &graph->edge_totals;
    edge_totals_grow(made, graph->functions.count);
    for (uint32_t i = 0; i < c->count; i++)
        edge_totals_add(made, c->caller[i], c->callee[i], c->calls[i], c->self[i], c->cum[i]);
    return made;
}

void graph_narrow(struct graph *graph)
{
    int64_t total = graph_total(graph), whole = graph_whole(graph), idle = graph_idle(graph);

    graph->selection.is_narrowed = true;
    graph->selection.total = total;
    graph->selection.whole = whole;
    graph->selection.idle = idle;
}

/* The lines of a function add up; functions that call each other do not. */
static int64_t longest_function(const struct graph *graph)
{
    int64_t *sums = grow_zeroed((size_t)graph->functions.listed + 1, sizeof(*sums)), longest = 0;
    struct frames functions;

    frames_init(&functions);
    for (uint32_t i = 0; i < graph->functions.listed; i++) {
        struct frame frame = *graph_frame(graph, graph->functions.frame[i]);

        frame.line = frame_begins_at(&graph->frames, graph->functions.frame[i]);
        int64_t *sum = &sums[frame_intern(&functions, &frame)];

        *sum = checked_add(*sum, graph->functions.self[i]);
        if (*sum > longest)
            longest = *sum;
    }
    frames_free(&functions);
    free(sums);
    return longest;
}

int64_t graph_total(const struct graph *graph)
{
    int64_t total = graph->values.without_stack;

    if (graph->selection.is_narrowed)
        return graph->selection.total;
    if (graph->values.is_inclusive)
        return longest_function(graph);
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        total = checked_add(total, graph->functions.self[i]);
    return total;
}

bool graph_is_waiting(const struct graph *graph, uint32_t function)
{
    return graph->native != LEVEL_TIMELINE &&
           graph_frame(graph, graph->functions.frame[function])->kind == KIND_SYNC;
}

int64_t graph_work(const struct graph *graph)
{
    int64_t work = graph_total(graph);

    if (graph->native == LEVEL_CALLTREE)
        return checked_sub(work, graph_idle(graph));
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        if (graph_is_waiting(graph, i))
            work = checked_sub(work, graph->functions.self[i]);
    return work;
}

bool graph_is_idle(const struct graph *graph, frame_id frame)
{
    return graph->native == LEVEL_CALLTREE && graph_frame(graph, frame)->kind == KIND_SYNC;
}

int64_t graph_idle(const struct graph *graph)
{
    int64_t idle = 0;

    if (graph->selection.is_narrowed)
        return graph->selection.idle;
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        if (graph_is_idle(graph, graph->functions.frame[i]))
            idle = checked_add(idle, graph->functions.self[i]);
    return idle;
}

int64_t graph_whole(const struct graph *graph)
{
    int64_t whole;

    if (graph->selection.is_narrowed)
        return graph->selection.whole;
    whole = checked_sub(graph_total(graph), graph_idle(graph));
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        if (graph->functions.cum[i] > whole && !graph_is_idle(graph, graph->functions.frame[i]))
            whole = graph->functions.cum[i];
    return whole > 0 ? whole : 0;
}
