/* SPDX-License-Identifier: Apache-2.0 */
/* executed.h — a small run, made by hand, and the graph of its tasks; in microseconds */
#ifndef PTK_TESTS_UNIT_EXECUTED_H
#define PTK_TESTS_UNIT_EXECUTED_H

#include <math.h>

#include "analysis/execution/replay.h"
#include "analysis/execution/task_graph.h"
#include "tests/unit/hand_made.h"

struct run {
    struct builder *builder;
    uint32_t main, other, stream, second;
    int64_t launches;
    struct graph graph;
    struct execution execution;
    struct arena arena;
};

static inline void begin(struct run *run)
{
    *run = (struct run){.builder = begin_timeline(&(struct builder_options){
                            .launches = true, .properties = execution_properties()})};
    run->main = thread_of(run->builder, 1);
    run->other = thread_of(run->builder, 2);
    run->stream = stream_of(run->builder, 0, 7);
    run->second = stream_of(run->builder, 0, 8);
}

static inline uint32_t add(struct run *run, uint32_t track, const char *name, enum frame_kind kind,
                    int64_t start, int64_t end)
{
    return timed(run->builder, track, 1000 * start, 1000 * (end - start), name, kind);
}

/* A call and the work that it submits. */
static inline void submit(struct run *run, const char *call, int64_t start, int64_t end, uint32_t stream,
                   const char *work, int64_t work_start, int64_t work_end)
{
    enum frame_kind kind = strncmp(work, "copy", 4) == 0 ? KIND_MEMCPY : KIND_KERNEL;

    run->launches++;
    builder_launches(builder_timeline(run->builder),
                     add(run, run->main, call, KIND_RUNTIME, start, end), run->launches);
    builder_launched(builder_timeline(run->builder),
                     add(run, stream, work, kind, work_start, work_end), run->launches);
}

static inline void finish(struct run *run)
{
    builder_finish(run->builder, &run->graph);
    execution_build(&run->graph, &run->execution);
}

static inline void end(struct run *run)
{
    execution_free(&run->execution);
    arena_free(&run->arena);
    graph_free(&run->graph);
}

/* The span when everything of one name gets faster, which lies in its bracket. */
static inline int64_t without(struct run *run, const char *name, double factor)
{
    double factors[REPLAY_CHANGES_MAX + 1];
    uint8_t *change_of = arena_array(&run->arena, run->graph.frames.count, 1);
    const struct replay_change change = {.of_frame = change_of, .factors = factors};
    int64_t *length = arena_array(&run->arena, run->execution.count, sizeof(*length)), span;
    int64_t *ends = arena_array(&run->arena, run->execution.count, sizeof(*ends));
    struct replay_bounds bounds;

    for (int i = 0; i <= REPLAY_CHANGES_MAX; i++)
        factors[i] = i == 1 ? factor : 1;
    for (frame_id id = 0; id < run->graph.frames.count; id++)
        change_of[id] =
            span_eq(graph_text(&run->graph, graph_frame(&run->graph, id)->name), span_of(name));
    replay_lengths(&run->execution, &change, length);
    span = replay_run(&run->execution, &change, length, ends) - run->execution.run_start;
    replay_bound(&run->execution, &change, &bounds);
    cr_expect_geq(span, bounds.least);
    cr_expect_leq(span, bounds.most);
    return span / 1000;
}

static inline int64_t on_path(struct run *run, enum path_part part)
{
    struct critical_path path;

    critical_path_compute(&run->execution, &run->arena, &path);
    return path.time[part] / 1000;
}

#endif
