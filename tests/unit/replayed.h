/* SPDX-License-Identifier: Apache-2.0 */
/* replayed.h — what the tests of replays share: runs made by hand, and what must hold of each */
#ifndef PTK_TESTS_UNIT_REPLAYED_H
#define PTK_TESTS_UNIT_REPLAYED_H

#include <stdlib.h>

#include "analysis/execution/replay.h"
#include "tests/unit/hand_made.h"

static inline struct builder *begin(void)
{
    return begin_timeline(
        &(struct builder_options){.launches = true, .properties = execution_properties()});
}

/* What must hold of every replay. */
static inline void expect_laws(const struct execution *execution, const struct replay_change *change,
                        int64_t *length, int64_t *end, int64_t span)
{
    struct replay_bounds bounds;
    struct critical_path path;
    struct arena arena = {0};
    int64_t sum = 0;

    critical_path_find(execution, change, length, end, &arena, &path);
    for (int part = 0; part < PATH_PART_COUNT; part++)
        sum += path.time[part];
    cr_assert_eq(sum, span, "the path is as long as the run");
    replay_bound(execution, change, &bounds);
    cr_assert_geq(span, bounds.least - execution->count, "factor %g", change->factors[1]);
    cr_assert_leq(span, bounds.most + execution->count, "factor %g", change->factors[1]);
    arena_free(&arena);
}

/* The span when everything of one name gets faster; checks the laws by the way. */
static inline int64_t what_if(const struct graph *graph, const char *name, double factor)
{
    double factors[REPLAY_CHANGES_MAX + 1];
    struct arena arena = {0};
    uint8_t *change_of = arena_array(&arena, graph->frames.count, 1);
    const struct replay_change change = {.of_frame = change_of, .factors = factors};
    struct execution execution;
    int64_t *length, *end, span;

    for (int i = 0; i <= REPLAY_CHANGES_MAX; i++)
        factors[i] = 1;
    for (frame_id id = 0; id < graph->frames.count; id++)
        change_of[id] = span_eq(graph_text(graph, graph_frame(graph, id)->name), span_of(name));
    execution_build(graph, &execution);
    length = arena_array(&arena, execution.count, sizeof(*length));
    end = arena_array(&arena, execution.count, sizeof(*end));

    replay_lengths(&execution, &change, length);
    cr_assert_eq(replay_run(&execution, &change, length, end), execution.run_end,
                 "no change, no change");
    for (task_id task = 0; task < execution.count; task++) {
        cr_assert_eq(end[task], execution.end[task], "task %u", task);
        cr_assert_eq(length[task], task_length(&execution, task), "task %u", task);
    }
    expect_laws(&execution, &change, length, end, execution_span(&execution));

    factors[1] = factor;
    replay_lengths(&execution, &change, length);
    span = replay_run(&execution, &change, length, end) - execution.run_start;
    expect_laws(&execution, &change, length, end, span);
    execution_free(&execution);
    arena_free(&arena);
    return span;
}

#endif
