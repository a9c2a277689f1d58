/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "analysis/execution/idle_gaps.h"
#include "analysis/timeline/device_work.h"
#include "base/memory/memory.h"
#include "tests/unit/replayed.h"

/* The laws of replays, of what they gain and of idle time, on random timelines. */

static uint32_t dice(uint64_t *state, uint32_t sides)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33) % sides;
}

/* What random timelines are made of, in any order of tracks: `turn` says which comes first. */
struct invention {
    uint64_t state;
    uint32_t turn;  /* threads and streams are numbered, and come, from this one on */
    bool is_ragged; /* no two times are the same */
};

static uint32_t turned(const struct invention *made, uint32_t i, uint32_t count)
{
    return (i + made->turn) % count;
}

static int64_t moment(struct invention *made, int64_t time, uint32_t i)
{
    return made->is_ragged ? 64 * time + i : time;
}

static enum frame_kind device_kind(struct invention *made)
{
    static const enum frame_kind kinds[] = {KIND_KERNEL, KIND_KERNEL, KIND_MEMCPY,
                                            KIND_COMMUNICATION};

    return kinds[dice(&made->state, 4)];
}

/* Threads that launch, wait and nest, in units far above what rounding does; streams with overlaps,
 * gaps and work of no length; times that coincide often; two steps. */
static void invent(struct graph *graph, struct invention *made)
{
    static const char *const names[] = {"x", "y", "cudaDeviceSynchronize", "cudaLaunchKernel"};
    struct builder *builder = begin();
    uint64_t *state = &made->state;
    uint32_t threads = 1 + dice(state, 3), streams = dice(state, 4), number = 1;
    uint32_t tracks[8];

    for (uint32_t i = 0; i < threads; i++)
        tracks[turned(made, i, threads)] = thread_of(builder, i + 1);
    for (uint32_t i = 0; i < streams; i++)
        tracks[threads + turned(made, i, streams)] = stream_of(builder, 0, 7 + i);
    for (uint32_t i = 0; i < 24; i++) {
        uint32_t name = dice(state, 4), thread = dice(state, threads), event;
        int64_t start = 1000 * dice(state, 60), length = 1000 * dice(state, 20), lag, device;

        event = builder_event(builder_timeline(builder), tracks[thread], moment(made, start, 2 * i),
                              moment(made, length, 0),
                              named(builder, names[name], name < 2 ? KIND_OPERATOR : KIND_RUNTIME));
        if (i < 2)
            builder_property(builder_timeline(builder), event, PROP_STEP, i);
        if (name != 3 || streams == 0)
            continue;
        builder_launches(builder_timeline(builder), event, number);
        device = tracks[threads + dice(state, streams)];
        lag = dice(state, 30);
        event =
            builder_event(builder_timeline(builder), (uint32_t)device,
                          moment(made, start + lag, 2 * i + 1), moment(made, dice(state, 12), 0),
                          named(builder, names[dice(state, 2)], device_kind(made)));
        builder_launched(builder_timeline(builder), event, number++);
    }
    builder_finish(builder, graph);
}

Test(replay, laws_hold_on_random_timelines)
{
    static const double factors[] = {1.5, 2, 10, INFINITY, .5};
    struct invention made = {.state = 7};
    uint32_t changed = 0;

    for (uint32_t trial = 0; trial < 4000; trial++) {
        struct graph graph;

        invent(&graph, &made);
        for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++)
            changed += what_if(&graph, "x", factors[i]) != what_if(&graph, "none", 2);
        graph_free(&graph);
    }
    cr_expect(changed > 4000, "%u", changed);
}

/* The faster something is, the sooner the run ends. */
Test(replay, the_span_is_monotone_in_each_factor)
{
    static const double factors[] = {.5, 1, 1.5, 2, 10, INFINITY};
    static const char *const names[] = {"x", "y", "cudaLaunchKernel"};
    struct invention made = {.state = 11};

    for (uint32_t trial = 0; trial < 1000; trial++) {
        struct graph graph;

        invent(&graph, &made);
        for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
            for (size_t i = 1; i < sizeof(factors) / sizeof(factors[0]); i++)
                cr_assert_leq(what_if(&graph, names[n], factors[i]),
                              what_if(&graph, names[n], factors[i - 1]) + 100,
                              "trial %u, %s, factor %g", trial, names[n], factors[i]);
        graph_free(&graph);
    }
}

/* Replays a scenario, whose laws must hold; returns what it saves. */
static int64_t gain_of(const struct execution *execution, const struct scenario *scenario)
{
    struct arena arena = {0};
    int64_t *length = arena_array(&arena, execution->count, sizeof(*length)), span;
    int64_t *end = arena_array(&arena, execution->count, sizeof(*end));
    struct replay_bounds bounds;

    replay_lengths(execution, &scenario->change, length);
    span = replay_run(execution, &scenario->change, length, end) - execution->run_start;
    replay_bound(execution, &scenario->change, &bounds);
    cr_assert_geq(span, bounds.least - execution->count);
    cr_assert_leq(span, bounds.most + execution->count);
    if (!scenario->change.least)
        expect_laws(execution, &scenario->change, length, end, span);
    arena_free(&arena);
    return execution_span(execution) - span;
}

Test(replay, laws_hold_whatever_trouble_is_taken_out)
{
    struct invention made = {.state = 13};
    int64_t gains[REMEDY_COUNT + 2] = {0};

    for (uint32_t trial = 0; trial < 2000; trial++) {
        struct execution execution;
        struct graph graph;

        invent(&graph, &made);
        execution_build(&graph, &execution);
        for (int remedy = REMEDY_NONE; remedy < REMEDY_COUNT + 2; remedy++) {
            struct scenario scenario;
            bool *is_function = grow_zeroed(graph.frames.count, sizeof(*is_function));

            scenario_begin(&scenario, &execution);
            scenario.factors[1] = INFINITY;
            is_function[1] = true;
            if (remedy < REMEDY_COUNT)
                scenario_apply(&scenario, (enum remedy)remedy, 1);
            else if (remedy == REMEDY_COUNT)
                scenario_change_launching(&scenario, 1);
            else
                scenario_change_inside(&scenario, is_function, 1);
            gains[remedy] += gain_of(&execution, &scenario);
            scenario_free(&scenario);
            free(is_function);
        }
        execution_free(&execution);
        graph_free(&graph);
    }
    cr_expect_eq(gains[REMEDY_NONE], 0);
    cr_expect_gt(gains[REMEDY_WAITS], 0);
    cr_expect_gt(gains[REMEDY_LAUNCHES], 0);
    cr_expect_gt(gains[REMEDY_COPIES], 0);
    cr_expect_geq(gains[REMEDY_COMMUNICATION], gains[REMEDY_HIDDEN_COMMUNICATION]);
    cr_expect_gt(gains[REMEDY_HIDDEN_COMMUNICATION], 0);
    cr_expect_gt(gains[REMEDY_UNEVEN_STEPS], 0);
    cr_expect_gt(gains[REMEDY_COUNT], 0);
    cr_expect_gt(gains[REMEDY_COUNT + 1], 0);
}

/* What no device's stream covers between its first and its last work; there is one device. */
static int64_t idle_of(const struct graph *graph, const struct device_work *work)
{
    const struct timeline *timeline = &graph->timeline;
    struct intervals busy = {0};
    int64_t last = timeline->start[work->events[0]], idle;

    for (uint32_t i = 0; i < work->count; i++) {
        int64_t end = event_end(timeline, work->events[i]);

        intervals_add(&busy, timeline->start[work->events[i]], end);
        last = end > last ? end : last;
    }
    intervals_unite(&busy);
    idle = last - timeline->start[work->events[0]] - intervals_length(&busy);
    intervals_free(&busy);
    return idle;
}

static void explain(const struct graph *graph, int64_t *by_cause)
{
    int64_t causes = 0, classes = 0, owners = 0, lengths = 0, idle = 0;
    struct devices_work devices;
    struct arena arena = {0};
    struct gaps gaps;

    device_work_collect(graph, &arena, &devices);
    gaps_of_graph(graph, &devices, 0, &arena, &gaps);
    for (uint32_t i = 0; i < devices.count; i++)
        idle += idle_of(graph, &devices.list[i]);
    for (int cause = 0; cause < GAP_CAUSE_COUNT; cause++)
        causes += by_cause[cause] = gaps.by_cause[cause].time;
    for (int class = 0; class < IDLE_CLASS_COUNT; class ++)
        classes += gaps.by_class[class];
    for (uint32_t i = 0; i < gaps.owner_count; i++)
        owners += gaps.owners[i].time;
    for (uint32_t i = 0; i < gaps.count; i++)
        lengths += gaps.largest[i].length;
    cr_assert_eq(causes, idle);
    cr_assert_eq(classes, idle);
    cr_assert_eq(owners, idle);
    cr_assert_eq(lengths, idle);
    arena_free(&arena);
}

/* Each nanosecond that a device idles has one cause, one class and one owner, and the same whichever
 * track comes first. */
Test(replay, idle_causes_add_up_to_idle_time)
{
    int64_t sums[GAP_CAUSE_COUNT] = {0};
    uint64_t seed = 19;

    for (uint32_t trial = 0; trial < 2000; trial++) {
        int64_t by_cause[3][GAP_CAUSE_COUNT];

        seed = seed * 6364136223846793005u + 1;
        for (uint32_t turn = 0; turn < 3; turn++) {
            struct invention made = {.state = seed, .turn = turn, .is_ragged = true};
            struct graph graph;

            invent(&graph, &made);
            explain(&graph, by_cause[turn]);
            graph_free(&graph);
        }
        for (int cause = 0; cause < GAP_CAUSE_COUNT; cause++) {
            cr_assert_eq(by_cause[0][cause], by_cause[1][cause], "trial %u", trial);
            cr_assert_eq(by_cause[0][cause], by_cause[2][cause], "trial %u", trial);
            sums[cause] += by_cause[0][cause];
        }
    }
    cr_expect_gt(sums[GAP_HOST_LATE], 0);
    cr_expect_gt(sums[GAP_SYNC], 0);
    cr_expect_gt(sums[GAP_LAUNCH_QUEUE], 0);
    cr_expect_gt(sums[GAP_UNKNOWN], 0);
}

/* The order of tracks, and their numbers, mean nothing. */
Test(replay, it_is_the_same_whichever_thread_and_stream_comes_first)
{
    uint64_t seed = 17;

    for (uint32_t trial = 0; trial < 2000; trial++) {
        int64_t spans[3];

        seed = seed * 6364136223846793005u + 1;
        for (uint32_t turn = 0; turn < 3; turn++) {
            struct invention made = {.state = seed, .turn = turn, .is_ragged = true};
            struct graph graph;

            invent(&graph, &made);
            spans[turn] = what_if(&graph, "x", 2);
            graph_free(&graph);
        }
        cr_assert_eq(spans[0], spans[1], "trial %u", trial);
        cr_assert_eq(spans[0], spans[2], "trial %u", trial);
    }
}
